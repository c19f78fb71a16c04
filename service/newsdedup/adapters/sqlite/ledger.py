"""The ledger of the embedded mode: changes wait in memory for the transaction of their batch."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import xxhash

from newsdedup.adapters.formats.event_json import decode_judgement, encode_judgement
from newsdedup.adapters.sqlite.state_file import STATE
from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey, Version
from newsdedup.ports.errors import StateUnusable

_FEWEST_DELETED = 2_048

_Row = tuple[int, bytes, bytes]
"""Bucket, received, published."""


def rows_to_delete(*, written: int) -> int:
    """Return how many expired rows a batch deletes that writes `written` rows.

    They are more than come in, so that no backlog grows, and few, so that expiry causes no pause.
    """
    return max(_FEWEST_DELETED, 2 * written)


class VersionMissing(StateUnusable, LookupError):
    """A record of the store names a version that has no row in the ledger: rows were lost."""


class SqliteLedger:
    """A Ledger that writes in `flush` only, within the transaction of its state."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._new: dict[tuple[ItemKey, Version], _Row] = {}
        self._revised: dict[tuple[ItemKey, Version], bytes] = {}
        self._erased: list[ItemKey] = []
        self._raised: dict[ItemKey, int] = {}
        """Items of which a later version came, whose older rows now expire with its bucket."""
        self._known: dict[ItemKey, frozenset[Version]] = {}
        """The versions that remain of items of which others are forgotten."""
        self._floor: int | None = None

    def write(self, key: ItemKey, *, received: bytes, published: Judgement, bucket: int) -> bytes:
        """Note the input bytes and the judgement of a version; return the judgement encoded."""
        version = Version(published.version)
        encoded = encode_judgement(published)
        self._new[key, version] = (bucket, received, encoded)
        if published.revision.n:
            self._raised[key] = bucket
        return encoded

    def revise(self, key: ItemKey, *, published: Judgement) -> bytes:
        """Note a new judgement of a stored version; return it encoded."""
        version, encoded = Version(published.version), encode_judgement(published)
        waiting = self._new.get((key, version))
        if waiting is None:
            self._revised[key, version] = encoded
        else:
            self._new[key, version] = (*waiting[:2], encoded)
        return encoded

    def read(self, key: ItemKey, version: Version) -> tuple[bytes, Judgement]:
        """Return input bytes and latest judgement of a version; raise VersionMissing without it."""
        waiting = self._new.get((key, version))
        if waiting is not None:
            return waiting[1], decode_judgement(waiting[2])
        with STATE.errors(self._path, "reading"):
            received, published = self._connection.execute(
                "SELECT received, published FROM versions WHERE n = ?",
                (self._number(key, version),),
            ).fetchone()
        return received, decode_judgement(self._revised.get((key, version), published))

    def retain(self, key: ItemKey, versions: frozenset[Version]) -> None:
        """Let `flush` delete the versions of an item that are not among these."""
        self._known[key] = versions

    def erase(self, key: ItemKey) -> None:
        """Drop all versions of an item."""
        self._known.pop(key, None)
        self._new = {known: row for known, row in self._new.items() if known[0] != key}
        self._revised = {known: row for known, row in self._revised.items() if known[0] != key}
        self._erased.append(key)

    def expire(self, *, before: int) -> None:
        """Let `flush` delete the versions in buckets before this one, some with each batch."""
        self._floor = before

    def roll_back(self) -> None:
        """Forget what was noted since the last flush."""
        self._forget_notes()
        self._floor = None

    def flush(self) -> None:
        """Write what was noted to SQLite, within the caller's transaction, and forget it."""
        run = self._connection
        for key in self._erased:
            run.execute("DELETE FROM versions WHERE item = ?", (_item_hash(key),))
        run.executemany(
            "UPDATE versions SET published = ? WHERE n = ?",
            [(judgement, self._number(*known)) for known, judgement in self._revised.items()],
        )
        run.executemany(
            "INSERT INTO versions (item, bucket, received, published) VALUES (?, ?, ?, ?)",
            [(_item_hash(known[0]), *row) for known, row in self._new.items()],
        )
        run.executemany(
            "UPDATE versions SET bucket = ? WHERE item = ? AND bucket < ?",
            [(bucket, _item_hash(key), bucket) for key, bucket in self._raised.items()],
        )
        if self._floor is not None:
            run.execute(
                "DELETE FROM versions WHERE n IN (SELECT n FROM versions WHERE bucket < ? LIMIT ?)",
                (self._floor, rows_to_delete(written=len(self._new))),
            )
        for key, versions in self._known.items():
            run.executemany(
                "DELETE FROM versions WHERE n = ?",
                [(n,) for n, version in self._rows(key) if version not in versions],
            )
        self._forget_notes()

    def _forget_notes(self) -> None:
        """Drop what was noted since the last flush."""
        self._new.clear()
        self._revised.clear()
        self._erased.clear()
        self._raised.clear()
        self._known.clear()

    def _number(self, key: ItemKey, version: Version) -> int:
        """Return the row number of a version; raise VersionMissing if it is not stored."""
        for number, known in self._rows(key):
            if known == version:
                return number
        raise VersionMissing(
            f"state {self._path} is damaged: the ledger does not know version {version} of {key}"
        )

    def _rows(self, key: ItemKey) -> Iterator[tuple[int, str]]:
        """Yield the numbers of the stored rows of an item, the latest first, and their versions."""
        rows = self._connection.execute(
            "SELECT n, published FROM versions WHERE item = ? ORDER BY n DESC", (_item_hash(key),)
        )
        for number, published in rows:
            judgement = decode_judgement(published)
            if (judgement.item.source, judgement.item.id) == key:
                yield int(number), judgement.version


def _item_hash(key: ItemKey) -> int:
    """Return a signed 64-bit hash of an item's key; rows of colliding keys hold their own key."""
    identity = f"{len(key.source)}:{key.source}{key.id}".encode("utf-8", "surrogatepass")
    return xxhash.xxh3_64_intdigest(identity) - (1 << 63)
