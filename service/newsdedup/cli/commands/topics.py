"""Create the topics of a stream: items in, events out, dead letters."""

import asyncio
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import Config, Json, Kafka, option, parse_duration
from newsdedup.cli.output import counted, print_json
from newsdedup.cli.registry import command
from newsdedup.config import Settings

if TYPE_CHECKING:
    from newsdedup.adapters.kafka.admin import TopicSpec

_POLICY = "cleanup.policy"
_BROKER_BYTES = 1_048_588
"""What a broker accepts by default; a topic that accepts less would refuse what others send."""
_OVERHEAD = 1_024
_ERASED_WITHIN = timedelta(days=1)
"""How long what was replaced or withdrawn may wait for compaction; by default that has no end."""
_MILLISECOND = timedelta(milliseconds=1)
_COPIES = 3
"""Replicas of a topic, if there are so many brokers."""

_Partitions = Annotated[
    int, typer.Option("--partitions", metavar="N", min=1, help="Of input and output, if new.")
]
_Replication = Annotated[
    int | None,
    option("--replication", "N", "Replicas of a new topic. [default: 3, or all brokers]", min=1),
]
_Keep = Annotated[
    str,
    typer.Option("--keep", metavar="DURATION", help="How long events and dead letters are kept."),
]


@command(
    "newsdedup topics create",
    "newsdedup topics create --partitions 12 --replication 3 --keep 60d",
    "newsdedup topics create --kafka broker:9092 --json",
    name="create",
)
def create_topics(
    *,
    partitions: _Partitions = 4,
    replication: _Replication = None,
    keep: _Keep = "30d",
    kafka: Kafka = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Create the topics that do not exist, with the settings that suit them.

    An existing topic is not changed, but reported if it has another number of partitions or another
    cleanup policy than asked for. The names are the settings kafka.input, kafka.output and
    kafka.dead.
    """
    settings = load_settings(config, {"kafka.servers": kafka})
    topics = asyncio.run(_create(settings, partitions, replication, keep=parse_duration(keep)))
    if json:
        print_json({"topics": topics})
        return
    for topic in topics:
        size = {"partitions": topic["partitions"], "replication": topic["replication"]}
        words = f"{counted(size['partitions'], 'partition')}, replication {size['replication']}"
        line = f"{topic['topic']}: {'created' if topic['created'] else 'exists'} with {words}"
        if not topic["created"] and topic["asked_for"] != size:
            line += "; other than asked for, and not changed"
        if not topic["created"] and (other := topic.get("other_cleanup_policy")):
            line += f"; {_POLICY} is {other}, not changed: see `newsdedup doctor --worker`"
        print(line)


async def _create(
    settings: Settings, partitions: int, replication: int | None, *, keep: timedelta
) -> list[dict[str, Any]]:
    """Create the missing topics; return for each topic its fields for JSON.

    A `replication` of None is that of the brokers, three at most. `other_cleanup_policy` is there
    only if the topic has another policy than asked for. Raise Unavailable if the cluster does not
    answer, SinkUnusable if it refuses a topic.
    """
    from newsdedup.adapters.kafka.admin import topic_admin
    from newsdedup.bootstrap.workers import kafka_access
    from newsdedup.ports.errors import SinkUnusable

    async with topic_admin(kafka_access(settings)) as cluster:
        copies = replication or min(_COPIES, await cluster.brokers())
        wanted = stream_topics(settings, partitions=partitions, replication=copies, keep=keep)
        existing = await cluster.describe([one.name for one in wanted])
        policies: dict[str, str] = {}
        for name in existing:
            with suppress(SinkUnusable):  # this user may not read its settings
                policies[name] = (await cluster.settings(name)).get(_POLICY, "")
        missing = [one for one in wanted if one.name not in existing]
        created = await cluster.create(missing) if missing else []
    states: list[dict[str, Any]] = []
    for one in wanted:
        there = existing.get(one.name, one)
        size, asked_size = (
            {"partitions": each.partitions, "replication": each.replication}
            for each in (there, one)
        )
        made = one.name in created
        states.append({"topic": one.name, "created": made, **size, "asked_for": asked_size})
        asked, policy = one.settings.get(_POLICY, ""), policies.get(one.name, "")
        if asked and policy and set(asked.split(",")) != set(policy.split(",")):
            states[-1]["other_cleanup_policy"] = policy
    return states


def stream_topics(
    settings: Settings, *, partitions: int, replication: int, keep: timedelta
) -> "list[TopicSpec]":
    """Return the topics of input, output and dead letters, with their settings.

    Output and dead letters are compacted, so that the newest record of an item stays and a
    tombstone erases its dead letters; both are deleted after `keep`. The broker decides how long
    the input is kept. Writes are acknowledged once all replicas but one have them, so that one
    broker may be away.
    """
    from newsdedup.adapters.kafka.admin import TopicSpec

    chosen = settings.kafka
    largest = str(max(_BROKER_BYTES, chosen.message_bytes + _OVERHEAD))
    taken = {"max.message.bytes": largest, "min.insync.replicas": str(max(1, replication - 1))}
    kept = {
        **taken,
        "cleanup.policy": "compact,delete",
        "max.compaction.lag.ms": str(_ERASED_WITHIN // _MILLISECOND),
        "retention.ms": str(keep // _MILLISECOND),
    }
    return [
        TopicSpec(chosen.input, partitions, replication, taken),
        TopicSpec(chosen.output, partitions, replication, kept),
        TopicSpec(chosen.dead, 1, replication, kept),
    ]
