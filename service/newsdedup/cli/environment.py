"""What a command takes from outside of the process: settings, signals, and failpoints of tests."""

import os
import signal
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from newsdedup.config import (
    FAILPOINT_VARIABLE,
    Configuration,
    Settings,
    read_settings,
    settings_file,
)


def load_settings(
    config: Path | None = None, flags: Mapping[str, object] | None = None
) -> Settings:
    """Return the settings: flags over environment over the file `config` over the defaults.

    Flags are given by the keys of the settings, as "rule.window"; None is a flag that was not used.
    Without `config`, NEWSDEDUP_CONFIG names the file, else newsdedup.toml of the current folder is
    read if it is there. Raise SettingsInvalid for wrong values.
    """
    return load_configuration(config, flags).settings


def load_configuration(
    config: Path | None = None, flags: Mapping[str, object] | None = None
) -> Configuration:
    """Return the settings as `load_settings` does, and where each value came from."""
    return read_settings(flags or {}, os.environ, settings_file(config, os.environ))


class Terminated(KeyboardInterrupt):
    """SIGTERM came: what runs is ended in order, as by Ctrl-C, with an exit code of its own."""


def end_at_sigterm() -> None:
    """Make SIGTERM raise Terminated in the main thread, instead of killing the process."""

    def terminate(_number: int, _frame: object) -> None:
        raise Terminated

    signal.signal(signal.SIGTERM, terminate)


class KillAtFailpoint:
    """Kills or stops the process at a named point, so that tests of recovery choose the moment.

    NEWSDEDUP_FAILPOINT=after_output:3 kills the process, as kill -9 does, when it passes that point
    a third time; `after_output:3:raise` raises an unforeseen error, and `after_output:3:stop` stops
    the process until it is continued, so that something can happen to its servers meanwhile.
    """

    def __init__(self) -> None:
        parts = os.environ.get(FAILPOINT_VARIABLE, "").split(":")
        self._point, self._nth, self._how = [*parts, "", ""][:3]
        self._passed: Counter[str] = Counter()

    def __call__(self, name: str) -> None:
        """Pass a point; nothing happens unless the variable names it."""
        self._passed[name] += 1
        if name != self._point or self._passed[name] != int(self._nth or 1):
            return
        if self._how == "raise":
            raise RuntimeError(f"failpoint {name}")
        os.kill(os.getpid(), signal.SIGSTOP if self._how == "stop" else signal.SIGKILL)
