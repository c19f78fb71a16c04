"""What a runner needs of whoever works on its batches, and how small batches become one."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

from newsdedup.adapters.kafka.records import Received
from newsdedup.ports.telemetry import BatchReport, Telemetry
from newsdedup.runners.worker.worker import Prepared

T = TypeVar("T")


class Batches(Protocol):
    """Works on batches of records: a worker, or what a runner is measured with."""

    telemetry: Telemetry
    fail: Callable[[str], None]

    async def prepare(self, batch: Sequence[Received]) -> Prepared:
        """Return a batch with all that its records alone tell; it may never be finished."""
        ...

    async def finish(self, prepared: Prepared) -> None:
        """Do what is to be done; after this the batch may be acknowledged."""
        ...

    async def waited(self, server: str, attempt: Callable[[], Awaitable[T]]) -> T:
        """Return the outcome of an attempt, made again until the server answers."""
        ...


def joined(parts: Sequence[Prepared]) -> Prepared:
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
        report=report,
    )
