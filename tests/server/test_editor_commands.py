"""What editors say, sent to workers by the input topic."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from newsdedup import ItemKey
from newsdedup.ports.errors import Unavailable
from newsdedup.server.editor_commands import EditorCommands, Feedback

SPLIT = Feedback("not_duplicate", ItemKey("copy.example", "r2"), ItemKey("tula.example", "r1"))


class TrustingPool:
    """A pool of an archive that holds every item."""

    async def run(self, _: Callable[[Any], Any]) -> list[str]:
        return ["the one item", "the other"]


class Topic:
    """A topic in memory; the producer of a broken one never works again."""

    def __init__(self, *, broken: bool) -> None:
        self.broken = broken
        self.closed = False
        self.records: list[bytes] = []

    async def write(self, records: Sequence[bytes]) -> list[int]:
        if self.broken:
            raise Unavailable("kafka: away")
        self.records += records
        return []

    async def close(self) -> None:
        self.closed = True


def test_after_a_failure_of_its_topic_a_command_is_sent_by_a_new_one() -> None:
    topics = [Topic(broken=True), Topic(broken=False)]
    opened = iter(topics)

    async def open_topic() -> Topic:
        return next(opened)

    async def give_feedback() -> list[str]:
        commands = EditorCommands(TrustingPool(), open_topic=open_topic)
        with pytest.raises(Unavailable):
            await commands.carry_out(SPLIT)
        assert topics[0].closed
        return [(await commands.carry_out(SPLIT)).outcome for _ in range(2)]

    assert asyncio.run(give_feedback()) == ["sent", "sent"]
    assert len(topics[1].records) == 2
