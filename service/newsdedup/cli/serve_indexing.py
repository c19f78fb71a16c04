"""The server while the words of its archive are indexed anew: minutes, after some upgrades.

Lists, pages and searches are served meanwhile, the latter by the earlier index. No events arrive,
nothing is checked, and `/readyz` says how far the index is made.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from threading import Event

from newsdedup.archive.word_index import IndexProgress
from newsdedup.bootstrap.runs import open_archive_writer
from newsdedup.config import Settings

ServeArchive = Callable[[Callable[[], list[str]]], AbstractAsyncContextManager[object]]
"""Serves the archive during a block; its argument returns why the server is not ready."""


class _Ended(Exception):
    """Ends the indexing, which the next start continues."""


class _Indexing:
    """The work in its thread, and how far it is."""

    def __init__(self, settings: Settings, archive: Path) -> None:
        self.progress = IndexProgress(0, 0)
        self.stopping = Event()
        self._settings = settings
        self._archive = archive

    def is_needed(self) -> bool:
        """Return whether words must be indexed anew; bring the rest of the archive up to date.

        A missing archive is not made.
        """
        if not self._archive.exists():
            return False
        self.stopping.set()
        try:
            return not self.run()
        finally:
            self.stopping.clear()

    def run(self) -> bool:
        """Index the words of all items; return False if `stopping` ended it before."""
        try:
            open_archive_writer(self._settings, self._archive, indexed=self._report).close()
        except _Ended:
            return False
        return True

    def missing(self) -> list[str]:
        """Return how far it is, as a reason why the server is not ready."""
        done, items = self.progress
        return [f"archive: the words of {done:,} of {items:,} items are indexed anew"]

    def _report(self, progress: IndexProgress) -> None:
        """Store the progress; raise _Ended if the work is to end."""
        self.progress = progress
        if self.stopping.is_set():
            raise _Ended


async def index_archive(settings: Settings, archive: Path, serve: ServeArchive) -> None:
    """Bring an archive up to date for its writer; while its words are indexed, `serve` runs.

    Raise what opening the archive and `serve` raise.
    """
    indexing = _Indexing(settings, archive)
    if not await asyncio.to_thread(indexing.is_needed):
        return
    async with serve(indexing.missing):
        work = asyncio.ensure_future(asyncio.to_thread(indexing.run))
        try:
            await asyncio.wait({work})
        finally:
            indexing.stopping.set()
            await work
