"""Lists of stories by rank, against ranks that are computed from what each story shows."""

from datetime import UTC, datetime, timedelta
from itertools import groupby
from math import log2
from pathlib import Path

import pytest

from archive.event_stream import archived, search_words, story_events, stream_events
from newsdedup.archive import story_lists
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import CursorInvalid, ItemFilter
from newsdedup.archive.story_ranks import size_rank, speed_rank
from newsdedup.archive.views import ArchivedStory

SINCE = datetime(2026, 11, 2, 6, 20, tzinfo=UTC)
FILTERS = [
    ItemFilter(),
    ItemFilter(since=SINCE),
    ItemFilter(until=SINCE),
    ItemFilter(lang="uk"),
    ItemFilter(verdict="duplicate", since=SINCE),
    ItemFilter(source="nobody"),
]
DAY = 24 * 3_600_000 << 6
"""A day in numbers of items."""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory):
    events = [*story_events(), *stream_events()]
    path = archived(tmp_path_factory.mktemp("archive") / "a", events)
    with ArchiveReader(path, search_words()) as opened:
        yield opened


def every_story(reader: ArchiveReader, chosen: ItemFilter, **order) -> list[ArchivedStory]:
    stories: list[ArchivedStory] = []
    cursor: str | None = ""
    while cursor is not None:
        page = reader.stories(chosen, cursor=cursor, limit=7, **order)
        stories += page.stories
        cursor = page.next
    return stories


def age_and_weight(story: ArchivedStory, sort: str) -> float:
    """Return the rank of a story in days: its last item, a day later for each doubling."""
    hours = (story.last_at - story.first_at) / timedelta(hours=1)
    weight = {
        "size": story.sources + 1 - 1 / story.items,
        "speed": story.sources / (hours + 1),
    }[sort]
    return story.last_at.timestamp() / 86_400 + log2(weight)


def test_twice_the_weight_is_worth_a_day() -> None:
    assert size_rank(1, 1, 5 * DAY) == 5 * DAY
    # Three sources, each with one item: 3 + 1 - 1/3.
    assert size_rank(3, 3, 0) == round(DAY * log2(11 / 3))
    # One source that repeats itself weighs less than any two, and never as much as the second.
    assert size_rank(2, 1, 0) < size_rank(1_000, 1, 0) < size_rank(2, 2, 0)
    # Four sources at once make four in an hour, over three hours one.
    assert speed_rank(4, 0, 0) == 2 * DAY
    assert speed_rank(4, 0, DAY // 8) == DAY // 8


@pytest.mark.parametrize("sort", ["size", "speed"])
@pytest.mark.parametrize("chosen", FILTERS, ids=str)
def test_the_same_stories_come_in_the_order_of_their_ranks(reader, chosen, sort) -> None:
    stories = every_story(reader, chosen, sort=sort)
    assert {one.id for one in stories} == {one.id for one in every_story(reader, chosen)}
    assert len(stories) == len({one.id for one in stories})
    ranks = [age_and_weight(one, sort) for one in stories]
    assert ranks == pytest.approx(sorted(ranks, reverse=True), abs=1e-6)


@pytest.mark.parametrize("sort", ["new", "size", "speed"])
@pytest.mark.parametrize("chosen", FILTERS, ids=str)
def test_only_stories_of_enough_sources_are_listed(reader, chosen, sort) -> None:
    everything = every_story(reader, chosen, sort=sort)
    some = every_story(reader, chosen, sort=sort, least_sources=2)
    assert [one.id for one in some] == [one.id for one in everything if one.sources > 1]
    assert every_story(reader, chosen, sort=sort, least_sources=10_000) == []


@pytest.mark.parametrize("sort", ["size", "speed"])
@pytest.mark.parametrize("least", [1, 2])
def test_many_stories_are_found_by_their_ranks_as_few_are(
    reader, sort: str, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = ItemFilter(since=SINCE - timedelta(minutes=20))
    few = every_story(reader, chosen, sort=sort, least_sources=least)
    assert few
    monkeypatch.setattr(story_lists, "_MANY_STORIES", 1)
    assert every_story(reader, chosen, sort=sort, least_sources=least) == few


@pytest.mark.parametrize("cursor", ["zz", "12", "1.", ".1", "1.2.3", "1f.01"])
def test_a_cursor_of_another_order_is_refused(reader, cursor) -> None:
    with pytest.raises(CursorInvalid):
        reader.stories(sort="size", cursor=cursor)


def test_a_cursor_of_ranks_belongs_to_no_page_of_the_newest(reader) -> None:
    ranked = reader.stories(sort="size", limit=1)
    with pytest.raises(CursorInvalid):
        reader.stories(sort="new", cursor=ranked.next)


def test_ranks_follow_each_copy(tmp_path: Path) -> None:
    """The largest story is the one that most sources have, after every batch."""
    path = tmp_path / "a"
    events = stream_events()
    for end in range(40, len(events), 40):
        archived(path, events[end - 40 : end], batch=13)  # and counts all sums anew
        with ArchiveReader(path, search_words()) as opened:
            stories = opened.stories(sort="size", limit=200).stories
        sizes = [age_and_weight(one, "size") for one in stories]
        assert [size for size, _ in groupby(sizes)] == sorted(set(sizes), reverse=True)
