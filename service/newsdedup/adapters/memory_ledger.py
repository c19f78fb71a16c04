"""The ledger of a process that keeps nothing: the library and the lab."""

from collections import defaultdict

from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey, Version

Row = tuple[bytes, Judgement]


class MemoryLedger:
    """A Ledger in dictionaries, expired a bucket at a time."""

    def __init__(self) -> None:
        self._rows: dict[ItemKey, dict[Version, Row]] = {}
        self._written: dict[int, list[tuple[ItemKey, Version]]] = defaultdict(list)

    def write(self, key: ItemKey, *, received: bytes, published: Judgement, bucket: int) -> None:
        """Remember the input bytes and the judgement of a version; both expire with the bucket."""
        version = Version(published.version)
        self._rows.setdefault(key, {})[version] = (received, published)
        self._written[bucket].append((key, version))

    def revise(self, key: ItemKey, *, published: Judgement) -> None:
        """Replace the judgement of a version."""
        version = Version(published.version)
        received, _ = self._rows[key][version]
        self._rows[key][version] = (received, published)

    def read(self, key: ItemKey, version: Version) -> Row:
        """Return the input bytes and the latest judgement of a version."""
        return self._rows[key][version]

    def erase(self, key: ItemKey) -> None:
        """Forget all versions of an item."""
        self._rows.pop(key, None)

    def expire(self, *, before: int) -> None:
        """Forget the versions written in buckets before this one."""
        for bucket in sorted(bucket for bucket in self._written if bucket < before):
            for key, version in self._written.pop(bucket):
                versions = self._rows.get(key, {})
                versions.pop(version, None)
                if not versions:
                    self._rows.pop(key, None)
