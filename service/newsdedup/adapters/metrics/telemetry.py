"""What a worker tells, as metrics and as readiness."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, get_args

from newsdedup.adapters.metrics.prometheus import Metrics
from newsdedup.adapters.metrics.readiness import Readiness
from newsdedup.adapters.metrics.top_sources import TopSources
from newsdedup.core.events import Event, Evidence, Judgement, Retraction
from newsdedup.core.model import Verdict
from newsdedup.ports.telemetry import BatchReport, StoreSize

Clock = Callable[[], float]
PREFIX: Final = "newsdedup_"
SERVERS: Final = ("kafka", "redis")
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
CODES: Final = (
    "not_json",
    "not_utf8",
    "not_object",
    "too_deep",
    "too_long",
    "no_text",
    "bad_field",
    "bad_date",
    "absurd_date",
    "unknown_act",
    "unknown_item",
    "bad_key",
    "bad_cloudevent",
    "event_too_large",
)
"""Why a worker puts records aside, as docs/items.md tells it."""


class PrometheusTelemetry:
    """Counts for whoever scrapes; one for each process."""

    def __init__(self, metrics: Metrics, readiness: Readiness, *, clock: Clock = time.time) -> None:
        self._metrics = metrics
        self._readiness = readiness
        self._clock = clock
        self._sources = TopSources()
        # A rate needs the zero before the first one; some come in bursts that are never repeated.
        for server in SERVERS:
            metrics.count(f"{PREFIX}waits_total", server, by=0)
            metrics.count(f"{PREFIX}retries_total", server, by=0)
        for code in CODES:
            metrics.count(f"{PREFIX}dead_letters_total", code, by=0)
        for verdict in VERDICTS:
            metrics.count(f"{PREFIX}corrections_total", verdict, by=0)

    def batch(self, report: BatchReport) -> None:
        """Count a batch that is done."""
        count = self._metrics.count
        count(f"{PREFIX}records_total", by=report.records)
        count(f"{PREFIX}read_bytes_total", by=report.bytes)
        for source, items in self._sources.named(report.sources).items():
            count(f"{PREFIX}source_items_total", source, by=items)
        for code, letters in report.dead.items():
            count(f"{PREFIX}dead_letters_total", code, by=letters)
        for (name, *labels), events in Counter(map(counted, report.events)).items():
            count(name, *labels, by=events)
        for name, items in Counter(fingerprints(report)).items():
            count(f"{PREFIX}fingerprint_matches_total", name, by=items)
        self._observe(report)

    def waiting(self, server: str, *, waits: bool) -> None:
        """Note that a server is being waited for, or answers again."""
        self._readiness.waiting(server, waits=waits)
        if waits:
            self._metrics.count(f"{PREFIX}waits_total", server)

    def retried(self, server: str) -> None:
        """Count an attempt that a server did not answer."""
        self._metrics.count(f"{PREFIX}retries_total", server)

    def reached(self, server: str, *, answers: bool) -> None:
        """Note whether a server answered when it was asked."""
        self._readiness.reached(server, answers=answers)

    def assigned(self) -> None:
        """Note that the worker knows its partitions."""
        self._readiness.assigned = True

    def stopping(self) -> None:
        """Note that the worker takes no more work."""
        self._readiness.stopping = True

    def lag(self, records: Mapping[str, int]) -> None:
        """Note how many records of each partition wait; those of others are forgotten."""
        lags = {tuple(name.rsplit("/", 1)): float(waiting) for name, waiting in records.items()}
        self._metrics.replace(f"{PREFIX}lag_records", lags)

    def store_size(self, kept: StoreSize) -> None:
        """Note what the server keeps."""
        self._metrics.set(f"{PREFIX}redis_entries", kept.entries)
        self._metrics.set(f"{PREFIX}outbox_events", kept.outbox)
        for kind, size in kept.bytes.items():
            self._metrics.set(f"{PREFIX}redis_bytes", size, kind)

    def adopted(self, events: int) -> None:
        """Count events that were published for a worker that has died."""
        self._metrics.count(f"{PREFIX}adopted_events_total", by=events)

    def shadow(self, real: str, other: str) -> None:
        """Count an item that a second rule judged beside the real one."""
        self._metrics.count(f"{PREFIX}shadow_items_total", real, other)

    def scrape(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        self._metrics.set(f"{PREFIX}ready", not self._readiness.missing())
        return self._metrics.scrape()

    def _observe(self, report: BatchReport) -> None:
        observe, now = self._metrics.observe, self._clock()
        observe(f"{PREFIX}batch_records", [report.records])
        observe(f"{PREFIX}batch_seconds", [sum(report.seconds.values())])
        for stage, seconds in report.seconds.items():
            observe(f"{PREFIX}stage_seconds", [seconds], stage)
        # Clocks of two machines may differ; a record that tells no time tells -1.
        ages = [max(0.0, now - at / 1000) for at in report.written_ms if at >= 0]
        observe(f"{PREFIX}event_age_seconds", ages)
        observe(f"{PREFIX}item_candidates", [one.candidates for one in report.search_costs])
        observe(f"{PREFIX}item_postings", [one.postings for one in report.search_costs])
        observe(f"{PREFIX}match_shared_terms", shared_terms(report))


def counted(event: Event) -> tuple[str, ...]:
    """Return the counter of an event, and its labels."""
    said = event.payload
    if event.repeated:
        return (f"{PREFIX}redeliveries_total",)
    if isinstance(said, Retraction):
        return (f"{PREFIX}retractions_total",)
    if not isinstance(said, Judgement):
        return (f"{PREFIX}original_changes_total",)
    if said.event == "verdict.corrected":
        return (f"{PREFIX}corrections_total", said.verdict)
    return (f"{PREFIX}items_total", said.verdict, said.relation, said.lang)


def shared_terms(report: BatchReport) -> list[int]:
    """Return how many terms each newly judged item shares with the leader that it was told."""
    return [len(found.shared) for found in grounds(report)]


def fingerprints(report: BatchReport) -> list[str]:
    """Return the methods that find newly judged items alike to the leaders that they were told."""
    return [name for found in grounds(report) for name in found.fingerprints]


def grounds(report: BatchReport) -> list[Evidence]:
    """Return the evidence of the newly judged items that have a leader to tell."""
    return [
        event.payload.matched.evidence
        for event in report.events
        if isinstance(event.payload, Judgement)
        and not event.repeated
        and event.payload.event == "item.judged"
        and event.payload.matched is not None
        and event.payload.matched.evidence is not None
    ]
