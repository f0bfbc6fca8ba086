"""A CSV file as a data frame, with the types of its schema and its units."""
from __future__ import annotations

import csv
import pathlib
import re
import typing
import warnings

import pandas

from weir.errors import WeirError
from weir.schema import Table

NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"
TEXTS = {"integer": r"-?[0-9]+", "number": NUMBER, "string": r"[\s\S]*", "any": r"[\s\S]*"}


def read_table(file: pathlib.Path, table: Table, lines: int | None = None) -> pandas.DataFrame:
    """The frame of `file`, with `attrs["units"]`: the unit of each column that has one.

    Integers are int64; Int64 where a field may be empty, and where they name something (host, flow), so that all tables
    can be joined. Numbers are float64, with NaN for an empty field, texts str, with "" for an empty field. `lines`: how many there have to be below the header, where that is known.
    Raises WeirError where the file is cut or damaged, or lacks a column.
    """
    counted, commas, quotes, whole = _shape(file, table.file)
    columns = _header(file)
    if not columns:
        raise WeirError(f"{file}:1: is empty; expected the columns of {table.file}")
    missing = table.missing(columns)
    if missing:
        raise WeirError(f"{file}:1: has no column {', '.join(missing)}; expected the columns of {table.file}")
    if not whole or (lines is not None and counted - 1 < lines):
        expected = "a line feed at its end" if not whole else f"{lines} lines below the header, as summary.json counts"
        raise WeirError(f"{file}:{counted if whole else counted + 1}: is cut; expected {expected}")
    fields = table.match(columns)
    for column, field in zip(columns, fields):
        if field is None:
            warnings.warn(f"{file}: column {column} is of another version of weir: it has no unit, and its type is a guess",
                          stacklevel=4)
    if not quotes and commas != counted * (len(columns) - 1):
        raise _fault(file, columns, fields, "has lines with too few or too many fields")
    try:
        frame = pandas.read_csv(file, dtype=dict(map(_dtype, columns, fields)), keep_default_na=False, index_col=False,
                                na_values={c: [""] for c, f in zip(columns, fields) if not _is_text(f)},
                                float_precision="round_trip", encoding="utf-8", encoding_errors="replace")
        for column, field in zip(columns, fields):
            _convert(frame, column, field)
    except (ValueError, TypeError, OverflowError, KeyError) as error:
        raise _fault(file, columns, fields, str(error)) from None
    frame.attrs["units"] = {c: f["unit"] for c, f in zip(columns, fields) if f and "unit" in f}
    return frame


def _shape(file: pathlib.Path, expected: str) -> tuple[int, int, bool, bool]:
    """Line feeds, commas, whether there are quotes, whether the last line has its end."""
    lines = commas = 0
    quotes, last = False, b""
    try:
        with file.open("rb") as data:
            while block := data.read(1 << 20):
                lines += block.count(b"\n")
                commas += block.count(b",")
                quotes = quotes or b'"' in block
                last = block[-1:]
    except OSError as error:
        raise WeirError(f"{file}: cannot be read: {error.strerror}; expected a file with the columns of {expected}") from None
    return lines, commas, quotes, last == b"\n"


def _header(file: pathlib.Path) -> list[str]:
    with file.open(newline="", encoding="utf-8", errors="replace") as text:
        return next(csv.reader(text), [])


def _is_text(field: dict[str, typing.Any] | None) -> bool:
    return field is None or field["type"] in ("string", "boolean", "any")


def _is_required(field: dict[str, typing.Any]) -> bool:
    return field.get("constraints", {}).get("required", False)


def _dtype(column: str, field: dict[str, typing.Any] | None) -> tuple[str, typing.Any]:
    if _is_text(field):
        return column, str
    assert field is not None
    if field["type"] == "number":
        return column, "float64"
    if field.get("identifies") == "seed":
        return column, "uint64"
    return column, "int64" if _is_required(field) and "identifies" not in field else "Int64"


def _convert(frame: pandas.DataFrame, column: str, field: dict[str, typing.Any] | None) -> None:
    """Of columns that were read as texts."""
    if field is not None and field["type"] in ("integer", "number") and _is_required(field) and frame[column].isna().any():
        raise ValueError(f"{column} has empty fields")
    if field is None or field["type"] == "any":
        values = frame[column]
        empty = values == ""
        if not empty.all() and values[~empty].str.fullmatch(NUMBER).all():
            numbers = pandas.to_numeric(values.where(~empty))
            whole = values[~empty].str.fullmatch(TEXTS["integer"]).all()
            frame[column] = numbers.astype("Int64" if whole else "float64")
    elif field["type"] == "boolean":
        known = {text: True for text in field["trueValues"]} | {text: False for text in field["falseValues"]}
        known |= {} if _is_required(field) else {"": None}
        frame[column] = pandas.array([known[text] for text in frame[column]],
                                     dtype="bool" if _is_required(field) else "boolean")


def _fault(file: pathlib.Path, columns: list[str], fields: list[dict[str, typing.Any] | None], why: str) -> WeirError:
    """The first line that is wrong."""
    with file.open(newline="", encoding="utf-8", errors="replace") as text:
        rows = csv.reader(text)
        for row in rows:
            if len(row) != len(columns):
                return WeirError(f"{file}:{rows.line_num}: has {len(row)} fields; expected {len(columns)}")
            for column, field, value in zip(columns, fields, row):
                if rows.line_num > 1 and field is not None and not _fits(field, value):
                    what = f"'{value}'" if value else "an empty field"
                    unit = f" in {field['unit']}" if "unit" in field else ""
                    return WeirError(f"{file}:{rows.line_num}: {column}: is {what}; expected {_type_text(field)}{unit}")
    return WeirError(f"{file}: cannot be read: {why}")


def _fits(field: dict[str, typing.Any], value: str) -> bool:
    if value == "" and field["type"] != "string":
        return not _is_required(field)
    if field["type"] == "boolean":
        return value in field["trueValues"] + field["falseValues"]
    return re.fullmatch(TEXTS[field["type"]], value) is not None


def _type_text(field: dict[str, typing.Any]) -> str:
    if field["type"] == "boolean":
        return " or ".join(field["trueValues"] + field["falseValues"])
    return {"integer": "an integer", "number": "a number"}[field["type"]]
