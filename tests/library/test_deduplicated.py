import math
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from newsdedup import deduplicated
from newsdedup.adapters.words.package_data import write_background
from newsdedup.core.words.background import Background, LanguageCounts

BRIDGE = "The mayor opened the bridge over the river after a repair that cost four million"
STORM = "A storm damaged a school and a hospital near the airport in the night"
START = datetime(2025, 1, 6, tzinfo=UTC)


def row(text, hours, **fields):
    return {"body": text, "date": START + timedelta(hours=hours), **fields}


def test_pairs_stories_and_items_tell_the_same():
    result = deduplicated([row(BRIDGE, 2), row(STORM, 0), row(BRIDGE, 1), {"views": 3}])
    [pair] = result.pairs
    assert (pair.item.row, pair.original.row, pair.relation) == (0, 2, "reprint")
    assert [story.size for story in result.stories] == [2, 1]
    assert [item.verdict for item in result.items] == ["duplicate", "original", "original"]
    assert [(bad.row, bad.code) for bad in result.rejected] == [(3, "no_text")]


def test_without_a_window_any_two_items_are_compared():
    rows = [row(BRIDGE, 0), row(BRIDGE, 24 * 365 * 30)]
    assert [item.verdict for item in deduplicated(rows).items] == ["original", "original"]
    result = deduplicated(rows, window=None)
    assert [item.verdict for item in result.items] == ["original", "duplicate"]


def test_values_of_data_frames_are_understood():
    rows = [
        {"id": 1.0, "title": math.nan, "text": BRIDGE, "date": date(2025, 1, 6)},
        {"id": 2.0, "title": None, "text": BRIDGE, "date": math.nan},
    ]
    result = deduplicated(rows)
    assert [item.ref.id for item in result.items] == ["1", "2"]
    assert [item.verdict for item in result.items] == ["original", "duplicate"]


def test_thresholds_and_the_table_of_words_can_be_chosen(tmp_path: Path):
    write_background(
        tmp_path / "own.zst", Background({"en": LanguageCounts(9, 90, {"bridg": (9, 9)})}, "-")
    )
    copy = BRIDGE.replace("mayor", "minister").replace("river", "valley").replace("four", "five")
    rows = [row(BRIDGE, 0), row(copy, 1)]
    assert [len(deduplicated(rows, rule="terms", duplicate=least).pairs) for least in (4, 12)] == [
        1,
        0,
    ]
    assert deduplicated(rows, background=str(tmp_path / "own.zst"))


def test_nothing_is_a_collection_too():
    result = deduplicated([])
    assert (list(result.items), result.pairs, result.stories, list(result.rejected)) == ([],) * 4


def test_a_data_frame_itself_is_refused_with_advice():
    names_of_columns = ["title", "text"]
    with pytest.raises(TypeError, match="to_dict"):
        deduplicated(names_of_columns)
