"""Upper bounds of what the model could say of one text and many others, for less than comparing.

In a full window a text meets hundreds of candidates, and hardly one of them matches. Their rows are
read together as arrays. Shared lemmas and phrases are counted exactly, and quantities so that no
bound is below the value it bounds (quantity_bounds.py): a pair that is ruled out would not match by
the full comparison either (tests/core/verify/test_verify_bounds.py).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from newsdedup.core.matching.rows import Flags, Floats, Indexes, Rows
from newsdedup.core.matching.verify.contradictions import SAME_PHRASES
from newsdedup.core.matching.verify.features import MUCH_REUSED, RARE_NAME, Features
from newsdedup.core.matching.verify.model import Model
from newsdedup.core.matching.verify.quantity_bounds import Counts, QuantityBounds, QuantityTables
from newsdedup.core.matching.verify.sketches import MOST_WORDS
from newsdedup.core.matching.verify.view import PER_NAT, WEIGHT_MASK, TextView, sum_weights

_ROUNDING = 0.0001
"""More than rounding to four decimals adds, and than sums differ by the order of their terms."""

_BOUNDED = {"mass", "cover", "head", "lead", "freshness", "numbers", "number_count"}
"""The features that speak for a duplicate; the others can only lower the log-odds."""


class Bounds(NamedTuple):
    """What many texts share with one, an element for each; nothing is less than it truly is."""

    logit: Floats
    """The log-odds of a duplicate, by the texts alone."""
    lead_overlap: Floats
    """The feature `head`; exact."""
    signature: Floats
    cover: Floats
    """The share of the lemmas of the better covered text, by weight, that are in the other."""
    phrases: Counts
    """Phrases of the samples in common; exact."""
    fresh: Floats
    """What they are worth (view.py)."""
    freshness: Floats
    """The feature of that name."""
    sizes: Counts
    """Content lemmas of the other text; exact."""
    moved: Flags
    """Whether a quantity, a day or a rank may be another one."""
    contradicts: Flags
    """True only where the texts contradict each other (contradictions.py), here in quantities."""


def has_bounds(model: Model) -> bool:
    """Return whether every feature that speaks for a duplicate by this model is bounded here."""
    weighed = zip(Features._fields, model.weights, strict=True)
    return all(weight <= 0 or name in _BOUNDED for name, weight in weighed)


def bound_probability(logits: Floats) -> Floats:
    """Return an upper bound of the `probability` (model.py) that belongs to each logit."""
    bounded: Floats = 1 / (1 + np.exp(-np.clip(logits, -30, 30))) + _ROUNDING
    return bounded


_OWN, _TERM, _FIRST, _NAME, _THEIR_FIRST, _THEIR_NAME = (1 << bit for bit in range(6))
"""The roles of a lemma of both texts: in our text, in our signature, first sentence, among our
names; in the first sentence of the other text, among its names. Together they are its cell."""


_IN_OURS, _, _IN_FIRST, _IS_NAME, _IN_THEIR_FIRST, _IS_THEIR_NAME = (
    (np.arange(64) >> bit & 1).astype(float) for bit in range(6)
)
"""An element for each of the 64 cells: 1 where a lemma has the role."""
_NO_NAME = _IN_OURS * (1 - _IS_NAME) * (1 - _IS_THEIR_NAME)
_THEIR_NAME_IN_OURS = _IN_OURS * _IS_THEIR_NAME
_IN_BOTH_FIRST = _IN_FIRST * _IN_THEIR_FIRST
_IN_OUR_LEAD = _IN_FIRST * (1 - _IS_NAME)
_IN_THEIR_LEAD = _IN_THEIR_FIRST * _NO_NAME
_IN_THEIR_LEAD_NAMED = _IN_THEIR_FIRST * _IS_NAME * (1 - _IS_THEIR_NAME)


class _LemmaBounds(NamedTuple):
    """What texts share with ours of lemmas, an element for each text."""

    logit: Floats
    """What the lemmas make of the log-odds, with the model's bias."""
    lead_overlap: Floats
    signature: Floats
    cover: Floats


class BoundTables:
    """What is computed once of one text, called ours, to bound many others against it."""

    def __init__(self, view: TextView, model: Model) -> None:
        """Raise ValueError if no table keeps lemmas and phrases apart; the model `has_bounds`."""
        self._view = view
        self._bias = model.bias
        self._weights = Features._make(model.weights)
        lemmas = list(dict.fromkeys((*view.lemmas, *view.terms)))
        self._lemmas = len(lemmas)
        self._words = _WordTable([*lemmas, *view.phrases.hashes])
        sample = view.phrases
        self._uses = np.searchsorted(sample.tiers, np.arange(len(sample.hashes)), side="right")
        """How often the source used each phrase before: 0 to 3, or more as 3."""
        self._quantities = QuantityTables(view.facts, view.opening)
        roles = ((view.lemmas, _OWN), (view.terms, _TERM), (view.lead, _FIRST), (view.names, _NAME))
        indexes = {code: index for index, code in enumerate(lemmas)}
        self._roles = np.zeros(len(lemmas), np.int64)
        for codes, role in roles:
            self._roles[[indexes[code] for code in codes]] |= role
        self._lead_weight = sum_weights(set(view.lead).difference(view.names))
        self._names_weight = sum_weights(view.names)

    def bound(self, rows: Rows, same_source: Flags) -> Bounds:
        """Return the bounds of the text of each row; `same_source` flags those of our source."""
        hits = self._words.find(rows["words"])
        behind = hits.columns - rows["lemmas"].astype(np.int64)[hits.rows]
        is_lemma = hits.indexes < self._lemmas
        lemmas = self._bound_lemmas(rows, hits.select(is_lemma & (behind < 0)))
        is_phrase = ~is_lemma & (behind >= 0) & (behind < rows["phrases"][hits.rows])
        phrases, fresh, reused = self._share_phrases(
            rows, hits.select(is_phrase), behind[is_phrase], same_source
        )
        freshness = np.where(phrases > 0, _ratio(fresh, phrases), 0.5)
        quantities = self._quantities.bound(rows)
        weights = self._weights
        # Of the features that speak against, dates are not bounded: they cost more than they
        # rule out.
        logit = (
            lemmas.logit
            + weights.freshness * freshness
            + weights.reuse * np.log1p(reused / MUCH_REUSED)
            + weights.numbers * quantities.agreement
            + weights.number_count * np.log1p(2 * quantities.agreed)
            + weights.conflicts * np.log1p(quantities.conflicts)
            + weights.opening_both * quantities.opening_both
        )
        return Bounds(
            logit,
            *lemmas[1:],
            phrases=phrases,
            fresh=fresh,
            freshness=freshness,
            sizes=rows["size"].astype(np.int64),
            moved=quantities.moved,
            contradicts=self._contradict(rows, phrases, quantities, same_source),
        )

    def _contradict(
        self, rows: Rows, phrases: Counts, quantities: QuantityBounds, same_source: Flags
    ) -> Flags:
        """Return a flag for each row: whether its text contradicts ours for certain.

        `phrases` counts those that each row shares with ours. Only texts of one source can
        contradict in counts: messages of one template mostly do, as each has its own values.
        """
        smaller = np.minimum(rows["phrases"], len(self._view.phrases.hashes))
        same = (phrases >= SAME_PHRASES * smaller) & (smaller > 0)
        contradict: Flags = same_source & same & quantities.counts_conflict
        return contradict | (quantities.opening_both & (quantities.conflicts > 0))

    def _bound_lemmas(self, rows: Rows, hits: "_Hits") -> _LemmaBounds:
        """Return the bounds of each row's features of lemmas, given its `hits` among our lemmas."""
        first, names = (
            (rows[name][hits.rows] >> hits.columns.astype(np.uint64) & np.uint64(1)).astype(int)
            for name in ("first", "names")
        )
        roles = self._roles.take(hits.indexes)
        cells = roles + first * _THEIR_FIRST + names * _THEIR_NAME
        shared_weights = (hits.words & WEIGHT_MASK).astype(float)

        def weigh(counted: Floats) -> Floats:
            """Return for each text the weight of the shared lemmas in the cells that count."""
            sums = np.bincount(hits.rows, shared_weights * counted.take(cells), len(rows))
            return sums.astype(float, copy=False)

        view, weights = self._view, self._weights
        shared, first_weight = weigh(_IN_OURS), rows["first_weight"].astype(float)
        overlap = _ratio(weigh(_IN_BOTH_FIRST), np.minimum(view.lead_weight, first_weight))
        # A name of the other text is covered by it: without it our share would only be lower.
        lead = _ratio(weigh(_IN_THEIR_LEAD), rows["lead_weight"] - weigh(_IN_THEIR_LEAD_NAMED))
        if self._lead_weight:
            lead = lead + weigh(_IN_OUR_LEAD) / self._lead_weight
        names_apart = np.minimum(
            self._names_weight - weigh(_IS_NAME), rows["names_weight"] - weigh(_THEIR_NAME_IN_OURS)
        )
        terms = len(view.terms)
        shared_terms = np.bincount(hits.rows[roles & _TERM > 0], minlength=len(rows))
        logit = (
            self._bias
            + weights.mass * np.log1p(weigh(_NO_NAME) / PER_NAT)
            + weights.head * overlap
            + weights.lead * (lead / 2)
            + weights.cover * _ratio(shared, np.maximum(rows["weight"], view.weight))
            + weights.names * np.log1p(names_apart / RARE_NAME)
        )
        return _LemmaBounds(
            logit,
            overlap,
            signature=shared_terms / terms if terms else np.zeros(len(rows)),
            cover=_ratio(shared, np.minimum(rows["weight"], view.weight)),
        )

    def _share_phrases(
        self, rows: Rows, hits: "_Hits", behind: Indexes, same: Flags
    ) -> tuple[Counts, Floats, Counts]:
        """Return how many phrases each row shares with ours, their worth and how many were used.

        The worth is an upper bound; the number of those used before (features.py) is a lower one.
        `behind` has the index of each hit in its sample, `same` flags the rows of our source.
        """
        shared = np.bincount(hits.rows, minlength=len(rows))
        theirs = np.count_nonzero(rows["tiers"][hits.rows] <= behind[:, None], axis=1)
        ours = self._uses.take(hits.indexes - self._lemmas)
        # Of one source, one use may be the earlier text itself.
        more, less = (
            np.maximum(0, uses - same[hits.rows])
            for uses in (np.maximum(ours, theirs), np.minimum(ours, theirs))
        )
        fresh = np.bincount(hits.rows, np.exp2(-more.astype(float)), len(rows)).astype(float)
        used = np.where(same[hits.rows], more > 0, less > 1)
        return shared, fresh, np.bincount(hits.rows[used], minlength=len(rows))


class _Hits(NamedTuple):
    """Words of other texts that are among ours."""

    rows: Indexes
    columns: Indexes
    indexes: Indexes
    """The index of each among ours."""
    words: NDArray[np.uint32]

    def select(self, chosen: Flags) -> "_Hits":
        """Return only the hits whose flag is set."""
        return _Hits._make(column[chosen] for column in self)


_BITS = 13
_SHIFT = np.uint32(32 - _BITS)
_FACTORS = [0x9E3779B1 * odd % (1 << 32) for odd in range(1, 64, 2)]
_ABSENT = 255


class _WordTable:
    """Words of 32 bits, each in a slot of its own."""

    def __init__(self, words: Sequence[int]) -> None:
        """Raise ValueError if no table keeps the words apart, as where two are equal."""
        self._words = np.array([*words, 0], np.uint32)
        for factor in _FACTORS:
            slots = self._words[:-1] * np.uint32(factor) >> _SHIFT
            if len(set(slots.tolist())) == len(words):
                break
        else:
            raise ValueError("no table keeps the words apart")
        self._factor = np.uint32(factor)
        self._indexes = np.full(1 << _BITS, _ABSENT, np.uint8)
        self._indexes[slots] = np.arange(len(words))

    def find(self, words: NDArray[np.uint32]) -> _Hits:
        """Return which words of many rows are among ours, row by row."""
        flat = words.ravel()
        indexes = self._indexes.take(flat * self._factor >> _SHIFT)
        hits = np.flatnonzero(indexes != _ABSENT)
        found, ours = flat.take(hits), indexes.take(hits).astype(np.int64)
        true = self._words.take(ours) == found
        hits = hits[true]
        rows = hits // MOST_WORDS
        return _Hits(rows, hits - MOST_WORDS * rows, ours[true], found[true])


def _ratio(part: Floats, whole: Floats | Counts) -> Floats:
    """Return `part / whole` of each element; 0 where the divisor is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
