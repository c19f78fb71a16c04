import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newsdedup.feeder.state.feed_state import FeedState, Subscription
from newsdedup.ports.errors import StateBusy, StateUnusable

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
ADDRESS = "https://news.example/feed"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "feeds.sqlite"


def subscribed(path, *addresses):
    state = FeedState(path, locked=False)
    state.subscribe(Subscription(address) for address in addresses or (ADDRESS,))
    return state


def test_a_restart_continues_where_it_was(path):
    with subscribed(path) as state:
        (feed,) = state.due(NOW)
        changed = replace(
            feed,
            address="https://news.example/new",
            etag='"1"',
            last_modified="then",
            interval=timedelta(minutes=30),
            next_at=NOW + timedelta(minutes=33),
            tried_at=NOW,
            succeeded_at=NOW,
            failures=2,
            problem="404 Not Found",
            entries=7,
        )
        state.commit(changed, delivered={"a": b"1"}, listed=["a"], at=NOW)
    with FeedState(path, locked=True) as state:
        assert state.feeds() == [changed]
        assert state.due(NOW) == []
        assert state.next_due() == changed.next_at
        assert state.due(changed.next_at) == [changed]
        assert state.at_address(changed.address) == changed
        assert state.unseen(feed.number, {"a": b"1", "b": b"1"}) == {"b"}
        assert state.unseen(feed.number, {"a": b"2"}) == {"a"}


def test_a_list_that_is_read_again_adds_only_new_feeds_and_leaves_their_progress(path):
    with subscribed(path) as state:
        (feed,) = state.feeds()
        state.commit(replace(feed, failures=3), delivered={}, listed=[], at=NOW)
        more = [Subscription(ADDRESS, category="world"), Subscription("https://other.example/")]
        assert state.subscribe(more) == 1
        assert [(one.category, one.failures) for one in state.feeds()] == [("world", 3), ("", 0)]


def test_entries_of_two_feeds_are_apart(path):
    with subscribed(path, ADDRESS, "https://other.example/") as state:
        first, second = state.feeds()
        state.commit(first, delivered={"a": b"1"}, listed=["a"], at=NOW)
        assert state.unseen(second.number, {"a": b"1"}) == {"a"}


def test_an_entry_is_forgotten_when_its_feed_has_long_ceased_to_show_it(path):
    with subscribed(path) as state:
        (feed,) = state.feeds()
        entries = {"a": b"1", "b": b"1", "c": b"1"}
        state.commit(feed, delivered=entries, listed=entries, at=NOW)
        later = NOW + timedelta(days=50)
        state.commit(feed, delivered={}, listed=["a", "b"], at=later)
        assert state.forget(NOW + timedelta(days=10)) == 1
        assert state.unseen(feed.number, entries) == {"c"}


def test_an_entry_of_a_feed_that_stays_unchanged_is_not_forgotten(path):
    with subscribed(path) as state:
        (feed,) = state.feeds()
        state.commit(feed, delivered={"old": b"1"}, listed=["old"], at=NOW)
        at = NOW + timedelta(days=30)
        state.commit(feed, delivered={"a": b"1"}, listed=["a"], at=at)
        for day in range(60):
            state.unchanged(feed, at=at + timedelta(days=day))
        state.forget(NOW + timedelta(days=40))
        assert state.unseen(feed.number, {"old": b"1", "a": b"1"}) == {"old"}


def test_a_feed_that_is_removed_during_its_visit_stays_removed(path):
    with subscribed(path) as polling, FeedState(path, locked=False) as other:
        (feed,) = polling.feeds()
        assert other.unsubscribe(ADDRESS)
        assert not other.unsubscribe(ADDRESS)
        polling.commit(feed, delivered={"a": b"1"}, listed=["a"], at=NOW)
        assert polling.feeds() == []
        other.subscribe([Subscription(ADDRESS)])
        (anew,) = polling.feeds()
        assert polling.unseen(anew.number, {"a": b"1"}) == {"a"}


def test_only_one_process_visits_the_feeds(path):
    with FeedState(path, locked=True):
        with pytest.raises(StateBusy):
            FeedState(path, locked=True)
        with FeedState(path, locked=False) as other:
            assert other.feeds() == []
    with FeedState(path, locked=True):
        pass


def test_another_database_and_a_later_version_are_refused(path, tmp_path):
    with closing(sqlite3.connect(tmp_path / "other")) as other:
        other.execute("CREATE TABLE t (x)")
    with pytest.raises(StateUnusable, match="no file of feeds"):
        FeedState(tmp_path / "other", locked=False)
    FeedState(path, locked=False).close()
    with closing(sqlite3.connect(path)) as later:
        later.execute("PRAGMA user_version = 99")
    with pytest.raises(StateUnusable, match="later version"):
        FeedState(path, locked=False)
    (tmp_path / "text").write_text("no database at all")
    with pytest.raises(StateUnusable):
        FeedState(tmp_path / "text", locked=False)


def test_visits_of_an_unchanged_feed_read_its_entries_once_a_day(path):
    steps = [0]
    with subscribed(path) as state:
        (feed,) = state.feeds()
        known = {f"guid {number}": b"1" for number in range(10_000)}
        state.commit(feed, delivered=known, listed=known, at=NOW)
        state.unchanged(feed, at=NOW)
        state._file.connection.set_progress_handler(lambda: steps.append(10), 10)
        state.unchanged(feed, at=NOW + timedelta(hours=23))
        assert sum(steps) < 1_000
        state.unchanged(feed, at=NOW + timedelta(hours=25))
        assert sum(steps) > 10_000


def test_a_visit_reads_only_the_entries_that_the_feed_shows(path):
    steps = 0

    def count():
        nonlocal steps
        steps += 10

    with subscribed(path) as state:
        (feed,) = state.feeds()
        known = {f"guid {number}": b"1" for number in range(10_000)}
        state.commit(feed, delivered=known, listed=known, at=NOW)
        state._file.connection.set_progress_handler(count, 10)
        assert state.unseen(feed.number, {"guid 7": b"1", "guid 8": b"2", "new": b"1"}) == {
            "guid 8",
            "new",
        }
        assert state.items_of(feed.number, ["guid 7", "new"]) == {"guid 7": ""}
        assert steps < 1_000
        assert state.unseen(feed.number, known) == set()
        assert len(state.items_of(feed.number, known)) == len(known)
