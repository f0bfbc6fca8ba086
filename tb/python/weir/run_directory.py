"""The directory of one run."""
from __future__ import annotations

import functools
import os
import pathlib
import re
import typing
import warnings

import pandas

from weir.errors import MissingTable, RunFailed, WeirError
from weir.schema import read_json, run_tables
from weir.table import read_table

Options = typing.Dict[str, typing.Union[str, typing.List[str]]]

# Options that may be given several times: always lists.
REPEATABLE = ("run.plugin", "fabric.link", "fabric.route", "host.broken", "output.metrics", "trace.pcap")
# What summary.json counts of a table's lines.
COUNTED = {"flows": "fct_ns", "jobs": "jct_ns"}
BOUND = "_is_lower_bound"


class Run:
    """What a run has written; each part is read when it is first asked for, and once.

    path        the directory
    summary     summary.json: counts and completion times; keys end in their units
    lower_bounds  names of the summary's values that are only lower bounds, `fct_ns.p99` or
                `groups.TAG.BYTES.PRIORITY.fct_ns.p99`, as columns of a sweep have them
    options     effective.ini: every option as text with its unit, `options["link.rate"]`; a list where it may be given
                several times
    provenance  run.json: what may differ between equal runs
    tables      names of the tables that are there
    flows, jobs, ports, ...  data frames, also as `run["flows"]`; `frame.attrs["units"]` has the unit of each column

    Frames are kept: `run.flows.copy()` is one to be changed. Raises WeirError where a file is missing, cut or damaged,
    MissingTable for a table that the run has not written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = pathlib.Path(path)
        self._frames: dict[str, pandas.DataFrame] = {}

    @functools.cached_property
    def summary(self) -> dict[str, typing.Any]:
        read = read_json(self.path / "summary.json", "the summary of a run")
        for key in ("complete", "simulated_ns", *COUNTED.values()):
            if key not in read:
                raise WeirError(f"{self.path / 'summary.json'}: has no key {key}; expected the summary of a run")
        flows = read.get("flows", {})
        if flows.get("unfinished"):
            warnings.warn(f"{self.path}: {flows['unfinished']} of {flows.get('started')} transfers did not complete: flows and "
                          "jobs have completed ones only, and lower_bounds names the percentiles that are only lower bounds",
                          stacklevel=4)
        for key in COUNTED.values():
            if not isinstance(read[key], dict) or "count" not in read[key]:
                raise WeirError(f"{self.path / 'summary.json'}: {key}: has no count; expected the summary of a run")
        return read

    @functools.cached_property
    def lower_bounds(self) -> list[str]:
        return list(_bounds_in(self.summary))

    @functools.cached_property
    def provenance(self) -> dict[str, typing.Any]:
        return read_json(self.path / "run.json", "what may differ between equal runs")

    @functools.cached_property
    def options(self) -> Options:
        return _read_effective(self.path / "effective.ini")

    @property
    def tables(self) -> list[str]:
        return [name for name, table in run_tables().items() if (self.path / table.file).is_file()]

    def failure(self) -> RunFailed | None:
        """The verdict that ended the run; None where there is none."""
        file = self.path / "failure.json"
        if not file.exists():
            return None
        read = read_json(file, "the verdict of a run")
        verdict, error = read.get("verdict"), read.get("error", "")
        return RunFailed(f"{self.path}: the run failed: {verdict or 'no verdict'}: {error}", read.get("status", 1), error,
                         verdict, self)

    def __getitem__(self, name: str) -> pandas.DataFrame:
        if name not in self._frames:
            self._frames[name] = self._read(name)
        return self._frames[name]

    def __getattr__(self, name: str) -> pandas.DataFrame:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __contains__(self, name: str) -> bool:
        return name in self.tables

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.tables]

    def __repr__(self) -> str:
        return f"weir.Run('{self.path}'): {', '.join(self.tables)}"

    def _read(self, name: str) -> pandas.DataFrame:
        if name not in run_tables():
            raise MissingTable(f"{self.path}: '{name}' is not a table; expected one of {', '.join(run_tables())}")
        table = run_tables()[name]
        file = self.path / table.file
        if (self.path / f"{table.file}.partial").exists():
            raise WeirError(f"{file}.partial: is not whole: the run was killed, or is under way; expected {table.file}")
        if not file.exists():
            raise MissingTable(f"{file}: is not there; expected a run that writes it: {table.written}, with all files kept")
        failed = (self.path / "failure.json").exists()
        if failed or name not in COUNTED:
            return read_table(file, table, None)
        return read_table(file, table, self.summary[COUNTED[name]]["count"])


def _bounds_in(values: dict[str, typing.Any], before: str = "") -> typing.Iterator[str]:
    """Names of the values beside which a key marks a lower bound. A tag with other characters stands in quotes."""
    for key, value in values.items():
        name = key if re.fullmatch("[A-Za-z0-9_-]+", key) else '"' + key.replace('"', '""') + '"'
        if key.endswith(BOUND) and value is True:
            yield before + key[:-len(BOUND)]
        elif isinstance(value, dict):
            yield from _bounds_in(value, f"{before}{name}.")
        elif key == "groups":
            for group in value:
                yield from _bounds_in(group, f"groups.{group['tag']}.{group['bytes']}.{group['priority']}.")


def _read_effective(file: pathlib.Path) -> Options:
    """Lines are `[block]`, `key = value`, or comments, and the last one is `# end`."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise WeirError(f"{file}: cannot be read: {error.strerror}; expected the options of a run") from None
    if not lines or lines[-1] != "# end":
        raise WeirError(f"{file}:{len(lines)}: is cut; expected '# end' as its last line")
    options: Options = {key: [] for key in REPEATABLE}
    block = ""
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if text.startswith("[") and text.endswith("]"):
            block = text[1:-1]
        elif text:
            name, equals, value = text.partition("=")
            key = f"{block}.{name.strip()}"
            if not equals or not block:
                raise WeirError(f"{file}:{number}: '{text}' is not an option; expected key = value below a [block]")
            if key in REPEATABLE:
                typing.cast(list, options[key]).append(value.strip())
            else:
                options[key] = value.strip()
    return options
