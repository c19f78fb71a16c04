"""A file of saved searches over an archive: with hits, a hostile name and dead letters."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from archive.event_stream import search_words
from newsdedup.archive.reader import ArchiveReader
from newsdedup.watches.watch import Watch, check_watch
from newsdedup.watches.watch_store import WatchPosition, WatchStore

REFUSING = Watch(name="Мости", q="міст", webhook="https://desk.example/hits?key=private")
WATCHES = (
    Watch(name="Copied stories", least_sources=3),
    REFUSING,
    Watch(name='<img src=x onerror="alert(1)">' + "w" * 40, q="<b>bold</b>", lang="uk"),
)


def watches_file(folder: Path) -> Path:
    """Return a file of searches that have looked at the whole archive of a folder."""
    path, now = folder / "watches", datetime.now(UTC)
    with (
        WatchStore(path, keep=timedelta(days=30)) as store,
        ArchiveReader(folder / "news.archive", search_words()) as reader,
    ):
        for watch in WATCHES:
            store.add(check_watch(watch), now)
        watches, change = store.watches(), 0
        filters = [watch.filter() for watch in watches]
        while (found := reader.watched(filters, after=change)).last > change:
            change = found.last
            position = WatchPosition(reader.file_number(), change, 0)
            store.store(watches, found, position, now, show=lambda _: None)
        while due := store.due(now):
            for delivery in due:
                store.failed(delivery, "status 500", now, None)
    return path
