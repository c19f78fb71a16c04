"""Dictionaries of synonyms, and the largest number of couples of synonyms in two texts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import xxhash


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
