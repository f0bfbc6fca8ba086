"""Runs the program and loads what it has written."""
from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import typing
import warnings
import weakref

from weir.errors import RunFailed, WeirError
from weir.loading import check_run
from weir.run_directory import REPEATABLE, Run
from weir.sweep_directory import Sweep

Path = typing.Union[str, "os.PathLike[str]"]
Config = typing.Union[None, Path, typing.Sequence[Path], typing.Mapping[str, typing.Any]]
BAD_INPUT = 2


def run(config: Config = None, out: Path | None = None, program: Path | None = None, **options: typing.Any) -> Run:
    """Runs a simulation and loads it.

    config   an INI file, several of them, or options as below; files come first, options win
    out      directory for the results; None: a temporary one, which is removed with the last reference to the run
    program  the program; None: the environment variable WEIR, else `weir` on PATH
    options  by block, `switch={"scheme": "detail"}`, or by name, `**{"switch.scheme": "detail"}`. True and False are on
             and off, a list gives an option several times, or is a list with
             commas where an option takes one, anything else is text or becomes it; quantities need units

    What the program warns of becomes warnings. Raises RunFailed where the program ends with another status than 0, and
    WeirError where there is no program or options have no form.
    """
    left = Run(tempfile.mkdtemp(prefix="weir-") if out is None else out)
    if out is None:
        weakref.finalize(left, shutil.rmtree, left.path, ignore_errors=True)
    status, messages = _call(program, ["run", *_arguments(config, options), "--out", str(left.path)])
    if status == 0:
        return check_run(left)
    wrote = status != BAD_INPUT and any((left.path / name).exists() for name in ("summary.json", "failure.json"))
    failure = left.failure() if wrote else None
    raise RunFailed(f"weir run: exit status {status}: {messages}", status, messages,
                    failure.verdict if failure is not None else None, left if wrote else None)


def sweep(config: Config = None, *, vary: typing.Mapping[str, typing.Any], out: Path, seeds: str | int = 1,
          keep: str = "all", program: Path | None = None, **options: typing.Any) -> Sweep:
    """Runs a sweep and loads it; the same call again goes on where it was stopped.

    vary   values of each varied option: a list, or a text as `--vary` takes it, `{"traffic.load": "10%..90%:lin:5"}`
    out    directory for the results
    seeds  how many, or which: `5`, `"3,7,11"`, `"1..10"`
    keep   files of each run that are kept: `all`, or `summary`, which leaves no tables to load

    The rest is as for `run`. Failed runs are a warning. Raises RunFailed where the sweep did not come to its end.
    """
    axes = [f"--vary={key}={_values(key, values)}" for key, values in vary.items()]
    status, messages = _call(program, ["sweep", *_arguments(config, options), *axes, f"--seeds={seeds}", f"--keep={keep}",
                                       "--out", str(out)])
    if status not in (0, 1):
        raise RunFailed(f"weir sweep: exit status {status}: {messages}", status, messages)
    return Sweep(out)


def find_program(program: Path | None = None) -> str:
    """The program that `run` calls."""
    named = program or os.environ.get("WEIR") or "weir"
    found = shutil.which(named)
    if found is None:
        raise WeirError(f"{named}: is not a program that can be run; expected program=, the environment variable WEIR, or weir "
                        "on PATH")
    return found


def _call(program: Path | None, arguments: list[str]) -> tuple[int, str]:
    """Exit status, 128 + n for signal n, and what was written to standard error but for warnings, which become warnings."""
    found = find_program(program)
    try:
        done = subprocess.run([found, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              errors="replace", check=False)
    except OSError as error:
        raise WeirError(f"{found}: cannot be run: {error.strerror}; expected the program weir") from None
    lines = done.stderr.strip().splitlines()
    for line in lines:
        if line.startswith("warning: "):
            warnings.warn(line[len("warning: "):], stacklevel=3)
    messages = "\n".join(line for line in lines if not line.startswith("warning: "))
    return (done.returncode if done.returncode >= 0 else 128 - done.returncode), messages


def _arguments(config: Config, options: typing.Mapping[str, typing.Any]) -> list[str]:
    files: list[str] = []
    named: dict[str, typing.Any] = {}
    if isinstance(config, typing.Mapping):
        named.update(_flat(config))
    elif isinstance(config, (str, os.PathLike)):
        files = [os.fspath(config)]
    elif isinstance(config, (list, tuple)):
        files = [os.fspath(file) for file in config]
    elif config is not None:
        raise WeirError(f"{config!r}: is not a configuration; expected an INI file, a list of them, or options by block")
    named.update(_flat(options))
    return files + [f"--{key}={text}" for key, value in named.items() for text in _texts(key, value)]


def _texts(key: str, value: typing.Any) -> list[str]:
    """An option that may be given several times takes a list so; any other one is a list of texts with commas."""
    if not isinstance(value, (list, tuple)):
        return [_text(value)]
    texts = [_text(each) for each in value]
    return texts if key.rstrip("+") in REPEATABLE else [", ".join(texts)]


def _flat(options: typing.Mapping[str, typing.Any]) -> dict[str, typing.Any]:
    found: dict[str, typing.Any] = {}
    for key, value in options.items():
        if isinstance(value, typing.Mapping):
            found.update({f"{key}.{name}": inner for name, inner in value.items()})
        elif "." in key:
            found[key] = value
        else:
            raise WeirError(f"{key}: is not an option; expected a block, {key}={{\"name\": value}}, or \"block.name\": value")
    return found


def _text(value: typing.Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None or isinstance(value, (typing.Mapping, set)):
        raise WeirError(f"{value!r}: is not a value of an option; expected a text, a number, True, False, or a list of them")
    if "\0" in (text := str(value)):
        raise WeirError(f"{value!r}: has a character NUL; expected a text without")
    return text


def _values(key: str, values: typing.Any) -> str:
    """Of a varied option, as `--vary` takes them."""
    if isinstance(values, str):
        return values
    if not isinstance(values, typing.Iterable):
        raise WeirError(f"{key}: {values!r} is not a list of values; expected a list, or a text such as '10%,20%'")
    return ",".join(_in_list(value) for value in values)


def _in_list(value: typing.Any) -> str:
    """A value that has commas needs brackets."""
    text = _text(value)
    return f"({text})" if "," in text or not text else text
