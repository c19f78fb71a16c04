"""A runner in this process, over a processor that only collects what the runner reads."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from typing import Any

from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.records import ReceivedRecord, end_positions
from newsdedup.engine.arrivals import Arrival
from newsdedup.ports.errors import Unavailable
from newsdedup.ports.telemetry import Failpoint, Telemetry, no_failpoint
from newsdedup.runners.worker.aiokafka_loop import AiokafkaLoop
from newsdedup.runners.worker.consumer import GroupMember
from newsdedup.runners.worker.faust_loop import FaustLoop
from newsdedup.runners.worker.service import Loop
from newsdedup.runners.worker.worker import Prepared
from runners.streaming import PATIENCE_SECONDS, Stream
from servers.process import LOOK_EVERY

LOOPS = {"aiokafka": AiokafkaLoop, "faust": FaustLoop}


class Collector:
    """Keeps the records that it is given, and the reasons why it had to wait."""

    def __init__(self) -> None:
        self.telemetry = Telemetry()
        self.fail: Failpoint = no_failpoint
        self.records: list[ReceivedRecord] = []
        self.reasons: list[str] = []
        self.positions: dict[str, int] = {}
        self.changed = asyncio.Event()
        self.loop: Loop
        self.running: asyncio.Future[None]

    @property
    def values(self) -> list[bytes | None]:
        return [record.value for record in self.records]

    def decode(self, record: ReceivedRecord) -> Arrival[ReceivedRecord]:
        return Arrival(record)

    async def prepare(self, batch: list[Arrival[ReceivedRecord]]) -> Prepared:
        return Prepared(batch)

    async def finish(self, prepared: Prepared) -> None:
        self.records += prepared.records
        self.positions |= end_positions(prepared.records)
        self.changed.set()

    async def confirm(self, finished: Sequence[Prepared]) -> None:
        pass

    async def waited(self, _: str, attempt: Callable[[], Awaitable[object]]) -> object:
        while True:
            try:
                return await attempt()
            except Unavailable as error:
                self.reasons.append(str(error))
                self.changed.set()
                await asyncio.sleep(0.05)

    async def begin(self) -> None:
        pass

    async def read(self) -> dict[str, int]:
        return self.positions

    async def reset(self, names: Collection[str]) -> None:
        self.positions |= dict.fromkeys(names, 0)

    async def until(self, enough: Callable[[], bool]) -> None:
        """Return when it is enough, asked at each change; raise what ends the runner before."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not enough():
                self.changed.clear()
                changed = asyncio.ensure_future(self.changed.wait())
                waiting: set[asyncio.Future[Any]] = {changed, self.running}
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
                if self.running.done():
                    self.running.result()

    async def until_lag(self, expected: dict[str, int]) -> None:
        """Return when so many records wait."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await self.loop.lag() != expected:  # noqa: ASYNC110 - no event tells of the lag
                await asyncio.sleep(LOOK_EVERY)


@asynccontextmanager
async def collecting(
    stream: Stream,
    *,
    runner: str,
    session_seconds: float = 6.0,
    access: KafkaAccess | None = None,
) -> AsyncIterator[Collector]:
    """Run a runner over the input of a stream alongside a block, then stop it in order."""
    collector = Collector()
    member = GroupMember(
        access=access or KafkaAccess(stream.kafka.address),
        topic=stream.input,
        group=stream.name,
        positions=collector,
        batch=32,
        linger_seconds=0.0,
        session_seconds=session_seconds,
    )
    collector.loop = LOOPS[runner](collector, member)
    collector.running = asyncio.ensure_future(collector.loop.run())
    try:
        yield collector
        collector.loop.stop()
        await collector.running
    finally:
        collector.running.cancel()
        await asyncio.gather(collector.running, return_exceptions=True)
