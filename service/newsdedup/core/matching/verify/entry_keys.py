"""The index keys of an entry under rule `verified`: its terms, its first sentence, its passages."""

from collections.abc import Iterator

from newsdedup.core.matching.index_keys import (
    BIT,
    COMMON_TERM,
    HITS,
    IndexKeys,
    prefix_keys,
    text_key,
    whole_key,
)
from newsdedup.core.matching.verify.information import Information
from newsdedup.core.matching.verify.sketches import read_information
from newsdedup.core.model import Entry, Fingerprint, Micros, Passage

EXACT_TERMS = 6
"""Entries of fewer terms have a key of all their terms and numbers, too."""

_HOPED_TERMS = 3
"""Of entries that were not weighed: pairs that share so many terms are mostly found."""

_EARLIER_WORTH = 11 * BIT
_EARLIER_LEAST = HITS * _EARLIER_WORTH
"""Of two entries that were not weighed two shared keys make candidates, as in earlier releases."""

KEY_TERMS = 6
"""The terms of a passage that are keys: those worth most."""


def own_keys(entry: Entry, window: Micros) -> IndexKeys:
    """Return the keys of an entry's signature and first sentence, without those of its passages.

    They have what they are worth in a window of this length. An entry that says little has a sure
    key of all its terms and numbers, for its copies. One that was not weighed at admission has the
    keys of earlier releases, all worth the same.
    """
    sketch = entry.sketches[-1]
    weighed = read_information(sketch)
    if weighed is None:
        keys = prefix_keys(entry, sure=EXACT_TERMS, hoped=_HOPED_TERMS)
        worths = (_EARLIER_WORTH,) * len(keys.counted)
        return keys._replace(worths=worths, least=_EARLIER_LEAST, near=sketch.keys)
    worths = tuple(weighed.terms)
    sure: tuple[int, ...] = ()
    if not worths:
        sure = (text_key(entry),)
    elif len(worths) < EXACT_TERMS or sum(worths) < 2 * weighed.least:
        sure = (whole_key(entry),)
    near = _strong_pairs(sketch, weighed)
    at = entry.effective_at
    return IndexKeys(entry.terms, sure, worths, weighed.least, near, at=at, window=window)


def _strong_pairs(sketch: Fingerprint, weighed: Information | None) -> tuple[int, ...]:
    """Return the keys of the first sentence in a sketch that are rare enough to decide alone.

    They do if few items came between. Those of a sketch that was not weighed are all returned.
    """
    if weighed is None or weighed.pairs == (1 << len(sketch.keys)) - 1:
        return sketch.keys
    return tuple([key for index, key in enumerate(sketch.keys) if weighed.pairs >> index & 1])


def verified_keys(entry: Entry, window: Micros = 0) -> IndexKeys:
    """Return all keys of an entry; for a digest also those of its passages.

    They find items that retell a passage by its terms or by a pair of heavy words of its first
    sentence. Those items need no additional keys.
    """
    own = own_keys(entry, window)
    if not entry.passages:
        return own
    counted, near = own.weighed(), dict.fromkeys(own.near)
    for passage in entry.passages:
        weighed = read_information(passage.sketch)
        for key, worth in _passage_terms(passage, weighed):
            counted[key] = max(worth, counted.get(key, 0))
        near.update(dict.fromkeys(_strong_pairs(passage.sketch, weighed)))
    return own._replace(counted=tuple(counted), near=tuple(near), worths=tuple(counted.values()))


def _passage_terms(passage: Passage, weighed: Information | None) -> Iterator[tuple[int, int]]:
    """Yield key and worth of the terms of a passage that are keys."""
    if weighed is None:
        rare = [term for term in passage.terms if term < COMMON_TERM][:KEY_TERMS]
        yield from [(term, _EARLIER_WORTH) for term in rare]
    else:
        by_worth = sorted(zip(passage.terms, weighed.terms, strict=True), key=lambda one: -one[1])
        yield from by_worth[:KEY_TERMS]
