from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup import ItemKey, NewsItem
from newsdedup_lab.stats.publishers import (
    SourceRank,
    count_references,
    most_original,
    outgoing_links,
    plagiarism_zone,
    pooled_level,
    rank_by_links,
    wilson_low,
)
from newsdedup_lab.stats.stats_report import Volume, count_volumes, fill_silence, split_at_silence

HOUR = 3_600 * 1_000_000
MONDAY = 1_731_888_000
"""2024-11-18 00:00 UTC."""


def publisher(name: str, items: int, duplicates: int, links: int) -> SourceRank:
    return SourceRank(name, items, duplicates, duplicates, 0, links)


def item(text: str, *, url: str = "", links: tuple[str, ...] = ()) -> NewsItem:
    return NewsItem(ItemKey("s", "1"), "", text, url=url, links=links)


def test_weeks_begin_on_monday_in_utc():
    at = MONDAY * 1_000_000
    assert count_volumes([(at - 1, True), (at, False), (at + 167 * HOUR, True)], "week") == [
        Volume(MONDAY - 7 * 86_400, 1, 1),
        Volume(MONDAY, 2, 1),
    ]


def test_days_and_hours_are_whole_and_times_before_1970_have_theirs():
    assert count_volumes([(-1, False)], "hour") == [Volume(-3_600, 1, 0)]
    assert count_volumes([(25 * HOUR, False)], "day") == [Volume(86_400, 1, 0)]


@given(st.lists(st.tuples(st.integers(-(10**17), 10**17), st.booleans())))
def test_every_item_is_in_one_period(judged):
    for period in ("week", "day", "hour"):
        found = count_volumes(judged, period)
        assert sum(one.total for one in found) == len(judged)
        assert sum(one.duplicates for one in found) == sum(copy for _, copy in judged)


def test_a_line_falls_to_zero_where_nothing_came():
    hours = [Volume(at * 3_600, 5, 1) for at in (0, 1, 3, 9)]
    shown = fill_silence(hours, "hour")
    assert [(one.begin // 3_600, one.total) for one in shown] == [
        (0, 5), (1, 5), (2, 0), (3, 5), (4, 0), (8, 0), (9, 5),
    ]  # fmt: skip


def test_a_long_silence_parts_a_stream():
    days = [Volume(at * 86_400, 1, 0) for at in (0, 1, 13, 26)]
    assert [len(run) for run in split_at_silence(days, "day")] == [3, 1]
    assert split_at_silence([], "day") == []


def test_references_lead_to_other_hosts():
    text = (
        "Пишет [Лента](https://lenta.example/a?b=1#c), см. http://www.own.example/2. "
        "И https://lenta.example/a?b=1; https://third.example/x."
    )
    found = outgoing_links(
        item(text, url="https://own.example/1", links=("https://linked.example",))
    )
    assert found == {
        "https://lenta.example/a?b=1",
        "https://third.example/x",
        "https://linked.example",
    }


def test_what_is_no_address_is_no_reference():
    assert (
        outgoing_links(item("https:// http://[ ftp://a.example", links=("", "http://[bad")))
        == set()
    )


def test_an_address_under_every_item_is_the_sources_own():
    found = Counter(
        {"https://subscribe.example": 50, "https://a.example": 5, "https://b.example": 1}
    )
    assert count_references(found, items=100) == 6
    assert count_references(Counter({"https://a.example": 3}), items=3) == 3


@pytest.mark.parametrize("text", ["https://" * 12_500, "https://" + "a." * 50_000])
def test_addresses_are_read_once_from_hostile_text(text):
    assert len(outgoing_links(item(text))) <= len(text)


def test_two_originals_of_two_prove_less_than_ninety_of_a_hundred():
    assert wilson_low(0, 5) == 0.0
    assert wilson_low(2, 2) == pytest.approx(0.3424, abs=1e-4)
    assert wilson_low(90, 100) == pytest.approx(0.8256, abs=1e-4)
    few, many = publisher("few", 2, 0, 0), publisher("many", 100, 10, 0)
    assert most_original([few, many], most=2) == [many, few]


def test_sources_are_ranked_by_references_and_those_of_few_items_left_out():
    ranked = rank_by_links(
        [publisher("b", 9, 0, 0), publisher("a", 9, 0, 0), publisher("c", 9, 0, 4)]
    )
    assert [one.name for one in ranked] == ["c", "a", "b"]
    assert rank_by_links([publisher("a", 4, 0, 9)]) == []


def test_the_zone_of_mass_plagiarism_is_the_tail_that_copies_more():
    ranked = [
        publisher("agency", 100, 40, 90),
        publisher("paper", 100, 10, 50),
        publisher("blog", 10, 1, 3),
        publisher("thief", 50, 45, 1),
        publisher("robber", 50, 40, 0),
    ]
    # All: 136 of 310, 44 %. Above that, from the end: 40 - 0.44 * 50 = 18, then 41, 38, 4, 0.
    assert pooled_level(ranked) == pytest.approx(136 / 310)
    assert plagiarism_zone(ranked) == 4
    assert plagiarism_zone(ranked[:3]) is None
    assert plagiarism_zone([]) is None


def test_a_level_that_chance_explains_makes_no_zone():
    ranked = [publisher("agency", 1_000, 200, 9), publisher("small", 10, 3, 0)]
    assert plagiarism_zone(ranked) is None
    assert plagiarism_zone([ranked[0], publisher("large", 500, 150, 0)]) == 2


@given(st.lists(st.tuples(st.integers(5, 20), st.integers(0, 5), st.integers(0, 3)), max_size=12))
def test_no_tie_of_references_decides_about_the_zone(rows):
    named = [publisher(f"{n:02}", *row) for n, row in enumerate(rows)]
    turned = [publisher(f"{99 - n:02}", *row) for n, row in enumerate(rows)]
    assert plagiarism_zone(rank_by_links(named)) == plagiarism_zone(rank_by_links(turned))
