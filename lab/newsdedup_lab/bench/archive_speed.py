"""How fast an archive answers, by kind of query, with several readers and a writer at once."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Event
from time import perf_counter, sleep
from typing import Final

from newsdedup import ItemKey
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter
from newsdedup.archive.search_words import SearchWords
from newsdedup.archive.writer import ArchiveWriter

_WRITTEN_AT_ONCE: Final = 50
_Query = Callable[[ArchiveReader], object]


@dataclass(frozen=True, slots=True)
class QuerySpeed:
    """The times of all calls of one query, in milliseconds."""

    query: str
    calls: int
    median_ms: float
    p95_ms: float
    worst_ms: float


def archive_queries(reader: ArchiveReader) -> dict[str, _Query]:
    """Return a query of each kind by its name, with values from an archive.

    The archive must have a story.
    """
    story = max(reader.stories(limit=50).stories, key=lambda one: one.items)
    item = reader.items(limit=1).items[0]
    newest = ItemKey(item.source, item.id)
    word = next((one for one in item.title.split() if len(one) > 5), item.title)
    return {
        "stories": lambda r: r.stories(),
        "stories of a language": lambda r: r.stories(ItemFilter(lang=item.lang)),
        "stories of a source": lambda r: r.stories(ItemFilter(source=item.source)),
        "stories with reprints": lambda r: r.stories(ItemFilter(relation="reprint")),
        "stories with a word": lambda r: r.stories(ItemFilter(text=word)),
        "story": lambda r: r.story(story.id),
        "item": lambda r: r.item(newest),
        "search ru": lambda r: r.search(ItemFilter(text="пожары на складах")),
        "search uk": lambda r: r.search(ItemFilter(text="нові автобуси")),
        "search en": lambda r: r.search(ItemFilter(text="fires in the city")),
        "sources": lambda r: r.sources(),
        "source": lambda r: r.source(item.source),
        "copies": lambda r: r.copies(),
        "volumes": lambda r: r.volumes("day"),
        "volumes of a word": lambda r: r.volumes("day", ItemFilter(text="область")),
        "changes": lambda r: r.changes(after=max(0, r.last_change() - 100)),
        "stats": lambda r: r.stats(),
    }


def measure_archive(
    path: Path,
    words: SearchWords,
    *,
    readers: int,
    rounds: int,
    pause: float = 0.0,
    events: Iterable[bytes] = (),
    rate: int = 0,
) -> tuple[list[QuerySpeed], float]:
    """Return the speed of each query, and the events per second that were written meanwhile.

    Each of `readers` threads sends each query `rounds` times, waits `pause` seconds after each, and
    begins with another one than the thread before it. With a `rate` that many of the `events` are
    written per second at the same time; the reached rate is 0 without a writer.
    """
    with ArchiveReader(path, words) as reader:
        queries = archive_queries(reader)
        for query in queries.values():
            query(reader)  # dictionaries and pages are read once
    stop = Event()
    with ThreadPoolExecutor(readers + 1) as threads:
        writer = threads.submit(_write, path, words, iter(events), rate, stop)
        orders = [_rotated(queries, reader) for reader in range(readers)]
        done = [threads.submit(_read, path, words, order, rounds, pause) for order in orders]
        try:
            times = [one.result() for one in done]
        finally:
            stop.set()
        reached = writer.result()
    return [
        _speed(name, [time for each in times for time in each[name]]) for name in queries
    ], reached


def _rotated(queries: Mapping[str, _Query], by: int) -> dict[str, _Query]:
    """Return the queries in another order: the first `by` of them are the last."""
    names = list(queries)
    first = by % len(names)
    return {name: queries[name] for name in (*names[first:], *names[:first])}


def _read(
    path: Path, words: SearchWords, queries: Mapping[str, _Query], rounds: int, pause: float
) -> dict[str, list[float]]:
    """Return the seconds that each call took, by query, for one reader."""
    times: dict[str, list[float]] = {name: [] for name in queries}
    with ArchiveReader(path, words) as reader:
        for _ in range(rounds):
            for name, query in queries.items():
                began = perf_counter()
                query(reader)
                times[name].append(perf_counter() - began)
                sleep(pause)
    return times


def _write(
    path: Path, words: SearchWords, events: Iterator[bytes], rate: int, stop: Event
) -> float:
    """Write `rate` events a second until `stop` is set; return the events per second reached."""
    if not rate:
        return 0.0
    written, began = 0, perf_counter()
    with ArchiveWriter(path, words) as archive:
        while batch := list(islice(events, _WRITTEN_AT_ONCE)):
            archive.apply(batch)
            written += len(batch)
            if stop.wait(max(0.0, began + written / rate - perf_counter())):
                break
        return written / (perf_counter() - began)


def _speed(name: str, times: list[float]) -> QuerySpeed:
    """Return the statistics of a query from the seconds of its calls."""
    ordered = sorted(1_000 * time for time in times)
    last = len(ordered) - 1
    return QuerySpeed(
        name,
        len(ordered),
        round(ordered[last // 2], 1),
        round(ordered[round(last * 0.95)], 1),
        round(ordered[last], 1),
    )
