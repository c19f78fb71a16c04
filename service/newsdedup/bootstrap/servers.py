"""What Kafka and Redis report of themselves, for `newsdedup doctor`."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from types import MappingProxyType
from typing import NamedTuple

from newsdedup.adapters.kafka.admin import Permissions, TopicDescription, topic_admin
from newsdedup.adapters.redis.inspection import RedisFacts, inspect_redis
from newsdedup.adapters.redis.namespace import LateItems, late_counts, stored_positions
from newsdedup.bootstrap.workers import kafka_access, open_redis
from newsdedup.config import Settings
from newsdedup.ports.errors import SinkUnusable, Unavailable


class KafkaFacts(NamedTuple):
    """The brokers of a cluster, and the topics of a stream with their settings."""

    brokers: int
    topics: Mapping[str, TopicDescription]
    settings: Mapping[str, Mapping[str, str]]
    """By topic; one whose settings this user may not read is missing."""
    permissions: Permissions = Permissions()
    ahead_seconds: float | None = None
    """How far the clock of Kafka is ahead of ours; None if Kafka does not tell it."""


class NamespaceFacts(NamedTuple):
    """A namespace in Redis, and what the consumer group of its workers has committed."""

    made_by: str
    """The settings with which the namespace was created; empty if there is none."""
    format: str
    """The format of the namespace, as its number; empty if there is none."""
    stored: Mapping[str, int]
    """The offsets stored with the state, by partition name."""
    committed: Mapping[str, int] | None
    """The offsets that the group has committed, by partition name; None if that is not known."""
    unknown: str = ""
    """Why it is not known."""
    late: Mapping[LateItems, int] = MappingProxyType({})
    """Counts of the items that came too late; none once none has come for a week."""
    first: Mapping[str, int] = MappingProxyType({})
    """The first offsets that the input still has, by partition name, if anything is committed."""


@asynccontextmanager
async def _within(server: str, seconds: float) -> AsyncIterator[None]:
    """Raise Unavailable, naming the server, if the block takes longer than `seconds`."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise Unavailable(f"{server}: no answer within {seconds:g} s") from error


async def ask_kafka(settings: Settings, *, seconds: float) -> KafkaFacts:
    """Return what Kafka reports of itself and of the three topics, within `seconds`.

    Raise Unavailable if it does not answer, or refuses the password.
    """
    chosen = settings.kafka
    names = [chosen.input, chosen.output, chosen.dead]
    async with _within("kafka", seconds), topic_admin(kafka_access(settings)) as there:
        found = await there.describe(names)
        readable = {}
        for name in found:
            with suppress(SinkUnusable):
                readable[name] = await there.settings(name)
        return KafkaFacts(
            await there.brokers(),
            found,
            readable,
            await there.permissions(names, group=chosen.group),
            await there.ahead_seconds(),
        )


async def ask_redis(settings: Settings, *, seconds: float) -> RedisFacts:
    """Return what Redis reports of itself and of the namespace, after one attempt.

    Raise Unavailable if it gives no answer within `seconds`, StateUnusable if it refuses.
    """
    async with (
        open_redis(settings, attempts=1, pings=False) as (calls, keys),
        _within("redis", seconds),
    ):
        return await inspect_redis(calls, keys)


async def ask_namespace(settings: Settings, *, seconds: float) -> NamespaceFacts:
    """Return what Redis stores of the namespace and what the group has committed, within `seconds`.

    Raise Unavailable if Redis does not answer, StateUnusable if it refuses. If Kafka does not
    answer, `committed` is None.
    """
    # The committed offsets first: a batch that ended in between would seem to be lost.
    committed: Mapping[str, int] | None = None
    first: Mapping[str, int] = {}
    unknown = ""
    try:
        async with _within("kafka", seconds / 2), topic_admin(kafka_access(settings)) as there:
            committed = await there.committed(settings.kafka.group, settings.kafka.input)
            if committed:
                first = await there.first_offsets(settings.kafka.input)
    except Unavailable as error:
        unknown = str(error)
    async with (
        open_redis(settings, attempts=1, pings=False) as (calls, keys),
        _within("redis", seconds / 2),
    ):
        made = await calls.command("HMGET", keys.fixed[0], "made_by", "format")
        made_by, written = [(value or b"").decode() for value in made]
        stored = await stored_positions(calls, keys)
        late = await late_counts(calls, keys)
    return NamespaceFacts(made_by, written, stored, committed, unknown, late, first)
