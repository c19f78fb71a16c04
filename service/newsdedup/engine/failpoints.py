"""The points where a crash would hurt most; tests of recovery let the process die there."""

from collections.abc import Callable

Failpoint = Callable[[str], None]
"""Called with the name of each point that the process passes."""


def no_failpoint(point: str) -> None:
    """Do nothing: the failpoint of every process that is not a test."""
