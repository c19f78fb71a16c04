from datetime import timedelta

from hypothesis import given

from newsdedup.runners.files.finished import COLUMNS, tables
from runners.finished_rows import START, at, dated, result_of, table

BRIDGE = "The mayor opened the bridge over the river after a repair that cost four million"
STORM = "A storm damaged a school and a hospital near the airport in the night"
ROWS = table(
    {"id": "1", "source": "a", "text": STORM, "published_at": at(0)},
    {"id": "2", "source": "a", "text": BRIDGE, "published_at": at(3)},
    {"id": "3", "source": "b", "text": BRIDGE, "published_at": at(1)},
    {"id": "4", "source": "c", "text": BRIDGE},
    {"id": "5", "source": "c", "text": ""},
)


def test_pairs_are_the_duplicates_with_their_originals():
    pairs = result_of(ROWS).pairs
    assert [(pair.item.id, pair.original.id, pair.relation, pair.score) for pair in pairs] == [
        ("2", "3", "reprint", 1.0),
        ("4", "3", "reprint", 1.0),
    ]


def test_stories_hold_all_rows_the_largest_first():
    bridge, storm = result_of(ROWS).stories
    assert [member.id for member in bridge.members] == ["3", "4", "2"]
    assert (bridge.original.id, bridge.size) == ("3", 3)
    assert (bridge.first_at, bridge.last_at) == (
        START + timedelta(hours=1),
        START + timedelta(hours=3),
    )
    assert [member.id for member in storm.members] == ["1"]
    assert storm.first_at == storm.last_at


def test_a_story_without_dates_has_no_times():
    [story] = result_of(table({"text": STORM}, {"text": STORM})).stories
    assert (story.size, story.first_at, story.last_at) == (2, None, None)


def test_counts_tell_what_there_is():
    counts = result_of(ROWS).counts()
    assert counts["rows"] == 5
    assert (counts["original"], counts["duplicate"], counts["rejected"]) == (2, 2, 1)
    assert (counts["relation_reprint"], counts["rejected_no_text"], counts["undated"]) == (2, 1, 1)
    assert (counts["stories"], counts["copied"], counts["repeated_ids"]) == (2, 1, 0)


@given(dated())
def test_stories_part_the_rows_and_pairs_are_the_rest_of_them(rows):
    result = result_of(table(*rows))
    members = [member for story in result.stories for member in story.members]
    assert sorted(members) == sorted(row.ref for row in result.items)
    assert all(story.members[0] == story.original for story in result.stories)
    pairs = {(pair.item, pair.original) for pair in result.pairs}
    assert pairs == {
        (member, story.original) for story in result.stories for member in story.members[1:]
    }


@given(dated())
def test_every_row_of_every_table_has_all_columns(rows):
    for reported in tables(result_of(table(*rows, {"text": ""}))):
        assert reported.columns == COLUMNS[reported.name]
        assert all(len(row) == len(reported.columns) for row in reported.rows)


def test_the_tables_say_what_the_result_says():
    items, pairs, stories, rejected = (
        [dict(zip(reported.columns, row, strict=True)) for row in reported.rows]
        for reported in tables(result_of(ROWS))
    )
    assert items[1]["verdict"] == "duplicate"
    assert (items[1]["row"], items[1]["original_row"], items[1]["matched_row"]) == (1, 2, 2)
    assert (items[0]["matched_row"], items[0]["matched_source"]) == (None, None)
    assert (pairs[0]["id"], pairs[0]["original_id"]) == ("2", "3")
    assert stories[0]["size"] == 3
    assert stories[0]["members"][0] == {"input": "news.csv", "row": 2, "source": "b", "id": "3"}
    assert (rejected[0]["row"], rejected[0]["code"]) == (4, "no_text")
