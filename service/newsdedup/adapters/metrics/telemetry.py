"""Telemetry of a worker as Prometheus metrics, and the readiness probe."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from newsdedup.adapters.metrics import catalogue
from newsdedup.adapters.metrics.prometheus import Labels, Metric, Metrics
from newsdedup.core.events import Event, Evidence, Judgement, Retraction
from newsdedup.ports.telemetry import BatchReport, ServerMemory, StoreSize, Telemetry

OTHER_SOURCES: Final = "other"


class TopSources:
    """Bounds the label values of a metric: the first `most` sources with `enough` items get one.

    A source never loses its label, so a counter by label only grows. The items of up to `watched`
    sources without a label are counted; when that table is full, each count is lowered by one
    (Misra and Gries 1982), which drops rare sources. So memory is bounded.
    """

    def __init__(self, *, most: int = 50, enough: int = 10, watched: int = 1_000) -> None:
        self._most = most
        self._enough = enough
        self._watched = watched
        self._named: set[str] = set()
        self._waiting: Counter[str] = Counter()

    def name_sources(self, items: Mapping[str, int]) -> Counter[str]:
        """Count items given by source; return them by label: the source, or OTHER_SOURCES.

        Each call adds to the counts by which a source gets its own label: call once per batch.
        """
        by_name: Counter[str] = Counter()
        for source, count in items.items():
            by_name[source if self._admit(source, count) else OTHER_SOURCES] += count
        return by_name

    def label(self, source: str) -> str:
        """Return the label of a source as it is now, without counting it."""
        return source if source in self._named else OTHER_SOURCES

    def _admit(self, source: str, count: int) -> bool:
        """Count the items of a source; return whether it has a label of its own, or gets it now."""
        if source in self._named:
            return True
        if len(self._named) >= self._most:
            return False
        if source not in self._waiting and len(self._waiting) >= self._watched:
            self._waiting = +Counter({name: n - 1 for name, n in self._waiting.items()})
            return False
        self._waiting[source] += count
        if self._waiting[source] < self._enough:
            return False
        del self._waiting[source]
        self._named.add(source)
        return True


class PrometheusTelemetry(Telemetry):
    """A Telemetry that counts in the metrics that Prometheus scrapes; one for each process."""

    def __init__(self, metrics: Metrics, *, clock: Callable[[], float] = time.time) -> None:
        self._metrics = metrics
        self._clock = clock
        self._sources = TopSources()
        self._assigned = False
        self._stopping = False
        self._waits: Counter[str] = Counter()
        """Tasks that wait for each server."""
        self._silent: set[str] = set()
        """Servers that did not answer the last probe."""

    def batch(self, report: BatchReport) -> None:
        """Count a batch whose events are published."""
        count, observe = self._metrics.count, self._metrics.observe
        count(catalogue.RECORDS, by=report.records)
        count(catalogue.READ_BYTES, by=report.bytes)
        for source, items in self._sources.name_sources(report.sources).items():
            count(catalogue.SOURCE_ITEMS, source, by=items)
        for code, dead_letters in report.dead.items():
            count(catalogue.DEAD_LETTERS, code, by=dead_letters)
        for name, dates in report.unread_dates.items():
            count(catalogue.UNREAD_DATES, name, by=dates)
        for stage, records in report.internal_errors.items():
            count(catalogue.INTERNAL_ERRORS, stage, by=records)
        count(catalogue.ENTRIES_SET_ASIDE, by=report.entries_set_aside)
        for (topic, partition, reason), late in report.late.items():
            count(catalogue.LATE_ITEMS, topic, partition, reason, by=late)
        for (metric, labels), events in Counter(map(_event_counter, report.events)).items():
            count(metric, *labels, by=events)
        self._count_matches(_new_matches(report))
        observe(catalogue.BATCH_RECORDS, [report.records])
        observe(catalogue.BATCH_SECONDS, [sum(report.seconds.values())])
        for name, seconds in report.seconds.items():
            observe(catalogue.STAGE_SECONDS, [seconds], name)
        # Clocks of two machines may differ; -1 means a record without a time.
        now = self._clock()
        ages = [max(0.0, now - at / 1000) for at in report.written_ms if at >= 0]
        observe(catalogue.EVENT_AGE_SECONDS, ages)
        observe(catalogue.ITEM_CANDIDATES, [cost.candidates for cost in report.search_costs])
        observe(catalogue.ITEM_POSTINGS, [cost.postings for cost in report.search_costs])

    def _count_matches(self, matches: Sequence[tuple[Judgement, Evidence]]) -> None:
        """Count the judgements that have a leader, and how much later their copies came."""
        count, observe = self._metrics.count, self._metrics.observe
        delays = [
            (judgement.item.source, max(0.0, evidence.hours_apart) * 3600)
            for judgement, evidence in matches
            if judgement.verdict == "duplicate"
        ]
        for name, seconds in delays:
            source = self._sources.label(name)
            count(catalogue.SOURCE_DUPLICATES, source)
            count(catalogue.SOURCE_DELAY_SECONDS, source, by=seconds)
        observe(catalogue.COPY_DELAY_SECONDS, [seconds for _, seconds in delays])
        fingerprints = Counter(name for _, evidence in matches for name in evidence.fingerprints)
        for name, items in fingerprints.items():
            count(catalogue.FINGERPRINT_MATCHES, name, by=items)
        observe(catalogue.MATCH_SHARED_TERMS, [len(evidence.shared) for _, evidence in matches])

    def waiting(self, server: str, *, waits: bool) -> None:
        """Note that a task starts (`waits`) or stops waiting for "redis" or "kafka"."""
        self._waits[server] += 1 if waits else -1
        if waits:
            self._metrics.count(catalogue.WAITS, server)

    def retried(self, server: str) -> None:
        """Count a failed attempt to reach "redis" or "kafka", which the worker will repeat."""
        self._metrics.count(catalogue.RETRIES, server)

    def reached(self, server: str, *, answers: bool) -> None:
        """Note whether a server, "redis" or "kafka", answered a probe."""
        if answers:
            self._silent.discard(server)
        else:
            self._silent.add(server)

    def assigned(self) -> None:
        """Note that the consumer group has assigned partitions to the worker."""
        self._assigned = True

    def stopping(self) -> None:
        """Note that the worker takes no more records."""
        self._stopping = True

    def lag(self, records: Mapping[str, int]) -> None:
        """Set the lag, in records, of each given partition ("topic/number"); remove all others."""
        lags = {tuple(name.rsplit("/", 1)): float(waiting) for name, waiting in records.items()}
        self._metrics.replace(catalogue.LAG_RECORDS, lags)

    def deleted(self, records: int) -> None:
        """Count records that Kafka deleted before they could be read."""
        self._metrics.count(catalogue.DELETED_RECORDS, by=records)

    def store_size(self, size: StoreSize) -> None:
        """Set the gauges of entries, bytes by kind, and events in the outbox."""
        self._metrics.set(catalogue.REDIS_ENTRIES, size.entries)
        self._metrics.set(catalogue.OUTBOX_EVENTS, size.outbox)
        for kind, used in size.bytes.items():
            self._metrics.set(catalogue.REDIS_BYTES, used, kind)

    def server_memory(self, memory: ServerMemory) -> None:
        """Set the gauges of Redis' memory."""
        self._metrics.set(catalogue.REDIS_MEMORY_USED, memory.used)
        self._metrics.set(catalogue.REDIS_MEMORY_LIMIT, memory.limit)
        self._metrics.set(catalogue.REDIS_EVICTS, memory.evicts)

    def clock(self, server: str, ahead_seconds: float) -> None:
        """Set how many seconds the clock of a server is ahead of ours; negative if it is behind."""
        self._metrics.set(catalogue.CLOCK_AHEAD_SECONDS, ahead_seconds, server)

    def adopted(self, events: int) -> None:
        """Count events that this worker published from the outbox of a dead worker."""
        self._metrics.count(catalogue.ADOPTED_EVENTS, by=events)

    def shadow(self, real: str, other: str) -> None:
        """Count an item judged by both rules, with the verdicts of the real and the shadow rule."""
        self._metrics.count(catalogue.SHADOW_ITEMS, real, other)

    def missing(self) -> list[str]:
        """Return the reasons why the worker is not ready, as text; an empty list if it is ready."""
        away = self._silent | set(+self._waits)
        reasons = [f"waiting for {server}" for server in sorted(away)]
        if self._stopping:
            return ["draining", *reasons]
        return reasons if self._assigned else ["starting: no partitions assigned yet", *reasons]

    def scrape(self) -> bytes:
        """Set the readiness gauge and return all metrics in the text format of Prometheus."""
        self._metrics.set(catalogue.READY, not self.missing())
        return self._metrics.scrape()


def _event_counter(event: Event) -> tuple[Metric, Labels]:
    """Return the counter that an event adds to, and the values of its labels."""
    payload = event.payload
    if event.repeated:
        return catalogue.REDELIVERIES, ()
    if isinstance(payload, Retraction):
        return catalogue.RETRACTIONS, ()
    if not isinstance(payload, Judgement):
        return catalogue.ORIGINAL_CHANGES, ()
    if payload.event == "verdict.corrected":
        return catalogue.CORRECTIONS, (payload.verdict,)
    return catalogue.ITEMS, (payload.verdict, payload.relation, payload.lang)


def _new_matches(report: BatchReport) -> list[tuple[Judgement, Evidence]]:
    """Return the first judgements of items that match a leader, each with its evidence."""
    return [
        (event.payload, event.payload.matched.evidence)
        for event in report.events
        if isinstance(event.payload, Judgement)
        and not event.repeated
        and event.payload.event == "item.judged"
        and event.payload.matched is not None
        and event.payload.matched.evidence is not None
    ]
