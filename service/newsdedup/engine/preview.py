"""Store and ledger of a decision that is not to be stored: they put aside what it writes."""

from collections.abc import Sequence

from newsdedup.core.events import Judgement
from newsdedup.core.model import Entry, ItemKey, Version
from newsdedup.core.stories.publication import Decision
from newsdedup.core.stories.records import Record
from newsdedup.ports.store import Ledger, Store


class PreviewStore:
    """A Store that answers for another one, and puts aside what one decision writes."""

    def __init__(self, base: Store) -> None:
        self.members = base.members
        self.followers = base.followers
        self._base = base
        self._changed: dict[ItemKey, Record] = {}
        self._bucket = 0
        self._floor: int | None = None

    def known(self, key: ItemKey) -> Record | None:
        """Return the record of an item, as the decision left it."""
        record = self._changed.get(key)
        if record is not None:
            return record
        record = self._base.known(key)
        return record if record is None or self._is_alive(record) else None

    def leaders(self, near: Entry) -> Sequence[Record]:
        """Return the leaders that share enough keys with an entry, unordered."""
        leaders = self._base.leaders(near)
        if self._floor is None or all(map(self._is_alive, leaders)):
            return leaders
        return [record for record in leaders if self._is_alive(record)]

    def store(self, decision: Decision, *, bucket: int) -> None:
        """Keep the records that the decision changes, in this preview only."""
        self._bucket = bucket
        self._changed.update({record.key: record for record in decision.changed})

    def expire(self, *, before: int) -> None:
        """Hide the leaders of all buckets before this one: the item may be later than all."""
        self._floor = before

    def bucket(self, key: ItemKey) -> int:
        """Return the bucket with which an item expires."""
        return self._bucket if key in self._changed else self._base.bucket(key)

    def _is_alive(self, record: Record) -> bool:
        return self._floor is None or self._base.bucket(record.key) >= self._floor


class PreviewLedger:
    """A Ledger that reads another one, and forgets what it is to write."""

    def __init__(self, base: Ledger) -> None:
        self.read = base.read

    def write(self, key: ItemKey, *, received: bytes, published: Judgement, bucket: int) -> bytes:  # noqa: ARG002 - nothing is stored
        """Store nothing; return no bytes."""
        return b""

    def revise(self, key: ItemKey, *, published: Judgement) -> bytes:  # noqa: ARG002 - nothing is stored
        """Store nothing; return no bytes."""
        return b""

    def retain(self, key: ItemKey, versions: frozenset[Version]) -> None:
        """Do nothing."""

    def erase(self, key: ItemKey) -> None:
        """Do nothing."""

    def expire(self, *, before: int) -> None:
        """Do nothing."""
