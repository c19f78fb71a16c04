from datetime import UTC, datetime, timedelta

from newsdedup import ItemKey, NewsItem
from newsdedup.bootstrap.rules import item_analyzer
from newsdedup.config import Settings
from newsdedup.core.matching.stream_statistics import BUCKET
from newsdedup.core.stories.window import Watermark, effective_at
from newsdedup.engine.analyzer import entry_of
from newsdedup_lab.fit.samples import READING_WEIGHTS, candidate_pairs, compare_frozen, freeze_items

ANALYZER = item_analyzer(Settings())
BEGIN = datetime(2031, 5, 15, tzinfo=UTC)
TEXT = "Кровля старого склада загорелась ночью, пожарные спасли рабочих завода"
ROOFS = "Roof number {} was torn off by the storm"


def entry(number, source, text, *, hours):
    at = BEGIN + timedelta(hours=hours)
    item = NewsItem(ItemKey(source, str(number)), "", text, at)
    return entry_of(ANALYZER.analyze(item, b""), at=effective_at(item, Watermark()))


def stream(*sources, between=0):
    """Return one text of these sources, after each of them so many others of another one."""
    found = []
    for position, source in enumerate(sources):
        found.append(entry(position, source, TEXT, hours=position))
        found += [
            entry(f"{position}-{n}", "z", ROOFS.format(n), hours=position + 0.5)
            for n in range(between)
        ]
    return found


def viewed(seen, name):
    """Return the item of this id; no other source of these streams has it."""
    [found] = [one for key, one in seen.items() if key.id == name]
    return found


def tiers(seen, name):
    return viewed(seen, name).sketch.view.phrases.tiers


def test_only_closed_buckets_of_the_source_make_a_phrase_stale():
    seen = freeze_items(stream("a", "b", "a", between=BUCKET), "as it came")
    whole = len(viewed(seen, "0").sketch.view.phrases.hashes)
    assert [tiers(seen, key)[0] for key in "012"] == [whole, whole, 0]
    assert tiers(seen, "2")[1] == whole


def test_in_an_open_bucket_nothing_is_stale():
    seen = freeze_items(stream("a", "a"), "as it came")
    assert tiers(seen, "1")[0] == len(viewed(seen, "1").sketch.view.phrases.hashes)


def test_as_one_source_all_items_count():
    seen = freeze_items(stream("a", "b", between=BUCKET), "one source")
    assert tiers(seen, "1")[0] == 0


def test_unlearned_nothing_counts():
    seen = freeze_items(stream("a", "a", between=BUCKET), "unlearned")
    assert tiers(seen, "1")[0] == len(viewed(seen, "1").sketch.view.phrases.hashes)


def test_the_copy_itself_is_no_template():
    seen = freeze_items(stream("a", "a", between=BUCKET), "as it came")
    assert tiers(seen, "1")[0] == 0
    assert compare_frozen(viewed(seen, "1"), viewed(seen, "0")).features.freshness == 1.0


def test_candidates_share_three_terms_within_the_window():
    seen = freeze_items(stream("a", "b", "c"), "unlearned")
    hour = timedelta(hours=1) // timedelta(microseconds=1)
    pairs = [
        (one.entry.key.id, other.entry.key.id) for one, other in candidate_pairs(seen, window=hour)
    ]
    assert pairs == [("0", "1"), ("1", "2")]


def test_sources_that_share_an_id_have_an_item_each_in_every_reading():
    shared = [entry(1, source, TEXT, hours=hours) for hours, source in enumerate("abc")]
    for reading, _ in READING_WEIGHTS:
        seen = freeze_items(shared, reading)
        assert list(seen) == [ItemKey(source, "1") for source in "abc"]
        day = timedelta(days=1) // timedelta(microseconds=1)
        hours = [
            (one.entry.effective_at, other.entry.effective_at)
            for one, other in candidate_pairs(seen, window=day)
        ]
        a, b, c = (one.effective_at for one in shared)
        assert sorted(hours) == [(a, b), (a, c), (b, c)]
