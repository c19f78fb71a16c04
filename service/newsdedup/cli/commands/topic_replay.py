"""Dead letters of a topic, fed again."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from newsdedup.adapters.kafka.dead_letters import read_tombstones
from newsdedup.adapters.kafka.publisher import KafkaPublisher
from newsdedup.adapters.kafka.reader import open_topic
from newsdedup.cli.errors import say
from newsdedup.cli.shown.output import print_json, stderr_console
from newsdedup.runners.worker.feed import replay_letters

if TYPE_CHECKING:
    from newsdedup.config import Settings

SUFFIX = "-replay"
"""Added to the group of the workers: what keeps how far the letters were fed again."""


async def replay(settings: "Settings", name: str, *, to: str, json: bool, quiet: bool) -> None:
    """Write the records of letters to the topic they came from, and say what came of that."""
    from newsdedup.bootstrap import service

    chosen = settings.kafka
    name = name or chosen.dead
    access = service.kafka_access(settings)
    publisher = KafkaPublisher(access, message_bytes=chosen.message_bytes)
    counts: Counter[str] = Counter()
    try:
        async with open_topic(access, name, group=chosen.group + SUFFIX) as rest:
            erased = await read_tombstones(access, name)
            async for came, left in replay_letters(
                rest, publisher.publish, to=to, tombstones=erased
            ):
                counts.update(came)
                for one in left:
                    say(f"{one.number}: not whole in its letter; it came from {one.input}@{one.at}")
    finally:
        await publisher.close()
    told = {"topic": name, "to": to, **{kind: counts[kind] for kind in KINDS}}
    if json:
        print_json(told)
    elif not quiet:
        stderr_console().print(in_words(told))


KINDS = ("replayed", "cut", "refused")


def in_words(told: Mapping[str, object]) -> str:
    """Return what came of the letters, in a line."""
    line = f"{told['replayed']:,} letters of {told['topic']} fed again to {told['to']}"
    extras = [
        f"{told[kind]:,} {words}"
        for kind, words in (("cut", "not whole"), ("refused", "larger than Kafka takes"))
        if told[kind]
    ]
    return line + "".join(f", {extra}" for extra in extras)
