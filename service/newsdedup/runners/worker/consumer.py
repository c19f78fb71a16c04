"""How a runner takes part in a consumer group, whatever drives it."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.ports.errors import StateUnusable
from newsdedup.ports.telemetry import BatchReport, Telemetry
from newsdedup.runners.worker.worker import Prepared

ReadPositions = Callable[[], Awaitable[Mapping[str, int]]]
"""Returns the positions that are stored with the state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMember:
    """Which group reads which topic, in what portions, and where the state says it ends."""

    access: KafkaAccess
    topic: str
    group: str
    stored: ReadPositions
    batch: int
    linger_seconds: float
    session_seconds: float


CANCEL_AGAIN_SECONDS: Final = 6.0
"""How soon a task is told again; one that noticed may need five to let go of Kafka in order."""


async def run_unless_stopped(stopping: asyncio.Event, waiting: Coroutine[Any, Any, None]) -> None:
    """Wait for something that has nothing at hand yet; break it off as soon as told to stop."""
    told = asyncio.ensure_future(stopping.wait())
    waited = asyncio.ensure_future(waiting)
    try:
        await asyncio.wait({told, waited}, return_when=asyncio.FIRST_COMPLETED)
        if waited.done():
            waited.result()
    finally:
        told.cancel()
        waited.cancel()
        await asyncio.gather(told, waited, return_exceptions=True)


async def cancel_all(tasks: "Iterable[asyncio.Future[Any]]") -> None:
    """Cancel tasks until they have ended, whatever came of them.

    Where it meets the answer of a server, a cancellation may be lost in the client: redis-py waits
    by `asyncio.wait_for`, which then returns the answer. A task without end would go on for ever.
    """
    all_of_them = set(tasks)
    left = all_of_them
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=CANCEL_AGAIN_SECONDS)
    await asyncio.gather(*all_of_them, return_exceptions=True)


def start_offset(name: str, *, stored: Mapping[str, int], committed: int | None) -> int | None:
    """Return the offset to begin at, None for the beginning of what Kafka still has.

    Positions are stored with the state in one step, before Kafka is told. Where they are behind,
    the server has lost its last writes, and what it lost is read again. Where they are ahead, a
    worker died before it told Kafka; its records come again and get their stored verdicts.
    """
    if committed is None:
        return None
    if not stored:
        raise StateUnusable(
            f"the state in Redis is empty, but {committed} records of {name} were worked on: run "
            "`newsdedup rebuild` to restore it from the output topic, or choose another group"
        )
    return min(committed, stored.get(name, 0))


_T = TypeVar("_T")


class BatchProcessor(Protocol):
    """Works on batches of records: a worker, or what a runner is measured with."""

    telemetry: Telemetry
    fail: Callable[[str], None]

    async def prepare(self, batch: Sequence[ReceivedRecord]) -> Prepared:
        """Return a batch with all that its records alone tell; it may never be finished."""
        ...

    async def finish(self, prepared: Prepared) -> None:
        """Do what is to be done; after this the batch may be acknowledged."""
        ...

    async def waited(self, server: str, attempt: Callable[[], Awaitable[_T]]) -> _T:
        """Return the outcome of an attempt, made again until the server answers."""
        ...


def join_prepared(parts: Sequence[Prepared]) -> Prepared:
    """Return batches that were prepared one after the other as one."""
    if len(parts) == 1:
        return parts[0]
    reports = [part.report for part in parts]
    report = BatchReport(
        records=sum(one.records for one in reports),
        bytes=sum(one.bytes for one in reports),
        sources=sum((one.sources for one in reports), Counter()),
        seconds={"analyze": sum(one.seconds.get("analyze", 0.0) for one in reports)},
        written_ms=[at for one in reports for at in one.written_ms],
    )
    return Prepared(
        batch=[record for part in parts for record in part.batch],
        arrivals=[arrival for part in parts for arrival in part.arrivals],
        told_by=[teller for part in parts for teller in part.told_by],
        letters=[letter for part in parts for letter in part.letters],
        report=report,
    )
