import csv
import json
import shutil
from operator import itemgetter
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode

pytestmark = pytest.mark.usefixtures("long")


def lab(*args: object) -> Result:
    return CliRunner().invoke(app, ["lab", *map(str, args)])


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("made") / "made.jsonl"
    assert lab("generate", "--items", 240, "--out", path).exit_code == ExitCode.OK
    return path


def truth_of(items: Path) -> Path:
    return items.with_name(items.name + ".truth.tsv")


def measurements(folder: Path, name: str) -> dict:
    return json.loads((folder / f"{name}.json").read_text("utf-8"))["measurements"]


def without_date(folder: Path, name: str) -> list[str]:
    page = (folder / f"{name}.html").read_text("utf-8").splitlines()
    return [line for line in page if not line.startswith("<dt>date</dt>")]


def test_every_made_item_has_its_truth(made):
    items = [json.loads(line) for line in made.read_text("utf-8").splitlines()]
    with truth_of(made).open(encoding="utf-8", newline="") as file:
        truth = list(csv.DictReader(file, delimiter="\t"))
    assert len(items) == len(truth) == 240
    assert [(one["source"], one["id"]) for one in items] == [
        (one["source"], one["id"]) for one in truth
    ]
    assert {"original", "reprint"} <= {one["kind"] for one in truth}


def test_the_same_seed_makes_the_same_bytes_and_another_others(made, tmp_path):
    for seed, same in ((2026, True), (7, False)):
        again = tmp_path / f"{seed}.jsonl"
        lab("generate", "--items", 240, "--seed", seed, "--out", again)
        assert (again.read_bytes() == made.read_bytes()) == same
        assert (truth_of(again).read_bytes() == truth_of(made).read_bytes()) == same


def test_made_items_are_replaced_only_when_that_is_asked_for(tmp_path):
    path = tmp_path / "made.jsonl"
    assert lab("generate", "--items", 3, "--out", path).exit_code == ExitCode.OK
    refused = lab("generate", "--items", 4, "--out", path)
    assert refused.exit_code == ExitCode.OUTPUT_UNUSABLE
    assert "--fresh" in refused.stderr
    assert lab("generate", "--items", 4, "--out", path, "--fresh").exit_code == ExitCode.OK
    assert len(path.read_bytes().splitlines()) == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "made.jsonl",
        "made.jsonl.truth.tsv",
    ]


def test_made_items_need_a_folder_that_is_there(tmp_path):
    refused = lab("generate", "--items", 3, "--out", tmp_path / "none" / "made.jsonl")
    assert refused.exit_code == ExitCode.OUTPUT_UNUSABLE


def test_a_calibration_recommends_a_number_of_terms(made, tmp_path):
    result = lab("calibrate", made, "--out", tmp_path)
    assert result.exit_code == ExitCode.OK
    assert result.stdout.strip() == str(tmp_path / "calibrate.html")
    found = measurements(tmp_path, "calibrate")
    assert [point["shared"] for point in found["duplicates"]["points"]] == list(range(1, 13))
    assert {point["asymmetry"] for point in found["duplicates"]["points"]} == {0.0}
    assert max(point["asymmetry"] for point in found["similar"]["points"]) > 0
    assert 2 <= found["duplicates"]["recommended"] <= 11


def test_of_many_documents_the_same_few_are_compared_whatever_their_order(made, tmp_path):
    turned = tmp_path / "turned.jsonl"
    turned.write_bytes(b"".join(reversed(made.read_bytes().splitlines(keepends=True))))
    for name, items in (("there", made), ("back", turned)):
        assert lab("calibrate", items, "--most", 100, "--out", tmp_path / name).exit_code == 0
    there, back = (measurements(tmp_path / name, "calibrate") for name in ("there", "back"))
    assert there["documents"]["compared"] == 100
    assert there["duplicates"] == back["duplicates"]


def test_what_a_folder_keeps_is_not_done_again(made, tmp_path):
    first = lab("calibrate", made, "--out", tmp_path)
    assert "kept in" not in first.stderr
    before = without_date(tmp_path, "calibrate")
    again = lab("calibrate", made, "--out", tmp_path)
    assert again.stderr.count("kept in") == 3
    assert without_date(tmp_path, "calibrate") == before
    assert "kept in" not in lab("calibrate", made, "--out", tmp_path, "--fresh").stderr


def test_clusterings_of_made_items_come_near_what_was_planted(made, tmp_path):
    result = lab("cluster", made, "--truth", truth_of(made), "--out", tmp_path, "--json")
    assert result.exit_code == ExitCode.OK
    assert json.loads(result.stdout)["measurements"] == str(tmp_path / "cluster.json")
    found = measurements(tmp_path, "cluster")
    assert found["truth"]["kind"] == "planted"
    for table in found["similarities"].values():
        *rows, nothing = table["rows"]
        assert len(rows) == 6 * 7
        assert max(row["f1"] for row in rows) > nothing["f1"]


def test_clusterings_take_pairs_or_nearly_equal_texts_for_the_truth(made, tmp_path):
    items, pairs = tmp_path / "items.jsonl", tmp_path / "pairs.tsv"
    lines = map(json.loads, made.read_text("utf-8").splitlines())
    # Pairs name ids alone, which made sources share.
    named = [{**one, "id": f"{one['source']}/{one['id']}"} for one in lines]
    items.write_text("".join(json.dumps(one) + "\n" for one in named), "utf-8")
    with truth_of(made).open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        # An item that was edited was made from itself, which is no pair.
        own = itemgetter("source", "id")
        of = itemgetter("of_source", "of_id")
        copies = [row for row in rows if row["of_id"] and own(row) != of(row)]
    compared = [
        "\t".join(
            (
                f"{row['source']}/{row['id']}",
                f"{row['of_source']}/{row['of_id']}",
                str(int(row["kind"] == "reprint")),
            )
        )
        for row in copies
    ]
    pairs.write_text("\n".join(["id1\tid2\tdup", *compared]) + "\n", "utf-8")
    options = ("--similarity", "cosine", "--threshold", 0.7, "--threshold", 0.5)
    for folder, truth in (("pairs", ("--pairs", pairs)), ("texts", ())):
        result = lab("cluster", items, *truth, *options, "--out", tmp_path / folder)
        assert result.exit_code == ExitCode.OK, result.output
        found = measurements(tmp_path / folder, "cluster")
        assert found["truth"]["kind"] == folder
        assert found["thresholds"] == [0.5, 0.7]
        assert list(found["similarities"]) == ["cosine"]
    assert (
        "labelled"
        in measurements(tmp_path / "pairs", "cluster")["similarities"]["cosine"]["rows"][0]
    )


def test_there_is_only_one_truth(made, tmp_path):
    both = ("--pairs", truth_of(made), "--truth", truth_of(made))
    assert lab("cluster", made, *both, "--out", tmp_path).exit_code == ExitCode.USAGE


def test_statistics_count_every_item_and_name_what_is_unknown(made, tmp_path):
    result = lab("stats", made, "--out", tmp_path, "--period", "hour", "--query", "пожар")
    assert result.exit_code == ExitCode.OK
    found = measurements(tmp_path, "stats")
    whole = found["volumes"]
    assert sum(total for _, total, _ in whole["periods"]) + whole["undated"] == whole["items"]
    assert 0 < found["asked"]["items"] < whole["items"]
    assert sum(one["items"] for one in found["sources"]["sources"]) == whole["items"]
    assert "items list no links" in (tmp_path / "stats.html").read_text("utf-8")


def test_an_item_without_time_is_said_to_have_none(tmp_path):
    items = tmp_path / "items.jsonl"
    items.write_text(
        "\n".join(json.dumps({"source": "s", "id": str(n), "text": f"text {n}"}) for n in range(3))
    )
    assert lab("stats", items, "--out", tmp_path).exit_code == ExitCode.OK
    assert measurements(tmp_path, "stats")["volumes"]["undated"] == 3
    page = (tmp_path / "stats.html").read_text("utf-8")
    assert "3 items tell no time" in page
    assert "nothing to rank" in page


def test_a_query_without_a_word_is_refused(made, tmp_path):
    refused = lab("stats", made, "--query", "и в 12", "--out", tmp_path)
    assert refused.exit_code == ExitCode.USAGE
    assert "holds no word" in refused.stderr


@pytest.mark.parametrize("command", ["calibrate", "cluster", "stats"])
def test_no_report_is_made_of_nothing_or_where_nothing_can_be_written(command, tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("{}\n")
    nothing = lab(command, empty, "--out", tmp_path / "reports")
    assert nothing.exit_code == ExitCode.INPUT_MISSING
    assert f"{empty}: no items found; {empty}, line 1: there is neither" in nothing.stderr
    unwritable = lab(command, empty, "--out", empty)
    assert unwritable.exit_code == ExitCode.OUTPUT_UNUSABLE
    assert lab(command, "-", "--out", tmp_path).exit_code == ExitCode.INPUT_MISSING


def test_a_missing_library_names_the_way_to_install_it(made, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    refused = lab("stats", made, "--out", tmp_path)
    assert refused.exit_code == ExitCode.USAGE
    assert "matplotlib is not installed: the extra lab brings it: `" in refused.stderr


DOCS = Path(__file__).parents[2] / "docs"


def test_a_folder_without_reports_changes_nothing(tmp_path):
    shutil.copy(DOCS / "quality.md", tmp_path)
    result = CliRunner().invoke(app, ["lab", "quality", str(tmp_path), "--docs", str(tmp_path)])
    assert result.exit_code == ExitCode.INPUT_MISSING
    assert "dev/score.json: no report of the lab" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["quality.md"]
