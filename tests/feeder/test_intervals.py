from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from newsdedup.feeder.scheduling.stored_feed import (
    JITTER,
    IntervalBounds,
    adapt_interval,
    polite_wait,
    retry_wait,
    skip_quiet_hours,
)

BOUNDS = IntervalBounds()
MINUTE = timedelta(minutes=1)
spans = st.timedeltas(timedelta(), timedelta(days=400))
intervals = st.timedeltas(BOUNDS.shortest, BOUNDS.longest)
draws = st.floats(0, 1, exclude_max=True)
numbers = st.integers(0, 10**6)


def test_without_news_a_feed_is_visited_less_often():
    assert adapt_interval(30 * MINUTE, 0, BOUNDS) == 45 * MINUTE


def test_with_a_little_news_the_interval_stays():
    assert adapt_interval(30 * MINUTE, 1, BOUNDS) == 30 * MINUTE
    assert adapt_interval(30 * MINUTE, 2, BOUNDS) == 30 * MINUTE


def test_with_much_news_a_feed_is_visited_more_often_to_a_half_at_most():
    assert adapt_interval(30 * MINUTE, 3, BOUNDS) == 20 * MINUTE
    assert adapt_interval(30 * MINUTE, 500, BOUNDS) == 15 * MINUTE


def test_the_backlog_of_the_first_visit_is_no_rate():
    assert adapt_interval(timedelta(), 500, BOUNDS) == BOUNDS.first


def test_a_ttl_is_waited_for_unless_it_is_a_mistake():
    hours = timedelta(hours=1)
    assert polite_wait(30 * MINUTE, [2 * hours, None], BOUNDS, draw=0) == 2 * hours
    assert polite_wait(30 * MINUTE, [9_000 * hours], BOUNDS, draw=0) == BOUNDS.longest


def test_failures_double_the_wait():
    waits = [retry_wait(30 * MINUTE, n, None, BOUNDS, draw=0) for n in (1, 2, 3, 4, 99)]
    assert waits == [30 * MINUTE, 60 * MINUTE, 120 * MINUTE, 240 * MINUTE, BOUNDS.longest]


def test_retry_after_is_waited_for_even_beyond_the_longest_interval():
    assert retry_wait(30 * MINUTE, 1, timedelta(days=3), BOUNDS, draw=0) == timedelta(days=3)


def test_skipped_hours_and_days_are_left_out():
    friday = datetime(2026, 11, 20, 22, 30, tzinfo=UTC)
    assert skip_quiet_hours(friday, {22, 23}, {5}) == datetime(2026, 11, 22, tzinfo=UTC)
    assert skip_quiet_hours(friday, set(range(24)), ()) == friday


@given(interval=spans, new=numbers)
def test_an_interval_is_within_its_bounds(interval, new):
    assert BOUNDS.shortest <= adapt_interval(interval, new, BOUNDS) <= BOUNDS.longest


@given(interval=intervals, fewer=numbers, more=numbers)
def test_more_news_never_makes_the_interval_longer(interval, fewer, more):
    fewer, more = sorted((fewer, more))
    assert adapt_interval(interval, more, BOUNDS) <= adapt_interval(interval, fewer, BOUNDS)


@given(interval=spans, asked=st.lists(st.none() | spans, max_size=3), draw=draws)
def test_nobody_is_visited_sooner_than_asked_or_much_later_than_the_longest(interval, asked, draw):
    wait = polite_wait(interval, asked, BOUNDS, draw=draw)
    assert wait >= BOUNDS.clamp(interval)
    assert all(wait >= min(one, BOUNDS.longest) for one in asked if one is not None)
    assert wait <= BOUNDS.longest * (1 + JITTER)


@given(interval=spans, n=st.integers(1, 10**9), asked=st.none() | spans, draw=draws)
def test_a_wait_after_a_failure_grows_with_the_failures_and_respects_the_server(
    interval, n, asked, draw
):
    wait = retry_wait(interval, n, asked, BOUNDS, draw=draw)
    assert wait <= retry_wait(interval, n + 1, asked, BOUNDS, draw=draw)
    assert wait >= max(BOUNDS.shortest, asked or timedelta())
    assert wait <= max(BOUNDS.longest, asked or timedelta()) * (1 + JITTER)


@given(
    at=st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - hypothesis adds the zone
    hours=st.frozensets(st.integers(0, 23)),
    days=st.frozensets(st.integers(0, 6)),
)
def test_quiet_hours_end_at_an_allowed_hour_or_are_ignored(at, hours, days):
    moment = skip_quiet_hours(at, hours, days)
    assert at <= moment < at + timedelta(days=8)
    everything = len(hours) == 24 or len(days) == 7
    assert moment == at if everything else (moment.hour not in hours)
    assert everything or moment.weekday() not in days
