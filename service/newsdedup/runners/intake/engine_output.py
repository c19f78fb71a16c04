"""Records straight into the embedded engine: feeds in, events out, in one process."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Self

from newsdedup.adapters.files.lines import Line
from newsdedup.engine.arrivals import Arrival
from newsdedup.runners.files.embedded import EmbeddedRun
from newsdedup.runners.intake.record_output import record_lines

_Waiting = tuple[Sequence[bytes], asyncio.Future[list[Arrival[Line]]]]
"""Records to judge, and the future that gets what became of them."""


@dataclass(slots=True, eq=False)
class EngineOutput:
    """A RecordOutput: a run of the embedded engine.

    The run lives in one thread of its own, as SQLite demands, so that fetching goes on while it
    judges. What is written meanwhile waits, and is then judged together: one transaction for
    many feeds. A record that is no item goes to the dead letters of the run.
    """

    thread: ThreadPoolExecutor
    run: EmbeddedRun
    observe: Callable[[Counter[str]], None]
    """Gets the counts of each committed batch."""
    _number: int = field(default=0, init=False)
    _waiting: list[_Waiting] = field(default_factory=list, init=False)
    _judging: asyncio.Task[None] | None = field(default=None, init=False)
    _failure: Exception | None = field(default=None, init=False)
    _failed: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    @classmethod
    async def open(
        cls, open_run: Callable[[], EmbeddedRun], *, observe: Callable[[Counter[str]], None]
    ) -> Self:
        """Open a run in its own thread, raising its error; `observe` gets the counts of batches."""
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine")
        loop = asyncio.get_running_loop()
        try:
            run = await loop.run_in_executor(thread, open_run)
            try:
                await loop.run_in_executor(thread, run.begin)
            except BaseException:
                await loop.run_in_executor(thread, run.close)
                raise
        except BaseException:
            thread.shutdown()
            raise
        return cls(thread, run, observe)

    async def write(self, records: Sequence[bytes]) -> list[int]:
        """Judge records; return [] when the verdicts are committed and their events written.

        Raise SinkUnusable or StateUnusable if they cannot be. The run takes nothing more then: part
        of the batch may be in its files, and is cut off when the run is opened again.
        """
        await self.judge(records)
        return []

    async def judge(self, records: Sequence[bytes]) -> list[Arrival[Line]]:
        """Return what became of each record, as `write` does when all is committed."""
        done: asyncio.Future[list[Arrival[Line]]] = asyncio.get_running_loop().create_future()
        self._waiting.append((records, done))
        if self._judging is None or self._judging.done():
            self._judging = asyncio.create_task(self._judge_waiting())
        return await done

    async def failure(self) -> None:
        """Wait until the run has failed, and raise its error."""
        await self._failed.wait()
        if self._failure is not None:
            raise self._failure

    async def preview(self, records: Sequence[bytes]) -> list[Arrival[Line]]:
        """Return what each record would give if it were written now; nothing is stored."""
        return await asyncio.get_running_loop().run_in_executor(
            self.thread, lambda: self.run.preview(record_lines(records))
        )

    async def close(self) -> None:
        """Close the run and end its thread, when what is being judged is committed."""
        if self._judging is not None:
            await self._judging
        await asyncio.get_running_loop().run_in_executor(self.thread, self.run.close)
        self.thread.shutdown()

    async def _judge_waiting(self) -> None:
        """Judge what waits, until nothing does; each writer gets its arrivals or the error."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            group, self._waiting = self._waiting, []
            records = [record for part, _ in group for record in part]
            try:
                if self._failure is not None:
                    raise self._failure  # noqa: TRY301 - each writer gets it, as the first did
                batches, arrivals = await loop.run_in_executor(self.thread, self._judge, records)
            except Exception as error:  # noqa: BLE001 - each writer raises it
                self._failure = error
                self._failed.set()
                for _, done in group:
                    if not done.done():
                        done.set_exception(error)
            else:
                for counts in batches:
                    self.observe(counts)
                in_order = iter(arrivals)
                for part, done in group:
                    own = list(islice(in_order, len(part)))
                    if not done.done():  # the writer still waits
                        done.set_result(own)

    def _judge(self, records: list[bytes]) -> tuple[list[Counter[str]], list[Arrival[Line]]]:
        """Judge records in the thread of the run; return the counts of its batches, and arrivals.

        The arrivals are those of the records, in their order.
        """
        lines = record_lines(records, before=self._number)
        self._number += len(records)
        arrivals: list[Arrival[Line]] = []
        self.run.observe = arrivals.extend
        return list(self.run.take(lines)), arrivals
