"""The one table of settings: default, kind, meaning and flag of each.

Flags, names of environment variables, docs/settings.md and validation follow from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import timedelta
from typing import Any

from newsdedup.config.addresses import kafka_addresses, namespace_name, redis_url, topic_name
from newsdedup.config.kinds import (
    AUTO,
    Setting,
    duration,
    file_path,
    line_of_text,
    named_number,
    one_of,
    setting,
    size,
    some_of,
    whole_number,
    yes_or_no,
    zone_name,
    zones_of_sources,
)
from newsdedup.config.service_settings import FeederSettings, ServerSettings, WatchSettings
from newsdedup.core.fingerprints.catalogue import METHODS

FINGERPRINTS = tuple(sorted(METHODS))
"""The methods of docs/methods.md."""
RULE_NAMES = ("terms", "verified", *FINGERPRINTS)
PREFERENCES = {"precision": 70, "balanced": 0, "recall": 30}
"""What a user may prefer, and the least probability of a duplicate then, in percent.
0 is the threshold that was fitted with the model. docs/quality.md has the scores of all three."""

_SECURITY = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
_MECHANISMS = ("SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN")
RUNNERS = ("faust", "aiokafka")
LOG_LEVELS = (AUTO, "debug", "info", "warning")
LEAST_RECORD = 8 * 2**10
"""Bytes that hold any dead letter, its record cut: the longest reason and names make one of 5,741.
Of 6,000 real items the largest verdict without its item took about 5,400 (2026-11-22)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSettings:
    """When two items are duplicates."""

    name: str = setting(
        "verified",
        one_of(*RULE_NAMES),
        "What decides: `terms` counts the weightiest terms that two items share, `verified` "
        "weighs numbers, names and phrases, too; the name of a fingerprint lets it decide.",
        flag="--rule",
    )
    window: timedelta = setting(
        "72h", duration(), "How far apart in time two items of one story may be.", flag="--window"
    )
    lateness: timedelta = setting(
        "24h",
        duration(zero=True),
        "How far behind the newest item another may come and still be judged exactly.",
    )
    duplicate: int = setting(
        6,
        whole_number("terms", least=2, most=64),
        "Shared terms from which on an item is a duplicate; only for rule `terms`.",
    )
    similar: int = setting(
        3,
        whole_number("terms", least=2, most=64),
        "Shared terms from which on an item is similar; fewer cost more; only for rule `terms`.",
    )
    terms: int = setting(
        12,
        whole_number("terms", least=2, most=64),
        "Terms that are kept of an item, under every rule: the weightiest.",
    )
    prefer: int = setting(
        "balanced",
        named_number(PREFERENCES, "percent", most=99),
        "What errors are avoided: `precision` calls fewer items duplicates (from a probability of "
        "70 %), `recall` more (30 %), `balanced` takes the fitted threshold; or the least "
        "probability in percent; only for rule `verified`.",
    )
    model: str = setting(
        "",
        file_path(),
        "Your own model, from `lab fit`; empty: that of the package; only for rule `verified`.",
    )
    fingerprints: tuple[str, ...] = setting(
        "",
        some_of(*FINGERPRINTS),
        "More methods that find candidates and appear in the evidence of `terms` or `verified`.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """How a run works through a stream."""

    state: str = setting(
        "",
        file_path(),
        "The file of the state of a run; empty: next to the output.",
        flag="--state",
    )
    batch: int = setting(
        512,
        whole_number("items", most=1_000_000),
        "Items per transaction, at most; any number gives the same events.",
    )
    idle_flush: timedelta = setting(
        "200ms", duration(zero=True), "How long a batch that is not full waits for more items."
    )
    helpers: int | None = setting(
        AUTO,
        named_number({AUTO: None}, "processes", least=0, most=64),
        "Processes that share the analysis; each takes up to 250 MB. `auto`: one for each "
        "processor but one, where memory suffices, once an input turns out to be long.",
        flag="--helpers",
    )
    log: str = setting(
        AUTO,
        one_of(*LOG_LEVELS),
        "What is logged: `info` has a line for each batch, `debug` one for each item, too; `auto` "
        "is info in a worker, a feeder and a server, and warning in a run over files.",
        flag="--log",
    )
    cascade: int = setting(
        10_000, whole_number("items"), "Items judged again because of one that came late, at most."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSettings:
    """Limits of an item: a record beyond one becomes a dead letter."""

    line_bytes: int = setting("16MiB", size(), "The longest line of an input.")
    title_chars: int = setting(10_000, whole_number("characters"), "The longest title.")
    text_chars: int = setting(1_000_000, whole_number("characters"), "The longest text.")
    # Python stops at 1000 frames: above that, it would not be this limit that holds.
    depth: int = setting(64, whole_number("levels", most=500), "The deepest nesting of JSON.")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSettings:
    """Where lemmas and weights of words come from."""

    cache_forms: int = setting(
        400_000,
        whole_number("forms"),
        "Word forms whose lemmas are remembered; more are faster and take more memory.",
    )
    background: str = setting(
        "", file_path(), "Your own background table; if empty, the one of the package."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSettings:
    """What is known of the publishers."""

    zone: str = setting(
        "",
        zone_name(),
        'The time zone of publishers, for "today" in a text; empty: UTC; only for rule `verified`.',
    )
    zones: tuple[tuple[str, str], ...] = setting(
        "",
        zones_of_sources(),
        "Time zones of single sources, instead of `sources.zone` and the offsets of times.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class KafkaSettings:
    """Where the items come from and where the events go."""

    servers: str = setting(
        "127.0.0.1:9092",
        kafka_addresses(),
        "Where Kafka is: host:port, several with commas between them.",
        flag="--kafka",
    )
    input: str = setting("news.raw", topic_name(), "The topic that items are read from.")
    output: str = setting("news.deduped", topic_name(), "The topic that events are written to.")
    dead: str = setting(
        "news.dlq", topic_name(), "The topic of dead letters: records that could not become items."
    )
    group: str = setting(
        "newsdedup",
        line_of_text(empty=False),
        "The consumer group that the workers of one stream form.",
    )
    security: str = setting("PLAINTEXT", one_of(*_SECURITY), "The security protocol of Kafka.")
    mechanism: str = setting(
        "SCRAM-SHA-512", one_of(*_MECHANISMS), "How a user logs in at Kafka, if `security` is SASL."
    )
    username: str = setting("", line_of_text(), "The user at Kafka.")
    password: str = setting(
        "", line_of_text(), "The user's password at Kafka; never a flag.", secret=True
    )
    password_file: str = setting(
        "", file_path(), "A file that holds the password at Kafka, read at the start."
    )
    ca_file: str = setting(
        "", file_path(), "CA certificates by which to check Kafka's; empty: those of the system."
    )
    message_bytes: int = setting(
        "1MB",
        size(least=LEAST_RECORD),
        "The largest record that Kafka accepts; the text of a larger event is cut.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisSettings:
    """Where the workers keep their state."""

    url: str = setting(
        "redis://127.0.0.1:6379/0",
        redis_url(),
        "Where Redis is; rediss:// for TLS, unix:// for a socket. No password may be in it.",
        flag="--redis",
    )
    cluster: bool = setting(False, yes_or_no(), "Whether the address is a node of a Redis Cluster.")
    namespace: str = setting(
        "news",
        namespace_name(),
        "The prefix of all keys: streams with different names are separate.",
        flag="--namespace",
    )
    username: str = setting("", line_of_text(), "The user at Redis; empty for the default one.")
    password: str = setting(
        "", line_of_text(), "The user's password at Redis; never a flag.", secret=True
    )
    password_file: str = setting(
        "", file_path(), "A file that holds the password at Redis, read at the start."
    )
    ca_file: str = setting("", file_path(), "CA certificates by which to check that of Redis.")
    timeout: timedelta = setting("5s", duration(), "How long to wait for an answer of Redis.")
    items: int = setting(
        500_000,
        whole_number("items", most=100_000_000),
        "Items expected in a window; used for the layout of keys when a namespace is created.",
    )
    shards: int = setting(
        1,
        whole_number("shards", most=256),
        "Parts of the namespace, each in its own hash slot; fixed when it is created.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """How a worker works, and where it serves metrics and health."""

    runner: str = setting(
        "aiokafka",
        one_of(*RUNNERS),
        "What drives a worker: a lean loop over aiokafka, or Faust; the events are the same.",
        flag="--runner",
    )
    batch: int = setting(
        256, whole_number("records", most=10_000), "Records that are processed together."
    )
    linger: timedelta = setting(
        "0s",
        duration(zero=True),
        "How long a batch that is not full waits for more; an idle worker adds as much delay.",
    )
    drift: timedelta = setting(
        "18h",
        duration(zero=True),
        "How far, in the times of the items, a partition may be ahead of the slowest one in which "
        "records wait; never further than rule.lateness; 0 to read all as fast as they come.",
    )
    idle: timedelta = setting(
        "1s",
        duration(zero=True),
        "How long a partition that is read to its end may hold back others that are ahead of it.",
    )
    session: timedelta = setting(
        "10s",
        duration(least=1_000, most=1_800_000),
        "After how long without heartbeat Kafka counts a worker as dead; brokers allow 6s to 30m.",
    )
    drain: timedelta = setting(
        "25s", duration(), "How long a worker may take to finish when it is stopped."
    )
    stall: timedelta = setting(
        "5m",
        # A write to Kafka alone may be waited for 20 s, and is tried again after 5 s.
        duration(least=30_000),
        "After how long without progress, while records wait, a worker ends itself.",
    )
    orphans: timedelta = setting(
        "30s",
        duration(),
        "After how long an event that its worker has not published is published by another.",
    )
    host: str = setting(
        "127.0.0.1", line_of_text(), "The address that metrics and health are served at."
    )
    port: int = setting(
        9464,
        whole_number("port", least=0, most=65_535),
        "The port of metrics and health; 0 for none.",
        flag="--port",
    )
    shadow: str = setting(
        "",
        one_of("", *RULE_NAMES),
        "A rule that judges alongside the real one; its verdicts are compared, not published.",
        flag="--shadow-rule",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSettings:
    """What an archive holds."""

    keep: timedelta = setting(
        "0s",
        duration(zero=True),
        "How long after their publication items stay in an archive; 0 for good.",
        flag="--keep",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All that can be set."""

    rule: RuleSettings = RuleSettings()
    run: RunSettings = RunSettings()
    limits: LimitSettings = LimitSettings()
    words: WordSettings = WordSettings()
    sources: SourceSettings = SourceSettings()
    kafka: KafkaSettings = KafkaSettings()
    redis: RedisSettings = RedisSettings()
    worker: WorkerSettings = WorkerSettings()
    feeder: FeederSettings = field(default_factory=FeederSettings)
    server: ServerSettings = field(default_factory=ServerSettings)
    archive: ArchiveSettings = ArchiveSettings()
    watches: WatchSettings = field(default_factory=WatchSettings)


def settings_by_key() -> dict[str, Setting]:
    """Return all settings by key, as "rule.window", in the order of their documentation."""
    defaults = Settings()
    table = [
        Setting(key=f"{section.name}.{each.name}", default=each.default, **each.metadata)
        for section in fields(defaults)
        for each in fields(getattr(defaults, section.name))
    ]
    return {each.key: each for each in table}


def build_settings(values: Mapping[str, Any]) -> Settings:
    """Return Settings with these values by key, as "rule.window", and defaults for the rest."""
    sections: dict[str, dict[str, Any]] = {}
    for key, value in values.items():
        section, _, name = key.partition(".")
        sections.setdefault(section, {})[name] = value
    defaults = Settings()
    return replace(
        defaults,
        **{name: replace(getattr(defaults, name), **some) for name, some in sections.items()},
    )
