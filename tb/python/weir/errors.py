"""What goes wrong."""
from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    from weir.run_directory import Run


class WeirError(Exception):
    """A file or directory that cannot be read, or input that no program takes.

    The message is `file:line: column: what is wrong; expected what`, as far as these are known.
    """


class MissingTable(WeirError, AttributeError):
    """A table that a run has not written, or that no run writes."""


class RunFailed(WeirError):
    """The program ended a run, or refused to begin it.

    status    exit status of the program: 1 a verdict of the model, 2 bad input, 3 the environment, 128 + n signal n
    verdict   lossless_loss, deadlock, invariant or limit; None where the model has come to none
    messages  what the program wrote to standard error, or what failure.json says
    run       the directory that was left, as far as it had come; None where nothing was written
    """

    def __init__(self, what: str, status: int, messages: str, verdict: str | None = None,
                 run: Run | None = None) -> None:
        super().__init__(what)
        self.status = status
        self.verdict = verdict
        self.messages = messages
        self.run = run
