"""Checks of the doctor: Kafka with its topics, and Redis, as a worker needs them."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from newsdedup.cli.checks.installation import Finding, Probe
from newsdedup.cli.checks.namespace import namespace_probe
from newsdedup.cli.errors import ExtraMissing, require_extra
from newsdedup.config import Configuration, Settings

if TYPE_CHECKING:
    from newsdedup.adapters.kafka.admin import Operations, Permissions
    from newsdedup.adapters.redis.inspection import RedisFacts, RedisMemory
    from newsdedup.bootstrap.servers import KafkaFacts

_LEAST_REDIS = 7
"""Functions came with Redis 7.0."""
_CLOCK_SECONDS = 60
_REFUSED_SECONDS = 3_600
"""How far our clock may be ahead of Kafka's: message.timestamp.after.max.ms, by default."""
_FULL = 0.98
"""Used share of maxmemory from which on a commit may be refused: it needs some room at once."""
_NEARLY_FULL = 0.8
_PAIR_OF_REPLICAS = 2
"""Of two replicas one may be away only if a write needs no more than the other."""
_HOUR_MS = 3_600_000
_EVENTS_KEPT_MS = 30 * 24 * _HOUR_MS
"""As `topics create` sets it by default."""
_CREATE_TOPICS = "newsdedup topics create"


def server_probes(
    configuration: Configuration, config: Path | None, *, seconds: float
) -> Iterator[Probe]:
    """Yield the probes of Kafka, Redis and the namespace, or a failure that says what to install.

    `config` is the settings file of the command line, None if it names none. Each server gets
    `seconds` to answer.
    """
    try:
        require_extra("kafka")
    except ExtraMissing as error:
        missing = Finding("kafka", "fail", f"{error.name} is not installed", error.advice)
        yield Probe("kafka", lambda: [missing], list, "")
        return
    from newsdedup.bootstrap.servers import ask_kafka, ask_redis

    settings = configuration.settings
    yield Probe(
        "kafka",
        lambda: asyncio.run(ask_kafka(settings, seconds=seconds)),
        lambda facts: _check_kafka(settings, facts),
        "start it, or correct kafka.servers, kafka.security and the password",
    )
    yield Probe(
        "redis",
        lambda: asyncio.run(ask_redis(settings, seconds=seconds)),
        _check_redis,
        "start it, or correct redis.url, redis.username and the password; allow INFO",
    )
    yield namespace_probe(configuration, config, seconds=seconds)


def _check_kafka(settings: Settings, facts: "KafkaFacts") -> Iterator[Finding]:
    """Yield the findings about brokers, clock, topics and permissions."""
    brokers = "1 broker" if facts.brokers == 1 else f"{facts.brokers} brokers"
    yield Finding("kafka", "ok", f"{settings.kafka.servers} answers, {brokers}")
    yield check_kafka_clock(facts.ahead_seconds)
    chosen = settings.kafka
    for name in (chosen.input, chosen.output, chosen.dead):
        yield check_topic(settings, name, facts)
    yield from check_permissions(settings, facts.permissions)


def check_topic(settings: Settings, name: str, facts: "KafkaFacts") -> Finding:
    """Return a finding on a topic: it fails without it, warns of its first property that is wrong.

    The properties are the size of records, the cleanup policy, the retention and the replication.
    """
    if name not in facts.topics or name not in facts.settings:
        return _check_hidden_topic(name, facts)
    topic, options = facts.topics[name], facts.settings[name]
    finding = partial(Finding, f"topic {name}")
    policy = options.get("cleanup.policy", "")
    most = int(options.get("max.message.bytes") or 0)
    text = f"{topic.partitions} partitions, replication {topic.replication}, {policy}"
    change = f"kafka-configs.sh --alter --entity-type topics --entity-name {name} --add-config"
    if name != settings.kafka.input and most < settings.kafka.message_bytes:
        ours = f"kafka.message_bytes is {settings.kafka.message_bytes:,}"
        lost = "an event between the two becomes a dead letter"
        advice = "lower kafka.message_bytes, or raise the topic's max.message.bytes"
        return finding("warn", f"{text}; takes {most:,} bytes, {ours}: {lost}", advice)
    lacks = {
        settings.kafka.output: "it does not keep the state of old items",
        settings.kafka.dead: "dead letters of withdrawn items stay as long as all others",
    }
    kept = int(options.get("retention.ms") or -1) / _HOUR_MS
    window = settings.rule.window / timedelta(hours=1)
    lack = wanted = ""
    if name in lacks and "compact" not in policy:
        lack, wanted = lacks[name], "cleanup.policy=[compact,delete]"
    elif name == settings.kafka.output and "delete" in policy and 0 <= kept < window:
        lack = f"it keeps {kept:g} h of the window of {window:g} h: a rebuild restores no more"
        wanted = f"retention.ms={_EVENTS_KEPT_MS}"
    if lack:
        return finding("warn", f"{text}: {lack}", f"{change} {wanted}")
    if topic.replication < min(2, facts.brokers):
        advice = "recreate it with more replicas, or add some to it"
        return finding("warn", f"{text}: its records are lost with one broker", advice)
    if topic.replication > _PAIR_OF_REPLICAS and options.get("min.insync.replicas") == "1":
        advice = f"{change} min.insync.replicas={topic.replication - 1}"
        lost = "what only one replica has counts as written, and is lost with its broker"
        return finding("warn", f"{text}, min.insync.replicas 1: {lost}", advice)
    return finding("ok", text)


def _check_hidden_topic(name: str, facts: "KafkaFacts") -> Finding:
    """Return the finding about a topic that does not exist, or that this user may not describe.

    It is a warning if only the settings of the topic are hidden; else it fails.
    """
    finding = partial(Finding, f"topic {name}")
    if name in facts.topics:
        text = f"{facts.topics[name].partitions} partitions; this user may not read its settings"
        return finding("warn", text, "allow DescribeConfigs, to have them checked")
    if name in facts.permissions.topics:
        text = "this user cannot see it, if it exists"
        return finding("fail", text, "give the permissions below")
    return finding("fail", "does not exist", _CREATE_TOPICS)


def check_permissions(settings: Settings, permissions: "Permissions") -> Iterator[Finding]:
    """Yield findings on the topics and the group: fail if this user lacks what a worker needs."""
    if not permissions.authorizer:
        yield Finding("permissions", "ok", "Kafka has no authorizer: every user may do everything")
        return
    chosen = settings.kafka
    for name, needed in ((chosen.input, "Read"), (chosen.output, "Write"), (chosen.dead, "Write")):
        if name in permissions.topics:
            yield _check_permission(settings, "topic", name, permissions.topics[name], needed)
    if permissions.group is None:
        text = "the coordinator of the group does not answer"
        yield Finding("permissions", "warn", text, "look at Kafka's topic __consumer_offsets")
    else:
        yield _check_permission(settings, "group", chosen.group, permissions.group, "Read")


def _check_permission(
    settings: Settings, kind: str, name: str, operations: "Operations", needed: str
) -> Finding:
    """Return a finding that fails if the topic or group (`kind`) `name` does not allow `needed`."""
    check = f"permissions {kind} {name}"
    text = f"this user may {', '.join(sorted(operations)) or 'do nothing'}"
    if needed in operations:
        return Finding(check, "ok", text)
    user = settings.kafka.username or "NAME"
    advice = (
        f"kafka-acls.sh --add --allow-principal User:{user} --operation {needed} "
        f"--operation Describe --{kind} {name}"
    )
    return Finding(check, "fail", f"{text}, a worker needs {needed}", advice)


def check_kafka_clock(ahead_seconds: float | None) -> Finding:
    """Check whether the clock of Kafka's active controller and ours agree; warn from a minute on.

    Fail if ours is an hour ahead or more. `ahead_seconds` is how far Kafka's is ahead of ours, None
    (ok) if this user may not describe the cluster, and so cannot see it.
    """
    if ahead_seconds is None:
        text = "not known: only users who may describe the cluster can see it, with KRaft"
        return Finding("clock of kafka", "ok", f"{text}; keep it by NTP")
    found = compare_clocks("clock of kafka", "that of its controller", ahead_seconds)
    if ahead_seconds <= -_REFUSED_SECONDS:
        text = f"{found.message}; Kafka refuses events from so far in the future"
        return Finding(found.check, "fail", text, found.advice)
    return found


def _check_redis(facts: "RedisFacts") -> Iterator[Finding]:
    """Yield the findings about version, clock, memory and persistence."""
    if facts.major < _LEAST_REDIS:
        text = f"version {facts.version} is too old"
        yield Finding("redis", "fail", text, f"install Redis {_LEAST_REDIS}.0 or later")
    elif facts.refusal:
        text = f"version {facts.version} answers, but takes no writes: {facts.refusal}"
        advice = "let redis.url lead to the master, with as many replicas as it demands"
        yield Finding("redis", "fail", text, advice)
    else:
        yield Finding("redis", "ok", f"version {facts.version} answers")
    yield compare_clocks("clock", "that of Redis", facts.ahead_seconds)
    yield check_memory(facts.memory)
    yield check_persistence(facts)


def compare_clocks(check: str, whose: str, seconds: float) -> Finding:
    """Check a clock that is `seconds` ahead of ours (behind: negative); warn from a minute on.

    `check` is the name of the finding, `whose` begins its message, as "that of Redis".
    """
    text = f"{whose} is {abs(seconds):.1f} s {'ahead' if seconds >= 0 else 'behind'}"
    if abs(seconds) >= _CLOCK_SECONDS:
        advice = "keep both clocks by NTP: chrony, or systemd-timesyncd"
        return Finding(check, "warn", f"{text}: undated items and expiry go by clocks", advice)
    return Finding(check, "ok", text)


def check_memory(memory: "RedisMemory") -> Finding:
    """Check whether Redis has free memory, and refuses writes instead of evicting keys when full.

    Warn from 80 % of maxmemory on; fail from 98 % on, or if it evicts keys.
    """
    limit = f"{memory.limit / 2**30:.1f} GiB" if memory.limit else "no limit"
    text = f"maxmemory {limit}, maxmemory-policy {memory.policy}"
    finding = partial(Finding, "redis memory")
    if memory.evicts:
        advice = "CONFIG SET maxmemory-policy noeviction"
        return finding("fail", f"{text}: it drops verdicts when full", advice)
    if memory.limit:
        text = f"{text}, {memory.full:.0%} used"
    advice = "CONFIG SET maxmemory to more, with as much memory again for what a save copies"
    if memory.full >= _FULL:
        return finding("fail", f"{text}: it takes no more news", advice)
    if memory.full >= _NEARLY_FULL:
        return finding("warn", f"{text}: when full it takes no more news", advice)
    return finding("ok", text)


def check_persistence(facts: "RedisFacts") -> Finding:
    """Check whether Redis logs its writes (appendonly); warn if it only makes snapshots.

    Fail if its last write to its disk failed.
    """
    finding = partial(Finding, "redis persistence")
    if not facts.saves:
        text = "its last write to its disk failed: it takes no more news"
        return finding("fail", text, "look at its log; free space on its disk, or enlarge it")
    if facts.appends:
        return finding("ok", "appendonly yes")
    text = "appendonly no: all since the last snapshot is lost with the server, and judged again"
    return finding("warn", text, "CONFIG SET appendonly yes")
