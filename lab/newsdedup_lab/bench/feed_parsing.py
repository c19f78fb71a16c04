"""How fast feeds are parsed, against feedparser in the same run, and what hostile ones cost."""

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from newsdedup.feeder.parsing.feed import parse_feed
from newsdedup.feeder.parsing.feed_items import feed_items
from newsdedup.feeder.parsing.parsed_feed import BOUNDS, FeedUnusable
from newsdedup_lab.bench.feed_bodies import FEED_FORMS, make_entries, make_feed
from newsdedup_lab.bench.hostile_feeds import HOSTILE_FEEDS, hostile_feed

_SIZES: Final = (10, 100, 1_000)
"""Entries of a made feed."""
_ADDRESS: Final = "https://feeds.example/news"
_RECEIVED: Final = datetime(2026, 11, 23, tzinfo=UTC)
_LEAST_SECONDS: Final = 0.05
"""Bodies are parsed again and again for so long before the mean time is taken."""


class ReadFeed(NamedTuple):
    """The result of reading a body, and how long it took."""

    outcome: str
    """How many items, or why it was refused."""
    items: int
    seconds: float


def measure_feed_parsing(
    folder: Path | None, *, repeats: int, say: Callable[[str], None]
) -> dict[str, Any]:
    """Return milliseconds of the processor for made feeds and the files of a folder.

    Each body is read to items here, and by feedparser alone with its defaults if it is installed,
    in turns; times are medians. `ratio` is the time of feedparser divided by ours. Of a folder all
    bodies that we do not refuse are one number, `files`: the sums of their times.
    """
    peer = _feedparser()
    measurements: dict[str, Any] = {
        "feedparser": version("feedparser") if peer else "not installed"
    }
    for form in FEED_FORMS:
        measurements[form] = {}
        for size in _SIZES:
            body = make_feed(form, make_entries(size), site="https://feeds.example/")
            measurements[form][size] = _compare([body], peer, repeats=repeats)
        say(f"{form}: {measurements[form]}")
    if folder is not None:
        bodies = list(_readable_bodies(folder))
        measurements["files"] = {"count": len(bodies), **_compare(bodies, peer, repeats=repeats)}
        say(f"files: {measurements['files']}")
    return measurements


def measure_hostile_feeds(
    *, size: int = BOUNDS.body_bytes, say: Callable[[str], None]
) -> dict[str, Any]:
    """Return the seconds of the processor that each of HOSTILE_FEEDS takes at a size, in bytes."""
    measurements: dict[str, Any] = {}
    for name in HOSTILE_FEEDS:
        read = time_reading(hostile_feed(name, size))
        measurements[name] = {"seconds": round(read.seconds, 2), "outcome": read.outcome}
        say(f"{name}: {measurements[name]}")
    slowest = max(measurements, key=lambda name: float(measurements[name]["seconds"]))
    return {"bytes": size, "slowest": slowest, "bodies": measurements}


def time_reading(body: bytes) -> ReadFeed:
    """Return the result of reading a body, all the way from bytes to items."""
    gc.collect()
    began = time.process_time()
    try:
        feed = parse_feed(body, content_type=None, address=_ADDRESS, received_at=_RECEIVED)
    except FeedUnusable as error:
        return ReadFeed(f"refused: {str(error)[:80]}", 0, time.process_time() - began)
    items = len(feed_items(feed))
    return ReadFeed(f"{items} items", items, time.process_time() - began)


def _compare(
    bodies: Sequence[bytes], peer: Callable[[bytes], Any] | None, *, repeats: int
) -> Mapping[str, float]:
    """Return the milliseconds that some bodies take here and in feedparser, and their ratio.

    Only bodies in which feedparser reads an entry are compared; `compared` is their number. Where
    there are none, it is only our time of all.
    """
    compared = [body for body in bodies if peer is not None and _has_entries(peer, body)]
    ours, theirs = [], []
    for _ in range(repeats):
        ours.append(_mean_seconds(count_items, compared or bodies))
        if peer is not None and compared:
            theirs.append(_mean_seconds(peer, compared))
    measurements = {"ms": round(1000 * median(ours), 3)}
    if theirs:
        measurements["feedparser_ms"] = round(1000 * median(theirs), 3)
        measurements["ratio"] = round(median(theirs) / median(ours), 2)
        measurements["compared"] = len(compared)
    return measurements


def _has_entries(peer: Callable[[bytes], Any], body: bytes) -> bool:
    """Return whether feedparser reads an entry; False if it raises an error."""
    try:
        return bool(peer(body).entries)
    except Exception:  # noqa: BLE001 - of another library, for a date that it does not expect
        return False


def count_items(body: bytes) -> int:
    """Return how many items a body has."""
    feed = parse_feed(body, content_type=None, address=_ADDRESS, received_at=_RECEIVED)
    return len(feed_items(feed))


def _mean_seconds(read: Callable[[bytes], Any], bodies: Sequence[bytes]) -> float:
    """Return the mean processor seconds of several times reading all bodies."""
    times, began = 0, time.process_time()
    while True:
        for body in bodies:
            read(body)
        times += 1
        taken = time.process_time() - began
        if taken >= _LEAST_SECONDS:
            return taken / times


def _readable_bodies(folder: Path) -> Iterator[bytes]:
    """Yield the bodies under a folder that are feeds, in the order of their names.

    Expectations of our own corpus (tests/feeder/corpus) are no bodies.
    """
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.endswith(".expected.json"):
            body = path.read_bytes()
            if time_reading(body).items:
                yield body


def _feedparser() -> Callable[[bytes], Any] | None:
    """Return feedparser's parse; None if it is not installed."""
    try:
        parse: Callable[[bytes], Any] = import_module("feedparser").parse
    except ModuleNotFoundError:
        return None
    return parse
