"""Scores of labelled pairs over a small stream that is told here in full."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from newsdedup.cli import app
from newsdedup.core.scores import Outcome
from newsdedup.lab.intervals import intervals
from newsdedup.lab.pairs import labelled_pairs
from newsdedup.ports import SourceUnusable

BRIDGE = (
    "The bridge over the river Velna in Marstad reopened on Monday after a repair that took "
    "14 months and cost 32 million crowns, mayor Ida Holm said."
)
ITEMS = [
    {"id": "bridge", "source": "north.example", "title": "Bridge reopens", "text": BRIDGE},
    {"id": "copy", "source": "daily.example", "title": "Bridge open again", "text": BRIDGE},
    {
        "id": "storm",
        "source": "north.example",
        "title": "Storm tears roofs off in Halden",
        "text": "A storm tore the roofs off eleven houses in Halden during the night; the fire "
        "brigade counted forty fallen trees and nobody was hurt.",
    },
]
PAIRS = "id1\tid2\tlabel\tweight\nbridge\tcopy\tR\t2\nbridge\tstorm\tN\t1\nbridge\tgone\tW\t1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [
        json.dumps({**item, "published_at": f"2026-03-02T1{n}:00:00Z"})
        for n, item in enumerate(ITEMS)
    ]
    (tmp_path / "items.jsonl").write_text("\n".join(lines), "utf-8")
    (tmp_path / "pairs.tsv").write_text(PAIRS, "utf-8")
    return tmp_path


def scored(folder: Path, *arguments: str) -> dict:
    where = ["--items", str(folder / "items.jsonl"), "--pairs", str(folder / "pairs.tsv")]
    result = CliRunner().invoke(app, ["lab", "score", *where, "--rule", "terms", *arguments])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout) if "--json" in arguments else {}


def test_a_pair_is_found_when_the_later_item_joins_the_story_of_the_earlier(folder: Path) -> None:
    told = scored(folder, "--json")
    assert (told["pairs"], told["pairs_without_items"]) == (2, 1)
    assert told["plain"] == told["weighted"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert told["candidates"] == {"plain": 1.0, "weighted": 1.0}
    assert told["relations"] == {"N": {"none": 1}, "R": {"reprint": 1}}
    assert {name: part["found"] for name, part in told["slices"].items()} == {
        "hours=1-6": 1,
        "label=N": 0,
        "label=R": 1,
        "length=middle": 1,
        "source=other": 1,
        "source=same": 0,
    }


def test_what_was_judged_otherwise_is_listed_with_both_texts(folder: Path) -> None:
    pairs = folder / "pairs.tsv"
    pairs.write_text(PAIRS.replace("\tR\t", "\tU\t").replace("\tN\t", "\tW\t"), "utf-8")
    scored(folder, "--errors", str(folder / "errors.jsonl"))
    found = [json.loads(line) for line in (folder / "errors.jsonl").read_text("utf-8").splitlines()]
    assert [(one["error"], one["label"]) for one in found] == [
        ("false duplicate", "U"),
        ("missed", "W"),
    ]
    assert [item["id"] for item in found[1]["items"]] == ["bridge", "storm"]
    assert found[1]["items"][0]["text"] == BRIDGE


def test_pairs_that_people_could_not_agree_upon_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("id1\tid2\tdup\tlabel_a\na\tb\t?\tW\na\tc\t0\tU\n", "utf-8")
    (pair,) = labelled_pairs(file)
    assert (pair.right, pair.duplicate, pair.label) == ("c", False, "U")
    file.write_text("id1\tid2\tlabel\na\tb\tX\n", "utf-8")
    assert labelled_pairs(file) == []


def test_a_file_of_pairs_without_the_columns_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("left\tright\n1\t2\n", "utf-8")
    with pytest.raises(SourceUnusable, match="id1, id2"):
        labelled_pairs(file)


def test_an_interval_holds_the_score_and_shrinks_with_more_pairs() -> None:
    few = [Outcome(duplicate=n % 2 == 0, found=n % 3 == 0) for n in range(30)]
    wide, narrow = (intervals(few * times, weighted=False)["recall"] for times in (1, 20))
    assert wide[0] <= narrow[0] <= 1 / 3 <= narrow[1] <= wide[1]


def test_the_same_pairs_give_the_same_interval() -> None:
    outcomes = [Outcome(duplicate=True, found=n % 3 > 0, weight=n) for n in range(1, 20)]
    assert intervals(outcomes, weighted=True) == intervals(outcomes, weighted=True)
    assert intervals([], weighted=True) == {}
