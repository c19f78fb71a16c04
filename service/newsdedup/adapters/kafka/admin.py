"""Administration of a cluster: its topics, offsets of a group, permissions of this user, the clock.

aiokafka has no call for some of it; admin_requests.py has those requests.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from time import time
from typing import Any, Final, NamedTuple

from aiokafka import errors
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.protocol.admin import DescribeAclsRequest
from aiokafka.protocol.commit import OffsetFetchRequest
from aiokafka.protocol.offset import OffsetRequest

from newsdedup.adapters.kafka.admin_requests import (
    group_operations_request,
    quorum_request,
    topics_request,
)
from newsdedup.adapters.kafka.client import (
    KafkaAccess,
    ends_in_time,
    kafka_unavailable,
    missing_topics,
)
from newsdedup.adapters.kafka.records import position_name
from newsdedup.ports.errors import NewsdedupError, SinkUnusable

Operations = frozenset[str]

_TOPIC_EXISTS: Final = 36
_TOPIC_UNKNOWN: Final = 3
_NO_AUTHORIZER: Final = 54
_VISIBLE_SECONDS: Final = 10.0
"""How long new topics may stay invisible; to a user without permission to see them, for ever."""
_CHECK_SECONDS: Final = 0.05
_OPERATIONS: Final = {
    **dict(enumerate(("Read", "Write", "Create", "Delete", "Alter", "Describe"), start=3)),
    10: "DescribeConfigs",
    11: "AlterConfigs",
}
"""Bits of Kafka's `authorized_operations`."""
_ANY: Final = 1
_EARLIEST: Final = -2
"""Stands for a time in a request: the first offset that a partition still has."""
_COORDINATOR_SECONDS: Final = 3.0
_PAUSE_SECONDS: Final = 0.1
_NO_COORDINATOR: Final = (errors.GroupCoordinatorNotAvailableError, errors.GroupLoadInProgressError)
"""Errors of a broker that has just started, or takes the group over from another one."""


class TopicDescription(NamedTuple):
    """An existing topic."""

    partitions: int
    replication: int


class TopicSpec(NamedTuple):
    """A topic to create; settings have their names in Kafka, such as `cleanup.policy`."""

    name: str
    partitions: int
    replication: int
    settings: Mapping[str, str]


class Permissions(NamedTuple):
    """What this user may do; without an authorizer that is everything."""

    authorizer: bool = False
    """Whether the brokers check permissions at all."""
    topics: Mapping[str, Operations] = {}
    """Operations by topic; a topic that does not exist is missing, if this user may know that."""
    group: Operations | None = None
    """Operations on the consumer group; None if its coordinator did not answer."""


class TopicAdmin:
    """The administration of a cluster."""

    def __init__(self, admin: AIOKafkaAdminClient) -> None:
        self._admin = admin

    async def brokers(self) -> int:
        """Return how many brokers the cluster has; raise KafkaError without an answer."""
        return len((await self._admin.describe_cluster())["brokers"])

    async def describe(self, names: Sequence[str]) -> dict[str, TopicDescription]:
        """Return by name those of these topics that exist; raise KafkaError without an answer."""
        # A broker with auto.create.topics.enable creates a topic that is described by name.
        existing = set(await self._admin.list_topics()).intersection(names)
        if not existing:
            return {}
        return {
            topic["topic"]: TopicDescription(
                len(topic["partitions"]),
                min((len(one["replicas"]) for one in topic["partitions"]), default=0),
            )
            for topic in await self._admin.describe_topics(sorted(existing))
            if topic["error_code"] == 0
        }

    async def identity(self, name: str) -> str:
        """Return the id of a topic, another one if it is made anew; "" if that is not known."""
        for topic in await self._topics([name]):
            halves = topic["id_first_half"], topic["id_second_half"]
            if any(halves):
                return "".join(f"{half % 2**64:016x}" for half in halves)
        return ""

    async def settings(self, name: str) -> dict[str, str]:
        """Return the settings of a topic, defaults included; raise SinkUnusable if refused."""
        resource = ConfigResource(ConfigResourceType.TOPIC, name)
        (answer,) = await self._admin.describe_configs([resource])
        ((code, message, _, _, entries),) = answer.resources
        if code:
            raise SinkUnusable(f"kafka: topic {name}: {errors.for_code(code).__name__}: {message}")
        return {entry[0]: entry[1] or "" for entry in entries}

    async def create(self, specs: Sequence[TopicSpec]) -> list[str]:
        """Create topics; return the names of the new ones, without those that existed already.

        Raise SinkUnusable if the cluster refuses one. The new topics are visible to later calls.
        """
        topics = [
            NewTopic(one.name, one.partitions, one.replication, topic_configs=dict(one.settings))
            for one in specs
        ]
        answer: Any = await self._admin.create_topics(topics)
        created = []
        for name, code, *message in answer.topic_errors:
            if code not in (0, _TOPIC_EXISTS):
                reason = ": ".join([errors.for_code(code).__name__, *filter(None, message)])
                raise SinkUnusable(f"kafka: topic {name} cannot be made: {reason}")
            if code == 0:
                created.append(name)
        with suppress(TimeoutError):
            async with asyncio.timeout(_VISIBLE_SECONDS):
                # The controller answers before every broker knows of the new topics.
                while True:
                    if len(await self.describe(created)) == len(created):
                        break
                    await asyncio.sleep(_CHECK_SECONDS)
        return created

    async def committed(self, group: str, topic: str) -> dict[str, int]:
        """Return the committed offsets of a group by `position_name`, of partitions that have one.

        While the group's coordinator is not there yet, ask again, without limit of time: bound it
        by a timeout. Raise KafkaError for other answers, as where this user may not describe the
        group.
        """
        while True:
            try:
                return await self._read_committed(group, topic)
            except (*_NO_COORDINATOR, errors.NotCoordinatorForGroupError):
                await asyncio.sleep(_PAUSE_SECONDS)

    async def first_offsets(self, topic: str) -> dict[str, int]:
        """Return by `position_name` the first offset that each partition of a topic still has.

        Those without a leader, or that do not tell it, are left out. Raise KafkaError if refused.
        """
        wanted: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        # Not described by name: see `describe`.
        existing = {topic}.intersection(await self._admin.list_topics())
        for described in await self._admin.describe_topics(sorted(existing)) if existing else ():
            for one in described["partitions"]:
                if one["leader"] >= 0:
                    wanted[one["leader"]].append((one["partition"], _EARLIEST))
        first: dict[str, int] = {}
        for leader, partitions in wanted.items():
            answer: Any = await self._send(OffsetRequest(-1, 0, [(topic, partitions)]), leader)
            ((_, found),) = answer.topics
            first |= {position_name(topic, one[0]): one[3] for one in found if not one[1]}
        return first

    async def permissions(self, names: Sequence[str], *, group: str) -> Permissions:
        """Return what this user may do with topics and a group; raise KafkaError without an answer.

        Topics that do not exist are left out; one that this user may not see allows no operation.
        """
        answer = await self._send(DescribeAclsRequest(_ANY, "", _ANY, "", "", _ANY, _ANY))
        if answer.error_code == _NO_AUTHORIZER:
            return Permissions()
        return Permissions(
            authorizer=True,
            topics={
                # There are none on a topic that this user may not see.
                one["topic"]: Operations() if one["error_code"] else _operations(one["operations"])
                for one in await self._topics(names)
                if one["error_code"] != _TOPIC_UNKNOWN
            },
            group=await self._group_operations(group),
        )

    async def ahead_seconds(self) -> float | None:
        """Return how many seconds the clock of the active controller is ahead of ours.

        None if the cluster does not report it: to a user who may not describe the cluster, or
        before KRaft. Nothing is stored: the leader of the metadata quorum says when it was last
        caught up, which is now.
        """
        before = time()
        try:
            answer = (await self._send(quorum_request())).to_object()
        except NotImplementedError:
            return None
        received = time()
        for topic in answer["topics"]:
            for partition in topic["partitions"]:
                for voter in partition["current_voters"]:
                    is_leader = voter["replica_id"] == partition["leader_id"]
                    if is_leader and not partition["error_code"]:
                        return float(voter["last_fetch_timestamp"] / 1e3 - (before + received) / 2)
        return None

    async def _read_committed(self, group: str, topic: str) -> dict[str, int]:
        """Return a group's committed offsets in a topic by `position_name`; raise KafkaError."""
        # aiokafka's own call ignores the error of the whole answer, and returns no offsets.
        node = await self._admin.find_coordinator(group)
        answer = await self._send(OffsetFetchRequest(group, None), node)
        if answer.error_code:
            raise errors.for_code(answer.error_code)
        offsets: dict[str, int] = {}
        for name, partitions in answer.topics:
            for partition, offset, _, code in partitions:
                if code:
                    raise errors.for_code(code)
                if name == topic and offset >= 0:
                    offsets[position_name(name, partition)] = offset
        return offsets

    async def _topics(self, names: Sequence[str]) -> Any:
        """Return ids and operations of topics; none from a broker that is too old to tell them."""
        try:
            return (await self._send(topics_request(names))).to_object()["topics"]
        except NotImplementedError:
            return []

    async def _group_operations(self, group: str) -> Operations | None:
        """Return the operations on a group, which need not exist yet; None without an answer."""
        try:
            async with asyncio.timeout(_COORDINATOR_SECONDS):
                while True:
                    try:
                        node = await self._admin.find_coordinator(group)
                        answer = await self._send(group_operations_request(group), node)
                        (described,) = answer.to_object()["groups"]
                        if described["error_code"]:
                            raise errors.for_code(described["error_code"])
                        return _operations(described["operations"])
                    except _NO_COORDINATOR:
                        await asyncio.sleep(_PAUSE_SECONDS)
        except errors.GroupAuthorizationFailedError:
            return Operations()
        except TimeoutError:
            return None

    async def _send(self, request: Any, node: int | None = None) -> Any:
        """Send a request to a node, None for any; return the answer, or raise KafkaError."""
        return await self._admin._send_request(request, node)  # noqa: SLF001 - there is no public way


def _operations(bits: int) -> Operations:
    """Return the operations whose bits are set in Kafka's bit field."""
    return Operations(name for number, name in _OPERATIONS.items() if bits >> number & 1)


@asynccontextmanager
async def topic_admin(access: KafkaAccess) -> AsyncIterator[TopicAdmin]:
    """Connect to a cluster for administration; raise Unavailable if it does not answer."""
    admin = AIOKafkaAdminClient(**access.options())
    try:
        await admin.start()
        yield TopicAdmin(admin)
    except (errors.KafkaError, OSError) as error:
        raise kafka_unavailable(error) from error
    finally:
        await ends_in_time(admin.close())


async def require_topic(
    access: KafkaAccess, name: str, *, missing: type[NewsdedupError] = SinkUnusable
) -> None:
    """Raise the error `missing` if there is no such topic, Unavailable without an answer.

    A producer would wait for the topic in vain, or create it with the settings of the broker.
    """
    async with topic_admin(access) as admin:
        if name not in await admin.describe([name]):
            raise missing(missing_topics(name))
