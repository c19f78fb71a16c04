"""Which words may stand for each other: a value that methods take."""

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
        """Return the rows of a word."""
        return self.rows.get(word, ())


def word_hash(word: str) -> int:
    """Return the 64-bit hash by which synonyms know a word."""
    return xxhash.xxh3_64_intdigest(word.encode())


def build_synonyms(rows: Iterable[Iterable[str]]) -> Synonyms:
    """Return the dictionary of these rows of lemmas; a row of one word says nothing."""
    found: dict[int, set[int]] = {}
    said = sorted({tuple(sorted(set(row))) for row in rows})
    for row in said:
        if len(row) > 1:
            name = xxhash.xxh3_64_intdigest("\n".join(row).encode())
            for word in row:
                found.setdefault(word_hash(word), set()).add(name)
    version = xxhash.xxh3_64_hexdigest("\n\n".join("\n".join(row) for row in said).encode())
    return Synonyms({word: tuple(sorted(names)) for word, names in found.items()}, version)


def merge_synonyms(dictionaries: Sequence[Synonyms]) -> Synonyms:
    """Return the rows of several dictionaries; a row that two of them have stands once."""
    found: dict[int, set[int]] = {}
    for each in dictionaries:
        for word, rows in each.rows.items():
            found.setdefault(word, set()).update(rows)
    versions = "\n".join(sorted({each.version for each in dictionaries}))
    version = xxhash.xxh3_64_hexdigest(versions.encode())
    return Synonyms({word: tuple(sorted(found[word])) for word in sorted(found)}, version)


NO_SYNONYMS = build_synonyms(())


def count_couples(partners: Mapping[int, Sequence[int]]) -> int:
    """Return how many of the keys can have one of their partners for themselves.

    Maximum bipartite matching by augmenting paths (Berge 1957): as long as someone without a
    partner can reach a free one by others changing theirs, one more couple is made. The number
    is the same from either side.
    """
    holder: dict[int, int] = {}
    held: dict[int, int] = {}
    return sum([_engage(one, partners, holder, held) for one in partners])


def _engage(
    one: int,
    partners: Mapping[int, Sequence[int]],
    holder: dict[int, int],
    held: dict[int, int],
) -> bool:
    """Return whether a partner was found; those in the way take another."""
    asker: dict[int, int] = {}
    waiting = [one]
    for asking in waiting:
        for partner in partners[asking]:
            if partner in asker:
                continue
            asker[partner] = asking
            if partner not in holder:
                _change(partner, one, asker, holder, held)
                return True
            waiting.append(holder[partner])
    return False


def _change(
    partner: int, one: int, asker: Mapping[int, int], holder: dict[int, int], held: dict[int, int]
) -> None:
    """Give the free partner to who asked for it, what that one had to who asked for that, ..."""
    asking = asker[partner]
    while asking != one:
        left = held[asking]
        holder[partner], held[asking] = asking, partner
        partner, asking = left, asker[left]
    holder[partner], held[one] = one, partner
