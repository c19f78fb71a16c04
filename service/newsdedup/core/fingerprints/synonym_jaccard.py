"""Jaccard similarity of lemmas, synonyms counting as equal: the dictionaries and the couples."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from struct import pack, unpack
from typing import ClassVar

import xxhash

from newsdedup.core.fingerprints.corpus import CorpusStats, PreparedText
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, Method
from newsdedup.core.fingerprints.shingles import (
    HashFunctions,
    cut_bands,
    pack_minima,
    seeded_functions,
)
from newsdedup.core.model import Fingerprint


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Rows of synonyms: two words of a row may stand for each other.

    A row is not closed over others: if a word is in two rows, their other words are no synonyms.
    """

    rows: Mapping[int, tuple[int, ...]]
    """Hash of a word to the hashes of its rows, ascending."""
    version: str

    def of(self, word: int) -> tuple[int, ...]:
        """Return the hashes of the rows that hold a word, given by its `word_hash`; () for none."""
        return self.rows.get(word, ())


def word_hash(word: str) -> int:
    """Return the 64-bit hash by which a dictionary of synonyms knows a word."""
    return xxhash.xxh3_64_intdigest(word.encode())


def build_synonyms(rows: Iterable[Iterable[str]]) -> Synonyms:
    """Return the dictionary of these rows of lemmas; rows of a single word are left out."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    distinct = sorted({tuple(sorted(set(row))) for row in rows})
    for row in distinct:
        if len(row) > 1:
            name = xxhash.xxh3_64_intdigest("\n".join(row).encode())
            for word in row:
                found[word_hash(word)].add(name)
    version = xxhash.xxh3_64_hexdigest("\n\n".join("\n".join(row) for row in distinct).encode())
    return Synonyms({word: tuple(sorted(names)) for word, names in found.items()}, version)


NO_SYNONYMS = build_synonyms(())


def count_couples(partners: Mapping[int, Sequence[int]]) -> int:
    """Return how many keys of `partners` can be paired at once, each with one of its own partners.

    No partner is in two pairs. Maximum bipartite matching by augmenting paths (Berge 1957). The
    number is the same from either side.
    """
    holder: dict[int, int] = {}
    return sum([_augment(key, partners, holder) for key in partners])


def _augment(key: int, partners: Mapping[int, Sequence[int]], holder: dict[int, int]) -> bool:
    """Pair a key with one of its partners, changing pairs if needed; return whether it worked.

    `holder` maps each paired partner to its key, and is changed. On the way to a free partner, keys
    that have another one move to the next.
    """
    reached_by: dict[int, int] = {}
    partner_of: dict[int, int] = {}
    waiting = [key]
    for seeking in waiting:
        for partner in partners[seeking]:
            if partner in reached_by:
                continue
            reached_by[partner] = seeking
            if partner in holder:
                partner_of[holder[partner]] = partner
                waiting.append(holder[partner])
                continue
            free = partner
            while reached_by[free] != key:
                holder[free] = reached_by[free]
                free = partner_of[reached_by[free]]
            holder[free] = key
            return True
    return False


@dataclass(frozen=True, slots=True)
class SynonymJaccard(Method):
    """Jaccard of the lemmas in a band of frequency, synonyms counting as equal (paper 004).

    The method keeps the distinct lemmas whose ICF = TotalLemms / CF lies in [500; 191703]. Of those
    that the texts do not share it couples as many as possible with a synonym, one with one, which
    makes the paper's count symmetric. With c shared and coupled of n and m: c / (n + m - c).

    Our reading: TotalLemms counts the words of a reading; the threshold is the middle of the
    critical zone of 20 to 30 %. Keys are bands of minima of the lemmas (shingles.py): of a pair
    at the threshold by its common lemmas alone, 87 % share one, at 40 % nearly all. A pair that
    is alike by its synonyms only may be missed.
    """

    synonyms: Synonyms = NO_SYNONYMS
    lowest: float = 500.0
    highest: float = 191_703.0
    functions: HashFunctions = field(default_factory=lambda: seeded_functions(64))
    rows: int = 2
    name: str = "synonym_jaccard"
    threshold: ClassVar[float] = 0.25
    exact: ClassVar[bool] = False

    @property
    def version(self) -> str:
        """Return the parameters as text: band of frequency, functions, rows, synonyms."""
        band = f"{self.lowest:g}-{self.highest:g}"
        return f"1/{band}/{self.functions.version}/{self.rows}/{self.synonyms.version}"

    def sign(self, prepared: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return ascending 64-bit hashes of the lemmas in the band; NO_FINGERPRINT without any."""
        kept = {word for word in prepared.words if self._holds(word, corpus)}
        if not kept:
            return NO_FINGERPRINT
        hashes = sorted(map(word_hash, kept))
        filed = cut_bands(pack_minima(self.functions.minima(hashes)), self.rows)
        return Fingerprint(self.keys_of(filed, corpus), pack(f"<{len(hashes)}Q", *hashes))

    def _holds(self, word: str, corpus: CorpusStats) -> bool:
        """Return whether the frequency of a word lies in the band of the method."""
        _, cf, documents = corpus.frequency(word)
        return self.lowest <= documents * corpus.mean_length / cf <= self.highest

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the Jaccard similarity of the lemmas; two synonyms count as one common lemma.

        0 if either body is empty. Each lemma is in one pair at most.
        """
        if not left.body or not right.body:
            return 0.0
        one, other = _lemmas(left.body), _lemmas(right.body)
        shared = one & other
        common = len(shared)
        if self.synonyms.rows:
            common += count_couples(self._partners(one - shared, other - shared))
        return common / (len(one) + len(other) - common)

    def _partners(self, words: Iterable[int], others: Iterable[int]) -> dict[int, list[int]]:
        """Return by word its synonyms among `others`, ascending; leave out words without any."""
        here, there = self._by_row(words), self._by_row(others)
        found: defaultdict[int, set[int]] = defaultdict(set)
        for row in here.keys() & there.keys():
            for word in here[row]:
                found[word].update(there[row])
        return {word: sorted(found[word]) for word in sorted(found)}

    def _by_row(self, words: Iterable[int]) -> Mapping[int, list[int]]:
        """Return the words by row of the synonym table; words in no row are absent."""
        rows: defaultdict[int, list[int]] = defaultdict(list)
        for word in words:
            for row in self.synonyms.of(word):
                rows[row].append(word)
        return rows


# One document is compared with many, one after the other.
@lru_cache(maxsize=4_096)
def _lemmas(body: bytes) -> frozenset[int]:
    """Return the 64-bit hashes of lemmas in the body of a fingerprint."""
    return frozenset(unpack(f"<{len(body) // 8}Q", body))
