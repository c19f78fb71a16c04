"""The servers that blows are struck at, and between each worker and them a network of its own."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from servers.fault_proxy import FaultProxy
from servers.fixtures import running
from servers.kafka_broker import KafkaBroker
from servers.ports import HOST, free_ports
from servers.redis_pair import RedisPair
from servers.wrong_clock import WrongClock


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What one worker meets: its way to the broker, its way to Redis, its clock."""

    kafka: FaultProxy
    redis: FaultProxy
    clock: WrongClock

    @property
    def settings(self) -> dict[str, str]:
        """The settings of the worker."""
        return {
            "kafka__servers": f"{HOST}:{self.kafka.port}",
            "redis__url": f"redis://{HOST}:{self.redis.port}/0",
        }


@dataclass(frozen=True, slots=True)
class StruckServers:
    """Servers that run, and what each worker meets of them."""

    kafka: KafkaBroker
    redis: RedisPair
    workers: tuple[Surroundings, ...]


@contextmanager
def struck_servers(folder: Path, *, workers: int) -> Iterator[StruckServers]:
    """Yield servers of a block's own; afterwards only their logs stay."""
    (folder / "kafka").mkdir(parents=True)
    redis = RedisPair(folder / "redis")
    with ExitStack() as stack:
        to_kafka = [stack.enter_context(FaultProxy(port)) for port in free_ports(workers)]
        to_redis = [stack.enter_context(FaultProxy(redis.master.port)) for _ in range(workers)]
        redis.proxies = to_redis
        kafka = KafkaBroker(folder / "kafka", proxies=to_kafka)
        stack.enter_context(running(kafka, folder / "kafka"))
        stack.enter_context(running(redis, folder / "redis"))
        met = []
        for number, ways in enumerate(zip(to_kafka, to_redis, strict=True)):
            met.append(Surroundings(*ways, WrongClock(folder / f"clock{number}")))
        yield StruckServers(kafka, redis, tuple(met))
