"""Which changes of an archive are hits of a saved search."""

import codecs
import dataclasses
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from archive.event_stream import archived, search_words, story_events, stream_events
from newsdedup.adapters.sqlite.file_schema import MEMORY
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter
from newsdedup.archive.watch_queries import WatchFilter, WatchMatch
from newsdedup.archive.writer import ArchiveWriter
from newsdedup.core.moments import to_micros
from newsdedup.ports.errors import SettingsInvalid
from newsdedup.watches.hits import WATCH_SCHEMA, WatchHit
from newsdedup.watches.watch import Watch, WatchInvalid, check_watch, hit_id, read_watches
from newsdedup.watches.watch_store import WatchPosition, WatchStore

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArchiveReader]:
    path = archived(tmp_path_factory.mktemp("watched") / "news.archive", stream_events())
    with ArchiveReader(path, search_words()) as reader:
        yield reader


def all_matches(
    reader: ArchiveReader, filters: Sequence[WatchFilter], *, limit: int
) -> list[WatchMatch]:
    after, matches = 0, []
    while (found := reader.watched(filters, after=after, limit=limit)).last > after:
        matches += found.matches
        after = found.last
    return matches


def keys(matches: Sequence[WatchMatch], place: int = 0) -> set[tuple[str, str]]:
    return {(one.summary.source, one.summary.id) for one in matches if one.chosen == place}


def test_a_search_finds_the_items_that_the_same_filter_lists(stream: ArchiveReader) -> None:
    newest = stream.items(limit=1).items[0]
    word = next(one for one in newest.title.split() if stream.search(ItemFilter(text=one)).items)
    filters = [WatchFilter(text=word), WatchFilter(lang="uk"), WatchFilter(source=newest.source)]
    listed = [ItemFilter(text=word), ItemFilter(lang="uk"), ItemFilter(source=newest.source)]
    matches = all_matches(stream, filters, limit=7)
    for place, chosen in enumerate(listed):
        wanted = {(one.source, one.id) for one in stream.items(chosen, limit=500).items}
        assert wanted
        assert keys(matches, place) == wanted


def test_copies_of_a_source_are_those_that_others_made(stream: ArchiveReader) -> None:
    copies = [one for one in stream.items(limit=500).items if one.verdict == "duplicate"]
    own = next(one.original.source for one in copies if one.original.source != one.source)
    wanted = {
        (one.source, one.id) for one in copies if one.original.source == own and one.source != own
    }
    assert keys(all_matches(stream, [WatchFilter(copies_of=own)], limit=50)) == wanted


def test_pages_of_any_size_find_the_same(stream: ArchiveReader) -> None:
    filters = [WatchFilter(least_sources=2), WatchFilter(lang="ru")]
    whole = all_matches(stream, filters, limit=1000)
    assert whole
    for limit in (1, 13):
        parts = all_matches(stream, filters, limit=limit)
        assert sorted(parts, key=repr) == sorted(whole, key=repr)


def test_the_words_of_a_story_may_be_those_of_its_first_item(tmp_path: Path) -> None:
    path = archived(tmp_path / "news.archive", story_events())
    with ArchiveReader(path, search_words()) as reader:
        filters = [WatchFilter(text="міст пожежа -пожежа", least_sources=2)]
        assert not all_matches(reader, filters, limit=50)
        filters = [WatchFilter(text="пожежа", source="agency", least_sources=2)]
        found = all_matches(reader, filters, limit=50)
        assert ("north", "2") in keys(found)
        assert {one.sources for one in found} == {2}


def test_a_phrase_is_found_in_its_order_alone(tmp_path: Path) -> None:
    path = archived(tmp_path / "news.archive", story_events())
    with ArchiveReader(path, search_words()) as reader:
        page = reader.items(limit=500).items
        first, second = next(one for one in page if len(one.title.split()) > 1).title.split()[:2]

        def found(text: str) -> set[tuple[str, str]]:
            return keys(all_matches(reader, [WatchFilter(text=text)], limit=50))

        assert found(f'"{first} {second}"')
        assert found(f"{second} {first}") >= found(f'"{first} {second}"')
        assert not found(f'"{second} {first}"')


def hits_of(path: Path, watch: Watch, *, batch: int) -> list[str]:
    """Return the ids of hits while an archive is written in batches, each once."""
    hits: list[WatchHit] = []
    events = story_events()
    with (
        WatchStore(MEMORY, keep=timedelta(days=3650)) as store,
        ArchiveWriter(path, search_words()) as archive,
    ):
        store.list_watches([watch], NOW)
        position = WatchPosition("1", 0, 0)
        for start in range(0, len(events), batch):
            archive.apply(events[start : start + batch])
            with ArchiveReader(path, search_words()) as reader:
                found = reader.watched([watch.filter()], after=position.change)
            position = position._replace(change=found.last)
            store.store([watch], found, position, NOW, show=hits.append)
    return [hit.id for hit in hits]


@pytest.mark.parametrize(
    "watch",
    [
        Watch(name="fire", q="пожежа"),
        Watch(name="stories", least_sources=2, q="пожежа"),
        Watch(name="copies", copies_of="agency"),
    ],
)
def test_ids_are_the_same_however_the_archive_was_followed(tmp_path: Path, watch: Watch) -> None:
    at_once = hits_of(tmp_path / "at-once", watch, batch=100)
    assert at_once
    step_by_step = hits_of(tmp_path / "step-by-step", watch, batch=1)
    assert len(set(step_by_step)) == len(step_by_step)
    assert set(at_once) <= set(step_by_step)


def test_the_id_of_a_hit_never_changes(stream: ArchiveReader) -> None:
    # Receivers know hits by it: another id would be another hit, after an upgrade, too.
    summary = stream.items(limit=1).items[0]
    summary = replace(summary, source="tula.example", id="r1", story="s1")
    assert hit_id(Watch(name="fire"), summary) == "4d1be1816e566e027c1f5856865ceb79"
    assert (
        hit_id(Watch(name="fire", least_sources=3), summary) == "b1fbd1e7095568d8722ab8aaa5110685"
    )


def test_the_index_of_words_is_read_only_around_the_items_in_question(
    stream: ArchiveReader,
) -> None:
    asked: list[str] = []
    stream._connection.set_trace_callback(asked.append)
    try:
        last = stream.last_change()
        stream.watched([WatchFilter(text="news")], after=last - 3)
    finally:
        stream._connection.set_trace_callback(None)
    searches = [one for one in asked if "MATCH" in one and "BETWEEN" in one]
    assert 0 < len(searches) <= 3


def test_what_a_source_withdraws_is_forgotten(tmp_path: Path) -> None:
    watch = Watch(name="agency", source="agency")
    events = story_events()
    retraction = next(
        n for n, one in enumerate(events) if json.loads(one)["dedup"]["event"] == "item.retracted"
    )
    path = tmp_path / "news.archive"
    with (
        WatchStore(tmp_path / "watches", keep=timedelta(days=3650)) as store,
        ArchiveWriter(path, search_words()) as archive,
    ):
        store.list_watches([watch], NOW)
        change, known = 0, []
        for part in (events[:retraction], events[retraction:]):
            archive.apply(part)
            with ArchiveReader(path, search_words()) as reader:
                found = reader.watched([watch.filter()], after=change)
            change = found.last
            store.store([watch], found, WatchPosition("1", change, 0), NOW, show=lambda _: None)
            known.append({hit.item.id for _, hit in store.hits()})
    assert "a-9" in known[0]
    assert "a-9" not in known[1]
    with closing(sqlite3.connect(tmp_path / "watches")) as file:
        assert not file.execute("SELECT * FROM hits WHERE item = 'a-9'").fetchall()


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"name": ""}, "a name has"),
        ({"name": "a/b", "q": "x"}, "none of the characters"),
        ({"name": "all"}, "is needed"),
        ({"name": "x", "q": "x", "webhook": "ftp://a.example/"}, "http"),
        ({"name": "x", "lang": "xx"}, "no language"),
        ({"name": "x", "least_sources": 0}, "least number"),
    ],
)
def test_a_search_that_means_nothing_is_refused(fields: dict[str, object], problem: str) -> None:
    with pytest.raises(WatchInvalid, match=problem):
        check_watch(Watch(**fields))  # type: ignore[arg-type]


def test_a_file_names_searches_and_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    file = tmp_path / "watches.toml"
    file.write_text('[[watch]]\nname = "flood"\nq = "flood"\nleast_sources = 3\n')
    assert read_watches(str(file)) == (Watch(name="flood", q="flood", least_sources=3),)
    # As editors of Windows write it, and the settings file may be.
    file.write_bytes(codecs.BOM_UTF8 + b'[[watch]]\r\nname = "flood"\r\nq = "flood"\r\n')
    assert read_watches(str(file)) == (Watch(name="flood", q="flood"),)
    file.write_text('[[watch]]\nname = "flood"\nwords = "flood"\n')
    with pytest.raises(SettingsInvalid, match="words"):
        read_watches(str(file))
    file.write_text('[[watch]]\nname = "a"\nq = "a"\n' * 2)
    with pytest.raises(SettingsInvalid, match="two searches"):
        read_watches(str(file))


def waiting_hits(store: WatchStore, searches: int, hits: int) -> None:
    """Store searches with webhooks, and hits of each that wait, the first ones the oldest."""
    names = [f"search {number:03}" for number in range(searches)]
    store.list_watches(
        [Watch(name=one, q="пожежа", webhook="https://a.test/") for one in names], NOW
    )
    times = range(to_micros(NOW) - hits, to_micros(NOW))
    store._connection.executemany(
        "INSERT INTO deliveries (id, watch, body, source, item, due, found)"
        " VALUES (?, ?, '{}', 'a', 'b', ?, ?)",
        [(f"{name} {at}", name, at, at) for name in names for at in times],
    )
    store._connection.executemany(
        "INSERT INTO hits (watch, id, source, item, story, sources, found)"
        " VALUES (?, ?, 'a', 'b', 's', 1, ?)",
        [(name, f"{name} {at}", at) for name in names for at in times],
    )


def test_the_work_of_a_look_grows_with_hits_and_not_with_hits_times_searches() -> None:
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 100
        return 0

    with WatchStore(MEMORY, keep=timedelta(days=30)) as store:
        waiting_hits(store, 50, 40)
        store._connection.set_progress_handler(count, 100)
        assert sum(one.waiting + one.hits for one in store.states(NOW)) == 4_000
        assert len(store.due(NOW)) == 100
        assert store.unsent().waiting == 2_000
        assert len(store.hits("search 003")) == 40
        with store._transaction():
            store._prune([f"search {number:03}" for number in range(50)], 0)
        assert steps < 150_000


def test_of_more_hits_than_are_kept_the_oldest_that_wait_are_dead_letters() -> None:
    with WatchStore(MEMORY, keep=timedelta(days=30)) as store:
        waiting_hits(store, 1, 10_003)
        with store._transaction():
            store._prune(["search 000"], 0)
        (state,) = store.states(NOW)
        assert (state.hits, state.waiting, state.dead) == (10_000, 10_000, 3)
        with store._transaction():
            store._prune([], to_micros(NOW))
        (state,) = store.states(NOW)
        assert (state.hits, state.waiting, state.dead) == (0, 0, 0)


def test_a_file_of_searches_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "news.watches"
    earlier = dataclasses.replace(WATCH_SCHEMA, steps=WATCH_SCHEMA.steps[:1])
    earlier.open(path).close()
    with WatchStore(path, keep=timedelta(days=30)) as store:
        waiting_hits(store, 2, 3)
        assert len(store.hits()) == 6
        assert [one.watch for one in store.due(NOW)] == ["search 000", "search 001"] * 2
