"""Records straight into the embedded engine: feeds in, events out, in one process."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Self

from newsdedup.runners.files.embedded import EmbeddedRun
from newsdedup.runners.intake.record_lines import record_lines


class EngineOutput:
    """A RecordOutput: a run of the embedded engine.

    The run lives in one thread of its own, as SQLite demands, so that fetching goes on while it
    judges. A record that is no item goes to its dead letters.
    """

    def __init__(
        self,
        thread: ThreadPoolExecutor,
        run: EmbeddedRun,
        *,
        observe: Callable[[Counter[str]], None],
    ) -> None:
        self._thread = thread
        self._run = run
        self._observe = observe
        self._number = 0

    @classmethod
    async def open(
        cls, open_run: Callable[[], EmbeddedRun], *, observe: Callable[[Counter[str]], None]
    ) -> Self:
        """Return the output over a run that is opened in its thread; raise what opening raises.

        `observe` gets the counts of each committed batch.
        """
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine")
        loop = asyncio.get_running_loop()
        try:
            run = await loop.run_in_executor(thread, open_run)
            await loop.run_in_executor(thread, run.begin)
        except BaseException:
            thread.shutdown()
            raise
        return cls(thread, run, observe=observe)

    async def write(self, records: Sequence[bytes]) -> list[int]:
        """Return when the verdicts are committed and their events written.

        Raise SinkUnusable or StateUnusable if they cannot be; the run must be opened anew then.
        """
        loop = asyncio.get_running_loop()
        for counts in await loop.run_in_executor(self._thread, self._judge, list(records)):
            self._observe(counts)
        return []

    async def close(self) -> None:
        """Close the run and end its thread."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._run.close)
        self._thread.shutdown()

    def _judge(self, records: list[bytes]) -> list[Counter[str]]:
        """Judge records in the thread of the run; return the counts of its batches."""
        lines = record_lines(records, before=self._number)
        self._number += len(records)
        return list(self._run.take(lines))
