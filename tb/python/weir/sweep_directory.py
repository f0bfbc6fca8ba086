"""The directory of a sweep."""
from __future__ import annotations

import os
import pathlib
import typing
import warnings

import pandas

from weir.errors import WeirError
from weir.run_directory import Run
from weir.schema import read_json, tables
from weir.table import read_table


class Sweep:
    """What a sweep has written.

    path    the directory
    plan    plan.json: axes, seeds, options
    varied  columns of the varied options; one with a unit has a second column with the bare number
    runs    sweep.csv: a line for each run, with its state and the numbers of its summary; where a number is only a lower
            bound in some run, the column behind it, `fct_ns.p99_is_lower_bound`, says in which
    means   means.csv: a line for each point and metric; `mean_is_lower_bound` and `difference_is_lower_bound` mark bounds
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Warns where runs are missing or have failed. Raises WeirError where a file is missing, cut or damaged."""
        self.path = pathlib.Path(path)
        self.plan = read_json(self.path / "plan.json", "the plan of a sweep")
        if not isinstance(self.plan.get("axes"), list):
            raise WeirError(f"{self.path / 'plan.json'}: has no axes; expected the plan of a sweep")
        if not (self.path / "sweep.csv").exists():
            raise WeirError(f"{self.path / 'sweep.csv'}: is not there: the sweep was killed, or is under way; "
                            "expected its tables, which the same command writes")
        self.runs = read_table(self.path / "sweep.csv", tables()["sweep"])
        columns = list(self.runs.columns)
        self.varied = columns[columns.index("point") + 1:columns.index("seed")]
        for state in ("failed", "missing"):
            count = int((self.runs["state"] == state).sum())
            if count:
                warnings.warn(f"{self.path}: {count} of {len(self.runs)} runs are {state}", stacklevel=3)
        if "flows.unfinished" in columns and (self.runs["flows.unfinished"] > 0).any():
            count = int((self.runs["flows.unfinished"] > 0).sum())
            warnings.warn(f"{self.path}: transfers of {count} of {len(self.runs)} runs did not complete; columns that "
                          "end in _is_lower_bound mark the percentiles that are only lower bounds", stacklevel=3)
        self._means: pandas.DataFrame | None = None
        self._runs: dict[tuple[int, int], Run] = {}

    @property
    def means(self) -> pandas.DataFrame:
        if self._means is None:
            self._means = read_table(self.path / "means.csv", tables()["means"])
        return self._means

    def run(self, point: int, seed: int) -> Run:
        """One run. Raises WeirError for one that is not done, RunFailed for one that failed."""
        row = self.runs[(self.runs["point"] == point) & (self.runs["seed"] == seed)]
        if row.empty:
            raise WeirError(f"{self.path}: has no point {point} with seed {seed}; expected one of the lines of sweep.csv")
        if (point, seed) not in self._runs:
            width = max(4, len(str(self.runs["point"].max())))
            self._runs[point, seed] = Run(self.path / "points" / f"{point:0{width}}" / f"seed_{seed}")
        found = self._runs[point, seed]
        failure = found.failure()
        if failure is not None:
            raise failure
        if row["state"].item() != "done":
            raise WeirError(f"{found.path}: the run is {row['state'].item()}; expected one that is done")
        return found

    def each(self) -> typing.Iterator[tuple[dict[str, typing.Any], Run]]:
        """All runs that are done, each with its point, its varied options and its seed."""
        done = self.runs.loc[self.runs["state"] == "done", ["point", *self.varied, "seed"]]
        for values in done.itertuples(index=False, name=None):
            yield dict(zip(done.columns, values)), self.run(values[0], values[-1])

    def load(self, name: str) -> pandas.DataFrame:
        """A table of all runs that are done, in one frame: point, varied options and seed come first.

        Raises WeirError where no run is done, and MissingTable where the runs have no such table or the sweep has kept
        summaries only (`weir sweep --keep all` keeps all).
        """
        frames, units = [], {}
        for values, run in self.each():
            frame = run[name]
            units = {**{key: self.runs.attrs["units"][key] for key in values if key in self.runs.attrs["units"]},
                     **frame.attrs["units"]}
            frame = frame.copy()
            for place, (key, value) in enumerate(values.items()):
                frame.insert(place, key if key not in frame else f"{key}_of_sweep", value)
            frames.append(frame)
        if not frames:
            raise WeirError(f"{self.path}: no run is done; expected at least one")
        whole = pandas.concat(frames, ignore_index=True)
        whole.attrs["units"] = units
        return whole

    def __repr__(self) -> str:
        return f"weir.Sweep('{self.path}'): {len(self.runs)} runs over {', '.join(self.varied) or 'seeds'}"
