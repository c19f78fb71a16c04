"""What a worker tells, as metrics and as readiness."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, get_args

from newsdedup.adapters.metrics.prometheus import Metrics
from newsdedup.core.events import Event, Evidence, Judgement, Retraction
from newsdedup.core.model import Verdict
from newsdedup.ports.telemetry import BatchReport, StoreSize

OTHER_SOURCES: Final = "other"


class TopSources:
    """Gives names to the first sources that are busy enough; once given, a name stays.

    So a counter by name only ever grows. Who is not named yet is counted as Misra and Gries (1982)
    do: when the table is full each of its counts is lowered by one, which the rare ones do not
    survive. Memory is bounded however many sources there are.
    """

    def __init__(self, *, most: int = 50, enough: int = 10, watched: int = 1_000) -> None:
        self._most = most
        self._enough = enough
        self._watched = watched
        self._named: set[str] = set()
        self._waiting: Counter[str] = Counter()

    def name_sources(self, items: Mapping[str, int]) -> Counter[str]:
        """Return the items of some sources by the name under which each is counted."""
        told: Counter[str] = Counter()
        for source, count in items.items():
            told[source if self._is_named(source, count) else OTHER_SOURCES] += count
        return told

    def _is_named(self, source: str, count: int) -> bool:
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


class Readiness:
    """What is known of a worker's state; ready when nothing is missing."""

    def __init__(self) -> None:
        self.assigned = False
        """Whether the consumer group has told the worker its partitions."""
        self.stopping = False
        self._waits: Counter[str] = Counter()
        self._silent: set[str] = set()

    def waiting(self, server: str, *, waits: bool) -> None:
        """Note that something begins or ends to wait for a server."""
        self._waits[server] += 1 if waits else -1

    def reached(self, server: str, *, answers: bool) -> None:
        """Note whether a server has answered when it was asked."""
        if answers:
            self._silent.discard(server)
        else:
            self._silent.add(server)

    def missing(self) -> list[str]:
        """Return in words what keeps the worker from work; nothing if it is ready."""
        away = self._silent | set(+self._waits)
        said = [f"waiting for {server}" for server in sorted(away)]
        if self.stopping:
            return ["draining", *said]
        return said if self.assigned else ["starting: no partitions assigned yet", *said]


_Seconds = Callable[[], float]
PREFIX: Final = "newsdedup_"
_SERVERS: Final = ("kafka", "redis")
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
DEAD_LETTER_CODES: Final = (
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

    def __init__(
        self, metrics: Metrics, readiness: Readiness, *, clock: _Seconds = time.time
    ) -> None:
        self._metrics = metrics
        self._readiness = readiness
        self._clock = clock
        self._sources = TopSources()
        # A rate needs the zero before the first one; some come in bursts that are never repeated.
        for server in _SERVERS:
            metrics.count(f"{PREFIX}waits_total", server, by=0)
            metrics.count(f"{PREFIX}retries_total", server, by=0)
        for code in DEAD_LETTER_CODES:
            metrics.count(f"{PREFIX}dead_letters_total", code, by=0)
        for verdict in VERDICTS:
            metrics.count(f"{PREFIX}corrections_total", verdict, by=0)

    def batch(self, report: BatchReport) -> None:
        """Count a batch that is done."""
        count = self._metrics.count
        count(f"{PREFIX}records_total", by=report.records)
        count(f"{PREFIX}read_bytes_total", by=report.bytes)
        for source, items in self._sources.name_sources(report.sources).items():
            count(f"{PREFIX}source_items_total", source, by=items)
        for code, letters in report.dead.items():
            count(f"{PREFIX}dead_letters_total", code, by=letters)
        for (name, *labels), events in Counter(map(_event_counter, report.events)).items():
            count(name, *labels, by=events)
        for name, items in Counter(_fingerprints(report)).items():
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

    def store_size(self, size: StoreSize) -> None:
        """Note what the server keeps."""
        self._metrics.set(f"{PREFIX}redis_entries", size.entries)
        self._metrics.set(f"{PREFIX}outbox_events", size.outbox)
        for kind, used in size.bytes.items():
            self._metrics.set(f"{PREFIX}redis_bytes", used, kind)

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
        observe(f"{PREFIX}match_shared_terms", _shared_terms(report))


def _event_counter(event: Event) -> tuple[str, ...]:
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


def _shared_terms(report: BatchReport) -> list[int]:
    """Return how many terms each newly judged item shares with the leader that it was told."""
    return [len(found.shared) for found in _evidence(report)]


def _fingerprints(report: BatchReport) -> list[str]:
    """Return the methods that find newly judged items alike to the leaders that they were told."""
    return [name for found in _evidence(report) for name in found.fingerprints]


def _evidence(report: BatchReport) -> list[Evidence]:
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
