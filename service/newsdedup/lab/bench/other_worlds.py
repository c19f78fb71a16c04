"""A large stream made of a small one: the same reports about other things, as often as wanted.

In another world each word is another one. Words that the background table does not know are new
ones; the others change places with words as common as they are. Of the common words, which tell
the topic, half stay, in each world others. So what is alike within a world stays alike, the lists
of words grow with the number of worlds, and two worlds share words by topic and by chance.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final

import xxhash

from newsdedup.core.matching.prefix import COMMON_TERM
from newsdedup.core.model import Entry, ItemKey, Signature, Version
from newsdedup.core.stories.records import Record
from newsdedup.core.words.background import KEY_HASH_BITS
from newsdedup.engine.analyzer import Analyzed

_TAIL: Final = (1 << KEY_HASH_BITS) - 1


class World:
    """Maps the words and ids of some entries to those of another world."""

    def __init__(self, entries: Iterable[Entry], *, number: int) -> None:
        self._number = number
        bands: dict[int, list[int]] = defaultdict(list)
        for word in sorted({term for entry in entries for term in entry.terms}):
            if word < COMMON_TERM or self._hashed(word) & 1:
                bands[word >> KEY_HASH_BITS].append(word)
        self._words: dict[int, int] = {}
        for band, words in bands.items():
            turn = self._hashed(band) % len(words)
            others = [*words[turn:], *words[:turn]] if band else map(self._new, words)
            self._words.update(zip(words, others, strict=True))

    def record(self, record: Record) -> Record:
        """Return a record translated into this world, without its older versions."""
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
        """Return an item translated into this world and published at `at`."""
        signature, document = arrival.signature, arrival.document
        keyed = [term._replace(key=self._word(term.key)) for term in signature.terms]
        weighed = sorted(zip(keyed, signature.weights, strict=True), key=lambda pair: pair[0].key)
        key, version = self._key(arrival.item.key), self._version(document.version)
        return replace(
            arrival,
            item=replace(arrival.item, key=key, published_at=at, seen_at=None, updated_at=None),
            document=replace(document, version=version),
            signature=Signature(
                tuple([term for term, _ in weighed]), tuple([weight for _, weight in weighed])
            ),
        )

    def _word(self, word: int) -> int:
        return self._words.get(word, word)

    def _new(self, word: int) -> int:
        return self._hashed(word) & _TAIL

    def _key(self, key: ItemKey) -> ItemKey:
        return key._replace(id=f"{key.id}~{self._number}")

    def _version(self, version: Version) -> Version:
        """Return another hash of the same length; an empty text gets another one, too."""
        digest = xxhash.xxh3_128_hexdigest(f"{version} {self._number}".encode())
        return Version(digest[: len(version)])

    def _hashed(self, number: int) -> int:
        return xxhash.xxh3_64_intdigest(f"{number} {self._number}".encode())
