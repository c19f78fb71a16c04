"""The ledger in memory, of the library and the lab."""

from collections import defaultdict

from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey, Version

_Row = tuple[bytes, Judgement]


class MemoryLedger:
    """A Ledger in dictionaries, expired a bucket at a time."""

    def __init__(self) -> None:
        self._rows: dict[ItemKey, dict[Version, _Row]] = {}
        self._buckets: dict[ItemKey, int] = {}
        """Of each item the latest bucket of a version."""
        self._written: dict[int, list[ItemKey]] = defaultdict(list)

    def write(self, key: ItemKey, *, received: bytes, published: Judgement, bucket: int) -> bytes:
        """Store the input bytes and the judgement of a version; return b""."""
        self._rows.setdefault(key, {})[Version(published.version)] = (received, published)
        latest = self._buckets[key] = max(bucket, self._buckets.get(key, bucket))
        self._written[latest].append(key)
        return b""

    def revise(self, key: ItemKey, *, published: Judgement) -> bytes:
        """Replace the judgement of a version, or raise KeyError if it is missing; return b""."""
        rows, version = self._rows[key], Version(published.version)
        rows[version] = (rows[version][0], published)
        return b""

    def read(self, key: ItemKey, version: Version) -> _Row:
        """Return input bytes and latest judgement of a version; raise KeyError if it is missing."""
        return self._rows[key][version]

    def retain(self, key: ItemKey, versions: frozenset[Version]) -> None:
        """Drop the versions of an item that are not among these."""
        for version in self._rows[key].keys() - versions:
            del self._rows[key][version]

    def erase(self, key: ItemKey) -> None:
        """Drop all versions of an item."""
        self._rows.pop(key, None)
        self._buckets.pop(key, None)

    def expire(self, *, before: int) -> None:
        """Drop the items whose latest bucket is before this one."""
        for bucket in sorted(bucket for bucket in self._written if bucket < before):
            for key in self._written.pop(bucket):
                if self._buckets.get(key, before) < before:
                    self.erase(key)
