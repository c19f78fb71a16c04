"""How reports of a worker become metrics and readiness; a real scrape tests the rest."""

from collections import Counter

import pytest
from prometheus_client.parser import text_string_to_metric_families

from newsdedup.adapters.metrics.catalogue import METRICS
from newsdedup.adapters.metrics.prometheus import Metrics
from newsdedup.adapters.metrics.telemetry import (
    OTHER_SOURCES,
    PrometheusTelemetry,
    TopSources,
)
from newsdedup.core.events import (
    Agreement,
    Event,
    Evidence,
    ItemRef,
    Judgement,
    Matched,
    Revision,
    StoryRef,
)
from newsdedup.ports.telemetry import BatchReport, StoreSize


@pytest.fixture
def telemetry() -> PrometheusTelemetry:
    return PrometheusTelemetry(Metrics(METRICS), clock=lambda: 100.0)


def samples(telemetry, name):
    return {
        tuple(sample.labels.values()): sample.value
        for family in text_string_to_metric_families(telemetry.scrape().decode())
        for sample in family.samples
        if sample.name == name
    }


def test_what_was_never_counted_is_zero(telemetry):
    assert samples(telemetry, "newsdedup_records_total") == {(): 0}
    assert samples(telemetry, "newsdedup_event_age_seconds_count") == {(): 0}


def test_the_first_of_its_kind_follows_a_zero(telemetry):
    before = samples(telemetry, "newsdedup_dead_letters_total")
    assert before[("not_json",)] == before[("event_too_large",)] == 0
    telemetry.batch(BatchReport(records=9, bytes=9, dead=Counter(not_json=9)))
    assert samples(telemetry, "newsdedup_dead_letters_total") == before | {("not_json",): 9}
    corrected = samples(telemetry, "newsdedup_corrections_total")
    assert corrected == {("original",): 0, ("duplicate",): 0}


def test_dates_that_cannot_be_read_are_counted_by_field(telemetry):
    telemetry.batch(BatchReport(records=9, bytes=9, unread_dates=Counter(published_at=3)))
    assert samples(telemetry, "newsdedup_unread_dates_total") == {
        ("published_at",): 3, ("seen_at",): 0, ("updated_at",): 0
    }  # fmt: skip


def test_ages_are_counted_for_each_record_that_tells_its_time(telemetry):
    report = BatchReport(records=4, bytes=40, written_ms=[99_800, 98_000, -1, 101_000])
    telemetry.batch(report)
    buckets = samples(telemetry, "newsdedup_event_age_seconds_bucket")
    assert buckets[("0.1",)] == 1  # written after now, by a clock that is ahead
    assert buckets[("0.25",)] == 2
    assert buckets[("2.5",)] == buckets[("+Inf",)] == 3
    assert samples(telemetry, "newsdedup_event_age_seconds_sum") == {(): pytest.approx(2.2)}


def test_partitions_that_have_gone_are_forgotten(telemetry):
    telemetry.lag({"news/raw/0": 7, "news/raw/1": 2})
    telemetry.lag({"news/raw/1": 3})
    assert samples(telemetry, "newsdedup_lag_records") == {("1", "news/raw"): 3}


def judged(source, hours, *, verdict="duplicate", event="item.judged", repeated=False):
    """Return an event about an item that is so much later than the leader that it matches."""
    none = Agreement((), (), ())
    evidence = Evidence((), 12, 12, none, none, (), hours)
    ref = ItemRef(source, "1")
    payload = Judgement(
        event=event,
        event_id="e",
        item=ref,
        version="v",
        revision=Revision(1, 1),
        verdict=verdict,
        relation="reprint",
        decided_by="rule",
        story=StoryRef("s", ref),
        matched=Matched("first", "1", 0.9, evidence),
        rule="terms",
        lang="en",
        effective_at="2026-11-02T06:00:00+00:00",
        terms=(),
    )
    return Event(payload, repeated=repeated)


def test_new_duplicates_and_their_delays_are_counted_by_source(telemetry):
    events = [
        judged("busy", 2.0),
        judged("busy", -1.0),  # earlier than what it follows: no delay
        judged("rare", 0.5),
        judged("busy", 9.0, verdict="original"),
        judged("busy", 9.0, event="verdict.corrected"),
        judged("busy", 9.0, repeated=True),
    ]
    sources = Counter(busy=10, rare=1)
    telemetry.batch(BatchReport(records=11, bytes=11, sources=sources, events=events))
    by_source = samples(telemetry, "newsdedup_source_duplicates_total")
    assert by_source == {("busy",): 2, (OTHER_SOURCES,): 1}
    delays = samples(telemetry, "newsdedup_source_delay_seconds_total")
    assert delays == {("busy",): 7200, (OTHER_SOURCES,): 1800}
    buckets = samples(telemetry, "newsdedup_copy_delay_seconds_bucket")
    assert buckets[("60.0",)] == 1
    assert buckets[("7200.0",)] == 3


def test_a_source_of_any_name_can_be_reported(telemetry):
    for source in ("\ud800broken", "a\nb", '"', "x" * 1_000):
        telemetry.batch(BatchReport(records=1, bytes=1, sources=Counter({source: 50})))
    series = samples(telemetry, "newsdedup_source_items_total")
    assert set(series) == {("?broken",), ("a\nb",), ('"',), ("x" * 64,)}


def test_the_shadow_and_the_outbox_are_reported(telemetry):
    telemetry.shadow("original", "duplicate")
    telemetry.shadow("original", "duplicate")
    telemetry.store_size(StoreSize(entries=3, bytes={"postings": 90}, outbox=4))
    telemetry.adopted(5)
    assert samples(telemetry, "newsdedup_shadow_items_total") == {("original", "duplicate"): 2}
    assert samples(telemetry, "newsdedup_redis_bytes") == {("postings",): 90}
    assert samples(telemetry, "newsdedup_redis_entries") == {(): 3}
    assert samples(telemetry, "newsdedup_outbox_events") == {(): 4}
    assert samples(telemetry, "newsdedup_adopted_events_total") == {(): 5}


def test_a_worker_is_ready_once_it_knows_its_partitions_and_nobody_waits(telemetry):
    assert telemetry.missing() == ["starting: no partitions assigned yet"]
    telemetry.assigned()
    assert samples(telemetry, "newsdedup_ready") == {(): 1}
    telemetry.waiting("kafka", waits=True)
    telemetry.waiting("kafka", waits=True)
    telemetry.reached("redis", answers=False)
    telemetry.waiting("kafka", waits=False)
    assert telemetry.missing() == ["waiting for kafka", "waiting for redis"]
    telemetry.waiting("kafka", waits=False)
    telemetry.reached("redis", answers=True)
    assert telemetry.missing() == []
    telemetry.stopping()
    assert telemetry.missing() == ["draining"]
    assert samples(telemetry, "newsdedup_ready") == {(): 0}
    assert samples(telemetry, "newsdedup_waits_total") == {("kafka",): 2, ("redis",): 0}


def test_only_busy_sources_get_a_name_and_keep_it():
    top = TopSources(most=2, enough=3, watched=4)
    assert top.name_sources({"big": 5, "small": 2}) == {"big": 5, OTHER_SOURCES: 2}
    assert top.name_sources({"small": 1, "late": 9}) == {"small": 1, OTHER_SOURCES: 9}
    assert top.name_sources({"big": 1}) == {"big": 1}


def test_any_number_of_rare_sources_takes_bounded_memory_and_hides_no_busy_one():
    top = TopSources(most=5, enough=10, watched=8)
    for number in range(1_000):
        top.name_sources({f"rare {number}": 1, "busy": 2})
        assert len(top._waiting) <= 8
    assert top.name_sources({"busy": 1}) == {"busy": 1}
