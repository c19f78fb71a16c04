"""Makes what saved searches need: their file, the sender of webhooks, and what joins both."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from newsdedup.adapters.sqlite.file_schema import MEMORY
from newsdedup.archive.reader import ArchiveReader
from newsdedup.config import Settings
from newsdedup.config.reading import read_secret
from newsdedup.ports.errors import SettingsInvalid
from newsdedup.watches.hits import WatchHit
from newsdedup.watches.watch import Watch, WatchInvalid, read_watches
from newsdedup.watches.watch_store import WatchStore
from newsdedup.watches.watcher import ReadArchive, Retries, StoreThread, Watcher
from newsdedup.watches.webhooks import open_sender, signing_key


@asynccontextmanager
async def open_watcher(
    settings: Settings,
    read: ReadArchive,
    *,
    watches: Sequence[Watch] = (),
    allow_private: bool,
    from_beginning: bool = False,
    show: Callable[[WatchHit], None] = lambda _: None,
) -> AsyncIterator[Watcher]:
    """Yield a watcher of an archive, for the searches of the settings and the given ones.

    Without `watches.state` its file is in memory. `show` gets new hits; a new file begins with new
    changes or `from_beginning`. Raise SettingsInvalid for a bad secret, for a search by
    words that cannot be searched for or a bad list of searches, and what opening the file raises.
    """
    chosen = settings.watches
    key = signing_key(read_secret("watches.secret", chosen.secret, chosen.secret_file).strip())
    listed = (*read_watches(chosen.file), *watches)
    path = Path(chosen.state) if chosen.state else MEMORY
    async with AsyncExitStack() as stack:
        store = StoreThread(partial(WatchStore, path, keep=chosen.keep))
        stack.push_async_callback(store.close)
        send = await stack.enter_async_context(
            open_sender(key, contact=settings.feeder.contact, allow_private=allow_private)
        )
        watcher = Watcher(
            store,
            read,
            send,
            retries=Retries(attempts=chosen.attempts, first=chosen.retry),
            from_beginning=from_beginning,
            show=show,
        )
        for watch in listed:
            try:
                await watcher.check_words(watch)
            except WatchInvalid as error:
                raise SettingsInvalid(f"saved search {watch.name}: {error}") from error
        await store.run(partial(WatchStore.list_watches, listed=listed, now=datetime.now(UTC)))
        # Here, so that what comes from now on is found, and a bad archive ends the start.
        await read(ArchiveReader.last_change)
        await watcher.position()
        yield watcher
