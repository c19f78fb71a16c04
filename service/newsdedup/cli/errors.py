"""Messages and exit codes of what can go wrong in a command."""

import errno
import io
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from importlib import import_module
from typing import Self

import typer

from newsdedup.cli.environment import Terminated
from newsdedup.cli.invocation import advise_extra, as_called, program
from newsdedup.cli.output import printable_line
from newsdedup.config import DEBUG_VARIABLE


class ExitCode(IntEnum):
    """The exit codes of the process; numbers from 65 to 78 mean what sysexits.h says."""

    meaning: str

    def __new__(cls, number: int, meaning: str) -> Self:
        """Return the code with this number and its meaning in words."""
        code = int.__new__(cls, number)
        code._value_, code.meaning = number, meaning
        return code

    OK = 0, "done"
    FAILED = 1, "a check or some feeds failed, or differences were found"
    USAGE = 2, "the command line or a setting is wrong, or a library of an extra is missing"
    INPUT_UNUSABLE = 65, "input data is unusable"
    INPUT_MISSING = 66, "an input does not exist or cannot be read"
    UNAVAILABLE = 69, "a server does not answer"
    BUG = 70, "a bug in newsdedup: please report it with the traceback"
    OUTPUT_UNUSABLE = 73, "an output cannot be written, or a state or its folder is read-only"
    IO_ERROR = 74, "an I/O error, such as a full disk"
    BUSY = 75, "the state or the output is in use by another process: try again later"
    STATE_UNUSABLE = 78, "the state is lost, damaged, of a newer version, or of other settings"
    INTERRUPTED = 130, "interrupted (Ctrl-C)"
    PIPE_CLOSED = 141, "the reader of the output ended, as `head` does"
    TERMINATED = 143, "stopped by SIGTERM before the end of its input"


_MODULES = {
    "lab": "datasketch gaoya matplotlib rapidfuzz rensa simhash",
    "parquet": "pyarrow",
    "feeder": "aiohttp brotli yarl",
    "pages": "lxml trafilatura warcio",
    "serve": "aiohttp jinja2 markupsafe yarl",
    "otel": "opentelemetry",
    "kafka": "aiohttp aiokafka cramjam faust hiredis prometheus_client redis yarl",
}
EXTRAS = {extra: tuple(modules.split()) for extra, modules in _MODULES.items()}
"""The modules that each extra of pyproject.toml brings."""
_EXTRA_OF = {module: extra for extra, modules in EXTRAS.items() for module in modules}
"""The last extra that brings a module; commands that need another one call `require_extra`."""
_BROKEN_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG})
_BROKEN_SQLITE = frozenset({10, 13})
"""SQLITE_IOERR and SQLITE_FULL."""


class ExtraMissing(ModuleNotFoundError):
    """A library of the extra that a command needs is not installed."""

    def __init__(self, library: str, extra: str) -> None:
        """Name the library; the message says how to install the extra."""
        advice = f"the extra {extra} brings it: `{advise_extra(extra)}`"
        super().__init__(f"{library} is not installed: {advice}", name=library)
        self.advice = advice


def require_libraries(*modules: str) -> None:
    """Import the modules: a missing one raises ModuleNotFoundError now, not after long work."""
    for module in modules:
        import_module(module)


def require_extra(extra: str) -> None:
    """Import all libraries of an extra: a missing one raises ExtraMissing now."""
    try:
        require_libraries(*EXTRAS[extra])
    except ModuleNotFoundError as error:
        raise ExtraMissing(str(error.name), extra) from error


@contextmanager
def report_errors() -> Iterator[None]:
    """Turn a foreseen error into one message and a typer.Exit; a bug is raised unchanged.

    Of a missing library the message says how to install it, of an OSError the file and the reason.
    Ctrl-C, SIGTERM and a closed pipe have exit codes of their own. With NEWSDEDUP_DEBUG=1 the
    traceback is printed before the message.
    """
    try:
        yield
    except BrokenPipeError:
        _forget_stdout()
        raise typer.Exit(ExitCode.PIPE_CLOSED) from None
    except KeyboardInterrupt as end:
        stopped = isinstance(end, Terminated)
        say("stopped by SIGTERM" if stopped else "interrupted")
        raise typer.Exit(ExitCode.TERMINATED if stopped else ExitCode.INTERRUPTED) from None
    except Exception as error:
        # Exits that a command chose have their code already, and nothing to show.
        if hasattr(error, "exit_code"):
            if not hasattr(error, "show"):
                raise
            shown, context = io.StringIO(), getattr(error, "ctx", None)
            error.show(shown)
            # Click names the program of its advice as the parser knows it, not as it was called.
            name = "newsdedup" if context is None else context.find_root().info_name
            text = shown.getvalue().replace(f"Try '{name} ", f"Try '{program()} ")
            print(as_called(text), end="", file=sys.stderr)
            raise typer.Exit(error.exit_code) from None
        code = exit_code(error)
        if code is ExitCode.BUG:
            raise
        if os.environ.get(DEBUG_VARIABLE, "0") not in ("", "0"):
            traceback.print_exc()
        message = str(error)
        if missing := _missing_library(error):
            message = str(missing)
        elif isinstance(error, OSError) and error.strerror:
            message = ": ".join(str(part) for part in (error.filename, error.strerror) if part)
        say(message)
        raise typer.Exit(code) from error


def exit_code_of_flushing(code: int) -> int:
    """Flush standard output; return `code`, or, if it is 0, the code of a failure to flush.

    Without this, the interpreter would print a traceback for the failure after everything else.
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
    """Print the traceback of an unforeseen error to standard error, and ask for a report."""
    traceback.print_exception(error)
    say(f"this is a bug in newsdedup ({type(error).__name__}); please report the lines above")


def say(message: str) -> None:
    """Print a message to standard error after "newsdedup: ", without its control characters.

    Command lines in it, written `newsdedup ...`, are printed as this program was called.
    """
    lines = [printable_line(line) for line in as_called(message).splitlines()]
    print("newsdedup: " + "\n".join(lines), file=sys.stderr)


def exit_code(error: Exception) -> ExitCode:
    """Return the exit code for an error; BUG for an unforeseen one.

    A full or failing disk is recognised by the cause of the error: inputs, outputs and the state
    can all be hit by it.
    """
    from newsdedup.core.stories.commands import UnknownItem
    from newsdedup.ports import errors

    codes: tuple[tuple[type[Exception], ExitCode], ...] = (
        (errors.SettingsInvalid, ExitCode.USAGE),
        (errors.InvalidItem, ExitCode.INPUT_UNUSABLE),
        (errors.NothingToRead, ExitCode.INPUT_UNUSABLE),
        (errors.SourceUnusable, ExitCode.INPUT_MISSING),
        (UnknownItem, ExitCode.INPUT_MISSING),
        (errors.SinkBusy, ExitCode.BUSY),
        (errors.SinkUnusable, ExitCode.OUTPUT_UNUSABLE),
        (errors.StateBusy, ExitCode.BUSY),
        (errors.StateUnusable, ExitCode.STATE_UNUSABLE),
        (errors.Unavailable, ExitCode.UNAVAILABLE),
        (errors.StateMoved, ExitCode.UNAVAILABLE),
        (OSError, ExitCode.IO_ERROR),
    )
    if any(map(_disk_failed, _causes(error))):
        return ExitCode.IO_ERROR
    if _missing_library(error):
        return ExitCode.USAGE
    return next((code for kind, code in codes if isinstance(error, kind)), ExitCode.BUG)


def _missing_library(error: Exception) -> ExtraMissing | None:
    """Return which library of an extra is missing and caused an error; None for other causes."""
    for cause in _causes(error):
        if isinstance(cause, ExtraMissing):
            return cause
        name = cause.name or "" if isinstance(cause, ModuleNotFoundError) else ""
        if extra := _EXTRA_OF.get(root := name.partition(".")[0]):
            return ExtraMissing(root, extra)
    return None


def _disk_failed(cause: BaseException) -> bool:
    """Return whether an error of the system or of SQLite means a full or failing disk."""
    if isinstance(cause, OSError) and cause.errno in _BROKEN_DISK:
        return True
    # Extended codes of SQLite keep the kind in the low byte.
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _BROKEN_SQLITE


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, what caused it, what caused that, and so on."""
    while error is not None:
        yield error
        error = error.__cause__


def _forget_stdout() -> None:
    """Point standard output at the null device, so that the flush at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
