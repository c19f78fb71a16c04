"""The offsets that a consumer group has committed, asked without joining the group."""

import asyncio
from typing import Final

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import (
    GroupCoordinatorNotAvailableError,
    GroupLoadInProgressError,
    NotCoordinatorForGroupError,
    for_code,
)
from aiokafka.protocol.commit import OffsetFetchRequest

from newsdedup.adapters.kafka.records import position_name

_PAUSE_SECONDS: Final = 0.1
_NOT_YET: Final = (
    GroupCoordinatorNotAvailableError,
    GroupLoadInProgressError,
    NotCoordinatorForGroupError,
)
"""Errors of a broker that has just started, or takes the group over from another one."""


async def read_committed(admin: AIOKafkaAdminClient, group: str, topic: str) -> dict[str, int]:
    """Return the committed offsets of a group by `position_name`, of partitions that have one.

    While the group's coordinator is not there yet, ask again, without limit of time: bound it by a
    timeout. Raise KafkaError for other answers, as where this user may not describe the group.
    """
    while True:
        try:
            return await _read_once(admin, group, topic)
        except _NOT_YET:
            await asyncio.sleep(_PAUSE_SECONDS)


async def _read_once(admin: AIOKafkaAdminClient, group: str, topic: str) -> dict[str, int]:
    """Return the committed offsets after one attempt; raise KafkaError if it is refused."""
    # aiokafka's own call does not look at the error of the whole answer, and returns no offsets.
    node = await admin.find_coordinator(group)
    answer = await admin._send_request(OffsetFetchRequest(group, None), node)  # noqa: SLF001
    if answer.error_code:
        raise for_code(answer.error_code)
    offsets: dict[str, int] = {}
    for name, partitions in answer.topics:
        for partition, offset, _, code in partitions:
            if code:
                raise for_code(code)
            if name == topic and offset >= 0:
                offsets[position_name(name, partition)] = offset
    return offsets
