"""What a later version, a wild date or a restart must not change: over every store."""

from dataclasses import replace

import pytest

from laws.streams import entry
from laws.test_lateness import HOUR, arrival, engine
from newsdedup.core.acts import Retract

SAME = {1, 2, 3, 4}


@pytest.fixture(params=["memory", "sqlite"])
def deduplicate(request):
    return engine(request.param)


def published(deduplicate, name, terms, *, at, updated=0):
    return deduplicate.publish(arrival(entry(name, terms, at=at * HOUR, updated=updated)))


def fill(deduplicate, *hours):
    """Let the stream get on: three items an hour agree about it."""
    for hour in hours:
        for nth in range(3):
            published(deduplicate, f"fill{hour}-{nth}", {100 * hour + nth, 7, 8, 9}, at=hour)


def test_a_first_item_dated_far_ahead_hides_nothing(deduplicate):
    published(deduplicate, "wild", {50, 51, 52, 53}, at=9_000)
    published(deduplicate, "first", SAME, at=1)
    for name in ("copy", "other"):
        (told,) = published(deduplicate, name, SAME, at=2)
        assert told.payload.verdict == "duplicate"
        assert not told.payload.late
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


def test_a_retraction_leaves_no_text_behind(deduplicate):
    item = arrival(entry("a", SAME, at=1))
    deduplicate.publish(item)
    deduplicate.act(Retract(item.item.key))
    with pytest.raises(LookupError):
        deduplicate._ledger.read(item.item.key, item.document.version)


def test_undated_items_do_not_hold_the_watermark_back():
    deduplicate = engine()
    for number in range(60):
        one = arrival(entry(f"i{number}", {number}, at=(1_000 + number) * HOUR))
        if number % 3 == 0:
            one = replace(one, item=replace(one.item, published_at=None))
        deduplicate.publish(one)
    assert deduplicate.watermark.now >= 1_050 * HOUR
