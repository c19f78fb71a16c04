"""Administration of topics: describe them, read their settings, create them."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, NamedTuple

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import KafkaError, for_code

from newsdedup.adapters.kafka.client import KafkaAccess, kafka_unavailable
from newsdedup.adapters.kafka.group_offsets import read_committed
from newsdedup.adapters.kafka.permissions import Permissions, read_clock, read_permissions
from newsdedup.ports.errors import SinkUnusable

_TOPIC_EXISTS: Final = 36
_VISIBLE_SECONDS: Final = 10.0
"""How long new topics may stay invisible; to a user without permission to see them, for ever."""
_CHECK_SECONDS: Final = 0.05


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


class TopicAdmin:
    """The topics of a cluster."""

    def __init__(self, admin: AIOKafkaAdminClient) -> None:
        self._admin = admin

    async def brokers(self) -> int:
        """Return how many brokers the cluster has."""
        return len((await self._admin.describe_cluster())["brokers"])

    async def describe(self, names: Sequence[str]) -> dict[str, TopicDescription]:
        """Return partitions and least replication by name, of the topics that exist among these."""
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

    async def settings(self, name: str) -> dict[str, str]:
        """Return the settings of a topic, defaults included; raise SinkUnusable if refused."""
        resource = ConfigResource(ConfigResourceType.TOPIC, name)
        (answer,) = await self._admin.describe_configs([resource])
        ((code, message, _, _, entries),) = answer.resources
        if code:
            raise SinkUnusable(f"kafka: topic {name}: {for_code(code).__name__}: {message}")
        return {entry[0]: entry[1] or "" for entry in entries}

    async def permissions(self, names: Sequence[str], *, group: str) -> Permissions:
        """Return what this user may do with topics and a consumer group."""
        return await read_permissions(self._admin, names, group=group)

    async def committed(self, group: str, topic: str) -> dict[str, int]:
        """Return what a group has committed of a topic, by `position_name`; bound the time of it.

        Raise KafkaError if this user may not describe the group.
        """
        return await read_committed(self._admin, group, topic)

    async def ahead_seconds(self) -> float | None:
        """Return how far the clock of Kafka is ahead of ours; None if Kafka does not tell it."""
        return await read_clock(self._admin)

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
                reason = ": ".join([for_code(code).__name__, *filter(None, message)])
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


@asynccontextmanager
async def topic_admin(access: KafkaAccess) -> AsyncIterator[TopicAdmin]:
    """Connect to a cluster for administration; raise Unavailable if it does not answer."""
    admin = AIOKafkaAdminClient(**access.options())
    try:
        await admin.start()
        yield TopicAdmin(admin)
    except (KafkaError, OSError) as error:
        raise kafka_unavailable(error) from error
    finally:
        await admin.close()
