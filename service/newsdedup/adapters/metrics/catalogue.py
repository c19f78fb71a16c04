"""Every metric of a worker: its name, its unit, what it is told apart by, and what moves it.

docs/metrics.md shows the same rows; tests/docs/test_metrics_page.py holds the page, this file and
the scrape of a real worker together. No label takes its values from the stream without a bound.
"""

from typing import Final, Literal, NamedTuple

MetricKind = Literal["counter", "gauge", "histogram"]
_Bounds = tuple[float, ...]

_SECONDS: Final[_Bounds] = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_AGES: Final[_Bounds] = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200)
_SIZES: Final[_Bounds] = (1, 4, 16, 64, 128, 256, 512, 1024, 4096)
_CANDIDATES: Final[_Bounds] = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 1024)
_POSTINGS: Final[_Bounds] = (0, 16, 64, 128, 256, 512, 1024, 4096, 16384)
_TERMS: Final[_Bounds] = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)


class Metric(NamedTuple):
    """One metric."""

    name: str
    kind: MetricKind
    unit: str
    cause: str
    """What it counts or tells; also the help text of a scrape."""
    labels: tuple[str, ...] = ()
    bounds: _Bounds = ()
    """Upper bounds of a histogram's buckets."""


METRICS: Final[tuple[Metric, ...]] = (
    Metric(
        "newsdedup_build_info",
        "gauge",
        "1",
        "Always 1; its labels tell which release runs, with which rule and runner.",
        ("version", "rule", "runner"),
    ),
    Metric(
        "newsdedup_records_total",
        "counter",
        "records",
        "Records of the input that are done: judged or put aside, and published.",
    ),
    Metric(
        "newsdedup_read_bytes_total",
        "counter",
        "bytes",
        "Size of the records that are done.",
    ),
    Metric(
        "newsdedup_items_total",
        "counter",
        "items",
        "Item versions judged for the first time, by what was said of them.",
        ("verdict", "relation", "lang"),
    ),
    Metric(
        "newsdedup_source_items_total",
        "counter",
        "items",
        "Items received by source: the busiest sources by name, all others as `other`.",
        ("source",),
    ),
    Metric(
        "newsdedup_fingerprint_matches_total",
        "counter",
        "items",
        "Newly judged items that this method finds alike to the leader that they were told.",
        ("fingerprint",),
    ),
    Metric(
        "newsdedup_redeliveries_total",
        "counter",
        "items",
        "Item versions that came again and got the event that they had got before.",
    ),
    Metric(
        "newsdedup_corrections_total",
        "counter",
        "events",
        "Verdicts that were changed after they were published, by the new verdict.",
        ("verdict",),
    ),
    Metric(
        "newsdedup_original_changes_total",
        "counter",
        "events",
        "Stories that got another original than was published before.",
    ),
    Metric(
        "newsdedup_retractions_total",
        "counter",
        "events",
        "Items that their source has withdrawn.",
    ),
    Metric(
        "newsdedup_dead_letters_total",
        "counter",
        "records",
        "Records put aside because they can never become items, by reason.",
        ("code",),
    ),
    Metric(
        "newsdedup_shadow_items_total",
        "counter",
        "items",
        "Items judged by the shadow rule, too: by the real verdict and by that of the shadow.",
        ("real", "shadow"),
    ),
    Metric(
        "newsdedup_adopted_events_total",
        "counter",
        "events",
        "Events published for a worker that died before it could.",
    ),
    Metric(
        "newsdedup_batch_records",
        "histogram",
        "records",
        "Records in one batch.",
        bounds=_SIZES,
    ),
    Metric(
        "newsdedup_batch_seconds",
        "histogram",
        "seconds",
        "Time for one batch, all stages together.",
        bounds=_SECONDS,
    ),
    Metric(
        "newsdedup_stage_seconds",
        "histogram",
        "seconds",
        "Time of one batch in a stage; waits for a server are part of its stage.",
        ("stage",),
        _SECONDS,
    ),
    Metric(
        "newsdedup_event_age_seconds",
        "histogram",
        "seconds",
        "Age of a record when its events are published, by the broker's time of the record.",
        bounds=_AGES,
    ),
    Metric(
        "newsdedup_item_candidates",
        "histogram",
        "entries",
        "Entries that one look-up for an item found worth comparing.",
        bounds=_CANDIDATES,
    ),
    Metric(
        "newsdedup_item_postings",
        "histogram",
        "postings",
        "Postings in the lists that one look-up for an item asked.",
        bounds=_POSTINGS,
    ),
    Metric(
        "newsdedup_match_shared_terms",
        "histogram",
        "terms",
        "Terms that a judged item shares with the leader that it follows or resembles.",
        bounds=_TERMS,
    ),
    Metric(
        "newsdedup_lag_records",
        "gauge",
        "records",
        "Records of an assigned partition that are not done yet.",
        ("topic", "partition"),
    ),
    Metric(
        "newsdedup_ready",
        "gauge",
        "1",
        "1 if the worker is ready for work, 0 if it starts, waits for a server or is ending.",
    ),
    Metric(
        "newsdedup_waits_total",
        "counter",
        "waits",
        "How often the worker began to wait for a server that did not answer.",
        ("server",),
    ),
    Metric(
        "newsdedup_retries_total",
        "counter",
        "attempts",
        "Attempts of a batch that failed because a server did not answer.",
        ("server",),
    ),
    Metric(
        "newsdedup_outbox_events",
        "gauge",
        "events",
        "Events of all workers that are settled and not yet known to be published.",
    ),
    Metric(
        "newsdedup_redis_entries",
        "gauge",
        "entries",
        "Entries that the namespace keeps.",
    ),
    Metric(
        "newsdedup_redis_bytes",
        "gauge",
        "bytes",
        "Memory of the namespace by Redis' own count, sampled: by what it holds.",
        ("kind",),
    ),
)
