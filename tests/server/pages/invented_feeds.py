"""Invented feeds with every kind of trouble, in the file of a feeder."""

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from newsdedup.feeder.state.feed_state import FeedState, Subscription

NOW = datetime.now(UTC)
HOUR = timedelta(hours=1)
FEEDS = {
    "https://tula.example/rss?key=secret": {
        "title": "Tula today",
        "publisher": "tula.example",
        "succeeded_at": NOW - HOUR,
        "news_at": NOW - HOUR,
        "interval": HOUR,
        "next_at": NOW + HOUR,
        "entries": 1_234,
    },
    "https://silent.example/atom": {
        "title": "<script>alert(1)</script> Silent",
        "publisher": "silent.example",
        "succeeded_at": NOW - HOUR,
        "news_at": NOW - 30 * 24 * HOUR,
        "interval": 4 * HOUR,
        "next_at": NOW - 2 * HOUR,
    },
    "https://failing.example/feed": {
        "failures": 3,
        "succeeded_at": NOW - 5 * HOUR,
        "problem": "HTTP 503 of https://failing.example/feed?token=secret",
        "next_at": NOW + HOUR,
    },
    "https://dead.example/feed": {
        "failures": 40,
        "succeeded_at": NOW - 200 * HOUR,
        "problem": "no such host",
        "next_at": NOW + HOUR,
    },
    "https://new.example/feed": {},
}


def feeds_file(folder: Path) -> Path:
    """Return the file of a feeder whose feeds have every kind of trouble."""
    path = folder / "newsdedup.feeds"
    with closing(FeedState(path, locked=False)) as state:
        listed = [Subscription(address, category="Region & city") for address in FEEDS]
        state.subscribe(listed, at=NOW - 900 * HOUR)
        for feed in state.feeds():
            fields = {"next_at": NOW + HOUR, **FEEDS[feed.subscribed]}
            state.commit(replace(feed, **fields), delivered={}, listed=(), at=NOW)
    return path
