"""What a flood of items that are alike costs the others in the window."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final

import msgspec

from newsdedup import NewsItem
from newsdedup.adapters.formats import item_json
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import Settings
from newsdedup.core.model import Entry
from newsdedup.core.moments import to_datetime
from newsdedup.core.stories.commands import Publish
from newsdedup.core.stories.judge import decide
from newsdedup.core.stories.window import Watermark, effective_at
from newsdedup.engine.analyzer import ItemAnalyzer, entry_of
from newsdedup.engine.collector import freeze_survivors
from newsdedup.ports.errors import SettingsInvalid
from newsdedup.synthetic.stream import generate_stream
from newsdedup_lab.bench.floods import FLOODS, generate_flood
from newsdedup_lab.bench.quantiles import quantile, summarize_counts
from newsdedup_lab.bench.work import CountingStore, count_comparisons

_BACKGROUND: Final = 5_000
_OTHERS: Final = 1_000
"""Items of other news among the flood, which are timed."""
_HOURS: Final = 48
"""What the background spans; the flood comes in the hour after it."""
_REST: Final = 512


def measure_hot(
    size: int,
    settings: Settings,
    *,
    floods: Sequence[str] = (),
    background: int = _BACKGROUND,
    others: int = _OTHERS,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Judge other news among floods of `size` items, in memory; return the cost of both.

    First `background` synthetic items fill the window. Then `others` more of the same stream
    arrive: once alone (`alone`), and for each flood once more, evenly spread among its items within
    an hour. Of the others the second half is measured: the look-up for leaders and the
    decision in milliseconds, the postings read, the leaders returned and the pairs compared.
    `flood` has the same of the items of the flood that arrive in that half. All floods are measured
    unless some are named, each in a window of its own; raise SettingsInvalid for an unknown name.
    """
    if unknown := [name for name in floods if name not in FLOODS]:
        raise SettingsInvalid(f"there is no flood {unknown[0]}: there are {', '.join(FLOODS)}")
    rule_name, analyzer = settings.rule.name, item_analyzer(settings)
    stream = list(_background(analyzer, background + others))
    first, late = stream[:background], stream[background:]
    begin = to_datetime(late[0].effective_at)
    alone = _Window(settings, first)
    for entry in late:
        alone.judge(entry, "others")
    measurements: dict[str, Any] = {
        "rule": rule_name,
        "background": len(first),
        "alone": alone.measurements("others"),
        "floods": {},
    }
    say(f"alone: {measurements['alone']}")
    for name in floods or FLOODS:
        window = _Window(settings, first)
        coming = _flood_entries(analyzer, name, size, begin)
        for index, entry in enumerate(late):
            share = size * (index + 1) // len(late) - size * index // len(late)
            for hot in islice(coming, share):
                window.judge(hot, "flood")
            window.judge(entry, "others")
        measurements["floods"][name] = {
            "items": size,
            "others": window.measurements("others"),
            "flood": window.measurements("flood"),
        }
        say(f"{name}: {measurements['floods'][name]}")
    return measurements


def _background(analyzer: ItemAnalyzer, count: int) -> Iterator[Entry]:
    """Yield entries of a synthetic stream in the order of arrival; edits are left out."""
    nowhere = Watermark()
    for planted in generate_stream(count, languages=("ru",), per_hour=count / _HOURS):
        item = item_json.decode_item(msgspec.json.encode(planted.item))
        if isinstance(item, NewsItem):
            yield entry_of(analyzer.analyze(item), at=effective_at(item, nowhere))


def _flood_entries(
    analyzer: ItemAnalyzer, name: str, size: int, begin: datetime
) -> Iterator[Entry]:
    """Yield the entries of a flood, each analyzed when it is taken."""
    nowhere = Watermark()
    for item in generate_flood(name, size, begin=begin):
        yield entry_of(analyzer.analyze(item), at=effective_at(item, nowhere))


@dataclass(frozen=True, slots=True)
class _Cost:
    """What one item cost."""

    look_up_ms: float
    judge_ms: float
    postings: int
    leaders: int
    comparisons: int


class _Window:
    """A window in memory, and what each item cost that came into it."""

    def __init__(self, settings: Settings, background: Sequence[Entry]) -> None:
        self._rule = make_rule(settings)
        self._store = CountingStore(self._rule)
        self._costs: dict[str, list[_Cost]] = {}
        self._count = 0
        for entry in background:
            self._decide(entry)

    def judge(self, entry: Entry, group: str) -> None:
        """Look an entry up, decide and store it, and note the cost for its group."""
        store, rule = self._store, self._rule
        postings = store.count_postings(entry)
        compared = count_comparisons(rule, leaders_read=store.leaders_read)
        began = time.perf_counter()
        leaders = len(store.leaders(entry))
        looked = time.perf_counter()
        self._decide(entry)
        decided = time.perf_counter()
        comparisons = count_comparisons(rule, leaders_read=store.leaders_read) - compared
        cost = _Cost(
            1000 * (looked - began), 1000 * (decided - looked), postings, leaders, comparisons
        )
        self._costs.setdefault(group, []).append(cost)

    def measurements(self, group: str) -> dict[str, Any]:
        """Return the costs of the second half of a group."""
        costs = self._costs[group]
        half = costs[len(costs) // 2 :]
        return {
            "look_up_ms": _milliseconds([one.look_up_ms for one in half]),
            "judge_ms": _milliseconds([one.judge_ms for one in half]),
            "postings": summarize_counts([one.postings for one in half]),
            "leaders": summarize_counts([one.leaders for one in half]),
            "comparisons": summarize_counts([one.comparisons for one in half]),
        }

    def _decide(self, entry: Entry) -> None:
        """Decide and store an entry; now and then free what is left over."""
        self._store.store(decide(Publish(entry), self._rule, self._store), bucket=0)
        self._count += 1
        if self._count % _REST == 0:
            freeze_survivors()


def _milliseconds(times: Sequence[float]) -> dict[str, float]:
    """Return the median and the 99th percentile."""
    ordered = sorted(times)
    return {"p50": quantile(ordered, 0.5, digits=4), "p99": quantile(ordered, 0.99, digits=4)}
