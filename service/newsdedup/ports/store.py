"""The records of the window, and what was received and published of them, for one process."""

from typing import Protocol

from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey, Version
from newsdedup.core.stories.publication import Decision
from newsdedup.core.stories.records import RecordReader


class Store(RecordReader, Protocol):
    """The records of the window, found by item key and by index keys.

    Laws, checked for every store by tests/laws/test_stores.py: those of RecordReader; after a
    decision is stored the next reads return its records; nothing expires before the window and
    the allowed lateness have passed.
    """

    def store(self, decision: Decision, *, bucket: int) -> None:
        """Write the records that a decision changes; new ones expire with the bucket."""
        ...

    def expire(self, *, before: int) -> None:
        """Drop the records of all buckets before this one."""
        ...

    def bucket(self, key: ItemKey) -> int:
        """Return the bucket with which a stored item expires: that of its latest version."""
        ...


class Ledger(Protocol):
    """The received bytes and the last published judgement of every stored item version.

    Law: it holds every version that a record of the store knows.
    """

    def write(self, key: ItemKey, *, received: bytes, published: Judgement, bucket: int) -> bytes:
        """Store the input bytes and the judgement of a version; return the judgement encoded.

        All versions of an item expire with the latest bucket given for any of them. A ledger that
        stores no bytes returns none; what is encoded here need not be encoded again to publish.
        """
        ...

    def revise(self, key: ItemKey, *, published: Judgement) -> bytes:
        """Replace the judgement of a stored version; return it encoded, as `write` does."""
        ...

    def read(self, key: ItemKey, version: Version) -> tuple[bytes, Judgement]:
        """Return the input bytes and the latest judgement of a version.

        Raise LookupError if no such version is stored.
        """
        ...

    def retain(self, key: ItemKey, versions: frozenset[Version]) -> None:
        """Drop the versions of an item that are not in `versions`; no record refers to them."""
        ...

    def erase(self, key: ItemKey) -> None:
        """Drop all versions of an item."""
        ...

    def expire(self, *, before: int) -> None:
        """Drop the versions written in buckets before this one."""
        ...
