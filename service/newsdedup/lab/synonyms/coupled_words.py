"""The similarity of seed 004 for many pairs: the words of a document, looked up once.

Law, checked by tests/lab/test_comparing_control_groups.py: the same as SynonymJaccard of
core/fingerprints says of the same words.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from newsdedup.core.fingerprints.synonyms import Synonyms, count_couples, word_hash


@dataclass(frozen=True, slots=True)
class CoupledWords:
    """Words of a document as hashes, and those of each row of synonyms."""

    words: frozenset[int]
    by_row: Mapping[int, tuple[int, ...]]


def coupled_words(words: Iterable[str], synonyms: Synonyms) -> CoupledWords:
    """Return the words with their rows."""
    hashes = frozenset(map(word_hash, words))
    rows: dict[int, tuple[int, ...]] = {}
    for word in sorted(hashes):
        for row in synonyms.of(word):
            rows[row] = (*rows.get(row, ()), word)
    return CoupledWords(hashes, rows)


def similarity(one: CoupledWords, other: CoupledWords) -> float:
    """Return the Jaccard similarity; a synonym counts as equal, each word once."""
    whole = len(one.words) + len(other.words)
    common = len(one.words & other.words)
    if one.by_row and other.by_row:
        common += count_couples(_partners(one, other))
    return common / (whole - common) if whole else 0.0


def _partners(one: CoupledWords, other: CoupledWords) -> dict[int, list[int]]:
    """Return the synonyms of each word among those that the documents do not share."""
    found: dict[int, set[int]] = {}
    for row in one.by_row.keys() & other.by_row.keys():
        there = [word for word in other.by_row[row] if word not in one.words]
        if there:
            for word in one.by_row[row]:
                if word not in other.words:
                    found.setdefault(word, set()).update(there)
    return {word: list(found[word]) for word in found}
