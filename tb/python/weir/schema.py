"""Columns of each table: the files in schema/.

run_tables.json and sweep_tables.json describe each table in the manner of a Table Schema: `fields` with `name`, `type`,
`unit`, `description` and `constraints`, in the order of the columns. The program generates them from the rows that it
writes; a test compares them. Keys that a Table Schema does not have:

    name_pattern   instead of `name`: any number of columns at this place whose whole names match; `<previous>` is the
                   name of the column before. The first field that matches counts.
    only_with      the option without which the column is not there
    identifies     what an integer or a text names (host, flow, port, ...), instead of a unit
    empty          when a value that is not required is empty
    written        the option with which a run writes the table

Types are `integer`, `number`, `string`, `boolean` and `any` (numbers where all values are, else texts).
NAME.schema.json is a JSON Schema (2020-12) of NAME.json, with the keywords `unit` and `identifies`.
"""
from __future__ import annotations

import functools
import json
import pathlib
import re
import typing

from weir.errors import WeirError

FOLDER = pathlib.Path(__file__).resolve().parent / "schema"
SWEEP_TABLES = ("sweep", "means")


class Table:
    """The schema of one table."""

    def __init__(self, document: dict[str, typing.Any]) -> None:
        self.name: str = document["name"]
        self.file: str = document["file"]
        self.description: str = document["description"]
        self.written: str = document["written"]
        self.fields: list[dict[str, typing.Any]] = document["fields"]

    def match(self, columns: typing.Sequence[str]) -> list[dict[str, typing.Any] | None]:
        """The field of each column; None for one that the schema does not know."""
        places = {field["name"]: place for place, field in enumerate(self.fields) if "name" in field}
        found: list[dict[str, typing.Any] | None] = []
        at, previous = -1, ""
        for column in columns:
            at = places.get(column, at)
            found.append(self.fields[at] if column in places else self._by_pattern(at + 1, column, previous))
            previous = column
        return found

    def missing(self, columns: typing.Sequence[str]) -> list[str]:
        """Columns that have to be there and are not."""
        needed = [field["name"] for field in self.fields if "name" in field and "only_with" not in field]
        return [name for name in needed if name not in columns]

    def _by_pattern(self, begin: int, column: str, previous: str) -> dict[str, typing.Any] | None:
        for field in self.fields[begin:]:
            if "name" in field:
                return None
            pattern = field["name_pattern"].replace("<previous>", re.escape(previous))
            if re.fullmatch(pattern, column):
                return field
        return None


@functools.lru_cache(maxsize=None)
def tables() -> dict[str, Table]:
    """All tables by name, those of sweeps included."""
    files = sorted(FOLDER.glob("*_tables.json"))
    found = [Table(document) for file in files for document in json.loads(file.read_text(encoding="utf-8"))]
    return {table.name: table for table in sorted(found, key=lambda table: table.name)}


def run_tables() -> dict[str, Table]:
    """Those that a run writes."""
    return {name: table for name, table in tables().items() if name not in SWEEP_TABLES}


def read_json(file: pathlib.Path, expected: str) -> dict[str, typing.Any]:
    """An object of a JSON file; `expected`: what the message asks for where it is none."""
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise WeirError(f"{file}: cannot be read: {error.strerror}; expected {expected}") from None
    except json.JSONDecodeError as error:
        what = f"cut or damaged: column {error.colno}: {error.msg}" if error.doc else "empty"
        raise WeirError(f"{file}:{error.lineno}: is {what}; expected {expected}") from None
    except ValueError as error:
        raise WeirError(f"{file}: is damaged: {error}; expected {expected}") from None
    if not isinstance(document, dict):
        raise WeirError(f"{file}: is not an object; expected {expected}")
    return document
