"""The pages of which items were delivered: by which id the item of a page is known."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import xxhash

from newsdedup.core.moments import to_micros
from newsdedup.feeder.state.feeds_file import FeedsFile

_FORGOTTEN_PER_COMMIT: Final = 4_096


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page of one source."""

    item: str
    """The item that it was delivered as first; "" if several items share it, and it names none."""
    names: frozenset[bytes] = frozenset()
    """Hashes of the ids of entries that had its address."""


@dataclass(frozen=True, slots=True)
class PageTable:
    """Pages by source and canonical address, which are one text; only its hash is stored.

    A page outlives its feed: anyone who subscribes to it again gets the ids that are known.
    """

    file: FeedsFile

    def known(self, pages: Iterable[str]) -> dict[str, StoredPage]:
        """Return those of some pages that are stored."""
        return {
            page: StoredPage(item, _split(names))
            for page in pages
            for item, names in self.file.read(
                "SELECT item, names FROM pages WHERE page = ?", _page_hash(page)
            )
        }

    def store(self, pages: Mapping[str, StoredPage], *, at: datetime) -> None:
        """Store pages anew, which were listed at a moment."""
        with self.file.transaction():
            self.file.connection.executemany(
                "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)",
                [
                    (_page_hash(page), one.item, b"".join(sorted(one.names)), to_micros(at))
                    for page, one in pages.items()
                ],
            )

    def refresh(self, pages: Iterable[str], *, at: datetime, older_than: datetime) -> None:
        """Note, within a transaction of the caller, that pages are still listed at a moment.

        Those that were noted after `older_than` are left: not every visit shall write all of them.
        """
        self.file.connection.executemany(
            "UPDATE pages SET listed_at = ? WHERE page = ? AND listed_at < ?",
            [(to_micros(at), _page_hash(page), to_micros(older_than)) for page in pages],
        )

    def forget(self, before: datetime) -> int:
        """Delete some pages that were not stored anew since a moment; return how many."""
        return self.file.write(
            "DELETE FROM pages WHERE page IN (SELECT page FROM pages WHERE listed_at < ? LIMIT ?)",
            to_micros(before),
            _FORGOTTEN_PER_COMMIT,
        )


def entry_name(entry: str) -> bytes:
    """Return the hash by which a page knows the id of an entry: 64 bits."""
    return xxhash.xxh3_64_digest(entry.encode("utf-8", "surrogatepass"))


def _page_hash(page: str) -> bytes:
    """Return the 16 bytes by which a page is stored."""
    return xxhash.xxh3_128_digest(page.encode("utf-8", "surrogatepass"))


def _split(names: bytes) -> frozenset[bytes]:
    """Return the hashes of 8 bytes each that were stored one after another."""
    return frozenset(names[at : at + 8] for at in range(0, len(names), 8))
