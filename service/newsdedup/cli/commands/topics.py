import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.options import Config, Json, Kafka, parse_duration
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import print_json

if TYPE_CHECKING:
    from newsdedup.adapters.kafka.admin import TopicAdmin, TopicDescription, TopicSpec
    from newsdedup.config import Settings

EXAMPLES = examples("newsdedup topics create")
CREATE_EXAMPLES = examples(
    "newsdedup topics create",
    "newsdedup topics create --partitions 12 --replication 3 --keep 60d",
    "newsdedup topics create --kafka broker:9092 --json",
)
POLICY = "cleanup.policy"
COPIES = 3
"""Replicas of a topic, if there are so many brokers."""


Partitions = Annotated[
    int, typer.Option("--partitions", metavar="N", min=1, help="Of input and output, if new.")
]
Replication = Annotated[
    int | None,
    typer.Option(
        "--replication",
        metavar="N",
        min=1,
        help="Replicas of each topic, if new. [default: 3, or as many as there are brokers]",
        show_default=False,
    ),
]
Keep = Annotated[
    str, typer.Option("--keep", metavar="DURATION", help="How long events and letters are kept.")
]


topics = typer.Typer(
    help="The topics of a stream: items in, events out, dead letters.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@topics.command("create", epilog=CREATE_EXAMPLES)
def create(
    *,
    partitions: Partitions = 4,
    replication: Replication = None,
    keep: Keep = "30d",
    kafka: Kafka = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Make the topics that are not there, with the settings that suit them.

    What is there stays as it is; where it has other partitions than asked for, or is cleaned in
    another way, that is said. The names are kafka.input, kafka.output and kafka.dead of the
    settings.
    """
    settings = load_configuration(config, flags={"kafka.servers": kafka}).settings
    told = asyncio.run(
        made(settings, partitions=partitions, replication=replication, keep=parse_duration(keep))
    )
    if json:
        print_json({"topics": told})
        return
    for one in told:
        print(in_words(one))


async def made(
    settings: "Settings", *, partitions: int, replication: int | None, keep: timedelta
) -> list[dict[str, object]]:
    """Make what is missing; return what became of each topic."""
    from newsdedup.adapters.kafka.admin import topic_admin
    from newsdedup.bootstrap import service
    from newsdedup.bootstrap.stream_topics import stream_topics

    async with topic_admin(service.kafka_access(settings)) as there:
        copies = replication or min(COPIES, await there.brokers())
        wanted = stream_topics(settings, partitions=partitions, replication=copies, keep=keep)
        found = await there.describe([one.name for one in wanted])
        policies = {name: await _policy_of(name, there) for name in found}
        missing = [one for one in wanted if one.name not in found]
        new = await there.create(missing) if missing else []
    return [_told(one, found, new) | _policy(one, policies) for one in wanted]


def _told(
    one: "TopicSpec", found: "Mapping[str, TopicDescription]", new: Sequence[str]
) -> dict[str, object]:
    there = found.get(one.name)
    return {
        "topic": one.name,
        "created": one.name in new,
        "partitions": one.partitions if there is None else there.partitions,
        "replication": one.replication if there is None else there.replication,
        "asked_for": {"partitions": one.partitions, "replication": one.replication},
    }


async def _policy_of(name: str, there: "TopicAdmin") -> str:
    """Return how a topic is cleaned, nothing if that is not told to this user."""
    from newsdedup.ports.errors import SinkUnusable

    try:
        return (await there.settings(name)).get(POLICY, "")
    except SinkUnusable:
        return ""


def _policy(one: "TopicSpec", policies: Mapping[str, str]) -> dict[str, object]:
    """Return by which policy a topic is cleaned that should be cleaned by another."""
    asked, there = one.settings.get(POLICY, ""), policies.get(one.name, "")
    if not asked or not there or set(asked.split(",")) == set(there.split(",")):
        return {}
    return {"other_cleanup_policy": there}


def in_words(told: Mapping[str, object]) -> str:
    """Return what became of a topic, in a line."""
    count = "1 partition" if told["partitions"] == 1 else f"{told['partitions']} partitions"
    size = f"{count}, replication {told['replication']}"
    if told["created"]:
        return f"{told['topic']}: created with {size}"
    line = f"{told['topic']}: is there with {size}"
    asked = told["asked_for"]
    if asked != {"partitions": told["partitions"], "replication": told["replication"]}:
        line += "; other than asked for, and left as it is"
    if other := told.get("other_cleanup_policy"):
        line += (
            f"; {POLICY} is {other}, and left: `newsdedup doctor --worker` tells how to change it"
        )
    return line
