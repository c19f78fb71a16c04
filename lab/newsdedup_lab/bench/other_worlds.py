"""Copies of entries and items in other terms, so that a small stream gives a large one.

A world replaces terms one to one. Terms that the background table does not know become new ones;
the others are exchanged with terms as common as they are. Of the common terms, which tell the
topic, half stay as they are, other ones in each world. So what is alike within a world stays alike,
posting lists grow with the number of worlds, and two worlds share terms by topic and by chance.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final

import xxhash

from newsdedup import ItemKey
from newsdedup.core.matching.index_keys import COMMON_TERM
from newsdedup.core.model import Entry, Version
from newsdedup.core.stories.records import Record
from newsdedup.core.words.background import KEY_HASH_BITS
from newsdedup.engine.analyzer import Analyzed

_TAIL: Final = (1 << KEY_HASH_BITS) - 1


class World:
    """Replaces the terms, ids and versions of some entries by those of a world with a number."""

    def __init__(self, entries: Iterable[Entry], *, number: int) -> None:
        self._number = number
        self._words = replaced_words({term for one in entries for term in one.terms}, number=number)

    def record(self, record: Record) -> Record:
        """Return a copy of a record for this world, without its older versions.

        Replaced are the key, version and terms of its entry, and the keys of leader, similar and
        original.
        """
        entry = record.entry
        return record._replace(
            entry=entry._replace(
                key=self._key(entry.key),
                version=self._version(entry.version),
                terms=tuple(sorted([self._word(term) for term in entry.terms])),
            ),
            past=(),
            current=None,
            leader=record.leader and self._key(record.leader),
            similar=record.similar and self._key(record.similar),
            original=record.original and self._key(record.original),
        )

    def arrival(self, arrival: Analyzed, *, at: datetime) -> Analyzed:
        """Return a copy of an analyzed item for this world, published at `at`.

        Replaced are its key, version and the terms of its signature; its other times are removed.
        """
        document, words = arrival.document, map(self._word, arrival.keys)
        signed = sorted(zip(words, arrival.terms, strict=True), key=lambda pair: pair[0])
        key, version = self._key(arrival.item.key), self._version(document.version)
        return replace(
            arrival,
            item=replace(arrival.item, key=key, published_at=at, seen_at=None, updated_at=None),
            document=replace(document, version=version),
            keys=tuple([word for word, _ in signed]),
            terms=tuple([term for _, term in signed]),
        )

    def _word(self, word: int) -> int:
        """Return the term of this world for a term, itself if this world does not replace it."""
        return self._words.get(word, word)

    def _key(self, key: ItemKey) -> ItemKey:
        """Return the key that an item has in this world."""
        return key._replace(id=f"{key.id}~{self._number}")

    def _version(self, version: Version) -> Version:
        """Return a hash of the version and the world's number, as long as the version."""
        digest = xxhash.xxh3_128_hexdigest(f"{version} {self._number}".encode())
        return Version(digest[: len(version)])


def replaced_words(
    words: Iterable[int], *, number: int, alike: float | None = None
) -> dict[int, int]:
    """Return the terms that the world with this number replaces, each with the one it becomes.

    `alike` is the share of the terms known to the background table that stay as they are; without
    it half of the common ones do.
    """

    def hashed(word: int) -> int:
        return xxhash.xxh3_64_intdigest(f"{word} {number}".encode())

    def stays(word: int) -> bool:
        if alike is None:
            return word >= COMMON_TERM and not hashed(word) & 1
        return word > _TAIL and hashed(word) < alike * 2**64

    bands: dict[int, list[int]] = defaultdict(list)
    for word in sorted(words):
        if not stays(word):
            bands[word >> KEY_HASH_BITS].append(word)
    replaced: dict[int, int] = {}
    for band, some in bands.items():
        turn = hashed(band) % len(some)
        others = [*some[turn:], *some[:turn]] if band else [hashed(word) & _TAIL for word in some]
        replaced.update(zip(some, others, strict=True))
    return replaced
