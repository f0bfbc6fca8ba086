"""Runs weir, and reads what it writes into pandas data frames with units.

    import weir

    detail = weir.load("out/detail")         # a run's directory, or a sweep's
    detail.flows["fct_ns"].quantile(0.99)    # flows.csv
    detail.flows.attrs["units"]["fct_ns"]    # "ns"
    detail.summary["drops"]                  # summary.json

    fc = weir.run("burst.ini", switch={"scheme": "fc"}, run={"seed": 2})

docs/python.md has more.
"""
from weir.errors import RunFailed, WeirError
from weir.loading import load
from weir.program import run, sweep
from weir.run_directory import Run
from weir.sweep_directory import Sweep

__all__ = ["Run", "RunFailed", "Sweep", "WeirError", "load", "run", "sweep"]
