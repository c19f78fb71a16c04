"""Topics as an administrator sees them: which there are, how they are set, and new ones."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, NamedTuple

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import KafkaError, for_code

from newsdedup.adapters.kafka.client import KafkaAccess, kafka_unavailable
from newsdedup.ports.errors import SinkUnusable

_TOPIC_EXISTS: Final = 36
UNKNOWN: Final = 3
_VISIBLE_SECONDS: Final = 10.0
"""How long a broker may take to learn of new topics; a user who may not see them waits in vain."""
_CHECK_SECONDS: Final = 0.05


class TopicDescription(NamedTuple):
    """A topic that is there."""

    partitions: int
    replication: int


class TopicSpec(NamedTuple):
    """A topic to be made; settings by the names of Kafka."""

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
        """Return those of some topics that are there."""
        # A broker may make a topic of which it is asked by name, with its own defaults.
        there = set(await self._admin.list_topics()).intersection(names)
        if not there:
            return {}
        return {
            one["topic"]: TopicDescription(
                len(one["partitions"]),
                min((len(place["replicas"]) for place in one["partitions"]), default=0),
            )
            for one in await self._admin.describe_topics(sorted(there))
            if one["error_code"] == 0
        }

    async def settings(self, name: str) -> dict[str, str]:
        """Return how a topic is set, defaults included."""
        wanted = ConfigResource(ConfigResourceType.TOPIC, name)
        (answer,) = await self._admin.describe_configs([wanted])
        ((code, message, _, _, entries),) = answer.resources
        if code:
            raise SinkUnusable(f"kafka: topic {name}: {for_code(code).__name__}: {message}")
        return {entry[0]: entry[1] or "" for entry in entries}

    async def create(self, wanted: Sequence[TopicSpec]) -> list[str]:
        """Make topics and return which are new; one that is there meanwhile is none of these.

        Whoever asks for the new ones after that finds them.
        """
        made = [
            NewTopic(one.name, one.partitions, one.replication, topic_configs=dict(one.settings))
            for one in wanted
        ]
        answer: Any = await self._admin.create_topics(made)
        new = []
        for name, code, *message in answer.topic_errors:
            if code not in (0, _TOPIC_EXISTS):
                told = ": ".join([for_code(code).__name__, *filter(None, message)])
                raise SinkUnusable(f"kafka: topic {name} cannot be made: {told}")
            if code == 0:
                new.append(name)
        await self._wait_until_visible(new)
        return new

    async def _wait_until_visible(self, names: Sequence[str]) -> None:
        """Return when the broker knows topics: the controller says that they are made before."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_VISIBLE_SECONDS):
                while True:
                    if len(await self.describe(names)) == len(names):
                        return
                    await asyncio.sleep(_CHECK_SECONDS)


@asynccontextmanager
async def topic_admin(access: KafkaAccess) -> AsyncIterator[TopicAdmin]:
    """Have the topics of a cluster; raise Unavailable if it does not answer."""
    admin = AIOKafkaAdminClient(**access.options())
    try:
        await admin.start()
        yield TopicAdmin(admin)
    except (KafkaError, OSError) as error:
        raise kafka_unavailable(error) from error
    finally:
        await admin.close()
