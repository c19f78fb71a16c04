"""Upper bounds of what the model could say of one text and many others, for less than comparing.

In a full window a text meets hundreds of candidates, and hardly one of them matches. Their packed
marks are read together as arrays. Shared lemmas and phrases are counted exactly, and figures so
that no bound is below the value it bounds (figure_bounds.py): a pair that is ruled out would not
match by the full comparison either (tests/core/verify/test_verify_bounds.py).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from newsdedup.core.facts.codes import CODE_BYTES
from newsdedup.core.matching.verify.copy_rates import PAIR_KINDS
from newsdedup.core.matching.verify.features import RARE_NAME, Features
from newsdedup.core.matching.verify.figure_bounds import (
    SLOT_MASK,
    SLOTS,
    Counts,
    FigureTables,
    Flags,
    Floats,
)
from newsdedup.core.matching.verify.model import Model
from newsdedup.core.matching.verify.phrases import SAMPLE_SIZE, TIERS, earlier_uses
from newsdedup.core.matching.verify.view import (
    LEMMAS,
    PER_NAT,
    WEIGHT_MASK,
    TextView,
    sum_weights,
)

Words = NDArray[np.uint32]

_WORDS = LEMMAS + SAMPLE_SIZE
_MARK = np.dtype(
    [
        ("bucket", "<u4"),
        ("shifts", "<i2", (PAIR_KINDS,)),
        ("lemmas", "u1"),
        ("phrases", "u1"),
        ("facts", "u1"),
        ("tiers", "u1", (TIERS,)),
        ("size", "<u2"),
        ("limit", "<u4"),
        ("opening", "<u4"),
        ("roles", "u1", (16,)),
        ("words", "<u4", (_WORDS,)),
    ]
)
"""A packed mark up to its facts (marks.py): lemmas, and behind the last of them the phrases.

The roles are a bit for each lemma of the first sentence, 64 of them, and for each name.
"""

_HALF = 2
"""Bytes of the numbers in which the codes of facts are read: all parts of a mark are even."""
_CODE_HALVES = CODE_BYTES // _HALF
_MOST_SHIFT = 16
_LEMMA_COLUMNS = np.arange(LEMMAS)
_WORD_COLUMNS = np.arange(_WORDS)

_OWN, _TERM, _FIRST, _NAME, _THEIR_FIRST, _THEIR_NAME = (1 << bit for bit in range(6))
"""What a lemma of another text is: in our text, in our signature, first sentence, among our names;
in the first sentence of the other text, among its names."""
_CELLS = 64

_ROUNDING = 0.0001
"""More than rounding to four decimals adds, and than sums differ by the order of their terms."""

_BOUNDED = {"mass", "head", "lead", "signature", "freshness", "numbers", "number_count"}
"""The features that speak for a duplicate; the others can only lower the log-odds."""


class Bounds(NamedTuple):
    """What many texts share with one, an element for each; nothing is less than it truly is."""

    logit: Floats
    """The log-odds of a duplicate, by the texts alone."""
    head: Floats
    """The overlap of the first sentences; exact."""
    signature: Floats
    cover: Floats
    """The share of the lemmas of the better covered text, by weight, that the other one holds."""
    phrases: Counts
    """Phrases of the samples in common; exact."""
    sizes: Counts
    """Content lemmas of the other text; exact."""
    moved: Flags
    """Whether a figure, a day or a place in an order may be another one."""
    shifts: NDArray[np.int16]
    """The shifts that the other entry froze, a column for each kind of pair; exact, in cents."""


def has_bounds(model: Model) -> bool:
    """Return whether every feature that speaks for a duplicate by this model is bounded here."""
    weighed = zip(Features._fields, model.weights, strict=True)
    return all(weight <= 0 or name in _BOUNDED for name, weight in weighed)


class BoundTables:
    """The tables of one text, by which others are bounded."""

    def __init__(self, view: TextView, model: Model) -> None:
        """Raise ValueError if no table holds the lemmas or the phrases of the text apart.

        The bounds hold for a model that `has_bounds`.
        """
        self._view = view
        self._model = model
        self._weights = Features._make(model.weights)
        lemmas = list(dict.fromkeys((*view.lemmas, *view.terms)))
        self._lemmas = _WordTable(lemmas)
        self._phrases = _WordTable(view.phrases.hashes)
        self._uses = np.array([*earlier_uses(view.phrases), 0], np.int64)
        self._figures = FigureTables(view.facts, view.opening)
        roles = ((view.lemmas, _OWN), (view.terms, _TERM), (view.head, _FIRST), (view.names, _NAME))
        self._roles = np.zeros(len(lemmas) + 1, np.uint8)
        for codes, role in roles:
            self._roles[[lemmas.index(code) for code in codes]] |= role
        self._lead = sum_weights(set(view.head).difference(view.names))
        self._names = sum_weights(view.names)

    def bound(self, bodies: Sequence[bytes], same_source: Flags) -> Bounds:
        """Return the bounds of the texts whose packed marks these are.

        `same_source` says which of them are of the text's own source.
        """
        marks = _read_marks(bodies)
        shared = self._share_lemmas(marks)
        phrases, freshness = self._share_phrases(marks, same_source)
        counts = marks["facts"].astype(np.int64)
        figures = self._figures.bound(_read_facts(bodies, counts), counts, marks["opening"])
        terms = len(self._view.terms)
        signature = shared.terms / terms if terms else np.zeros(len(bodies))
        weights = self._weights
        # Of the features that speak against, the names alone are bounded: the others cost more.
        logit = (
            self._model.bias
            + weights.mass * np.log1p(shared.beside_names / PER_NAT)
            + weights.head * shared.head
            + weights.lead * shared.lead
            + weights.signature * signature
            + weights.names * np.log1p(shared.names_apart / RARE_NAME)
            + weights.freshness * freshness
            + weights.numbers * figures.agreement
            + weights.number_count * np.log1p(2 * figures.agreed)
        )
        return Bounds(
            logit,
            head=shared.head,
            signature=signature,
            cover=shared.cover,
            phrases=phrases,
            sizes=marks["size"].astype(np.int64),
            moved=figures.moved,
            shifts=marks["shifts"],
        )

    def _share_lemmas(self, marks: NDArray[np.void]) -> "_SharedLemmas":
        """Return what the texts share with ours of lemmas, by weight."""
        count = len(marks)
        lemmas = marks["words"][:, :LEMMAS]
        ours = self._roles.take(self._lemmas.places(lemmas))
        bits = np.unpackbits(marks["roles"], axis=1, bitorder="little")
        # A lemma is in one of 64 cells, by the roles it has in both texts.
        cells = ours + bits[:, :LEMMAS] * _THEIR_FIRST + bits[:, 64 : 64 + LEMMAS] * _THEIR_NAME
        present = marks["lemmas"][:, None] > _LEMMA_COLUMNS
        weights = (lemmas & WEIGHT_MASK) * present
        places = cells + np.arange(0, count * _CELLS, _CELLS)[:, None]
        table = np.bincount(places.ravel(), weights.ravel(), count * _CELLS)
        sums = _LemmaSums._make((table.reshape(count, _CELLS) @ _IN_SUM).T)
        smaller = np.minimum(self._view.masses.head, sums.their_first)
        # A name of the other text is held by it: without it our share would only be lower.
        lead = _ratio(sums.their_lead_held, sums.their_lead)
        if self._lead:
            lead = lead + sums.our_lead_held / self._lead
        return _SharedLemmas(
            beside_names=sums.beside_names,
            head=_ratio(sums.first_of_both, smaller),
            lead=lead / 2,
            terms=np.count_nonzero(ours & present * np.uint8(_TERM), axis=1),
            cover=_ratio(sums.shared, np.minimum(sums.total, self._view.masses.lemmas)),
            names_apart=np.minimum(self._names - sums.our_names, sums.their_names),
        )

    def _share_phrases(self, marks: NDArray[np.void], same: Flags) -> tuple[Counts, Floats]:
        """Return how many phrases of each sample are in ours, and how fresh they are at most."""
        behind = _WORD_COLUMNS - marks["lemmas"].astype(np.int64)[:, None]
        is_phrase = (behind >= 0) & (behind < marks["phrases"][:, None])
        places = self._phrases.places(marks["words"])
        rows, columns = np.nonzero((places < self._phrases.count) & is_phrase)
        shared = np.bincount(rows, minlength=len(marks))
        tiers = marks["tiers"][rows]
        theirs = np.count_nonzero(tiers <= behind[rows, columns][:, None], axis=1)
        uses = np.maximum(self._uses[places[rows, columns]], theirs)
        # Of one source, one use may be the earlier text itself.
        uses = np.maximum(0, uses - same[rows])
        fresh = np.bincount(rows, np.exp2(-uses.astype(float)), len(marks)).astype(float)
        return shared, np.where(shared > 0, _ratio(fresh, shared), 0.5)


def bound_probability(logits: Floats) -> Floats:
    """Return a bound of the rounded probability (model.py) of each logit."""
    bounded: Floats = 1 / (1 + np.exp(-np.clip(logits, -30, 30))) + _ROUNDING
    return bounded


class _WordTable:
    """Words of 32 bits, and where each stands among them."""

    def __init__(self, words: Sequence[int]) -> None:
        """Raise ValueError if no shift gives each word a slot of its own, as for equal ones."""
        self.count = len(words)
        self._words = np.array([*words, 0], np.uint32)
        self._shift = _separating_shift(words)
        self._places = np.full(SLOTS, self.count, np.uint8)
        for place, word in enumerate(words):
            self._places[word >> self._shift & SLOT_MASK] = place

    def places(self, words: Words) -> NDArray[np.uint8]:
        """Return where each of other words stands; `count` for those that are none of ours."""
        places = self._places.take(words >> self._shift & SLOT_MASK)
        return np.where(self._words.take(places) == words, places, np.uint8(self.count))


def _separating_shift(words: Sequence[int]) -> int:
    for shift in range(_MOST_SHIFT + 1):
        if len({word >> shift & SLOT_MASK for word in words}) == len(words):
            return shift
    raise ValueError("no shift gives each word a slot of its own")


def _read_marks(bodies: Sequence[bytes]) -> NDArray[np.void]:
    """Return the packed marks up to their facts; what follows the phrases is undefined."""
    size = _MARK.itemsize
    return np.frombuffer(b"".join([body[:size].ljust(size, b"\0") for body in bodies]), _MARK)


def _read_facts(bodies: Sequence[bytes], counts: Counts) -> Counts:
    """Return the codes of all facts, which stand at the end of each packed mark."""
    halves = np.frombuffer(b"".join(bodies), ">u2")
    sizes = np.fromiter(map(len, bodies), np.int64, len(bodies))
    first = np.cumsum(sizes) // _HALF - _CODE_HALVES * counts
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    places = np.repeat(first, counts) + _CODE_HALVES * within
    high, middle, low = (halves[places + half].astype(np.int64) for half in range(_CODE_HALVES))
    codes: Counts = high << 32 | middle << 16 | low
    return codes


class _SharedLemmas(NamedTuple):
    """What texts share with ours of lemmas, an element for each text."""

    beside_names: Floats
    head: Floats
    lead: Floats
    terms: Counts
    cover: Floats
    names_apart: Floats


class _LemmaSums(NamedTuple):
    """Sums of the weights of a text's lemmas."""

    shared: Floats
    beside_names: Floats
    """Of the shared ones that are a name in neither text."""
    their_first: Floats
    first_of_both: Floats
    their_lead: Floats
    """Of their first sentence without the names of either text."""
    their_lead_held: Floats
    our_lead_held: Floats
    """Of our first sentence without our names."""
    our_names: Floats
    their_names: Floats
    """Of their names that we lack."""
    total: Floats


def _in_sum() -> Floats:
    """Return a row for each cell and a column for each sum: 1 where a lemma of the cell counts."""
    cells = np.arange(_CELLS)
    roles = [(cells >> bit & 1).astype(float) for bit in range(6)]
    ours, _, first, name, their_first, their_name = roles
    unnamed = (1 - name) * (1 - their_name)
    sums = _LemmaSums(
        shared=ours,
        beside_names=ours * unnamed,
        their_first=their_first,
        first_of_both=first * their_first,
        their_lead=their_first * unnamed,
        their_lead_held=ours * their_first * unnamed,
        our_lead_held=first * (1 - name),
        our_names=name,
        their_names=their_name * (1 - ours),
        total=np.ones(_CELLS),
    )
    return np.stack(sums, axis=1)


_IN_SUM = _in_sum()


def _ratio(part: Floats, whole: Floats | Counts) -> Floats:
    """Return the quotients; 0 where the divisor is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
