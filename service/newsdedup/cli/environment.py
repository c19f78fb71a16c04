"""The process of a command: its settings, signals, log, threads, and failpoints of tests."""

import logging
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NoReturn

from newsdedup.cli.output import printable_line
from newsdedup.config import Settings, reading

_FORMAT: Final = "%(asctime)s level=%(levelname)s logger=%(name)s %(message)s"
_LEVELS: Final = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING}
_REPEAT_SECONDS: Final = 60.0
"""How long a warning of another library is not logged again: clients repeat it at each attempt."""
_MOST_REPEATED: Final = 1_000
"""Different warnings that are remembered."""
_ABANDONED: Final = "abandoned when it hangs: "


def load_settings(
    config: Path | None = None, flags: Mapping[str, object] | None = None
) -> Settings:
    """Return the settings: flags over environment over the file `config` over the defaults.

    `flags` maps keys of settings, as "rule.window", to values; None is a flag that was not used.
    Without `config`, NEWSDEDUP_CONFIG names the file, else newsdedup.toml of the current folder is
    read if it exists. Raise SettingsInvalid for wrong values.
    """
    return load_configuration(config, flags).settings


def load_configuration(
    config: Path | None = None, flags: Mapping[str, object] | None = None
) -> reading.Configuration:
    """Return the settings, or raise, as `load_settings` does; and where each value came from."""
    return reading.read_settings(flags or {}, os.environ, reading.settings_file(config, os.environ))


class Terminated(KeyboardInterrupt):
    """SIGTERM was received: a command stops in order, as by Ctrl-C, with its own exit code."""


def end_at_sigterm() -> None:
    """Make SIGTERM raise Terminated in the main thread, instead of killing the process."""

    def terminate(_number: int, _frame: object) -> None:
        raise Terminated

    signal.signal(signal.SIGTERM, terminate)


def exit_at_signals() -> None:
    """Make SIGTERM and SIGINT exit with code 0, while settings and modules are still loaded.

    Nothing is open yet. The handler raises nothing: Python ignores what is raised in its callbacks,
    such as those of an import, and the process would go on.
    """

    def leave(_number: int, _frame: object) -> NoReturn:
        os._exit(0)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, leave)


def cancel_at_signals() -> None:
    """Make SIGTERM and SIGINT cancel the current asyncio task, instead of what they did before.

    Do nothing outside of a task.
    """
    import asyncio

    from newsdedup.runners.tasks import call_at_signals

    if (task := asyncio.current_task()) is not None:
        call_at_signals(task.cancel)


class _LineFormatter(logging.Formatter):
    """Writes each message as one line, so that logged input cannot forge another."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the message of a record as one printable line."""
        record.message = printable_line(record.message)
        return super().formatMessage(record)


class _RepeatFilter(logging.Filter):
    """Drops warnings of other libraries that differ only in their values from one a moment ago."""

    def __init__(self) -> None:
        super().__init__()
        self._logged: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged."""
        if record.levelno < logging.WARNING or record.name.startswith("newsdedup"):
            return True
        key, now = (record.name, str(record.msg)), time.monotonic()
        if now - self._logged.get(key, -_REPEAT_SECONDS) < _REPEAT_SECONDS:
            return False
        if len(self._logged) >= _MOST_REPEATED:  # of a client that puts values into its messages
            self._logged.clear()
        self._logged[key] = now
        return True


def begin_logging(chosen: str, *, quiet: bool) -> None:
    """Write the log to standard error as name=value, from the level `chosen` (`run.log`) on.

    `auto` is info, or warning if `quiet`. Other libraries never log debug lines: clients of Kafka
    and HTTP would log what they send, with texts of news and passwords in it. Their warnings are
    not repeated within a minute: while Kafka is away there would be a hundred in a second.
    """
    level = _LEVELS.get(chosen, logging.WARNING if quiet else logging.INFO)
    handler = logging.StreamHandler()
    handler.setFormatter(_LineFormatter(_FORMAT))
    handler.addFilter(_RepeatFilter())
    logging.basicConfig(level=max(level, logging.INFO), handlers=[handler])
    logging.getLogger("newsdedup").setLevel(level)
    # One line for a batch of spans that is lost, not one for each attempt to send it.
    logging.getLogger("opentelemetry.exporter").setLevel(logging.ERROR)


def start_thread(name: str, work: Callable[[], None]) -> threading.Thread:
    """Start a daemon thread for work that may hang for ever, as at a dead disk or name server."""
    thread = threading.Thread(target=work, name=_ABANDONED + name, daemon=True)
    thread.start()
    return thread


def has_abandoned_thread() -> bool:
    """Return whether a thread of `start_thread` still runs.

    At exit Python waits for the threads that such a thread has started, as asyncio does to look up
    a name, even if it is a daemon. Then only os._exit ends the process in time.
    """
    return any(thread.name.startswith(_ABANDONED) for thread in threading.enumerate())


class KillAtFailpoint:
    """Kills or stops the process at a named point, so that tests of recovery choose the moment.

    NEWSDEDUP_FAILPOINT=after_output:3 kills the process, as kill -9 does, when it passes that point
    a third time; `after_output:3:raise` raises an unforeseen error, and `after_output:3:stop` stops
    the process until it is continued, so that something can happen to its servers meanwhile.
    """

    def __init__(self) -> None:
        parts = os.environ.get(reading.FAILPOINT_VARIABLE, "").split(":")
        self._point, self._nth, self._how = [*parts, "", ""][:3]
        self._passed: Counter[str] = Counter()

    def __call__(self, name: str) -> None:
        """Kill or stop the process, or raise RuntimeError, if this is the chosen point and pass."""
        self._passed[name] += 1
        if name != self._point or self._passed[name] != int(self._nth or 1):
            return
        if self._how == "raise":
            raise RuntimeError(f"failpoint {name}")
        os.kill(os.getpid(), signal.SIGSTOP if self._how == "stop" else signal.SIGKILL)
