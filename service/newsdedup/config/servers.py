"""Settings of the service: where Kafka and Redis are, and how a worker works between them."""

from dataclasses import dataclass, field
from datetime import timedelta

from newsdedup.config.addresses import Addresses
from newsdedup.config.kinds import Choice, File, Flag, Text, Whole
from newsdedup.config.marks import mark
from newsdedup.config.measures import Duration, Size
from newsdedup.config.redis_urls import RedisUrl
from newsdedup.config.rules import RULES
from newsdedup.config.server_names import Namespace, Topic

SECURITY = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
MECHANISMS = ("SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN")
RUNNERS = ("faust", "aiokafka")
LEAST_RECORD = 8 * 2**10
"""Bytes that hold any letter, its record cut: the longest reason and names make one of 5,741. Of
6,000 real items the largest verdict without its item took about 5,400 (2026-11-22)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KafkaSettings:
    """Where the items come from and where the events go."""

    servers: str = field(
        default="127.0.0.1:9092",
        metadata=mark(
            Addresses(),
            "Where Kafka is: host:port, several with commas between them.",
            flag="--kafka",
        ),
    )
    input: str = field(
        default="news.raw",
        metadata=mark(Topic(), "The topic that items are read from."),
    )
    output: str = field(
        default="news.deduped",
        metadata=mark(Topic(), "The topic that events are written to."),
    )
    dead: str = field(
        default="news.dlq",
        metadata=mark(Topic(), "The topic of dead letters: records that could not become items."),
    )
    group: str = field(
        default="newsdedup",
        metadata=mark(Text(empty=False), "The consumer group that the workers of one stream form."),
    )
    security: str = field(
        default="PLAINTEXT",
        metadata=mark(Choice(SECURITY), "How Kafka is spoken to."),
    )
    mechanism: str = field(
        default="SCRAM-SHA-512",
        metadata=mark(Choice(MECHANISMS), "How a user logs in at Kafka, if `security` is SASL."),
    )
    username: str = field(
        default="",
        metadata=mark(Text(), "The user at Kafka."),
    )
    password: str = field(
        default="",
        metadata=mark(Text(), "The user's password at Kafka; never a flag.", secret=True),
    )
    password_file: str = field(
        default="",
        metadata=mark(File(), "A file that holds the password at Kafka, read at the start."),
    )
    ca_file: str = field(
        default="",
        metadata=mark(File(), "The certificates that Kafka's is checked by; empty: the system's."),
    )
    message_bytes: int = field(
        default=1_000_000,
        metadata=mark(
            Size(least=LEAST_RECORD),
            "The largest record that Kafka takes; of a larger event the text is cut.",
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisSettings:
    """Where the workers keep what they must remember."""

    url: str = field(
        default="redis://127.0.0.1:6379/0",
        metadata=mark(
            RedisUrl(),
            "Where Redis is; rediss:// for TLS, unix:// for a socket. No password may be in it.",
            flag="--redis",
        ),
    )
    cluster: bool = field(
        default=False,
        metadata=mark(Flag(), "Whether the address is a node of a Redis Cluster."),
    )
    namespace: str = field(
        default="news",
        metadata=mark(
            Namespace(),
            "The name before all keys: streams with different names do not meet.",
            flag="--namespace",
        ),
    )
    username: str = field(
        default="",
        metadata=mark(Text(), "The user at Redis; empty for the default one."),
    )
    password: str = field(
        default="",
        metadata=mark(Text(), "The user's password at Redis; never a flag.", secret=True),
    )
    password_file: str = field(
        default="",
        metadata=mark(File(), "A file that holds the password at Redis, read at the start."),
    )
    ca_file: str = field(
        default="",
        metadata=mark(File(), "The certificates that the one of Redis is checked by."),
    )
    timeout: timedelta = field(
        default=timedelta(seconds=5),
        metadata=mark(Duration(), "How long an answer of Redis is waited for."),
    )
    items: int = field(
        default=500_000,
        metadata=mark(
            Whole("items", most=100_000_000),
            "Items expected in a window; it lays out the keys when a namespace is made.",
        ),
    )
    shards: int = field(
        default=1,
        metadata=mark(
            Whole("shards", most=256),
            "Parts of the namespace, each in a hash slot of its own; for good, once it is made.",
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """How a worker works, and where it tells how it is."""

    runner: str = field(
        default="faust",
        metadata=mark(
            Choice(RUNNERS),
            "What drives a worker: Faust, or a lean loop over aiokafka; the events are the same.",
            flag="--runner",
        ),
    )
    batch: int = field(
        default=256,
        metadata=mark(Whole("records", most=10_000), "Records that are worked on at once."),
    )
    linger: timedelta = field(
        default=timedelta(milliseconds=20),
        metadata=mark(Duration(zero=True), "How long a batch that is not full waits for more."),
    )
    session: timedelta = field(
        default=timedelta(seconds=10),
        metadata=mark(Duration(), "After how long without a sign Kafka takes a worker for dead."),
    )
    drain: timedelta = field(
        default=timedelta(seconds=25),
        metadata=mark(Duration(), "How long a worker that is told to stop may take."),
    )
    stall: timedelta = field(
        default=timedelta(minutes=5),
        metadata=mark(
            Duration(),
            "After how long without progress, while records wait, a worker ends itself.",
        ),
    )
    orphans: timedelta = field(
        default=timedelta(seconds=30),
        metadata=mark(
            Duration(),
            "After how long an event that nobody has published is published by another worker.",
        ),
    )
    host: str = field(
        default="127.0.0.1",
        metadata=mark(Text(), "The address at which metrics and health are told."),
    )
    port: int = field(
        default=9464,
        metadata=mark(
            Whole("port", least=0, most=65_535),
            "The port of metrics and health; 0 for none.",
            flag="--port",
        ),
    )
    shadow: str = field(
        default="",
        metadata=mark(
            Choice(("", *RULES)),
            "A rule that judges beside the real one; its verdicts are compared, not published.",
            flag="--shadow-rule",
        ),
    )
