"""What a stream has observed is the same after a restart, wherever its commits fell."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.test_phrase_counts import all_uses
from newsdedup import ItemKey, NewsItem
from newsdedup.adapters.sqlite.state import SqliteState
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import Settings
from newsdedup.core.matching.statistics_recorder import StatisticsRecorder
from newsdedup.core.matching.stream_statistics import BUCKET
from newsdedup.core.model import Entry, Micros
from newsdedup.core.moments import to_micros
from newsdedup.core.stories.records import Record
from newsdedup.engine.analyzer import entry_of

RULE = make_rule(Settings())
ANALYZER = item_analyzer(Settings())
BEGIN = to_micros(datetime(2026, 3, 2, tzinfo=UTC))
HOUR = timedelta(hours=1) // timedelta(microseconds=1)
ITEMS = 9 * BUCKET

SAID = tuple(
    entry_of(ANALYZER.analyze(NewsItem(ItemKey("s", "said"), "", text), b""), at=BEGIN)
    for text in (
        "Мэр Тулы открыл новый мост через реку после ремонта, который длился 14 месяцев.",
        "Мэр Тулы открыл мост через реку, ремонт длился 14 месяцев, сообщила мэрия.",
        "The mayor of Halden opened the repaired bridge on Monday; repairs cost 32 million.",
    )
)


def item(number: int, at: Micros) -> Entry:
    said = SAID[number % len(SAID)]
    return said._replace(key=ItemKey("s", f"i{number}"), effective_at=at)


class Kept:
    """Stream statistics whose observations are kept in a state."""

    def __init__(self, path: Path) -> None:
        self.state = SqliteState(path, RULE, made_by="a test")
        self.recorder = StatisticsRecorder(RULE, self.state.observations())
        self.state.take_observations = self.recorder.take_observations

    def close(self) -> None:
        self.state.close()


def learned(path: Path, times: Sequence[Micros], *, batch: int, reopened: frozenset[int]) -> Kept:
    """Return what is known of items of these times, committed and reopened at some indexes."""
    kept = Kept(path)
    for number, at in enumerate(times):
        if number % batch == 0:
            kept.state.commit(kept.state.progress)
        if number in reopened:
            kept.state.commit(kept.state.progress)
            kept.close()
            kept = Kept(path)
        entry = item(number, at)
        kept.recorder.learn(entry, [Record(item(number + 1, at - HOUR * (number % 30)))])
    kept.state.commit(kept.state.progress)
    return kept


def known(kept: Kept) -> tuple[object, ...]:
    observations = kept.recorder.statistics
    counts = (
        all_uses(observations._young),
        all_uses(observations._old),
        observations._pairs,
        observations.shifts,
        observations._since,
    )
    return (observations.generation, observations.number, observations._open, *counts)


indexes = st.integers(0, ITEMS - 1)
steps = st.lists(st.sampled_from((0, 1, 2, 3, 8, -5)), min_size=9, max_size=9)


@pytest.mark.usefixtures("long")
@settings(max_examples=30)  # each takes a quarter of a second
@example(steps=[3] * 9, batch=512, reopened=frozenset({1_100}))
@given(steps=steps, batch=st.integers(1, 700), reopened=st.frozensets(indexes, max_size=3))
def test_statistics_are_the_same_for_any_batch_size_and_any_restarts(steps, batch, reopened):
    hours = accumulate(step for step in steps for _ in range(BUCKET))
    times = [BEGIN + HOUR * hour for hour in hours]
    with TemporaryDirectory() as folder:
        path, other = Path(folder) / "state", Path(folder) / "other"
        kept = learned(path, times, batch=batch, reopened=reopened)
        kept.close()
        again = Kept(path)
        alone = learned(other, times, batch=ITEMS + 1, reopened=frozenset())
        assert known(again) == known(kept) == known(alone)
        again.close()
        alone.close()
