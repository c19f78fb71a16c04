"""What a later version, a wild date or a restart must not change: over every store."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from laws.streams import entry
from laws.test_lateness import HOUR, SHARED, arrival, engine, engine_of
from newsdedup import ItemKey
from newsdedup.adapters.sqlite.ledger import SqliteLedger
from newsdedup.core.events import Judgement
from newsdedup.core.moments import to_datetime, to_micros
from newsdedup.core.stories.commands import Merge, Pin, Retract

SAME = {1, 2, 3, 4}


@pytest.fixture(params=["memory", "sqlite", *SHARED])
def deduplicate(request):
    return engine_of(request)()


def published(deduplicate, name, terms, *, at, updated=0):
    return deduplicate.publish(arrival(entry(name, terms, at=at * HOUR, updated=updated)))


def fill(deduplicate, *hours):
    """Let the stream get on: three items an hour agree about it."""
    for hour in hours:
        for nth in range(3):
            published(deduplicate, f"fill{hour}-{nth}", {100 * hour + nth, 7, 8, 9}, at=hour)


def judged(deduplicate, begin):
    """Return what becomes of one stream, with edits, late items and expiry, wherever it begins."""
    events = []
    steps = [("fill", {1, 2, 7, 9}, 0, 0), ("live", SAME, 1, 1), ("copy", SAME, 2, 0)]
    steps += [(f"fill{hour}", {100 + hour, 7, 8, 9}, hour, 0) for hour in range(3, 60)]
    steps += [("live", {31, 32, 33, 34}, 1, 59), ("copy", SAME, 2, 0), ("late", SAME, 41, 0)]
    steps += [("other", {31, 32, 33, 34}, 60, 0), ("new", SAME, 60, 0)]
    for name, terms, at, updated in steps:
        one = arrival(entry(name, terms, at=begin + at * HOUR, updated=updated))
        if updated:
            item = replace(one.item, updated_at=to_datetime(begin + updated * HOUR))
            one = replace(one, item=item)
        events += [event.payload for event in deduplicate.publish(one)]
    return [
        (
            event.item.id,
            event.verdict,
            event.relation,
            event.story.original.id,
            event.late,
            event.superseded,
        )
        for event in events
    ]


@pytest.mark.parametrize("year", [1600, 1650, 1969, 2100])
def test_a_stream_of_any_century_is_judged_as_one_of_today(deduplicate, year):
    begin = to_micros(datetime(year, 12, 30, tzinfo=UTC))
    today = to_micros(datetime(2026, 12, 30, tzinfo=UTC))
    assert judged(deduplicate, begin) == judged(engine(), today)


def test_a_first_item_dated_far_ahead_hides_nothing(deduplicate):
    published(deduplicate, "wild", {50, 51, 52, 53}, at=9_000)
    published(deduplicate, "first", SAME, at=1)
    for name in ("copy", "other"):
        (event,) = published(deduplicate, name, SAME, at=2)
        assert event.payload.verdict == "duplicate"
        assert not event.payload.late
    assert published(deduplicate, "copy", SAME, at=2)[0].repeated


def test_a_later_version_is_found_for_its_own_window(deduplicate):
    fill(deduplicate, 0)
    published(deduplicate, "live", {1, 2, 3, 4}, at=0)
    fill(deduplicate, 19)
    published(deduplicate, "live", {31, 32, 33, 34}, at=19, updated=19)
    fill(deduplicate, 34, 35)
    (copy,) = published(deduplicate, "copy", {31, 32, 33, 34}, at=35)
    assert copy.payload.verdict == "duplicate"


def test_every_known_version_can_be_delivered_again_as_long_as_the_item_is_kept(deduplicate):
    fill(deduplicate, 0)
    published(deduplicate, "a", SAME, at=60)
    published(deduplicate, "a", {31, 32, 33, 34}, at=1, updated=1)
    published(deduplicate, "b", SAME, at=1)
    published(deduplicate, "b", {41, 42, 43, 44}, at=1, updated=1)
    fill(deduplicate, 15, 30, 45)
    published(deduplicate, "b", {51, 52, 53, 54}, at=45, updated=45)
    fill(deduplicate, 60)
    for name, terms, at, updated in (("a", {31, 32, 33, 34}, 1, 1), ("a", SAME, 60, 0)):
        assert published(deduplicate, name, terms, at=at, updated=updated)[0].repeated


@pytest.mark.parametrize("deduplicate", ["sqlite"], indirect=True)
def test_as_many_rows_leave_a_state_as_come_however_large_batches_are(deduplicate, monkeypatch):
    monkeypatch.setattr("newsdedup.adapters.sqlite.ledger._FEWEST_DELETED", 1)
    ledger, counts = deduplicate.ledger, []
    for hour in range(200):
        fill(deduplicate, hour)
        ledger.flush()
        query = "SELECT count(*) FROM versions"
        counts.append(ledger._connection.execute(query).fetchone()[0])
    assert max(counts[150:]) <= max(counts[:150])


def test_of_an_item_that_is_edited_again_and_again_eight_versions_stay(deduplicate):
    edits = [arrival(entry("live", {n, 50, 60, 70}, at=n * HOUR)) for n in range(20)]
    for n, one in enumerate(edits):
        item = replace(one.item, updated_at=to_datetime(n * HOUR))
        deduplicate.publish(replace(one, item=item))
    ledger, stored = deduplicate.ledger, []
    if isinstance(ledger, SqliteLedger):
        ledger.flush()
    for one in edits:
        with suppress(LookupError):
            ledger.read(one.item.key, one.document.version)
            stored.append(one.document.version)
    assert stored == [one.document.version for one in edits[-8:]]


def test_a_retraction_leaves_no_text_behind(deduplicate):
    item = arrival(entry("a", SAME, at=1))
    deduplicate.publish(item)
    deduplicate.command(Retract(item.item.key))
    with pytest.raises(LookupError):
        deduplicate.ledger.read(item.item.key, item.document.version)


def test_undated_items_do_not_hold_the_watermark_back():
    deduplicate = engine()
    for number in range(60):
        one = arrival(entry(f"i{number}", {number}, at=(1_000 + number) * HOUR))
        if number % 3 == 0:
            one = replace(one, item=replace(one.item, published_at=None))
        deduplicate.publish(one)
    assert deduplicate.watermark.now >= 1_050 * HOUR


def test_an_item_that_comes_again_after_its_time_never_repeats_a_revision(deduplicate):
    fill(deduplicate, 0)
    (first,) = published(deduplicate, "again", SAME, at=0)
    fill(deduplicate, 15, 30, 45)
    (second,) = published(deduplicate, "again", SAME, at=0)
    assert not second.repeated
    assert second.payload.event_id != first.payload.event_id
    assert second.payload.story.id != first.payload.story.id
    revisions = [
        (event.payload.revision.epoch, event.payload.revision.n) for event in (first, second)
    ]
    assert revisions == sorted(set(revisions))


@pytest.mark.parametrize("word", [Merge, Pin])
def test_an_editor_is_heard_in_a_story_whose_leader_has_left_the_window(deduplicate, word):
    fill(deduplicate, 0)
    published(deduplicate, "leader", SAME, at=0)
    copies = [published(deduplicate, name, SAME, at=19)[0] for name in ("copy", "late copy")]
    assert {copy.payload.verdict for copy in copies} == {"duplicate"}
    fill(deduplicate, 15, 34, 35)
    published(deduplicate, "other", {61, 62, 63, 64}, at=35)
    key, other = ItemKey("s", "late copy"), ItemKey("s", "other")
    command = Merge(key, other, at=1) if word is Merge else Pin(key, at=1)
    events = {
        event.payload.item.id: event.payload
        for event in deduplicate.command(command)
        if isinstance(event.payload, Judgement)
    }
    assert events["copy"].story == events["late copy"].story
    if word is Merge:
        assert events["other"].story == events["copy"].story
        assert events["other"].story.original.id == "copy"
    else:
        assert events["copy"].story.original.id == "late copy"
