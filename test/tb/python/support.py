"""What the tests of the Python package share: where it is, which program runs, what a Debian package is missing for."""
import atexit
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import small_runs

ROOT = small_runs.ROOT
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tb" / "python"))
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "tb" / "python"), *filter(None, [os.environ.get("PYTHONPATH")])])
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
PROGRAM = os.environ.get("WEIR", str(ROOT / "build" / "release" / "weir"))
os.environ["WEIR"] = PROGRAM
EXIT_SKIPPED = 77


def needs(*modules):
    """Skips a class of tests, saying which Debian packages are missing."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    packages = ", ".join(f"python3-{module}" for module in missing)
    return unittest.skipIf(missing, f"needs Debian's {packages} for {sys.executable}")


def main():
    """Runs the tests of the calling file; exit status 77, as ctest is told, where some are skipped for a missing package."""
    done = unittest.main(exit=False).result
    reasons = sorted({reason for _, reason in done.skipped})
    for reason in reasons:
        print("skipped:", reason)
    lacking = any(reason.startswith("needs Debian's") for reason in reasons)
    sys.exit(EXIT_SKIPPED if lacking and done.wasSuccessful() else not done.wasSuccessful())


class InScratch(unittest.TestCase):
    """Each test in a new directory."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weir-test-")
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        self.scratch = pathlib.Path(folder.name)
        os.chdir(self.scratch)

    def copy_of(self, run):
        """A copy of a run's directory, to be damaged."""
        return pathlib.Path(shutil.copytree(run, self.scratch / f"copy_of_{run.name}"))


def arguments_of(options):
    """Options of small_runs.py as the command line has them: written here once more, not with the package under test."""
    given = dict(options)
    config = given.pop("config", None)
    words = [str(config)] if config else []
    for key, value in given.items():
        for each in value if isinstance(value, list) else [value]:
            words.append(f"--{key}={'on' if each is True else 'off' if each is False else each}")
    return words


class RunOnce:
    """Directories of small runs, each made when it is first asked for."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="weir-runs-")
        atexit.register(self._folder.cleanup)
        self._made = {}

    def __getitem__(self, name):
        """The directory; None for a run with RTL where the program has none."""
        if name not in self._made:
            directory = pathlib.Path(self._folder.name) / name
            command = [PROGRAM, "run", *arguments_of(small_runs.RUNS[name]), "--out", str(directory)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            no_rtl = name in small_runs.NEEDS_RTL and "Verilator" in done.stderr
            if done.returncode != small_runs.STATUS.get(name, 0) and not no_rtl:
                raise AssertionError(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr}")
            self._made[name] = None if no_rtl else directory
        return self._made[name]

    def all(self):
        found = {name: self[name] for name in small_runs.RUNS}
        return {name: directory for name, directory in found.items() if directory is not None}

    def sweep(self, name="sweep"):
        if name not in self._made:
            directory = pathlib.Path(self._folder.name) / name
            options = small_runs.SWEEPS[name]
            words = arguments_of(options)
            done = subprocess.run([PROGRAM, "sweep", *words, "--out", str(directory)], capture_output=True, text=True, check=False)
            if done.returncode != small_runs.STATUS.get(name, 0):
                raise AssertionError(f"{words}: exit status {done.returncode}: {done.stderr}")
            self._made[name] = directory
        return self._made[name]

    def sweeps(self):
        return {name: self.sweep(name) for name in small_runs.SWEEPS}


RUNS_MADE = RunOnce()
