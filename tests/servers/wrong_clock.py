"""A clock that one process sees in place of the right one, and that may jump while it runs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from servers.process import ServerFailed

_LIBRARY: Final = "lib/*/faketime/libfaketimeMT.so.1"


class WrongClock:
    """The clock of a process that was started with `environment`; its monotonic one is right."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.turn(0)

    @property
    def environment(self) -> Mapping[str, str]:
        """What the process needs to see this clock."""
        return {
            "LD_PRELOAD": str(_library()),
            "FAKETIME_TIMESTAMP_FILE": str(self._path),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def turn(self, seconds: int) -> None:
        """Let the clock jump to so many seconds from the right time."""
        new = self._path.with_suffix(".new")
        new.write_text(f"{seconds:+d}", "ascii")
        new.replace(self._path)


def _library() -> Path:
    for path in Path("/usr").glob(_LIBRARY):
        return path
    raise ServerFailed("libfaketime is not installed; scripts/provision installs it")
