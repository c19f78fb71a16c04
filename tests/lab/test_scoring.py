"""Scores of labelled pairs over a small stream that is written here in full."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from newsdedup_lab.scores import PairOutcome, bootstrap_intervals

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
    result = asked(folder, *arguments)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout) if "--json" in arguments else {}


def test_a_pair_is_found_when_the_later_item_joins_the_story_of_the_earlier(folder: Path) -> None:
    scores = scored(folder, "--json")
    assert (scores["pairs"], scores["pairs_without_items"]) == (2, 1)
    assert scores["plain"] == scores["weighted"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert scores["candidates"] == {"plain": 1.0, "weighted": 1.0}
    assert scores["relations"] == {"N": {"none": 1}, "R": {"reprint": 1}}
    reprints = scores["slices"]["label=R"]
    assert reprints["intervals"]["plain"]["recall"] == [1.0, 1.0]
    assert reprints["candidates"] == {"plain": 1.0, "weighted": 1.0}
    assert {name: part["found"] for name, part in scores["slices"].items()} == {
        "hours=1-6": 1,
        "label=N": 0,
        "label=R": 1,
        "length=middle": 1,
        "source=other": 1,
        "source=same": 0,
    }


def test_nothing_beyond_the_window_is_a_candidate(folder: Path) -> None:
    errors = folder / "errors.jsonl"
    scores = scored(folder, "--json", "--window", "30m", "--errors", str(errors))
    assert scores["candidates"] == {"plain": 0.0, "weighted": 0.0}
    [missed] = [json.loads(line) for line in errors.read_text("utf-8").splitlines()]
    assert missed["candidate"] is False


def asked(folder: Path, *arguments: str) -> Result:
    where = ["--items", str(folder / "items.jsonl"), "--pairs", str(folder / "pairs.tsv")]
    return CliRunner().invoke(app, ["lab", "score", *where, "--rule", "terms", *arguments])


def test_pairs_of_other_items_are_counted_in_the_table(folder: Path) -> None:
    table_lines = [line.strip() for line in asked(folder).stdout.splitlines()]
    assert table_lines[:2] == ["2 pairs, rule terms-1/6/3", "pairs without items: 1"]
    (folder / "pairs.tsv").write_text(PAIRS.rpartition("bridge\tgone")[0], "utf-8")
    assert "without items" not in asked(folder).stdout


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_pairs_none_of_which_is_among_the_items_are_refused(folder: Path, form: list[str]) -> None:
    (folder / "pairs.tsv").write_text("id1\tid2\tlabel\nbridge\tgone\tR\n", "utf-8")
    result = asked(folder, *form)
    assert result.exit_code == ExitCode.INPUT_MISSING
    assert result.stderr.endswith("pairs.tsv: no pair of it is among the items\n")


def test_where_no_line_is_an_item_the_first_is_named_with_the_reason(folder: Path) -> None:
    items = folder / "items.jsonl"
    items.write_text("id,title\n1,Bridge\n")
    refused = asked(folder)
    assert refused.exit_code == ExitCode.INPUT_MISSING
    assert f"no items found; {items}, line 1: JSON is malformed" in refused.stderr


def test_an_id_of_two_sources_is_refused_and_meant_with_its_source(folder: Path) -> None:
    again = {**ITEMS[2], "id": "copy", "published_at": "2026-03-02T19:00:00Z"}
    with (folder / "items.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n" + json.dumps(again))
    result = asked(folder)
    assert result.exit_code == ExitCode.INPUT_MISSING
    assert (
        "2 sources have an item copy; write SOURCE/ID, as in: daily.example/copy" in result.stderr
    )
    (folder / "pairs.tsv").write_text(PAIRS.replace("\tcopy", "\tdaily.example/copy"), "utf-8")
    scores = scored(folder, "--json")
    assert scores["plain"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    (folder / "pairs.tsv").write_text(PAIRS.replace("\tcopy", "\tnorth.example/copy"), "utf-8")
    assert scored(folder, "--json")["plain"]["recall"] == 0.0
    (folder / "pairs.tsv").write_text("id1\tid2\tdup\nstorm\tnorth.example/storm\t1\n", "utf-8")
    assert "storm and north.example/storm are one item: no pair" in asked(folder).stderr


def test_a_made_up_stream_is_scored_by_its_own_truth(tmp_path: Path) -> None:
    made = str(tmp_path / "made.jsonl")
    run = CliRunner().invoke
    assert run(app, ["lab", "generate", "--items", "60", "--out", made]).exit_code == 0
    result = run(app, ["lab", "score", "--items", made, "--truth", f"{made}.truth.tsv", "--json"])
    found = json.loads(result.stdout)
    assert found["pairs"] > 0
    assert found["pairs_without_items"] == 0


@pytest.mark.parametrize("named", [[], ["--pairs", "p.tsv", "--truth", "t.tsv"]])
def test_there_is_one_truth(named: list[str]) -> None:
    result = CliRunner().invoke(app, ["lab", "score", "--items", "i.jsonl", *named])
    assert result.exit_code == ExitCode.USAGE
    assert "--pairs or --truth" in result.stderr


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


def test_an_interval_holds_the_score_and_shrinks_with_more_pairs() -> None:
    few = [PairOutcome(duplicate=n % 2 == 0, predicted=n % 3 == 0) for n in range(30)]
    wide, narrow = (bootstrap_intervals(few * times, weighted=False)["recall"] for times in (1, 20))
    assert wide[0] <= narrow[0] <= 1 / 3 <= narrow[1] <= wide[1]


def test_the_same_pairs_give_the_same_interval() -> None:
    outcomes = [PairOutcome(duplicate=True, predicted=n % 3 > 0, weight=n) for n in range(1, 20)]
    assert bootstrap_intervals(outcomes, weighted=True) == bootstrap_intervals(
        outcomes, weighted=True
    )
    assert bootstrap_intervals([], weighted=True) == {}


def test_a_sample_without_a_find_says_nothing_about_precision() -> None:
    one_find = [PairOutcome(duplicate=True, predicted=n == 0) for n in range(3)]
    intervals = bootstrap_intervals(one_find, weighted=False)
    assert intervals["precision"] == (1.0, 1.0)
    assert intervals["recall"] is not None
    assert intervals["recall"][0] == 0.0
    nothing = bootstrap_intervals([PairOutcome(duplicate=False, predicted=False)], weighted=True)
    assert nothing == {"precision": None, "recall": None, "f1": None}
