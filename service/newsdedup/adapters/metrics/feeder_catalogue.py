"""Every metric of a feeder: name, unit, what it counts or measures, labels.

tests/docs/test_metrics_page.py compares docs/metrics.md and the scrape of a real feeder with it. No
label names a feed: `newsdedup feeds status` does.
"""

from typing import Final

from newsdedup.adapters.metrics.metric import MetricList

VISIT_OUTCOMES: Final = ("content", "unchanged", "failed", "gone", "merged", "paused")
FEED_CONDITIONS: Final = (
    "dead",
    "gone",
    "failing",
    "merged",
    "silent",
    "new",
    "fine",
    "unlisted",
)
PUSH_RESULTS: Final = ("accepted", "bad_signature", "too_large", "unknown")
LEASE_CONDITIONS: Final = ("active", "requested", "expired", "denied")

_list = MetricList("newsdedup_feeder_")

FEEDER_BUILD_INFO: Final = _list.gauge(
    "build_info", "1", "Always 1; its label tells which release runs.", "version"
)
VISITS: Final = _list.counter(
    "visits", "visits", "Visits of feeds, by how they went.", "outcome", start=VISIT_OUTCOMES
)
VISIT_SECONDS: Final = _list.histogram(
    "visit_seconds",
    "seconds",
    "Time of a visit: fetched, parsed, written and acknowledged; those of paused hosts take none.",
    bounds=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120),
)
WRITTEN_ITEMS: Final = _list.counter(
    "written_items",
    "items",
    "New and changed items, and withdrawals, that the output has acknowledged.",
)
RECEIVED_BYTES: Final = _list.counter(
    "received_bytes", "bytes", "Size of the bodies that were fetched, as they were sent."
)
FEEDS: Final = _list.gauge(
    "feeds", "feeds", "Feeds by condition, as `newsdedup feeds status` shows them.", "condition"
)
BEHIND_SECONDS: Final = _list.gauge(
    "behind_seconds",
    "seconds",
    "How long the feed that waits longest has been due; 0 if none is.",
)
OUTPUT_RETRIES: Final = _list.counter(
    "output_retries",
    "attempts",
    "Attempts to write items that the output did not acknowledge, and that are repeated.",
)
PUSHES: Final = _list.counter(
    "pushes",
    "pushes",
    "Pushes of hubs, by what became of them; `unknown` are those to callbacks that nobody has.",
    "result",
    start=PUSH_RESULTS,
)
HUB_LEASES: Final = _list.gauge(
    "hub_leases", "leases", "Subscriptions at hubs (WebSub) by condition.", "condition"
)
FEEDER_DISK_FREE: Final = _list.gauge(
    "disk_free_bytes",
    "bytes",
    "Free space of the volume on which a file of the feeder lies.",
    "holds",
)
FEEDER_READY: Final = _list.gauge(
    "ready", "1", "1 if feeds are visited; 0 if the feeder starts, waits for its output or ends."
)

FEEDER_METRICS: Final = _list.all()
"""All metrics of a feeder, in the order of docs/metrics.md."""
