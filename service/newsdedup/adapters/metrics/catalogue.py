"""Every metric of a worker, a feeder and a server: name, unit, what it counts or measures, labels.

The registries and the telemetry take the metrics from here, and tests/docs/test_metrics_page.py
compares docs/metrics.md and the scrapes of real processes with it. Each label has a bounded number
of values, whatever comes in the stream: none names a feed, as `newsdedup feeds status` does, and
paths are those of the routes of the server.
"""

from typing import Final, get_args

from newsdedup.adapters.metrics.prometheus import BucketBounds, MetricList
from newsdedup.core.model import Verdict

DEAD_LETTER_CODES: Final = (
    *("not_json", "not_utf8", "not_object", "too_deep", "too_long", "no_text", "bad_field"),
    *("bad_date", "absurd_date", "unknown_command", "unknown_item", "bad_key", "bad_cloudevent"),
    *("event_too_large", "internal_error"),
)
"""Why a worker puts records aside; docs/items.md explains them."""
DATE_FIELDS: Final = ("published_at", "seen_at", "updated_at")
FAILED_STAGES: Final = ("decode", "analyze", "compare", "decide", "render", "encode")
"""The steps of the pipeline that may raise for a record; docs/reliability.md explains them."""
_SERVERS: Final = ("kafka", "redis")

_SECONDS: Final[BucketBounds] = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_AGES: Final[BucketBounds] = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200)
_DELAYS: Final[BucketBounds] = (
    *(60, 300, 900, 1800),
    *(hours * 3600 for hours in (1, 2, 4, 8, 16, 24, 48, 72)),
)
_SIZES: Final[BucketBounds] = (1, 4, 16, 64, 128, 256, 512, 1024, 4096)
_CANDIDATES: Final[BucketBounds] = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 1024)
_POSTINGS: Final[BucketBounds] = (0, 16, 64, 128, 256, 512, 1024, 4096, 16384)
_TERMS: Final[BucketBounds] = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)

_list = MetricList()
_counter, _gauge, _histogram = _list.counter, _list.gauge, _list.histogram

BUILD_INFO: Final = _gauge(
    "build_info{version,rule,runner}",
    "Always 1; its labels name the release that runs, its rule and its runner.",
    "1",
)
RECORDS: Final = _counter(
    "records", "Records of the input that are done: judged or put aside, and published."
)
READ_BYTES: Final = _counter("read_bytes", "Size of the records that are done.")
ITEMS: Final = _counter(
    "items{verdict,relation,lang}",
    "Item versions judged for the first time, by verdict, relation and language.",
)
LATE_ITEMS: Final = _counter(
    "late_items{topic,partition,reason}",
    "Items that came too late to be placed exactly: older than the newest item by more than "
    "rule.lateness (`lateness`), or by more than rule.window with it (`window`): those miss "
    "their duplicates.",
)
DELETED_RECORDS: Final = _counter(
    "deleted_records",
    "Records of the input that Kafka deleted before a worker read them: they were not judged.",
    "records",
)
SOURCE_ITEMS: Final = _counter(
    "source_items{source}",
    "Items received by source: the busiest sources by name, all others as `other`.",
)
SOURCE_DUPLICATES: Final = _counter(
    "source_duplicates{source}",
    "Newly judged items that are duplicates, by source as `newsdedup_source_items_total` has it.",
    "items",
)
SOURCE_DELAY_SECONDS: Final = _counter(
    "source_delay_seconds{source}",
    "How much later than their leaders these duplicates were published, in all, by source.",
)
COPY_DELAY_SECONDS: Final = _histogram(
    "copy_delay_seconds",
    "How much later than its leader a newly judged duplicate was published, by the items' times.",
    bounds=_DELAYS,
)
FINGERPRINT_MATCHES: Final = _counter(
    "fingerprint_matches{fingerprint}",
    "Newly judged items that this method finds alike to the leader that they were given.",
    "items",
)
REDELIVERIES: Final = _counter(
    "redeliveries", "Item versions that were delivered again and got the same event again.", "items"
)
CORRECTIONS: Final = _counter(
    "corrections{verdict}",
    "Verdicts that were changed after they were published, by the new verdict.",
    "events",
    start=get_args(Verdict),
)
ORIGINAL_CHANGES: Final = _counter(
    "original_changes", "Stories that got another original than was published before.", "events"
)
RETRACTIONS: Final = _counter("retractions", "Items that their source has withdrawn.", "events")
DEAD_LETTERS: Final = _counter(
    "dead_letters{code}",
    "Records put aside because they can never become items, by reason.",
    "records",
    start=DEAD_LETTER_CODES,
)
UNREAD_DATES: Final = _counter(
    "unread_dates{field}",
    "Dates of items that could not be read and count as missing, by field.",
    start=DATE_FIELDS,
)
INTERNAL_ERRORS: Final = _counter(
    "internal_errors{stage}",
    "Records put aside because of a bug in newsdedup, by the stage that raised it.",
    "records",
    start=FAILED_STAGES,
)
ENTRIES_SET_ASIDE: Final = _counter(
    "entries_set_aside",
    "Stored entries that items are no longer compared with, because comparing raises.",
    "entries",
)
SHADOW_ITEMS: Final = _counter(
    "shadow_items{real,shadow}",
    "Items judged by the shadow rule, too: by the real verdict and by that of the shadow.",
)
ADOPTED_EVENTS: Final = _counter(
    "adopted_events", "Events published for a worker that died before it could."
)
BATCH_RECORDS: Final = _histogram("batch_records", "Records in one batch.", bounds=_SIZES)
BATCH_SECONDS: Final = _histogram(
    "batch_seconds", "Time for one batch, all stages together.", bounds=_SECONDS
)
STAGE_SECONDS: Final = _histogram(
    "stage_seconds{stage}",
    "Time of one batch in a stage; waits for a server are part of its stage.",
    bounds=_SECONDS,
)
EVENT_AGE_SECONDS: Final = _histogram(
    "event_age_seconds",
    "Age of a record when its events are published, by the broker's time of the record.",
    bounds=_AGES,
)
ITEM_CANDIDATES: Final = _histogram(
    "item_candidates",
    "Entries that one look-up for an item found worth comparing.",
    "entries",
    bounds=_CANDIDATES,
)
ITEM_POSTINGS: Final = _histogram(
    "item_postings", "Postings in the lists that one look-up for an item read.", bounds=_POSTINGS
)
MATCH_SHARED_TERMS: Final = _histogram(
    "match_shared_terms",
    "Terms that a judged item shares with the leader that it follows or resembles.",
    bounds=_TERMS,
)
LAG_RECORDS: Final = _gauge(
    "lag_records{topic,partition}", "Records of an assigned partition that are not done yet."
)
READY: Final = _gauge(
    "ready",
    "1 if the worker is ready for work, 0 if it starts, waits for a server or is ending.",
    "1",
)
WAITS: Final = _counter(
    "waits{server}",
    "How often the worker began to wait for a server that did not answer.",
    start=_SERVERS,
)
RETRIES: Final = _counter(
    "retries{server}",
    "Attempts of a batch that failed because a server did not answer.",
    "attempts",
    start=_SERVERS,
)
OUTBOX_EVENTS: Final = _gauge(
    "outbox_events", "Events of all workers that are decided and not yet known to be published."
)
REDIS_ENTRIES: Final = _gauge("redis_entries", "Entries that the namespace keeps.")
REDIS_BYTES: Final = _gauge(
    "redis_bytes{kind}", "Memory of the namespace by Redis' own count, sampled: by what it holds."
)
REDIS_MEMORY_USED: Final = _gauge(
    "redis_memory_used_bytes",
    "Memory of the Redis server that counts towards maxmemory; of several, of the fullest.",
)
REDIS_MEMORY_LIMIT: Final = _gauge(
    "redis_memory_limit_bytes", "maxmemory of that server; 0 where none is set."
)
REDIS_EVICTS: Final = _gauge(
    "redis_evicts", "1 if a full Redis would drop keys (maxmemory-policy), 0 if it refuses.", "1"
)
CLOCK_AHEAD_SECONDS: Final = _gauge(
    "clock_ahead_seconds{server}",
    "How far the clock of a server is ahead of the worker's; below 0 it is behind.",
)

METRICS: Final = tuple(_list.metrics)
"""All metrics of a worker, in the order of docs/metrics.md."""

VISIT_OUTCOMES: Final = ("content", "unchanged", "failed", "gone", "merged", "paused")
FEED_CONDITIONS: Final = ("dead", "gone", "failing", "merged", "silent", "new", "fine", "unlisted")
REFUSALS_OF_TOKENS: Final = ("too_soon", "wrong")
PUSH_RESULTS: Final = ("accepted", "bad_signature", "too_large", "unknown")
LEASE_CONDITIONS: Final = ("active", "requested", "expired", "denied")

_feeder = MetricList("newsdedup_feeder_")

FEEDER_BUILD_INFO: Final = _feeder.gauge(
    "build_info{version}", "Always 1; its label names the release that runs.", "1"
)
VISITS: Final = _feeder.counter(
    "visits{outcome}", "Visits of feeds, by how they went.", start=VISIT_OUTCOMES
)
VISIT_SECONDS: Final = _feeder.histogram(
    "visit_seconds",
    "Time of a visit: fetched, parsed, written and acknowledged; those of paused hosts take none.",
    bounds=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120),
)
WRITTEN_ITEMS: Final = _feeder.counter(
    "written_items", "New and changed items, and withdrawals, that the output has acknowledged."
)
RECEIVED_BYTES: Final = _feeder.counter(
    "received_bytes", "Size of the bodies that were fetched, as they were sent."
)
FEEDS: Final = _feeder.gauge(
    "feeds{condition}", "Feeds by condition, as `newsdedup feeds status` shows them."
)
BEHIND_SECONDS: Final = _feeder.gauge(
    "behind_seconds", "How long the feed that waits longest has been due; 0 if none is."
)
OUTPUT_RETRIES: Final = _feeder.counter(
    "output_retries",
    "Attempts to write items that the output did not acknowledge, and that are repeated.",
    "attempts",
)
PUSHES: Final = _feeder.counter(
    "pushes{result}",
    "Pushes of hubs by result; `unknown` are those to callbacks that do not exist.",
    start=PUSH_RESULTS,
)
HUB_LEASES: Final = _feeder.gauge(
    "hub_leases{condition}", "Subscriptions at hubs (WebSub) by condition."
)
FEEDER_DISK_FREE: Final = _feeder.gauge(
    "disk_free_bytes{holds}", "Free space of the volume that holds a file of the feeder."
)
FEEDER_READY: Final = _feeder.gauge(
    "ready", "1 if feeds are visited; 0 if the feeder starts, waits for its output or ends.", "1"
)

FEEDER_METRICS: Final = tuple(_feeder.metrics)
"""All metrics of a feeder, in the order of docs/metrics.md."""

_server = MetricList("newsdedup_server_")

SERVER_BUILD_INFO: Final = _server.gauge(
    "build_info{version}", "Always 1; its label names the release that runs.", "1"
)
REQUESTS: Final = _server.counter(
    "requests{path,method,status}",
    "Requests that were answered, or whose client went away, by path, method and status.",
)
REQUEST_SECONDS: Final = _server.histogram(
    "request_seconds{path}",
    "Time from the headers of a request until its answer was made; streams are left out.",
    bounds=(0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10),
)
OPEN_REQUESTS: Final = _server.gauge("open_requests", "Requests that are worked on now.")
STREAMS: Final = _server.gauge(
    "streams", "Clients that follow the changes of the archive.", "clients"
)
QUERIES_WAITING: Final = _server.gauge(
    "queries_waiting", "Queries of the archive that wait for a thread.", "queries"
)
REFUSED_TOKENS: Final = _server.counter(
    "refused_tokens{reason}",
    "Tokens for writing that were refused: wrong ones, and those that came too soon after them.",
    "tokens",
    start=REFUSALS_OF_TOKENS,
)
SERVER_DISK_FREE: Final = _server.gauge(
    "disk_free_bytes{holds}", "Free space of the volume that holds a file of the server."
)
WEBHOOK_ATTEMPTS: Final = _server.counter(
    "webhook_attempts{outcome}",
    "Attempts to send a hit of a saved search that its webhook took or failed, and hits given up.",
    start=("sent", "failed", "dead"),
)
WEBHOOK_WAITING: Final = _server.gauge(
    "webhook_waiting", "Hits of saved searches that wait for their webhooks.", "hits"
)
WEBHOOK_DEAD: Final = _server.gauge(
    "webhook_dead_letters",
    "Hits of saved searches whose attempts have ended without success.",
    "hits",
)
WEBHOOK_LAG: Final = _server.gauge(
    "webhook_lag_seconds", "Time since the oldest hit that waits for its webhook was found."
)
WATCHES_BEHIND: Final = _server.gauge(
    "watches_behind",
    "Changes of the archive that saved searches have not looked at yet.",
    "changes",
)

SERVER_METRICS: Final = tuple(_server.metrics)
"""All metrics of a server, in the order of docs/metrics.md."""
