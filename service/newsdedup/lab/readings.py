"""One stream read three ways, so that no model leans on what only some streams can teach.

As it came; without anything learned; and as if all items were of one source, like an agency.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal, NamedTuple

from newsdedup.core.facts.found import said_facts
from newsdedup.core.model import Entry, Micros
from newsdedup.core.verify.features import Comparison, compare
from newsdedup.core.verify.habits import Habits, Shift, noted, shift
from newsdedup.core.verify.model import Model
from newsdedup.core.verify.phrases import Seen, fresh, phrase_hashes
from newsdedup.core.verify.view import View, view
from newsdedup.core.vocabulary import Vocabulary
from newsdedup.core.window import moment
from newsdedup.core.words import tokens
from newsdedup.deduplicate import Analyzed

Reading = Literal["as it came", "unlearned", "one source"]
READINGS: tuple[tuple[Reading, float], ...] = (
    ("as it came", 1.0),
    ("unlearned", 0.4),
    ("one source", 0.4),
)
"""The readings and what a row of each weighs in the fit."""

REMEMBERED = timedelta(days=7) // timedelta(microseconds=1)
"""How long the phrases of a source are remembered: a week serves as well as all of a year."""

CANDIDATE_TERMS = 3


@dataclass(slots=True)
class PhraseCounts:
    """In how many documents of the last week each source used each phrase."""

    _counts: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    _kept: defaultdict[str, deque[tuple[Micros, list[int]]]] = field(
        default_factory=lambda: defaultdict(deque)
    )

    def seen(self, source: str, at: Micros) -> Seen:
        """Return what is known of the source at this time."""
        kept, counts = self._kept[source], self._counts[source]
        while kept and kept[0][0] < at - REMEMBERED:
            counts.subtract(kept.popleft()[1])
        return counts.__getitem__

    def note(self, source: str, at: Micros, hashes: list[int]) -> None:
        """Count the phrases of one document."""
        self._counts[source].update(hashes)
        self._kept[source].append((at, hashes))


class Viewed(NamedTuple):
    """An item with its view."""

    entry: Entry
    view: View


def views(
    stream: Iterable[tuple[Analyzed, Entry]], vocabulary: Vocabulary, reading: Reading
) -> dict[str, Viewed]:
    """Return the view of every item by its id, the counts being those of earlier items only."""
    counts = PhraseCounts()
    found: dict[str, Viewed] = {}
    for analyzed, entry in sorted(stream, key=lambda pair: pair[1].order):
        source = "" if reading == "one source" else entry.key.source
        seen = fresh if reading == "unlearned" else counts.seen(source, entry.effective_at)
        document = analyzed.document
        published = moment(entry.effective_at).date()
        said = said_facts(document.text, tokens(document.text), published=published)
        made = view(document, analyzed.signature, said, vocabulary, seen=seen)
        found[entry.key.id] = Viewed(entry, made)
        hashes = phrase_hashes([term.key for term in document.terms])
        counts.note(source, entry.effective_at, hashes)
    return found


def comparison(left: Viewed, right: Viewed, reading: Reading) -> Comparison:
    """Return the comparison of two items in their order."""
    earlier, later = sorted((left, right), key=lambda seen: seen.entry.order)
    apart = later.entry.effective_at - earlier.entry.effective_at
    own = reading == "one source" or left.entry.key.source == right.entry.key.source
    repeated = reading != "unlearned" and own and apart <= REMEMBERED
    return compare(earlier.view, later.view, repeated=repeated)


def candidates(items: Mapping[str, Viewed], *, window: Micros) -> Iterator[tuple[Viewed, Viewed]]:
    """Yield the pairs that share three terms within the window."""
    holders: defaultdict[int, list[Viewed]] = defaultdict(list)
    for later in sorted(items.values(), key=lambda seen: seen.entry.order):
        since = later.entry.effective_at - window
        shared: Counter[str] = Counter()
        for term in later.entry.terms:
            for earlier in reversed(holders[term]):
                if earlier.entry.effective_at < since:
                    break
                shared[earlier.entry.key.id] += 1
            holders[term].append(later)
        for key in sorted(key for key, count in shared.items() if count >= CANDIDATE_TERMS):
            yield items[key], later


def learned(pairs: Sequence[tuple[Comparison, bool]], model: Model) -> Shift:
    """Return what the candidates of a stream teach; each comes with whether its source is one."""
    habits = Habits()
    for compared, same in pairs:
        habits = noted(habits, model.logit(compared.features), same=same)
    return shift(habits, base=model.base)
