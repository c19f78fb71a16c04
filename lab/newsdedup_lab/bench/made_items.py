"""Entries made from real items: sentences recombined, words replaced, so that any window is filled.

A made item has the first sentences of a base item and the last ones of another of its source and
topic; copies of one story get those of one item. Words that only a few base items have are new in
each story that borrows them, for they name an event. All words are then those of a world
(other_worlds.py), in which those that the background table does not know are new, and a share of
the others stays as it is: with half of them, items of two worlds rarely share two.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Final

import numpy as np
import xxhash

from newsdedup import ItemKey
from newsdedup.core.facts.fact import MOST_CODES
from newsdedup.core.matching.digest import passage_entry
from newsdedup.core.matching.verify.sketches import VerifierSketch, pack_sketch, read_sketch
from newsdedup.core.matching.verify.view import (
    LEMMAS,
    MOST_NAME_CODES,
    NO_LIMIT,
    SAMPLE_SIZE,
    TIERS,
    Phrases,
    TextView,
    lemma_codes,
    sum_weights,
)
from newsdedup.core.model import Entry, Passage, Version
from newsdedup.core.stories.records import Record
from newsdedup.core.words.background import KEY_HASH_BITS
from newsdedup.core.words.weights import SIGNATURE_SIZE
from newsdedup_lab.bench.base_items import Base, BaseItem, WordNumbers
from newsdedup_lab.bench.other_worlds import replaced_words

_OF_AN_EVENT: Final = 8
"""A word of so many base items at most names an event."""
_TAIL: Final = (1 << KEY_HASH_BITS) - 1
_FIRST: Final = np.uint64(0x9E3779B97F4A7C15)
_SECOND: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_HALF: Final = np.uint64(32)
_NAMED_AMONG: Final = 24


class MadeWorld:
    """The items of one world; number 0 has the base items as they are."""

    def __init__(self, base: Base, *, number: int, alike: float = 1.0) -> None:
        """Make a world; `alike` is the share of known words that stay (other_worlds.py)."""
        self._base = base
        self._number = number
        keys = base.keys
        if number:
            words = replaced_words(keys.tolist(), number=number, alike=alike)
            keys = np.array([words.get(key, key) for key in keys.tolist()], np.int64)
        self._keys = keys
        self._of_event = base.counts <= _OF_AN_EVENT

    def record(self, index: int, *, first: int) -> Record:
        """Return the record of a base item in this world, in a window that begins at index `first`.

        It follows its leader if that is in the window; else it leads.
        """
        record = self._base.items[index].record
        leader = record.leader or record.key
        if self._base.numbers.get(leader, -1) < first:
            leader = record.key
        entry = self.entry(index)
        leads = leader == record.key
        return record._replace(
            entry=entry,
            leader=entry.key if leads else self._key(leader),
            original=entry.key if leads else self._key(leader),
            match=None if leads else record.match,
        )

    def entry(self, index: int) -> Entry:
        """Return the entry of a base item in this world."""
        base = self._base.items[index]
        entry = base.record.entry
        if not self._number:
            return entry
        donor = base if entry.passages else self._base.items[self._donor(index)]
        shift = 0 if donor is base else self._hashed(str(base.record.leader))
        words = np.append(base.start, donor.rest)
        keys = np.append(self._keys[base.start], self._borrowed(base.start, donor.rest, shift))
        terms = self._sign(words, keys)
        return entry._replace(
            key=self._key(entry.key),
            version=Version(xxhash.xxh3_128_hexdigest(keys.tobytes() + base.view.size.to_bytes(8))),
            terms=terms,
            sketches=(pack_sketch(VerifierSketch(self._view(base, donor, words, keys, terms))),),
            passages=tuple([self._passage(entry, nth) for nth in range(len(entry.passages))]),
        )

    def _donor(self, index: int) -> int:
        """Return the index of the item whose last sentences are those of a base item here."""
        record = self._base.items[index].record
        leader = self._base.numbers.get(record.leader or record.key, index)
        group = self._base.donors[leader]
        return group[self._hashed(f"donor {leader}") % len(group)] if group else index

    def _borrowed(self, start: WordNumbers, rest: WordNumbers, story: int) -> WordNumbers:
        """Return the keys of the last sentences, those of events new in this story."""
        keys = self._keys[rest]
        if not story:
            return keys
        own = self._of_event[rest] & ~np.isin(rest, start)
        mixed = (keys.astype(np.uint64) + np.uint64(story)) * _FIRST >> _HALF
        renamed = (keys & ~_TAIL) | (mixed.astype(np.int64) & _TAIL)
        borrowed: WordNumbers = np.where(own, renamed, keys)
        return borrowed

    def _sign(self, words: WordNumbers, keys: WordNumbers) -> tuple[int, ...]:
        """Return the keys of the weightiest words, ascending, as the signature of a text."""
        if not len(keys):
            return ()
        distinct, at, counts = np.unique(keys, return_index=True, return_counts=True)
        weights = (0.5 + 0.5 * counts / counts.max()) * self._base.weights[words[at]]
        if len(distinct) > SIGNATURE_SIZE:
            distinct = distinct[np.argsort(-weights, kind="stable")[:SIGNATURE_SIZE]]
        return tuple(sorted(distinct.tolist()))

    def _view(
        self,
        base: BaseItem,
        donor: BaseItem,
        words: WordNumbers,
        keys: WordNumbers,
        terms: tuple[int, ...],
    ) -> TextView:
        """Return the view of a made text: facts of the first sentences and of the borrowed ones."""
        distinct = dict.fromkeys(keys.tolist())
        lemmas = lemma_codes(islice(distinct, LEMMAS))
        lead_keys = self._keys[[self._base.by_code[code] for code in base.view.lead]]
        among = set(lemma_codes(lead_keys.tolist()))
        lead = tuple([code for code in lemmas if code in among])
        named = base.names | donor.names
        first = zip(words[:_NAMED_AMONG].tolist(), keys[:_NAMED_AMONG].tolist(), strict=True)
        names = dict.fromkeys([key for word, key in first if word in named])
        coded = set(lemma_codes(islice(names, MOST_NAME_CODES)))
        later = set(donor.view.facts) - set(donor.view.opening)
        facts = base.view.facts if donor is base else sorted({*base.view.opening, *later})
        facts = tuple(facts[:MOST_CODES])
        return TextView(
            lemmas=lemmas,
            lead=lead,
            terms=lemma_codes(terms),
            names=tuple([code for code in lemmas if code in coded]),
            weight=sum_weights(lemmas),
            lead_weight=sum_weights(lead),
            phrases=_sample(keys),
            facts=facts,
            opening=tuple([code for code in facts if code in set(base.view.opening)]),
            size=len(distinct),
        )

    def _passage(self, entry: Entry, nth: int) -> Passage:
        """Return a passage of a digest in the words of this world; its phrases are new ones."""
        view = read_sketch(passage_entry(entry, nth)).view
        salt = self._number * 0x9E3779B1 & 0xFFFFFFFF
        hashes = tuple(sorted([phrase ^ salt for phrase in view.phrases.hashes]))
        lemmas, lead, names = map(self._codes, (view.lemmas, view.lead, view.names))
        renamed = view._replace(
            lemmas=lemmas,
            lead=lead,
            names=names,
            phrases=Phrases(hashes, (len(hashes),) * TIERS, NO_LIMIT),
        )
        words = [self._base.by_code.get(code) for code in lemma_codes(entry.passages[nth].terms)]
        terms = self._keys[[word for word in words if word is not None]]
        return Passage(tuple(sorted(terms.tolist())), pack_sketch(VerifierSketch(renamed)))

    def _codes(self, codes: Sequence[int]) -> tuple[int, ...]:
        """Return the codes of words in this world; words unknown to the base keep theirs."""
        found = [self._base.by_code.get(code) for code in codes]
        return tuple(
            [
                code if word is None else lemma_codes((int(self._keys[word]),))[0]
                for word, code in zip(found, codes, strict=True)
            ]
        )

    def _key(self, key: ItemKey) -> ItemKey:
        """Return the key of an item in this world: worlds have publishers of their own."""
        return ItemKey(f"{key.source}~{self._number}", key.id) if self._number else key

    def _hashed(self, text: str) -> int:
        """Return a hash of a text and the number of this world, 64 bits."""
        return xxhash.xxh3_64_intdigest(f"{self._number} {text}".encode())


def _sample(keys: WordNumbers) -> Phrases:
    """Return the sample of phrases of a text with these content words (view.py)."""
    some = keys.astype(np.uint64)
    hashes = np.unique(some[:-1] * _FIRST + some[1:] * _SECOND >> _HALF).tolist()
    limit = hashes[SAMPLE_SIZE - 1] if len(hashes) > SAMPLE_SIZE else NO_LIMIT
    sample = tuple(hashes[:SAMPLE_SIZE])
    return Phrases(sample, (len(sample),) * TIERS, limit)
