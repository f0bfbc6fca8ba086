"""Which kind of directory a path names."""
from __future__ import annotations

import os
import pathlib
import warnings

from weir.errors import WeirError
from weir.run_directory import Run
from weir.sweep_directory import Sweep


def load(path: str | os.PathLike[str]) -> Run | Sweep:
    """The run or the sweep whose directory `path` is.

    Raises RunFailed for a run that ended with a verdict (its `run` has the tables that were left), and WeirError for a
    directory of no run or sweep, or of a run that was killed. Warns of a run that was stopped before its end.
    """
    path = pathlib.Path(path)
    if not path.is_dir():
        what = "is not a directory" if path.exists() else "does not exist"
        raise WeirError(f"{path}: {what}; expected the directory of a run or a sweep")
    if not os.access(path, os.R_OK | os.X_OK):
        raise WeirError(f"{path}: cannot be read: Permission denied; expected the directory of a run or a sweep")
    return Sweep(path) if (path / "plan.json").exists() else check_run(Run(path))


def check_run(run: Run) -> Run:
    """`run`, if it has come to an end."""
    failure = run.failure()
    if failure is not None:
        raise failure
    if not (run.path / "summary.json").exists():
        partial = sorted(file.name for file in run.path.glob("*.partial"))
        if partial:
            raise WeirError(f"{run.path}: holds {partial[0]}: the run was killed, or is under way; expected one that has ended")
        raise WeirError(f"{run.path}: is not the directory of a run or a sweep; expected summary.json or plan.json in it")
    if not run.summary["complete"]:
        warnings.warn(f"{run.path}: the run was stopped before its end: figures are of its first "
                      f"{run.summary['simulated_ns']} ns", stacklevel=3)
    return run
