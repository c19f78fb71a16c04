"""The ledger of a process that keeps nothing: the library and the lab."""

from collections import defaultdict
from dataclasses import dataclass, field

from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey, Version

_Row = tuple[bytes, Judgement]


@dataclass(slots=True)
class _ItemVersions:
    """All versions of one item, and the bucket they expire with."""

    bucket: int
    rows: dict[Version, _Row] = field(default_factory=dict)


class MemoryLedger:
    """A Ledger in dictionaries, expired a bucket at a time."""

    def __init__(self) -> None:
        self._items: dict[ItemKey, _ItemVersions] = {}
        self._written: dict[int, list[ItemKey]] = defaultdict(list)

    def write(self, key: ItemKey, *, received: bytes, published: Judgement, bucket: int) -> bytes:
        """Remember the input bytes and the judgement of a version."""
        kept = self._items.setdefault(key, _ItemVersions(bucket))
        kept.bucket = max(kept.bucket, bucket)
        kept.rows[Version(published.version)] = (received, published)
        self._written[kept.bucket].append(key)
        return b""

    def revise(self, key: ItemKey, *, published: Judgement) -> bytes:
        """Replace the judgement of a version."""
        rows, version = self._items[key].rows, Version(published.version)
        rows[version] = (rows[version][0], published)
        return b""

    def read(self, key: ItemKey, version: Version) -> _Row:
        """Return the input bytes and the latest judgement of a version."""
        return self._items[key].rows[version]

    def erase(self, key: ItemKey) -> None:
        """Forget all versions of an item."""
        self._items.pop(key, None)

    def expire(self, *, before: int) -> None:
        """Forget the items whose bucket lies before this one."""
        for bucket in sorted(bucket for bucket in self._written if bucket < before):
            for key in self._written.pop(bucket):
                kept = self._items.get(key)
                if kept is not None and kept.bucket < before:
                    del self._items[key]
