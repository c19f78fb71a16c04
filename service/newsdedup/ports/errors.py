"""The errors that cross the ports, and who must do something about them.

NewsdedupError
  InvalidItem       the sender: the record goes to the dead letters
  SettingsInvalid   the user: the message names every bad setting
  StateUnusable     the user: the state is damaged, of a newer version, or of other settings
    StateBusy       the user: another process writes the state now; it may be free later
    StateLost       the operator: the server has lost the whole state; rebuild it
  SourceUnusable    the user: an input cannot be read
    NothingToRead   the user: the input can be read, but holds nothing to work with
  SinkUnusable      the operator: an output cannot be written; nothing was committed
    SinkBusy        the user: another process writes the output now
  Unavailable       the caller: a server does not answer; retry, then stop consuming
  StateMoved        the caller: the server may have lost its last writes; seek to the stored
                    positions and go on from there
"""

from typing import Final, NamedTuple


class NewsdedupError(Exception):
    """What can go wrong without a bug of newsdedup."""


class Rejection(NamedTuple):
    """Why a record goes to the dead letters; `code` is one word for counting.

    Most records can never become an item. Those of code `internal_error` are sound, as far as we
    know: a bug of ours kept them from being judged, and they can be replayed after the upgrade.
    """

    code: str
    reason: str
    stage: str = ""
    """For `internal_error` the step that raised (ports/isolation.py), for counting."""


class InvalidItem(NewsdedupError):
    """A record that can never become an item; `code` is one word for counting."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code

    @property
    def rejection(self) -> Rejection:
        """The code and the reason as a value, for the dead letter."""
        return Rejection(self.code, str(self))


class SettingsInvalid(NewsdedupError):
    """Settings that contradict their types or each other."""


class StateUnusable(NewsdedupError):
    """A state that must not be opened as asked."""


class StateBusy(StateUnusable):
    """A state that another process writes just now."""


class StateLost(StateUnusable):
    """A server that no longer holds a state which workers have worked on.

    `newsdedup rebuild` restores what was published of it.
    """


class SourceUnusable(NewsdedupError):
    """An input that cannot be read."""


class NothingToRead(SourceUnusable):
    """An input that can be read, and holds nothing to work with."""


class SinkUnusable(NewsdedupError):
    """An output that cannot be written."""


class SinkBusy(SinkUnusable):
    """An output file that another process writes just now."""


class Unavailable(NewsdedupError):
    """A server that does not answer now."""


class StateMoved(NewsdedupError):
    """The server has started anew, or another one has taken over: its last writes may be lost.

    What was read since then must be read again from the positions that are stored.
    """


_ENVIRONMENT: Final = (NewsdedupError, OSError, MemoryError, EOFError, ImportError)
"""Raised where servers, disk, memory, rights or libraries are missing, whatever the record.

asyncio.CancelledError, KeyboardInterrupt and SystemExit are no Exception in the first place.
"""
_LIBRARIES_OF_SERVERS: Final = frozenset({"aiohttp", "aiokafka", "asyncio", "redis", "sqlite3"})
"""Errors of these libraries tell of a connection or a file, not of a record."""


def is_bug(error: Exception) -> bool:
    """Return whether an error that a step raises for one record is a bug of newsdedup.

    If not it is the environment's fault, and would be raised for other records, too.
    """
    library = type(error).__module__.partition(".")[0]
    return not isinstance(error, _ENVIRONMENT) and library not in _LIBRARIES_OF_SERVERS
