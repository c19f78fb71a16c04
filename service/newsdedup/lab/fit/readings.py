"""One stream read three ways, so that no model leans on what only some streams can teach.

As it came; without anything learned; and as if all items were of one source, like an agency.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from newsdedup.core.matching.stream_statistics import StreamStatistics
from newsdedup.core.matching.verify.features import ViewComparison, compare_views
from newsdedup.core.matching.verify.marks import VerifierMark, read_mark
from newsdedup.core.matching.verify.model import unfitted_model
from newsdedup.core.model import Entry, ItemKey, Micros

Reading = Literal["as it came", "unlearned", "one source"]
READINGS: tuple[tuple[Reading, float], ...] = (
    ("as it came", 1.0),
    ("unlearned", 0.1),
    ("one source", 0.1),
)
"""The readings and what a row of each weighs in the fit.

With .2, .1 and nearly 0 for both, the mean loss of unseen pairs as they came is .175, .172 and
.168, and that of the same pairs read as of one source .230, .234 and .240 (2026-11-22).
"""

SAID: Mapping[Reading, str] = {
    "as it came": "the pairs directly, the stream's habits known",
    "unlearned": "nothing learned from the stream",
    "one source": "all items taken to be of one source",
}
"""What the readings are called where scores are told.

Pairs are compared as they stand, not looked up among all that came; and what the candidates of a
stream teach (its habits) is that of the whole stream, where the engine knows what came before.
"""

CANDIDATE_TERMS = 3


class Viewed(NamedTuple):
    """An item as it is frozen when its turn comes."""

    entry: Entry
    testimony: VerifierMark


def views(entries: Iterable[Entry], reading: Reading) -> dict[ItemKey, Viewed]:
    """Return every item by its key, frozen as the engine freezes it: by closed buckets of lessons.

    What pairs teach is left out, for that takes a model (`learned` in samples.py).
    """
    lessons = StreamStatistics(unfitted_model())
    found: dict[ItemKey, Viewed] = {}
    for entry in sorted(entries, key=lambda each: each.order):
        frozen = entry
        if reading != "unlearned":
            one = entry._replace(key=ItemKey("", entry.key.id))
            frozen = lessons.freeze(one if reading == "one source" else entry)
            lessons.add(lessons.observe(frozen, ()))
        found[entry.key] = Viewed(frozen, read_mark(frozen))
    return found


def comparison(left: Viewed, right: Viewed) -> ViewComparison:
    """Return the comparison of two items in their order, as the rule compares them."""
    earlier, later = (left, right) if left.entry.order < right.entry.order else (right, left)
    own = left.entry.key.source == right.entry.key.source
    repeated = own and later.testimony.bucket > earlier.testimony.bucket
    return compare_views(earlier.testimony.view, later.testimony.view, repeated=repeated)


def candidates(
    items: Mapping[ItemKey, Viewed], *, window: Micros
) -> Iterator[tuple[Viewed, Viewed]]:
    """Yield the pairs that share three terms within the window."""
    holders: defaultdict[int, list[tuple[ItemKey, Viewed]]] = defaultdict(list)
    for key, later in sorted(items.items(), key=lambda item: item[1].entry.order):
        since = later.entry.effective_at - window
        shared: Counter[ItemKey] = Counter()
        for term in later.entry.terms:
            for other, earlier in reversed(holders[term]):
                if earlier.entry.effective_at < since:
                    break
                # Read as of one source, its entry no longer tells whose it is.
                shared[other] += 1
            holders[term].append((key, later))
        for other in sorted(other for other, count in shared.items() if count >= CANDIDATE_TERMS):
            yield items[other], later
