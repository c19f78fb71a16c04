"""The laws of the verified rule, over really analyzed entries, and what observations change."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.test_phrase_counts import all_uses
from newsdedup import ItemKey, NewsItem
from newsdedup.adapters.formats import item_json
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import Settings
from newsdedup.core.matching.index_keys import are_candidates
from newsdedup.core.matching.statistics_recorder import StatisticsRecorder
from newsdedup.core.matching.stream_statistics import BUCKET, FIRST_COUNTS, StreamStatistics
from newsdedup.core.matching.verify.sketches import read_sketch as of_entry
from newsdedup.core.model import Micros
from newsdedup.core.moments import DAY, to_micros
from newsdedup.engine.analyzer import entry_of
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.synthetic.stream import generate_stream

BEGIN = datetime(2026, 3, 2, 10, tzinfo=UTC)
RULE = make_rule(Settings())
ANALYZER = item_analyzer(Settings())

WORDS = (
    *("мэр", "открыл", "мост", "река", "ремонт", "14", "месяцев", "32", "миллиона", "крон"),
    *("понедельник", "авария", "погибли", "5", "человек", "the", "mayor", "opened", "bridge"),
    *("river", "repair", "cost", "million", "crowns", "Monday", "storm", "roofs", "Halden"),
)
texts = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)


def entry(name: str, text: str, *, hours: int = 0, source: str = "s"):
    at = BEGIN + timedelta(hours=hours)
    item = NewsItem(ItemKey(source, name), "", text, published_at=at)
    return entry_of(ANALYZER.analyze(item, b""), at=to_micros(at))


@given(texts, texts, st.integers(-80, 80), st.sampled_from("st"))
def test_the_verdict_on_two_texts_is_the_same_from_both_sides(left, right, hours, source):
    a, b = entry("a", left), entry("b", right, hours=hours, source=source)
    assert RULE.match(a, b) == RULE.match(b, a)
    match = RULE.match(a, b)
    assert match is None or (0 <= match.score <= 1 and abs(hours) <= 72)
    here, there = RULE.details(a, b), RULE.details(b, a)
    assert bool(here.fingerprints) == are_candidates(RULE.index_keys(a), RULE.index_keys(b))
    assert here._replace(moved=()) == there._replace(moved=())
    assert {(one.kind, one.unit, one.was, one.now) for one in here.moved} == {
        (one.kind, one.unit, one.now, one.was) for one in there.moved
    }


@given(texts)
def test_a_text_is_a_duplicate_of_itself(text):
    a, b = entry("a", text), entry("b", text, hours=1, source="t")
    assert RULE.match(a, b).duplicate


def template(town: str, number: int) -> str:
    return (
        f"Курс валют на сегодня по данным биржи: доллар {number} рублей, евро {number + 9} рублей. "
        f"Подробности читайте в нашем канале, подписывайтесь. {town}."
    )


def recorder_after(count: int) -> StatisticsRecorder:
    recorder = StatisticsRecorder(RULE)
    for number in range(count):
        one = recorder.statistics.freeze(entry(f"i{number}", template("Тула", 60 + number)))
        recorder.learn(one, [])
    return recorder


def test_a_phrase_counts_from_the_ninth_item_of_a_stream_on_and_not_before():
    fresh = recorder_after(FIRST_COUNTS[0] - 1).statistics.freeze(entry("n", template("Омск", 99)))
    stale = recorder_after(FIRST_COUNTS[0]).statistics.freeze(entry("n", template("Омск", 99)))
    one, other = of_entry(fresh).view.phrases, of_entry(stale).view.phrases
    assert one.tiers[0] == len(one.hashes)
    assert other.tiers[-1] < len(other.hashes) // 2
    assert sorted(one.hashes) == sorted(other.hashes)


def test_of_an_older_stream_a_phrase_counts_when_its_bucket_is_closed():
    recorder = recorder_after(BUCKET)
    new = entry("n", "Мост через Ельню открыли после ремонта на три дня раньше срока", source="t")
    for number in range(BUCKET):
        phrases = of_entry(recorder.statistics.freeze(new)).view.phrases
        assert phrases.tiers[0] == len(phrases.hashes), number
        recorder.learn(recorder.statistics.freeze(new), [])
    assert of_entry(recorder.statistics.freeze(new)).view.phrases.tiers[-1] == 0


def test_counting_a_stream_that_begins_sooner_counts_nothing_twice():
    recorder = recorder_after(BUCKET)
    uses = all_uses(recorder.statistics._young)
    log = recorder.take_observations()
    assert sum(uses.values()) == sum(len(one.phrases) for one in log)


def test_what_one_source_repeats_is_new_from_another():
    recorder = recorder_after(BUCKET)
    other = of_entry(recorder.statistics.freeze(entry("new", template("Омск", 99), source="t")))
    assert other.view.phrases.tiers[0] == len(other.view.phrases.hashes)


def test_observations_learned_from_their_log_are_the_same_observations():
    recorder = recorder_after(2 * BUCKET + 7)
    observations = StreamStatistics(RULE.model.base)
    observations.restore(recorder.take_observations())
    one = entry("new", template("Омск", 99))
    assert observations.freeze(one) == recorder.statistics.freeze(one)
    assert (observations.number, observations.closed_buckets) == (2 * BUCKET + 7, 2)


def test_old_observations_are_forgotten_in_the_generation_after_the_next():
    observations = recorder_after(BUCKET).statistics
    one = entry("new", template("Омск", 99))
    for later in (200, 400, 600):
        for number in range(BUCKET):
            other = entry(f"o{later}-{number}", f"{number} roofs", hours=later, source="t")
            observations.add(observations.observe(other, ()))
    phrases = of_entry(observations.freeze(one)).view.phrases
    assert phrases.tiers[0] == len(phrases.hashes)


def generation_after(buckets: Sequence[Sequence[Micros]]) -> int:
    """Return how many generations have turned when items of these times were counted."""
    observations, one = StreamStatistics(RULE.model.base), entry("one", "14 roofs")
    for at in chain.from_iterable(buckets):
        observations.add(observations.observe(one._replace(effective_at=at), ()))
    return observations.generation


@given(st.lists(st.sets(st.integers(0, BUCKET - 1), max_size=BUCKET // 2 - 1), max_size=8))
def test_wild_dates_turn_no_generation_while_most_are_true(wild):
    true, far = to_micros(BEGIN), to_micros(BEGIN + timedelta(days=9_000))
    times = [[far if n in indexes else true for n in range(BUCKET)] for indexes in wild]
    assert generation_after(times) == 0


@pytest.mark.parametrize("wild", [-9_000, 9_000])
def test_a_wild_date_in_every_bucket_keeps_no_generation_from_turning(wild):
    days = [to_micros(BEGIN + timedelta(days=day)) for day in (0, 4, 8, 12, 16, 20)]
    times = [[at + wild * DAY, *[at] * (BUCKET - 1)] for at in days]
    assert generation_after(times) == generation_after([[at] * BUCKET for at in days]) == 2


def test_restored_observations_turn_where_they_turned_when_they_were_learned():
    observations, one = StreamStatistics(RULE.model.base), entry("one", template("Тула", 60))
    # Three weeks of one generation, as if another release had not let it turn.
    at = [one.effective_at + day * DAY for day in (0, 8, 16, 24) for _ in range(BUCKET)]
    log = [
        observations.observe(one._replace(effective_at=when), ())._replace(
            generation=4, number=number
        )
        for number, when in enumerate(at)
    ]
    observations.restore(log[:-1])
    phrases = of_entry(one).view.phrases
    assert (observations.generation, observations.number) == (4, len(log) - 1)
    assert of_entry(observations.freeze(one)).view.phrases.tiers[-1] < len(phrases.hashes)
    observations.add(log[-1])
    assert observations.generation == 5


def judged(items, restarts: frozenset[int]) -> list[object]:
    """Return what is published of items; before some the statistics are restored from the log."""
    store, ledger, log, payloads = MemoryStore(RULE), MemoryLedger(), [], []
    recorder = StatisticsRecorder(RULE)
    deduplicate = Deduplicate(rule=RULE, store=store, ledger=ledger, recorder=recorder)
    for town, item in enumerate(items):
        if town in restarts:
            log += recorder.take_observations()
            recorder = StatisticsRecorder(RULE, log)
            deduplicate.recorder = recorder
        payloads += [event.payload for event in deduplicate.publish(ANALYZER.analyze(item, b"{}"))]
    return payloads


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize("restarts", [frozenset({1}), frozenset({100, 300, 301})])
def test_a_restart_changes_nothing_that_is_learned(restarts):
    planted = generate_stream(400)
    items = [item_json.decode_item(msgspec.json.encode(one.item)) for one in planted]
    assert judged(items, restarts) == judged(items, frozenset())
