"""What the statistics of a stream say about one of its sources, from the log of observations."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from newsdedup.core.matching.stream_statistics import (
    BUCKET,
    Observation,
    StreamStatistics,
    hash_source,
)
from newsdedup.core.matching.verify.copy_rates import PAIR_KINDS
from newsdedup.core.matching.verify.model import Model
from newsdedup.core.matching.verify.view import phrase_hashes
from newsdedup.core.model import Term

LEAST_REPEATS = 2
"""Items in which a source uses a phrase that it repeats."""


@dataclass(frozen=True, slots=True)
class PairStatistics:
    """Pairs of one kind that the source's items made with the leaders they were compared with."""

    pairs: int
    alike: int
    """Those that are one message rather than two, by the texts alone."""
    shift: float
    """By how much the copy rate of the whole stream moves the log-odds of such a pair now."""


@dataclass(frozen=True, slots=True)
class SourceStatistics:
    """What is counted of one source, in all closed buckets that are remembered."""

    items: int
    waiting: int
    """Further items in the open bucket: they count when it closes."""
    of_all: int
    """Items of all sources that are counted or wait."""
    counts: Counter[int]
    """In how many items the source used a phrase, by its hash; of an item at most 32 count."""
    compared: tuple[PairStatistics, ...]
    """By kind of pair, numbered as in copy_rates.py."""

    @property
    def phrases(self) -> int:
        """Return how many different phrases of the source were counted."""
        return len(self.counts)

    @property
    def repeated(self) -> int:
        """Return how many different phrases two items of the source used, or more."""
        return sum(count >= LEAST_REPEATS for count in self.counts.values())

    @property
    def template(self) -> float:
        """Return the share of all uses that are of phrases of two items or more; 0 without any."""
        uses = sum(self.counts.values())
        again = sum(count for count in self.counts.values() if count >= LEAST_REPEATS)
        return again / uses if uses else 0.0


def source_statistics(
    source: str, observations: Iterable[Observation], model: Model, *, shared: bool = False
) -> SourceStatistics:
    """Return the statistics of a source, from the observations of all sources in their order.

    With `shared`, the observations come from the log of several workers, and their generations are
    counted anew; else they are those of one process, stored with their generations.
    """
    code, stream = hash_source(source), StreamStatistics(model.base)
    counted: list[Observation] = []
    if shared:
        for observation in observations:
            counted.append(observation._replace(generation=stream.generation))
            stream.add(counted[-1])
    else:
        counted.extend(observations)
        stream.restore(counted)
    remembered = [one for one in counted if one.generation >= stream.generation - 1]
    own = [one for one in remembered if one.source == code]
    closed = [one for one in own if one.number // BUCKET < stream.closed_buckets]
    pairs = Counter(kind for one in closed for _, kind in one.pairs)
    alike = Counter(kind for one in closed for logit, kind in one.pairs if logit > 0)
    return SourceStatistics(
        items=len(closed),
        waiting=len(own) - len(closed),
        of_all=len(remembered),
        counts=Counter(phrase for one in closed for phrase in one.phrases),
        compared=tuple(
            PairStatistics(pairs[kind], alike[kind], stream.shifts[kind])
            for kind in range(PAIR_KINDS)
        ),
    )


def phrases_by_hash(terms: Sequence[Term]) -> dict[int, str]:
    """Return the phrases of a text, two neighbouring lemmas each, by their hashes."""
    return {
        phrase_hashes((left.key, right.key))[0]: f"{left.lemma} {right.lemma}"
        for left, right in pairwise(terms)
    }
