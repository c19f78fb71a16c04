"""Which items labelled pairs mean, and which pairs count."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from cli.small_stream import FIRE
from newsdedup import ItemKey, NewsItem
from newsdedup.bootstrap.rules import item_analyzer
from newsdedup.config import Settings
from newsdedup.core.matching.verify.features import Features
from newsdedup.core.model import Entry
from newsdedup.core.moments import MICROSECOND
from newsdedup.core.stories.window import Watermark, effective_at
from newsdedup.engine.analyzer import entry_of
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.collections.pairs import LabelledPair
from newsdedup_lab.fit.samples import READING_WEIGHTS, Samples, Stream, build_samples, build_stream

ANALYZER = item_analyzer(Settings())
BEGIN = datetime(2031, 5, 15, tzinfo=UTC)
WINDOW = timedelta(hours=72) // MICROSECOND
ROOF = "Storm tears the roof off the old school, pupils are safe"
BRIDGE = "The new bridge over the river opens for trams and buses"


def entry(name: str, text: str, *, hours: float = 0) -> Entry:
    source, _, number = name.partition("/")
    item = NewsItem(ItemKey(source, number), "", text, BEGIN + timedelta(hours=hours))
    return entry_of(ANALYZER.analyze(item, b""), at=effective_at(item, Watermark()))


def came(*entries: Entry, name: str = "items") -> Stream:
    return build_stream(name, entries, window=WINDOW, advance=lambda _: None)


def found(pairs: Sequence[tuple[str, str]], *streams: Stream) -> Samples:
    return build_samples([[LabelledPair(*pair, True) for pair in pairs]], streams)


SHARED = (entry("a/1", ROOF), entry("a/2", ROOF), entry("b/1", BRIDGE), entry("b/3", BRIDGE))


def test_of_sources_that_share_an_id_the_named_one_is_meant():
    samples = found([("a/1", "2"), ("b/1", "3")], came(*SHARED))
    assert samples.sources == (frozenset("a"), frozenset("b"))
    shares = samples.features["as it came"][:, Features._fields.index("head")]
    assert shares.tolist() == [1.0, 1.0]


def test_an_id_of_several_sources_is_refused():
    with pytest.raises(SourceUnusable, match="2 sources have an item 1; write SOURCE/ID"):
        found([("1", "2")], came(*SHARED))


def test_pairs_are_one_story_by_their_items_and_not_by_shared_ids():
    samples = found([("a/1", "2"), ("b/1", "3"), ("b/3", "b/1")], came(*SHARED))
    assert samples.stories[0] != samples.stories[1] == samples.stories[2]


def test_files_that_contradict_each_other_are_refused_whatever_they_call_the_items():
    files = [[LabelledPair("a/1", "a/2", True)], [LabelledPair("2", "a/1", False)]]
    with pytest.raises(SourceUnusable, match="2 and a/1 are duplicates by one line"):
        build_samples(files, [came(*SHARED)])


def test_an_item_that_is_named_in_two_ways_joins_its_pairs():
    samples = found([("a/2", "a/1"), ("2", "3")], came(*SHARED))
    assert samples.stories[0] == samples.stories[1]


def test_a_pair_that_several_streams_hold_counts_once_in_the_first():
    first, both = came(*SHARED[:2]), came(*SHARED)
    samples = found([("a/1", "a/2"), ("b/1", "b/3")], first, both)
    assert samples.streams == (0, 1)
    assert samples.held_again == 1
    assert found([("b/1", "b/3")], first, both).held_again == 0


def test_beyond_the_window_nothing_is_a_duplicate_not_even_a_copy():
    apart = [entry(f"a/{hours}", FIRE[1], hours=hours) for hours in (0, 72, 73)]
    samples = found([("0", "72"), ("0", "73"), ("73", "0"), ("72", "73")], came(*apart))
    for reading, _ in READING_WEIGHTS:
        assert samples.ruled[reading].tolist() == [1.0, 0.0, 0.0, 1.0]
