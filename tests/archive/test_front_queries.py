"""What a front page asks, over a few invented items whose answers are counted by hand."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from archive.event_stream import archived, events_of, search_words, story_events, stream_events
from newsdedup.archive.event_lines import category_of_event
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter
from newsdedup.archive.writer import ArchiveWriter

FERRY = (
    "The ferry between Lunin and the island of Vessa was stopped on Tuesday after its engine "
    "failed off the lighthouse; the harbour office expects repairs to take nine days."
)
SCHOOL = (
    "The council of Marstad approved a new school for 640 pupils in the northern district, "
    "architect Oda Brandt presented the plans to residents on Tuesday evening."
)
SINCE = datetime(2026, 3, 3, tzinfo=UTC)
UNTIL = SINCE + timedelta(days=1)


def item(source: str, day: int, time: str, title: str, text: str, **more: object) -> bytes:
    at = f"2026-03-{day:02}T{time}:00Z"
    record = {"source": source, "id": f"{day}-{time}", "published_at": at, "title": title}
    return json.dumps({**record, "text": text, **more}).encode()


ITEMS = [
    item("herald", 1, "10:00", "Choir wins", "The choir of Sundholm won a prize in Lunin."),
    item("agency", 3, "08:00", "Ferry stopped", FERRY, category="transport"),
    item("daily", 3, "08:20", "Ferry stopped", FERRY, categories=["Sea", "Local"]),
    item("mirror", 3, "09:00", "Ferry stopped", FERRY, feed_category="transport"),
    item("daily", 3, "09:30", "Ferry is stopped", f"{FERRY} Buses replace it.", category=5),
    item("agency", 3, "18:00", "New school", SCHOOL, category="  city\n council "),
    item("herald", 3, "20:00", "Storm", "A storm felled trees in the park of Sundholm."),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archived(tmp_path_factory.mktemp("front") / "a", events_of(ITEMS, rule="verified"))


@pytest.fixture(scope="module")
def reader(path: Path):
    with ArchiveReader(path, search_words()) as opened:
        yield opened


def test_the_day_is_that_of_the_newest_item_whose_time_has_come(reader) -> None:
    last = datetime(2026, 3, 3, 20, tzinfo=UTC)
    assert reader.newest_at(last + timedelta(days=30)) == last
    assert reader.newest_at(last) == datetime(2026, 3, 3, 18, tzinfo=UTC)
    # A clock that is before all items does not make the archive empty.
    assert reader.newest_at(datetime(2000, 1, 1, tzinfo=UTC)) == last


def test_a_day_is_counted_and_compared_with_the_week_before(reader) -> None:
    totals = reader.day_totals(SINCE, UNTIL)
    assert (totals.items, totals.duplicates) == (6, 3)
    assert (totals.items_before, totals.duplicates_before) == (1, 0)
    assert totals.hours_before == 38  # from 10 o'clock two days before
    assert (totals.most_copied, totals.copies) == ("agency", 3)
    earlier = reader.day_totals(SINCE - timedelta(days=30), UNTIL - timedelta(days=30))
    assert (earlier.items, earlier.most_copied, earlier.copies) == (0, "", 0)


def test_a_story_shows_each_source_once_with_its_relation_and_delay(reader) -> None:
    (ferry,) = reader.stories(ItemFilter(since=SINCE), least_sources=2).stories
    (spread,) = reader.spreads([ferry.id], SINCE, UNTIL)
    assert spread.original_at == datetime(2026, 3, 3, 8, tzinfo=UTC)
    assert [(one.source, one.relation, one.delay_seconds) for one in spread.copies] == [
        ("daily", "reprint", 1_200),
        ("mirror", "reprint", 3_600),
    ]
    # Half hours of the day: two items after eight o'clock, one at nine, one at half past nine.
    assert spread.items_before == 0
    assert {at: items for at, items in enumerate(spread.growth) if items} == {16: 2, 18: 1, 19: 1}


def test_items_before_the_day_are_counted_apart(reader) -> None:
    (ferry,) = reader.stories(least_sources=2).stories
    day = SINCE + timedelta(hours=9)
    (spread,) = reader.spreads([ferry.id], day, day + timedelta(days=1))
    assert (spread.items_before, spread.growth[:2]) == (2, (1, 1))


def test_a_story_that_is_gone_has_no_spread(reader) -> None:
    (spread,) = reader.spreads(["none"], SINCE, UNTIL)
    assert (spread.original_at, spread.copies, sum(spread.growth)) == (None, (), 0)


def test_what_nobody_copied_is_counted(reader) -> None:
    day = reader.uncopied(ItemFilter(since=SINCE), limit=1)
    assert day.count == 2
    assert [one.title for one in day.latest] == ["Storm"]
    assert reader.uncopied(ItemFilter(category="city council"), limit=5).count == 1
    assert reader.uncopied(ItemFilter(source="nobody"), limit=5).count == 0


@pytest.mark.parametrize(
    ("fields", "category"),
    [
        ('"category": "sport", "tags": ["football"]', "sport"),
        ('"category": null, "feed_category": "World news"', "World news"),
        ('"category": [], "articleSection": ["Politics", "Cities"]', "Politics"),
        ('"categories": [" ", "b"], "tags": ["c"]', "c"),
        ('"subject": [{"name": "weather", "uri": "x"}]', "weather"),
        ('"category": 7, "subject": {"name": ["a"]}', ""),
        ('"category": "\\ud800"', ""),
        (f'"category": "{"x" * 500}"', "x" * 80),
        (f'"category": {"[" * 5_000}{"]" * 5_000}', ""),
        ("", ""),
    ],
)
def test_the_category_is_the_first_that_a_field_names(fields, category) -> None:
    assert category_of_event(f"{{{fields}}}".encode()) == category


def test_items_and_stories_are_filtered_by_category(reader) -> None:
    assert reader.categories(limit=10) == ("Sea", "city council", "transport")
    assert reader.categories(limit=1) == ("transport",)
    items = reader.items(ItemFilter(category="transport")).items
    assert [one.source for one in items] == ["mirror", "agency"]
    both = ItemFilter(category="transport", text="ferry", verdict="original")
    assert [one.source for one in reader.items(both).items] == ["agency"]
    assert len(reader.stories(ItemFilter(category="Sea"), sort="size").stories) == 1
    volumes = reader.volumes("day", ItemFilter(category="transport"))
    assert [(one.originals, one.duplicates) for one in volumes.points] == [(1, 1)]


def test_stories_before_and_after_are_those_of_the_page_of_a_story(tmp_path: Path) -> None:
    path = archived(tmp_path / "a", [*story_events(), *stream_events()])
    with ArchiveReader(path, search_words()) as opened:
        stories = opened.stories(limit=200).stories
        spreads = opened.spreads([one.id for one in stories], SINCE, UNTIL)
        related = 0
        for story, spread in zip(stories, spreads, strict=True):
            detail = opened.story(story.id)
            assert {one.story for one in spread.before} == {one.story for one in detail.follows}
            assert {one.story for one in spread.after} == {one.story for one in detail.updates}
            related += len(spread.before) + len(spread.after)
        assert related > 0


def test_an_archive_without_ranks_and_categories_gets_them_when_it_is_opened(
    path: Path, tmp_path: Path
) -> None:
    """What a migration leaves empty is filled by the writer, from the events and the counts."""
    older = tmp_path / "older"
    older.write_bytes(path.read_bytes())
    with closing(sqlite3.connect(older)) as connection, connection:
        connection.execute("UPDATE items SET category = ''")
        connection.execute("DELETE FROM totals WHERE kind = 'category'")
        connection.execute("UPDATE stories SET by_size = 0, by_speed = 0")
        connection.execute("DELETE FROM meta WHERE name = 'columns'")
    with ArchiveWriter(older, search_words()) as writer:
        assert writer.check() == []
    with ArchiveReader(older, search_words()) as opened:
        assert opened.categories(limit=10) == ("Sea", "city council", "transport")


def test_an_archive_of_the_version_before_is_brought_up_to_date(tmp_path: Path) -> None:
    path = archived(tmp_path / "a", events_of(ITEMS))
    undo = """
    DROP TABLE earlier_texts; DROP INDEX items_by_pair; DROP INDEX items_by_category;
    DROP INDEX stories_by_size; DROP INDEX stories_by_speed;
    DROP INDEX stories_by_last; DROP INDEX items_duplicate;
    ALTER TABLE items DROP COLUMN category;
    ALTER TABLE stories DROP COLUMN by_size; ALTER TABLE stories DROP COLUMN by_speed;
    CREATE INDEX stories_by_last ON stories (last);
    CREATE INDEX items_duplicate ON items (number) WHERE verdict = 'duplicate';
    DELETE FROM totals WHERE kind = 'category'; DELETE FROM meta WHERE name = 'columns';
    PRAGMA user_version = 2;
    """
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(undo)
    with ArchiveWriter(path, search_words()) as writer:
        assert writer.check() == []
        writer.apply(story_events())
        assert writer.check() == []
    with ArchiveReader(path, search_words()) as opened:
        assert opened.categories(limit=1) == ("transport",)
        assert opened.stories(sort="size", limit=1).stories[0].sources == 3
