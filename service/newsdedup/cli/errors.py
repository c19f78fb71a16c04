"""What a command says when something goes wrong, and what the shell is told."""

import errno
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

import typer

from newsdedup.cli.shown.output import printable_line
from newsdedup.config import DEBUG_VARIABLE


class ExitCode(IntEnum):
    """What the process tells the shell; numbers from 65 to 75 mean what sysexits.h says."""

    OK = 0
    FAILED = 1
    USAGE = 2
    INPUT_UNUSABLE = 65
    INPUT_MISSING = 66
    UNAVAILABLE = 69
    BUG = 70
    OUTPUT_UNUSABLE = 73
    IO_ERROR = 74
    BUSY = 75
    STATE_UNUSABLE = 78
    INTERRUPTED = 130
    PIPE_CLOSED = 141


EXIT_MEANINGS = {
    ExitCode.OK: "done",
    ExitCode.FAILED: "a check failed, or differences were found",
    ExitCode.USAGE: "the command line or a setting is wrong",
    ExitCode.INPUT_UNUSABLE: "input data is unusable",
    ExitCode.INPUT_MISSING: "an input is not there or cannot be read",
    ExitCode.UNAVAILABLE: "a server does not answer",
    ExitCode.BUG: "a bug in newsdedup: please report it with the traceback",
    ExitCode.OUTPUT_UNUSABLE: "an output cannot be written",
    ExitCode.IO_ERROR: "an I/O error, such as a full disk",
    ExitCode.BUSY: "the state is in use by another process: try again later",
    ExitCode.STATE_UNUSABLE: "the state is damaged, of a newer version, or of other settings",
    ExitCode.INTERRUPTED: "interrupted (Ctrl-C)",
    ExitCode.PIPE_CLOSED: "the reader of the output went away, as `head` does",
}


BROKEN_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG})
EXTRAS = {
    "aiohttp": "kafka",
    "aiokafka": "kafka",
    "faust": "kafka",
    "hiredis": "kafka",
    "prometheus_client": "kafka",
    "redis": "kafka",
}
"""Which extra brings a library that a command may miss."""
BROKEN_SQLITE = frozenset({10, 13})
"""SQLITE_IOERR and SQLITE_FULL."""


@contextmanager
def report_errors() -> Iterator[None]:
    """Turn what can go wrong into one message and an exit code; leave bugs to the caller.

    With NEWSDEDUP_DEBUG=1 the traceback comes first.
    """
    try:
        yield
    except BrokenPipeError:
        _forget_stdout()
        raise typer.Exit(ExitCode.PIPE_CLOSED) from None
    except KeyboardInterrupt:
        say("interrupted")
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    except Exception as error:
        # Wrong words on the command line, and exits that a command chose, know their code.
        code = ExitCode.BUG if hasattr(error, "exit_code") else exit_code(error)
        if code is ExitCode.BUG:
            raise
        if os.environ.get(DEBUG_VARIABLE, "0") not in ("", "0"):
            traceback.print_exc()
        say(_told(error))
        raise typer.Exit(code) from error


def exit_code_of_flushing(code: int) -> int:
    """Return the exit code of a command that ends, once standard output took all or failed to.

    Left to the interpreter, the failure would be a traceback after everything else.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        _forget_stdout()
        if code:
            return code
        if isinstance(error, BrokenPipeError):
            return ExitCode.PIPE_CLOSED
        say(f"standard output: {error.strerror}")
        return ExitCode.IO_ERROR
    return code


def report_bug(error: Exception) -> None:
    """Show where an error came from that nobody foresaw."""
    traceback.print_exception(error)
    say(f"this is a bug in newsdedup ({type(error).__name__}); please report the lines above")


def say(message: str) -> None:
    """Print a message for a person, whatever is in it."""
    lines = [printable_line(line) for line in message.splitlines()]
    print("newsdedup: " + "\n".join(lines), file=sys.stderr)


def exit_code(error: Exception) -> ExitCode:
    """Return what the shell is told of an error; BUG for one that is none of ours.

    A failing disk is told apart by the cause, for it can hit inputs, outputs and state alike.
    """
    # Imported here because the ports know the engine's values, and help must not wait for those.
    from newsdedup.core.stories.acts import UnknownItem
    from newsdedup.ports import errors

    codes: tuple[tuple[type[Exception], ExitCode], ...] = (
        (errors.SettingsInvalid, ExitCode.USAGE),
        (errors.InvalidItem, ExitCode.INPUT_UNUSABLE),
        (errors.NothingToRead, ExitCode.INPUT_UNUSABLE),
        (errors.SourceUnusable, ExitCode.INPUT_MISSING),
        (UnknownItem, ExitCode.INPUT_MISSING),
        (errors.SinkUnusable, ExitCode.OUTPUT_UNUSABLE),
        (errors.StateBusy, ExitCode.BUSY),
        (errors.StateUnusable, ExitCode.STATE_UNUSABLE),
        (errors.Unavailable, ExitCode.UNAVAILABLE),
        (errors.StateMoved, ExitCode.UNAVAILABLE),
        (OSError, ExitCode.IO_ERROR),
    )
    if _disk_failed(error):
        return ExitCode.IO_ERROR
    if _missing(error):
        return ExitCode.USAGE
    return next((code for kind, code in codes if isinstance(error, kind)), ExitCode.BUG)


def _told(error: Exception) -> str:
    """Return the message of an error; errors of the system are told without their number."""
    if missing := _missing(error):
        return f"{missing} is not installed: scripts/install {EXTRAS[missing]}"
    if isinstance(error, OSError) and error.strerror:
        return ": ".join(str(part) for part in (error.filename, error.strerror) if part)
    return str(error)


def _missing(error: Exception) -> str:
    """Return the library of an extra that is not installed, "" for any other error."""
    name = error.name or "" if isinstance(error, ModuleNotFoundError) else ""
    root = name.partition(".")[0]
    return root if root in EXTRAS else ""


def _disk_failed(error: BaseException | None) -> bool:
    """Return whether an error, or what it was raised from, is a full or failing disk."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in BROKEN_DISK:
            return True
        # Extended codes of SQLite keep the kind in the low byte.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in BROKEN_SQLITE:
            return True
        error = error.__cause__
    return False


def _forget_stdout() -> None:
    """Let the interpreter flush standard output at exit without another complaint."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
