"""A broker and a Redis that are killed in mid-run come back, and nobody need do anything."""

import pytest

from newsdedup.synthetic.stream import generate_stream as synthetic
from runners.chaos import conflicting, undisturbed
from runners.streaming import Stream, ended, stories, verdicts
from servers.fixtures import running
from servers.kafka_broker import KafkaBroker
from servers.redis_server import RedisServer

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program")

SHARE = 50


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """Servers of these tests' own: others must not lose theirs."""
    folder = tmp_path_factory.mktemp("restarted")
    kafka, redis = KafkaBroker(folder / "kafka"), RedisServer(folder / "redis")
    with running(kafka, folder), running(redis, folder):
        yield kafka, redis


def test_restarts_of_broker_and_redis_need_no_human(servers, tmp_path):
    kafka, redis = servers
    stream = Stream(kafka, redis, tmp_path)
    items = [dict(planted.item) for planted in synthetic(4 * SHARE, seed=5)]
    shares = [items[first : first + SHARE] for first in range(0, len(items), SHARE)]
    with stream.worker(runner="aiokafka", worker__batch="8") as process:
        stream.produce(shares[0])
        stream.until(lambda events: len(events) > 0)
        kafka.kill()
        kafka.start()
        stream.produce(shares[1])
        stream.judged(SHARE + 1)
        stream.produce(shares[2])
        redis.kill()
        redis.start()
        stream.produce(shares[3])
        stream.judged(len({(item["source"], item["id"]) for item in items}))
        assert ended(process) == 0, stream.logs()
    events = stream.read(stream.output)
    assert stories(verdicts(events)) == undisturbed(items, tmp_path).stories
    assert conflicting(events) == 0
