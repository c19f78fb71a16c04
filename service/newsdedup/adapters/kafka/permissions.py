"""What this user may do at a Kafka, and the time there: requests that aiokafka has no call for."""

import asyncio
from collections.abc import Mapping, Sequence
from time import time
from typing import Any, Final, NamedTuple

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import (
    GroupAuthorizationFailedError,
    GroupCoordinatorNotAvailableError,
    GroupLoadInProgressError,
    for_code,
)
from aiokafka.protocol.admin import DescribeAclsRequest

from newsdedup.adapters.kafka.admin_requests import (
    GroupOperationsRequest,
    QuorumRequest,
    TopicOperationsRequest,
)

Operations = frozenset[str]

_OPERATIONS: Final = {
    3: "Read",
    4: "Write",
    5: "Create",
    6: "Delete",
    7: "Alter",
    8: "Describe",
    10: "DescribeConfigs",
    11: "AlterConfigs",
}
"""Bits of Kafka's `authorized_operations`."""
_NO_AUTHORIZER: Final = 54
_TOPIC_UNKNOWN: Final = 3
_ANY: Final = 1
_COORDINATOR_SECONDS: Final = 3.0
_PAUSE_SECONDS: Final = 0.1


class Permissions(NamedTuple):
    """What this user may do; without an authorizer that is everything."""

    authorizer: bool = False
    """Whether the brokers check permissions at all."""
    topics: Mapping[str, Operations] = {}
    """Operations by topic; a topic that does not exist is missing, if this user may know that."""
    group: Operations | None = None
    """Operations on the consumer group; None if its coordinator did not answer."""


async def read_permissions(
    admin: AIOKafkaAdminClient, topics: Sequence[str], *, group: str
) -> Permissions:
    """Return what the user of a connection may do with topics and a group; raise KafkaError."""
    answer = await _send(admin, DescribeAclsRequest(_ANY, "", _ANY, "", "", _ANY, _ANY))
    if answer.error_code == _NO_AUTHORIZER:
        return Permissions()
    return Permissions(
        authorizer=True,
        topics=await _topic_operations(admin, topics),
        group=await _group_operations(admin, group),
    )


async def read_clock(admin: AIOKafkaAdminClient) -> float | None:
    """Return how many seconds the clock of the active controller is ahead of ours.

    None if the cluster does not tell it: to a user who may not describe the cluster, or before
    KRaft. Nothing is stored: the leader of the metadata quorum says when it was last caught up,
    which is now.
    """
    asked = time()
    try:
        answer = (await _send(admin, QuorumRequest())).to_object()
    except NotImplementedError:
        return None
    received = time()
    for topic in answer["topics"]:
        for partition in topic["partitions"]:
            for voter in partition["current_voters"]:
                if voter["replica_id"] == partition["leader_id"] and not partition["error_code"]:
                    return float(voter["last_fetch_timestamp"] / 1e3 - (asked + received) / 2)
    return None


async def _topic_operations(
    admin: AIOKafkaAdminClient, names: Sequence[str]
) -> dict[str, Operations]:
    """Return the operations by topic; none for one that this user may not see."""
    answer = (await _send(admin, TopicOperationsRequest(names))).to_object()
    return {
        topic["topic"]: Operations() if topic["error_code"] else _operations(topic["operations"])
        for topic in answer["topics"]
        if topic["error_code"] != _TOPIC_UNKNOWN
    }


async def _group_operations(admin: AIOKafkaAdminClient, group: str) -> Operations | None:
    """Return the operations on a group, which need not exist yet."""
    try:
        async with asyncio.timeout(_COORDINATOR_SECONDS):
            while True:
                try:
                    node = await admin.find_coordinator(group)
                    answer = (await _send(admin, GroupOperationsRequest(group), node)).to_object()
                    (described,) = answer["groups"]
                    if described["error_code"]:
                        raise for_code(described["error_code"])
                    return _operations(described["operations"])
                except (GroupCoordinatorNotAvailableError, GroupLoadInProgressError):
                    await asyncio.sleep(_PAUSE_SECONDS)
    except GroupAuthorizationFailedError:
        return Operations()
    except TimeoutError:
        return None


async def _send(admin: AIOKafkaAdminClient, request: Any, node: int | None = None) -> Any:
    return await admin._send_request(request, node)  # noqa: SLF001  (there is no public way)


def _operations(bits: int) -> Operations:
    return Operations(name for number, name in _OPERATIONS.items() if bits >> number & 1)
