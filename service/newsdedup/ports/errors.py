"""The doors between the core and the world: our words, our errors.

Errors, and who must act on them:

    NewsdedupError
      InvalidItem       the sender: the bytes go to the dead letters
      SettingsInvalid   the user: every bad key is named
      StateUnusable     the user: the state is damaged, newer, or made by other settings
        StateBusy       the user: another process writes it; later it may be free
      SourceUnusable    the user: an input cannot be read
        NothingToRead   the user: it can, and holds nothing to work with
      SinkUnusable      the operator: an output cannot be written; nothing was committed
      Unavailable       nobody yet: a server does not answer; retry, then stop consuming
      StateMoved        nobody: the state may have lost its end; begin again where it ends
"""

from typing import Protocol

from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey, Version
from newsdedup.core.stories.publication import Settlement
from newsdedup.core.stories.records import Answer, Question


class NewsdedupError(Exception):
    """What can go wrong and is nobody's bug here."""


class InvalidItem(NewsdedupError):
    """A record that can never become an item; `code` is one word for counting."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class SettingsInvalid(NewsdedupError):
    """Settings that contradict their types or each other."""


class StateUnusable(NewsdedupError):
    """A state that must not be opened as asked."""


class StateBusy(StateUnusable):
    """A state that another process writes just now."""


class SourceUnusable(NewsdedupError):
    """An input that cannot be read."""


class NothingToRead(SourceUnusable):
    """An input that can be read, and holds nothing to work with."""


class SinkUnusable(NewsdedupError):
    """An output that cannot be written."""


class Unavailable(NewsdedupError):
    """A server that does not answer now."""


class StateMoved(NewsdedupError):
    """The server has started anew, or another one has taken over: its last writes may be lost.

    Whoever has read on from there must begin again at the positions that are stored.
    """


class Store(Protocol):
    """Where records wait to be found again.

    Laws, checked for every adapter by tests/laws/test_stores.py: an answer to Leaders or Members
    holds the records of that role whose filings meet, and no others, so that every store lets the
    same verdicts be reached (lists too long to be read are counted); Followers and Known are
    exact; storing a settlement makes the next answers tell it; nothing expires before the window
    and the allowed lateness have passed.
    """

    def answer(self, question: Question) -> Answer:
        """Return the records asked for, in no order."""
        ...

    def store(self, settlement: Settlement, *, bucket: int) -> None:
        """Keep what a decision changes; new records expire with the bucket."""
        ...

    def expire(self, *, before: int) -> None:
        """Forget the records filed in buckets before this one."""
        ...

    def bucket(self, key: ItemKey) -> int:
        """Return the bucket with which a kept item expires: that of its latest version."""
        ...


class Ledger(Protocol):
    """What was received and last published of every kept item version.

    Law: it knows every version that a record of the store knows.
    """

    def write(self, key: ItemKey, *, received: bytes, published: Judgement, bucket: int) -> bytes:
        """Remember the input bytes and the judgement of a version; return it as it is kept.

        All versions of the item expire with the latest bucket that was told of any. A ledger
        that keeps no bytes returns none; what is encoded once need not be encoded to publish it.
        """
        ...

    def revise(self, key: ItemKey, *, published: Judgement) -> bytes:
        """Replace the judgement of a version; return it as it is kept."""
        ...

    def read(self, key: ItemKey, version: Version) -> tuple[bytes, Judgement]:
        """Return the input bytes and the latest judgement of a version."""
        ...

    def erase(self, key: ItemKey) -> None:
        """Forget all versions of an item."""
        ...

    def expire(self, *, before: int) -> None:
        """Forget the versions written in buckets before this one."""
        ...
