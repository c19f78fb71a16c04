"""The list of feeds in a few numbers, for metrics: conditions, and how far the feeder is behind."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from newsdedup.feeder.scheduling.stored_feed import NEVER, StoredFeed
from newsdedup.feeder.watching.feed_health import condition_of


def count_conditions(feeds: Iterable[StoredFeed], *, at: datetime) -> Counter[str]:
    """Return the number of feeds in each condition."""
    return Counter(condition_of(feed, at=at) for feed in feeds)


def longest_wait(feeds: Iterable[StoredFeed], *, at: datetime, started_at: datetime) -> timedelta:
    """Return for how long the feed that waits longest has been due; zero if none is.

    A feed without a time (a new one, or one whose output is empty again) is due since it was added,
    but not before the feeder was started.
    """
    waits = (
        at - (feed.next_at if feed.next_at != NEVER else max(feed.added_at, started_at))
        for feed in feeds
        if feed.status == "active"
    )
    return max([timedelta(), *waits])
