"""Whether Kafka and Redis are there, and are what a worker needs."""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from newsdedup.cli.checks.installation import Finding
from newsdedup.config import Settings

if TYPE_CHECKING:
    from newsdedup.adapters.redis.inspection import RedisFacts
    from newsdedup.bootstrap.servers import KafkaFacts

LEAST_REDIS = 7
"""Functions came with Redis 7.0."""
PAIR = 2
"""Replicas of which one may be away only if the other alone is enough."""
MAKE = "newsdedup topics create"


def check_servers(settings: Settings) -> Iterator[Finding]:
    """Yield what the servers of the settings look like."""
    from newsdedup.bootstrap.servers import ask_kafka, ask_redis, maker
    from newsdedup.ports.errors import NewsdedupError

    try:
        yield from kafka(settings, asyncio.run(ask_kafka(settings)))
    except NewsdedupError as error:
        yield Finding("kafka", "fail", str(error), "start it, or correct kafka.servers")
    try:
        yield from redis(settings, asyncio.run(ask_redis(settings)), made_by=maker(settings))
    except NewsdedupError as error:
        yield Finding("redis", "fail", str(error), "start it, or correct redis.url; allow INFO")


def kafka(settings: Settings, facts: "KafkaFacts") -> Iterator[Finding]:
    """Yield what a cluster and its topics look like."""
    brokers = "1 broker" if facts.brokers == 1 else f"{facts.brokers} brokers"
    yield Finding("kafka", "ok", f"{settings.kafka.servers} answers, {brokers}")
    chosen = settings.kafka
    for name in (chosen.input, chosen.output, chosen.dead):
        yield topic(settings, name, facts)


def topic(settings: Settings, name: str, facts: "KafkaFacts") -> Finding:
    """Find out whether a topic is there and takes what will be written to it."""
    check = f"topic {name}"
    if name not in facts.topics:
        return Finding(check, "fail", "is not there", MAKE)
    found, told = facts.topics[name], facts.settings[name]
    policy = told.get("cleanup.policy", "")
    most = int(told.get("max.message.bytes") or 0)
    said = f"{found.partitions} partitions, replication {found.replication}, {policy}"
    change = f"kafka-configs.sh --alter --entity-type topics --entity-name {name} --add-config"
    if name != settings.kafka.input and most < settings.kafka.message_bytes:
        return Finding(
            check,
            "warn",
            f"{said}; takes {most:,} bytes, kafka.message_bytes is "
            f"{settings.kafka.message_bytes:,}: an event between the two becomes a dead letter",
            "lower kafka.message_bytes, or raise the topic's max.message.bytes",
        )
    lacks = {
        settings.kafka.output: "it does not keep the state of old items",
        settings.kafka.dead: "letters of withdrawn items stay as long as all others",
    }
    if name in lacks and "compact" not in policy:
        advice = f"{change} cleanup.policy=[compact,delete]"
        return Finding(check, "warn", f"{said}: {lacks[name]}", advice)
    if found.replication < min(2, facts.brokers):
        advice = "make it anew with more replicas, or add some to it"
        return Finding(check, "warn", f"{said}: what is in it dies with one broker", advice)
    if found.replication > PAIR and told.get("min.insync.replicas") == "1":
        advice = f"{change} min.insync.replicas={found.replication - 1}"
        lost = "what one replica alone holds is taken for written, and dies with its broker"
        return Finding(check, "warn", f"{said}, min.insync.replicas 1: {lost}", advice)
    return Finding(check, "ok", said)


def redis(settings: Settings, facts: "RedisFacts", *, made_by: str) -> Iterator[Finding]:
    """Yield what a server and the namespace in it look like."""
    if facts.major < LEAST_REDIS:
        told = f"version {facts.version} is too old"
        yield Finding("redis", "fail", told, f"install Redis {LEAST_REDIS}.0 or later")
    else:
        yield Finding("redis", "ok", f"version {facts.version} answers")
    yield memory(facts)
    yield persistence(facts)
    yield namespace(settings.redis.namespace, facts, made_by=made_by)


def memory(facts: "RedisFacts") -> Finding:
    """Find out whether a full server refuses writes, as it must, or forgets what we know."""
    limit = f"{facts.memory_limit / 2**30:.1f} GiB" if facts.memory_limit else "no limit"
    said = f"maxmemory {limit}, maxmemory-policy {facts.policy}"
    if facts.policy != "noeviction":
        advice = "CONFIG SET maxmemory-policy noeviction"
        return Finding("redis memory", "fail", f"{said}: it drops verdicts when full", advice)
    return Finding("redis memory", "ok", said)


def persistence(facts: "RedisFacts") -> Finding:
    """Find out how much is lost when the server dies."""
    if facts.appends:
        return Finding("redis persistence", "ok", "appendonly yes")
    return Finding(
        "redis persistence",
        "warn",
        "appendonly no: all since the last snapshot is lost with the server, and judged again",
        "CONFIG SET appendonly yes",
    )


def namespace(name: str, facts: "RedisFacts", *, made_by: str) -> Finding:
    """Find out whether these settings may go on with a namespace."""
    check = f"namespace {name}"
    if not facts.made_by:
        return Finding(check, "ok", "is not there yet; the first worker makes it")
    if facts.made_by != made_by:
        return Finding(
            check,
            "fail",
            f"was made with other settings:\nthen: {facts.made_by}\nnow:  {made_by}",
            "choose another redis.namespace, or the settings of then",
        )
    return Finding(check, "ok", "was made with these settings")
