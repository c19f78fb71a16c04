import json
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import median

import msgspec
import pytest

from archive.event_stream import archived, search_words, story_events, stream_events
from newsdedup import ItemKey
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import CursorInvalid, ItemFilter
from newsdedup.archive.source_queries import share_interval
from newsdedup.archive.views import ItemSummary

FILTERS = [
    ItemFilter(),
    ItemFilter(lang="uk"),
    ItemFilter(relation="reprint"),
    ItemFilter(verdict="duplicate", lang="ru"),
    ItemFilter(since=datetime(2026, 11, 2, 6, 20, tzinfo=UTC)),
    ItemFilter(until=datetime(2026, 11, 2, 6, 20, tzinfo=UTC), lang="en"),
    ItemFilter(source="daily"),
    ItemFilter(source="nobody"),
    ItemFilter(copies_of="agency"),
    ItemFilter(copies_of="agency", source="daily", lang="en"),
    ItemFilter(copies_of="nobody"),
]


@cache
def all_events() -> list[bytes]:
    """Return the events of every archive here, which are made when the first test needs them."""
    return [*story_events(), *stream_events(400, seed=8)]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory):
    path = archived(tmp_path_factory.mktemp("archive") / "a", all_events())
    with ArchiveReader(path, search_words()) as opened:
        yield opened


@pytest.fixture(scope="module")
def standing() -> dict[ItemKey, dict]:
    """The newest event of each item, by the rule of docs/events.md."""
    newest: dict[ItemKey, dict] = {}
    for line in all_events():
        verdict = json.loads(line)["dedup"]
        if "item" in verdict:
            key = ItemKey(verdict["item"]["source"], verdict["item"]["id"])
            revision = verdict["revision"]["epoch"], verdict["revision"]["n"]
            if key not in newest or revision > newest[key]["at"]:
                newest[key] = {**json.loads(line), "at": revision}
    return {key: one for key, one in newest.items() if one["dedup"]["event"] != "item.retracted"}


def every(page, rows: str) -> list:
    """Return the rows of all pages."""
    rows_of, cursor = [], ""
    while True:
        shown = page(cursor)
        rows_of.extend(getattr(shown, rows))
        if shown.next is None:
            return rows_of
        cursor = shown.next


def fits(item: dict, chosen: ItemFilter) -> bool:
    verdict = item["dedup"]
    at = datetime.fromisoformat(verdict["effective_at"])
    return (
        chosen.source in ("", verdict["item"]["source"])
        and chosen.lang in ("", verdict["lang"])
        and chosen.verdict in ("", verdict["verdict"])
        and chosen.relation in ("", verdict["relation"])
        and (
            not chosen.copies_of
            or (verdict["verdict"], verdict["story"]["original"]["source"])
            == ("duplicate", chosen.copies_of)
        )
        and (chosen.since is None or at >= chosen.since)
        and (chosen.until is None or at < chosen.until)
    )


def name(item: ItemSummary) -> ItemKey:
    return ItemKey(item.source, item.id)


@pytest.mark.parametrize("chosen", FILTERS, ids=str)
def test_lists_show_every_item_that_fits_once_the_newest_first(reader, standing, chosen) -> None:
    items = every(lambda cursor: reader.items(chosen, cursor=cursor, limit=7), "items")
    assert sorted(map(name, items)) == sorted(k for k, one in standing.items() if fits(one, chosen))
    assert all(one.at >= two.at for one, two in pairwise(items))


@pytest.mark.parametrize("chosen", FILTERS, ids=str)
def test_stories_come_once_each_by_their_last_item_that_fits(reader, standing, chosen) -> None:
    stories = every(lambda cursor: reader.stories(chosen, cursor=cursor, limit=5), "stories")
    last: dict[str, str] = {}
    for one in standing.values():
        verdict = one["dedup"]
        if fits(one, chosen):
            story = verdict["story"]["id"]
            last[story] = max(last.get(story, ""), verdict["effective_at"])
    assert sorted(one.id for one in stories) == sorted(last)
    times = [last[one.id] for one in stories]
    assert times == sorted(times, reverse=True)


def test_a_story_counts_its_items_sources_and_copies(reader, standing) -> None:
    for story in every(lambda cursor: reader.stories(cursor=cursor), "stories"):
        detail = reader.story(story.id)
        members = {
            k: one["dedup"]
            for k, one in standing.items()
            if one["dedup"]["story"]["id"] == story.id
        }
        assert {name(one) for one in detail.items} == set(members)
        assert detail.summary == story
        assert story.items == sum(story.spark) == len(members)
        assert story.sources == len({key.source for key in members})
        assert story.duplicates == sum(one["verdict"] == "duplicate" for one in members.values())
        times = [datetime.fromisoformat(one["effective_at"]) for one in members.values()]
        assert (story.first_at, story.last_at) == (min(times), max(times))
        assert all(one.at <= two.at for one, two in pairwise(detail.items))


def test_a_story_shows_what_was_corrected_and_who_follows_it(reader) -> None:
    item = reader.item(ItemKey("daily", "77"))
    story = reader.story(item.summary.story)
    assert story.summary.original.id == "77"
    assert item.judgement.decided_by == "editor"
    changed = [one.changed for one in item.corrections]
    assert ("version",) in changed
    assert "decided_by" in changed[-1]
    revisions = [one.revision.n for one in item.corrections]
    assert revisions == sorted(revisions)
    assert set(item.corrections) <= set(story.corrections)
    linked = [
        one for one in reader.items(limit=1000).items if one.verdict == "original" and one.matched
    ]
    assert linked
    for one in linked:
        other = reader.item(ItemKey(one.matched.source, one.matched.id))
        if other is not None and other.summary.story != one.story:
            assert one in reader.story(other.summary.story).updates
            assert other.summary in reader.story(one.story).follows


def test_an_item_comes_back_as_it_was_received_with_its_evidence(reader, standing) -> None:
    for key, event in standing.items():
        detail = reader.item(key)
        received = json.loads(bytes(detail.received))
        assert received == {name: event[name] for name in event if name not in ("dedup", "at")}
        assert json.loads(msgspec.json.encode(detail.judgement)) == event["dedup"]
        assert detail.text == (received.get("text") or "")
    assert reader.item(ItemKey("nobody", "1")) is None


def test_delays_are_counted_from_the_original(reader, standing) -> None:
    copies: Counter[tuple[str, str]] = Counter()
    delays: list[float] = []
    for key, event in standing.items():
        verdict = event["dedup"]
        if verdict["verdict"] != "duplicate":
            continue
        original = verdict["story"]["original"]
        copies[key.source, original["source"]] += 1
        there = standing[ItemKey(original["source"], original["id"])]["dedup"]["effective_at"]
        delay = datetime.fromisoformat(verdict["effective_at"]) - datetime.fromisoformat(there)
        assert reader.item(key).summary.delay_seconds == delay.total_seconds()
        delays.append(delay.total_seconds())
    matrix = reader.copies(most=1_000)
    assert {(one.source, one.original_source): one.items for one in matrix.cells} == {
        pair: items for pair, items in copies.items() if set(pair) <= set(matrix.sources)
    }
    others = {source for pair in copies if pair[0] != pair[1] for source in pair}
    assert set(matrix.sources) == others
    known = sorted(one.median_delay_seconds for one in matrix.cells)
    assert known[0] >= 0
    assert known[-1] <= 3 * max(delays) + 60
    assert median(known) > 0


def test_sources_add_up(reader, standing) -> None:
    stats = {one.source: one for one in reader.sources()}
    items = Counter(key.source for key in standing)
    assert {source: one.items for source, one in stats.items()} == items
    for source, one in stats.items():
        assert one.items == one.originals + one.duplicates
        assert one.duplicates == one.own_repeats + one.copies_of_others
        assert reader.source(source).stats == one
        assert sum(span.items for span in reader.source(source).delays) == one.copies_of_others
    assert stats["north"].links == 1
    assert sum(one.copies_of_others for one in stats.values()) == sum(
        one.copied_by_others for one in stats.values()
    )
    assert reader.source("nobody") is None
    day = datetime(2026, 3, 2, tzinfo=UTC)
    spring = reader.sources(since=day, until=day + timedelta(days=1))
    assert {one.source for one in spring} == {"daily", "north", "agency", "вести"}


def test_each_pair_of_sources_has_as_many_copies_as_its_items(reader) -> None:
    matrix = reader.copies()
    counts = [one.items for one in matrix.strongest]
    assert counts == sorted(counts, reverse=True)
    assert {(one.source, one.original_source) for one in matrix.strongest[:3]} <= {
        (one.source, one.original_source) for one in matrix.cells
    }
    for cell in (*matrix.cells[:20], *matrix.strongest):
        chosen = ItemFilter(source=cell.source, copies_of=cell.original_source)
        assert (
            len(every(lambda at, one=chosen: reader.items(one, cursor=at), "items")) == cell.items
        )


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [(0, 10, 0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1), (81, 263, 0.2553, 0.3662)],
)
def test_the_interval_of_a_share_is_that_of_wilson(part, whole, low, high) -> None:
    assert share_interval(part, whole) == pytest.approx((low, high), abs=1e-4)


def test_the_republications_of_an_original_are_its_copies(reader, standing) -> None:
    copies: defaultdict[ItemKey, list[tuple[str, str]]] = defaultdict(list)
    for key, event in standing.items():
        verdict = event["dedup"]
        if verdict["verdict"] == "duplicate":
            original = ItemKey(**verdict["story"]["original"])
            copies[original].append((key.source, verdict["relation"]))
    for source in {key.source for key in copies}:
        republished = reader.source(source).republished
        assert {
            one.original.id: (one.copies, one.sources, one.reprints) for one in republished
        } == {
            original.id: (
                len(made),
                len({copier for copier, _ in made} - {source}),
                sum(relation == "reprint" for _, relation in made),
            )
            for original, made in copies.items()
            if original.source == source
        }
        assert [one.copies for one in republished] == sorted(
            (one.copies for one in republished), reverse=True
        )


def test_republications_are_of_the_days_that_are_chosen(reader, standing) -> None:
    some = next(one for one in reader.sources() if one.copied_by_others)
    first = min(datetime.fromisoformat(e["dedup"]["effective_at"]) for e in standing.values())
    assert reader.source(some.source).republished
    before = reader.source(some.source, until=first + timedelta(days=400))
    assert before.republished == reader.source(some.source).republished
    day = first + timedelta(days=2)
    late = reader.source(some.source, since=day)
    assert late is None or all(one.last_at >= day for one in late.republished)


@pytest.mark.parametrize("step", ["hour", "day", "week"])
def test_volumes_of_all_and_of_a_query_are_those_of_their_items(reader, step) -> None:
    for chosen in (*FILTERS[:4], ItemFilter(text="пожар"), ItemFilter(source="daily")):
        points = reader.volumes(step, chosen).points
        items = every(lambda cursor, c=chosen: reader.items(c, cursor=cursor), "items")
        starts: Counter[datetime] = Counter()
        for one in items:
            start = one.at.replace(minute=0, second=0, microsecond=0)
            if step != "hour":
                start = start.replace(hour=0)
            if step == "week":
                start -= timedelta(days=start.weekday())
            starts[start] += 1
        assert {one.start: one.total for one in points if one.total} == starts
        gaps = {later.start - one.start for one, later in pairwise(points)}
        assert gaps <= {timedelta(hours={"hour": 1, "day": 24, "week": 168}[step])}
        assert sum(one.duplicates for one in points) == sum(i.verdict == "duplicate" for i in items)


def test_the_stats_of_the_whole_are_those_of_its_items(reader, standing) -> None:
    stats = reader.stats()
    verdicts = [one["dedup"] for one in standing.values()]
    assert stats.items == len(verdicts)
    assert stats.duplicates == sum(one["verdict"] == "duplicate" for one in verdicts)
    assert stats.languages == Counter(one["lang"] for one in verdicts)
    assert stats.relations == Counter(one["relation"] for one in verdicts)
    assert stats.stories == len({one["story"]["id"] for one in verdicts})
    assert stats.sources == len({key.source for key in standing})
    assert 0 < stats.items_last_hour <= stats.items_last_day <= stats.items


def test_changes_tell_each_item_once_and_go_on_behind_the_last(reader, standing) -> None:
    after, names = 0, []
    while True:
        page = reader.changes(after=after, limit=9)
        names += [ItemKey(one.item.source, one.item.id) for one in page.changes if one.summary]
        if page.last == after:
            break
        after = page.last
    assert sorted(names) == sorted(standing)
    assert after == reader.last_change()


@pytest.mark.parametrize("cursor", ["x", "-", "0x1", "1 ", "f" * 40, "01"])
def test_a_cursor_that_no_page_gave_is_refused(reader, cursor) -> None:
    for page in (reader.items, reader.stories, reader.search):
        with pytest.raises(CursorInvalid):
            page(ItemFilter(text="fire"), cursor=cursor)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("bridge", {"1", "77"}),
        ("BRIDGES reopening", {"1", "77"}),
        ("bridge -buses", {"1"}),
        ("пожежі", {"b-1", "2", "5"}),
        ("пожаров на складах", {"b-1", "2", "5"}),
        ("пожар лунинск", {"5"}),
        ("800", {"5"}),
        ("bridge пожар", set()),
        ("the", set()),
        ("-bridge", {"2", "5", "b-1"}),
        ('") OR ("', set()),
        ("NOT AND OR NEAR( * ^ :", set()),
        ("\0 ' \" ; DROP", set()),
    ],
)
def test_a_search_reads_words_in_any_form_and_in_three_languages(reader, text, ids) -> None:
    own = {"daily", "north", "agency", "вести"}
    items = reader.search(ItemFilter(text=text), limit=500).items
    assert {one.id for one in items if one.source in own} == ids


def test_a_search_counts_its_matches_and_names_its_words(reader) -> None:
    found = reader.search(ItemFilter(text="the bridge -buses", source="north"), limit=1)
    assert found.words == ("bridge", "-buses")
    assert found.matches == len(found.items) == 1
    assert reader.search(ItemFilter(text="on of the")).words == ()


def test_a_filter_of_hostile_values_matches_nothing(reader) -> None:
    for chosen in (ItemFilter(lang="ru OR en"), ItemFilter(source='" OR "'), ItemFilter(lang="*")):
        assert reader.items(chosen).items == ()
        assert reader.stories(chosen).stories == ()


def test_a_story_of_many_items_comes_in_pages(reader) -> None:
    stories = reader.stories(limit=500).stories
    largest = max(stories, key=lambda one: (one.items, one.id))
    assert largest.items >= 3
    shown = every(lambda cursor: reader.story(largest.id, cursor=cursor, limit=2), "items")
    assert len(shown) == len(set(map(name, shown))) == largest.items
    newest = reader.newest_of_story(largest.id, limit=2)
    assert list(newest) == shown[:-3:-1]
    assert reader.story("no story") is None
    assert reader.newest_of_story("no story", limit=2) == ()


def test_the_path_of_a_reader_is_the_file_that_it_reads(reader) -> None:
    assert isinstance(reader.path, Path)
    assert reader.stats().size_bytes == reader.path.stat().st_size
