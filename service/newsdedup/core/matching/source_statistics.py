"""What a stream has taught about one of its sources, from the log of all lessons."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
from newsdedup.core.matching.verify.phrases import phrase_hashes
from newsdedup.core.model import Term

REPEATED = 2
"""Items in which a source used a phrase that it is known to repeat."""


@dataclass(frozen=True, slots=True)
class PairStatistics:
    """Pairs of one kind that the source's items made with the leaders they were held against."""

    pairs: int
    alike: int
    """Those that the texts alone call rather one message than two."""
    shift: float
    """By how much the whole stream's habit moves the log-odds of such a pair now."""


@dataclass(frozen=True, slots=True)
class SourceStatistics:
    """What is counted of one source, in all closed buckets that are remembered."""

    items: int
    waiting: int
    """Further items in the bucket that is open: they teach when it closes."""
    of_all: int
    """Items of all sources that are counted or wait."""
    counts: Counter[int]
    """In how many items the source used a phrase, by its hash; of an item at most 32 count."""
    compared: tuple[PairStatistics, ...]
    """By kind of pair, as habits.py tells kinds apart."""

    @property
    def phrases(self) -> int:
        """Return how many different phrases were counted."""
        return len(self.counts)

    @property
    def repeated(self) -> int:
        """Return how many of them two items used, or more."""
        return sum(count >= REPEATED for count in self.counts.values())

    @property
    def template(self) -> float:
        """Return the share of all uses of phrases that are uses of repeated ones."""
        uses = sum(self.counts.values())
        again = sum(count for count in self.counts.values() if count >= REPEATED)
        return again / uses if uses else 0.0


def source_statistics(
    source: str, lessons: Iterable[Observation], model: Model, *, shared: bool = False
) -> SourceStatistics:
    """Return what lessons, in the order in which they were learned, teach about a source.

    `shared` lessons are of a log, whose generations every reader counts by itself.
    """
    code, school = hash_source(source), StreamStatistics(model)
    own: list[Observation] = []
    generations: Counter[int] = Counter()

    def noted() -> Iterator[Observation]:
        for logged in lessons:
            lesson = logged._replace(generation=school.generation) if shared else logged
            yield lesson
            generations[lesson.generation] += 1
            if lesson.source == code:
                own.append(lesson)

    if shared:
        for lesson in noted():
            school.add(lesson)
    else:
        school.restore(noted())
    return _summed(own, generations, school)


def _summed(
    own: Iterable[Observation], generations: Counter[int], school: StreamStatistics
) -> SourceStatistics:
    remembered = [lesson for lesson in own if lesson.generation >= school.generation - 1]
    closed = [lesson for lesson in remembered if lesson.number // BUCKET < school.closed_buckets]
    return SourceStatistics(
        items=len(closed),
        waiting=len(remembered) - len(closed),
        of_all=sum(n for one, n in generations.items() if one >= school.generation - 1),
        counts=Counter(phrase for lesson in closed for phrase in lesson.phrases),
        compared=_compared(closed, school),
    )


def _compared(
    lessons: Iterable[Observation], school: StreamStatistics
) -> tuple[PairStatistics, ...]:
    pairs: Counter[int] = Counter()
    alike: Counter[int] = Counter()
    for lesson in lessons:
        for logit, kind in lesson.pairs:
            pairs[kind] += 1
            alike[kind] += logit > 0
    return tuple(
        [PairStatistics(pairs[kind], alike[kind], school.shift[kind]) for kind in range(PAIR_KINDS)]
    )


def phrases_by_hash(terms: Sequence[Term]) -> dict[int, str]:
    """Return the phrases of a text by their hashes."""
    return {
        phrase_hashes((left.key, right.key))[0]: f"{left.lemma} {right.lemma}"
        for left, right in pairwise(terms)
    }
