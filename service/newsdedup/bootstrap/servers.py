"""What Kafka and Redis report of themselves, for `newsdedup doctor`."""

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
    """The brokers of a cluster, and the topics of a stream with their settings."""

    brokers: int
    topics: Mapping[str, TopicDescription]
    settings: Mapping[str, Mapping[str, str]]


async def ask_kafka(settings: Settings) -> KafkaFacts:
    """Return the number of brokers, and the stream's existing topics with their settings.

    Raise Unavailable if Kafka does not answer, SinkUnusable if it refuses.
    """
    chosen = settings.kafka
    async with topic_admin(kafka_access(settings)) as there:
        found = await there.describe([chosen.input, chosen.output, chosen.dead])
        told = {name: await there.settings(name) for name in found}
        return KafkaFacts(await there.brokers(), found, told)


async def ask_redis(settings: Settings) -> RedisFacts:
    """Return what a server reports of itself and of the namespace, after one attempt.

    Raise Unavailable or StateUnusable if it gives no answer.
    """
    connected = redis_client(settings)
    keys = Keys(settings.redis.namespace, 1, settings.redis.shards)
    try:
        return await inspect_redis(Calls(connected, home=keys.fixed[0], attempts=1), keys)
    finally:
        await connected.aclose()


def expected_fingerprint(settings: Settings) -> str:
    """Return the fingerprint that a namespace made by these settings would have."""
    return namespace_fingerprint(
        settings, document_analyzer(settings, load_background(settings)), make_rule(settings)
    )
