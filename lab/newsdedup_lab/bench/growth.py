"""Memory and look-up time by the number of items in the window, on synthetic items."""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import msgspec

from newsdedup import NewsItem
from newsdedup.adapters.formats import item_json
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import Settings
from newsdedup.core.stories.commands import Publish
from newsdedup.core.stories.judge import decide
from newsdedup.core.stories.window import Watermark, effective_at
from newsdedup.engine.analyzer import entry_of
from newsdedup.engine.collector import freeze_survivors
from newsdedup.synthetic.stream import generate_stream
from newsdedup_lab.bench.quantiles import quantile

_BATCH = 512
"""Items between two rests, as in a run."""
_LATEST = 2_000
"""Look-ups timed at each size: those of the items just before it."""


def measure_growth(
    sizes: Sequence[int], settings: Settings, *, say: Callable[[str], None]
) -> list[dict[str, object]]:
    """Decide synthetic items until the largest of `sizes`; return a dict of results at each size.

    Times are the median and the 99th percentile over the latest 2,000 items: `look_up_ms` of asking
    the memory store for the leaders that share keys with a new entry, `judge_ms` of deciding and
    storing it. `resident_bytes_per_item` is the memory that the process gained since the first item
    was analyzed, so without vocabulary, background table and code. Each dict is passed to `say` as
    text, too.
    """
    rule = make_rule(settings)
    analyzer = item_analyzer(settings)
    store, nowhere = MemoryStore(rule), Watermark()
    per_hour = 2 * max(sizes) / (settings.rule.window / timedelta(hours=1))
    measurements: list[dict[str, object]] = []
    look_ups: list[float] = []
    decisions: list[float] = []
    base = candidates = 0
    for number, planted in enumerate(generate_stream(max(sizes), per_hour=per_hour), start=1):
        item = item_json.decode_item(msgspec.json.encode(planted.item))
        if not isinstance(item, NewsItem):
            continue
        entry = entry_of(analyzer.analyze(item), at=effective_at(item, nowhere))
        base = base or resident_bytes()
        begin = time.perf_counter()
        candidates += len(store.leaders(entry))
        middle = time.perf_counter()
        store.store(decide(Publish(entry), rule, store), bucket=0)
        look_ups.append(middle - begin)
        decisions.append(time.perf_counter() - middle)
        if number % _BATCH == 0:
            freeze_survivors()
        if number in sizes:
            measurements.append(
                {
                    "items": number,
                    "kept": len(store),
                    "resident_bytes_per_item": round((resident_bytes() - base) / len(store)),
                    "look_up_ms": _quantiles(look_ups[-_LATEST:]),
                    "judge_ms": _quantiles(decisions[-_LATEST:]),
                    "candidates_per_item": round(candidates / number, 2),
                }
            )
            say(f"{measurements[-1]}")
    return measurements


def resident_bytes() -> int:
    """Return the resident memory of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def _quantiles(seconds: Sequence[float]) -> dict[str, float]:
    """Return the median and the 99th percentile of durations, given in seconds, as milliseconds."""
    ordered = sorted(1000 * one for one in seconds)
    return {"p50": quantile(ordered, 0.5, digits=4), "p99": quantile(ordered, 0.99, digits=4)}
