from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup import ItemKey, NewsItem
from newsdedup.core.moments import DAY, is_dated, to_datetime, to_micros
from newsdedup.core.stories.window import Watermark, effective_at

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAYS = timedelta(hours=23)
NOWHERE = Watermark()


def item(published=None, seen=None):
    return NewsItem(ItemKey("s", "a"), "t", "b", published_at=published, seen_at=seen)


@pytest.mark.parametrize(
    ("published", "seen", "effective"),
    [
        (NOON, None, NOON),
        (NOON, NOON + HOUR, NOON),
        (NOON, NOON - HOUR / 2, NOON),
        (NOON + 48 * HOUR, NOON, NOON + HOUR),
        (None, NOON, NOON),
        (NOON - 12 * HOUR, NOON - 3 * HOUR, NOON - 3 * HOUR),
        (NOON - 12 * HOUR, NOON + 48 * HOUR, NOON + 12 * HOUR),
    ],
    ids=[
        "publication counts",
        "seen later",
        "dated a little ahead",
        "dated far ahead of being seen",
        "undated but seen",
        "midnight means some time of the day before it was seen",
        "midnight means the end of its day at the latest",
    ],
)
def test_effective_time(published, seen, effective):
    assert to_datetime(effective_at(item(published, seen), NOWHERE)) == effective


def test_midnight_is_that_of_the_publisher():
    zone = datetime(2026, 5, 4, 0, tzinfo=datetime.fromisoformat("2026-05-04T00:00+03:00").tzinfo)
    seen = zone.astimezone(UTC) + 10 * HOUR
    assert to_datetime(effective_at(item(zone, seen), NOWHERE)) == seen


def test_undated_items_follow_the_newest_before_them():
    watermark = NOWHERE.after(to_micros(NOON), leap=DAY).after(to_micros(NOON), leap=DAY)
    assert effective_at(item(), watermark) == watermark.now + 1


def after(watermark, *items):
    """Return the effective times of items, and the watermark after them."""
    times = []
    for one in items:
        times.append(effective_at(one, watermark))
        watermark = watermark.after(times[-1], leap=DAY, dated=is_dated(one))
    return times, watermark


def test_undated_items_before_any_date_stand_at_1970_in_their_order():
    times, watermark = after(NOWHERE, *[item()] * 5)
    assert times == [1, 2, 3, 4, 5]
    assert watermark.at is None


def test_undated_items_follow_the_first_date_wherever_it_stands():
    times, _ = after(NOWHERE, item(), item(NOON), item(), item(), item(), item())
    assert times == [1, *[to_micros(NOON) + n for n in (0, 2, 3, 4, 5)]]


@given(st.lists(st.none() | st.integers(0, 9), max_size=40))
def test_an_undated_item_is_no_witness_and_interrupts_none(days):
    items = [item(None if day is None else NOON + day * DAYS) for day in days]
    _, with_undated = after(NOWHERE, *items)
    _, without = after(NOWHERE, *[one for one in items if is_dated(one)])
    assert with_undated.leaps == without.leaps
    assert (with_undated.at is None) == (without.at is None)
    if with_undated.at is not None and without.at is not None:
        assert 0 <= with_undated.at - without.at <= days.count(None)


@given(st.lists(st.integers(0, 100)), st.integers(1, 50))
def test_the_watermark_never_falls_back(times, leap):
    watermark, seen = NOWHERE, []
    for at in times:
        watermark = watermark.after(at, leap=leap)
        if watermark.at is not None:
            seen.append(watermark.now)
    assert seen == sorted(seen)


def test_one_wild_date_does_not_move_the_watermark():
    watermark = NOWHERE
    for at in (100, 101, 102, 10_000, 103, 10_000, 10_000, 104):
        watermark = watermark.after(at, leap=50)
    assert watermark.now == 104


def test_a_stream_that_really_leaps_takes_the_watermark_along():
    watermark = NOWHERE
    for at in (100, 101, 102, 10_000, 10_002, 10_001):
        watermark = watermark.after(at, leap=50)
    assert watermark.now == 10_000
