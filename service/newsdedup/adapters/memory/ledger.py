"""The ledger in memory, of the library and the lab."""

from collections import defaultdict
from typing import NamedTuple

from newsdedup.adapters.formats.compression import NewsCompressor
from newsdedup.adapters.formats.event_json import decode_judgement, encode_judgement
from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey, Version


class _Row(NamedTuple):
    """What was received and last published of one version of an item."""

    version: Version
    received: bytes
    published: bytes | Judgement
    """Encoded and compressed; as it is if one of its texts is not Unicode."""


class MemoryLedger:
    """A Ledger in dictionaries, expired a bucket at a time."""

    def __init__(self) -> None:
        self._compressor = NewsCompressor()
        self._rows: dict[ItemKey, tuple[_Row, ...]] = {}
        """By item its versions; mostly there is one."""
        self._buckets: dict[ItemKey, int] = {}
        """Of each item the latest bucket of a version."""
        self._written: dict[int, list[ItemKey]] = defaultdict(list)

    def write(self, key: ItemKey, *, received: bytes, published: Judgement, bucket: int) -> bytes:
        """Store the input bytes and the judgement of a version; return b""."""
        self._put(key, _Row(Version(published.version), received, self._pack(published)))
        latest = self._buckets[key] = max(bucket, self._buckets.get(key, bucket))
        self._written[latest].append(key)
        return b""

    def revise(self, key: ItemKey, *, published: Judgement) -> bytes:
        """Replace the judgement of a version, or raise KeyError if it is missing; return b""."""
        row = self._row(key, Version(published.version))
        self._put(key, row._replace(published=self._pack(published)))
        return b""

    def read(self, key: ItemKey, version: Version) -> tuple[bytes, Judgement]:
        """Return input bytes and latest judgement of a version; raise KeyError if it is missing."""
        row = self._row(key, version)
        published = row.published
        if isinstance(published, bytes):
            published = decode_judgement(self._compressor.decompress(published))
        return row.received, published

    def retain(self, key: ItemKey, versions: frozenset[Version]) -> None:
        """Drop the versions of an item that are not among these."""
        rows = self._rows[key]
        kept = tuple([row for row in rows if row.version in versions])
        if len(kept) < len(rows):
            self._rows[key] = kept

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

    def _row(self, key: ItemKey, version: Version) -> _Row:
        """Return the row of a version; raise KeyError if it is missing."""
        for row in self._rows[key]:
            if row.version == version:
                return row
        raise KeyError(version)

    def _put(self, key: ItemKey, row: _Row) -> None:
        """Store a row in place of the one of its version."""
        others = [one for one in self._rows.get(key, ()) if one.version != row.version]
        self._rows[key] = (*others, row)

    def _pack(self, published: Judgement) -> bytes | Judgement:
        """Return a judgement as it is kept in memory."""
        try:
            return self._compressor.compress(encode_judgement(published))
        except UnicodeEncodeError:
            return published
