"""What the servers say of themselves, asked once and not waited for."""

from collections.abc import Mapping
from typing import NamedTuple

from newsdedup.adapters.kafka.admin import TopicDescription, topic_admin
from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.inspection import RedisFacts, inspect_redis
from newsdedup.adapters.redis.keys import Keys
from newsdedup.bootstrap.analyses import document_analyzer
from newsdedup.bootstrap.files_of_settings import load_background
from newsdedup.bootstrap.rules import make_rule
from newsdedup.bootstrap.runs import namespace_fingerprint
from newsdedup.bootstrap.workers import kafka_access, redis_client
from newsdedup.config import Settings


class KafkaFacts(NamedTuple):
    """A cluster, and those of a stream's topics that are there, with their settings."""

    brokers: int
    topics: Mapping[str, TopicDescription]
    settings: Mapping[str, Mapping[str, str]]


async def ask_kafka(settings: Settings) -> KafkaFacts:
    """Return what a cluster says of itself and of the topics of a stream."""
    chosen = settings.kafka
    async with topic_admin(kafka_access(settings)) as there:
        found = await there.describe([chosen.input, chosen.output, chosen.dead])
        told = {name: await there.settings(name) for name in found}
        return KafkaFacts(await there.brokers(), found, told)


async def ask_redis(settings: Settings) -> RedisFacts:
    """Return what a server says of itself and of the namespace."""
    connected = redis_client(settings)
    keys = Keys(settings.redis.namespace, 1, settings.redis.shards)
    try:
        return await inspect_redis(Calls(connected, home=keys.fixed[0], attempts=1), keys)
    finally:
        await connected.aclose()


def expected_fingerprint(settings: Settings) -> str:
    """Return what a namespace says of who made it, if it was made by these settings."""
    return namespace_fingerprint(
        settings, document_analyzer(settings, load_background(settings)), make_rule(settings)
    )
