import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from newsdedup.ports.errors import SettingsInvalid
from newsdedup_lab.compare.comparison_study import METHOD_NAMES, choose_methods

pytestmark = pytest.mark.usefixtures("long")

FEW = "md5,long_sent,three_plus_five,decomposition_whole,simhash"


def lab(*args: object) -> Result:
    return CliRunner().invoke(app, ["lab", *map(str, args)])


def compare(*args: object) -> Result:
    return lab("compare", *args, "--trials", 5)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("compared") / "made.jsonl"
    assert lab("generate", "--items", 300, "--out", path).exit_code == ExitCode.OK
    return path


def truth_of(items: Path) -> Path:
    return items.with_name(items.name + ".truth.tsv")


def measurements(folder: Path) -> dict:
    return json.loads((folder / "compare.json").read_text("utf-8"))["measurements"]


def test_every_method_is_compared_and_the_page_tells_of_it(made, tmp_path):
    result = compare(made, "--truth", truth_of(made), "--out", tmp_path)
    assert result.exit_code == ExitCode.OK
    assert result.stdout.strip() == str(tmp_path / "compare.html")
    found = measurements(tmp_path)
    assert list(found["methods"]) == list(METHOD_NAMES)
    quality = found["quality"]
    rows = {row["method"]: row for row in quality["texts"]}
    assert [row["f1"] for row in quality["texts"]] == sorted(
        (row["f1"] for row in quality["texts"]), reverse=True
    )
    # What A11 finds is the truth itself.
    assert rows["decomposition_whole"]["precision"] == 1.0
    assert all(row["recall"] <= 1 for row in rows.values())
    assert quality["planted"]["pairs"] > 0
    page = (tmp_path / "compare.html").read_text("utf-8")
    for said in ("Tables 2 and 7", "Table 3", "Table 4", "The paper has A12 above all", "–0.85"):
        assert said in page


def test_found_pairs_are_those_of_the_costs_and_of_dice(made, tmp_path):
    assert compare(made, "--methods", FEW, "--out", tmp_path).exit_code == ExitCode.OK
    found = measurements(tmp_path)
    dice = found["quality"]["dice"]
    assert [row[at] for at, row in enumerate(dice)] == [1.0] * 5
    assert dice == [list(column) for column in zip(*dice, strict=True)]
    counts = [cost["found"] for cost in found["methods"].values()]
    assert max(counts) <= found["quality"]["pool"] <= sum(counts)
    for name, errors in found["quality"]["errors"].items():
        row = next(row for row in found["quality"]["texts"] if row["method"] == name)
        right = found["methods"][name]["found"] - errors["false"]["pairs"]
        assert right + errors["missed"]["pairs"] == found["quality"]["same"]
        assert row["precision"] == round(right / found["methods"][name]["found"], 4)


def test_what_a_folder_keeps_is_not_done_again_and_what_is_damaged_is(made, tmp_path):
    call = (made, "--methods", FEW, "--out", tmp_path)
    assert "kept in" not in compare(*call).stderr
    before = measurements(tmp_path)
    assert compare(*call).stderr.count("kept in") == 1 + 5 + 2
    assert measurements(tmp_path) == before
    # Another method needs its own stage and the truth, nothing else.
    assert compare(*call[:2], FEW + ",tf", *call[3:]).stderr.count("kept in") == 1 + 5 + 1
    (tmp_path / "compare.parts" / "md5.pairs.npy").write_bytes(b"damaged")
    (tmp_path / "compare.parts" / "texts.utf8").unlink()
    assert compare(*call).exit_code == ExitCode.OK
    after = measurements(tmp_path)
    assert after["quality"] == before["quality"]
    assert after["documents"] == before["documents"]


def test_labels_of_people_are_a_truth_alongside_the_texts(made, tmp_path):
    items, pairs = tmp_path / "items.jsonl", tmp_path / "pairs.tsv"
    lines = [json.loads(line) for line in made.read_text("utf-8").splitlines()]
    named = [{**one, "id": f"{at}"} for at, one in enumerate(lines[:40])]
    again = [{**one, "id": f"{one['id']} again"} for one in named[:3]]
    items.write_text("".join(json.dumps(one) + "\n" for one in [*named, *again]), "utf-8")
    rows = ["0\t0 again\t1\t2", "1\t1 again\t1\t1", "2\t3\t0\t5", "2\tnobody\t1\t1", "4\t5\t?\t1"]
    pairs.write_text("\n".join(["id1\tid2\tdup\tweight", *rows]) + "\n", "utf-8")
    result = compare(items, "--methods", "md5", "--pairs", pairs, "--out", tmp_path / "out")
    assert result.exit_code == ExitCode.OK
    [people] = measurements(tmp_path / "out")["quality"]["people"]
    assert (people["pairs"], people["duplicates"]) == (3, 2)
    [row] = people["rows"]
    assert (row["precision"], row["recall"], row["found"]) == (1.0, 1.0, 2)
    assert f"Against {pairs.name}" in (tmp_path / "out" / "compare.html").read_text("utf-8")


def test_a_sample_of_the_pool_is_said_to_be_one(made, tmp_path):
    call = (made, "--methods", FEW, "--out", tmp_path)
    assert compare(*call, "--sample", 10).exit_code == ExitCode.OK
    quality = measurements(tmp_path)["quality"]
    assert quality["compared"] == 10 < quality["pool"]
    page = (tmp_path / "compare.html").read_text("utf-8")
    assert "10 of them, drawn by a hash, were compared" in page
    assert "P 95 %" in page


def test_methods_are_named_or_left_out_and_unknown_ones_refused(made, tmp_path):
    assert choose_methods("all", "decomposition_whole") == METHOD_NAMES[:-1]
    assert choose_methods("tf,md5") == ("md5", "tf")
    with pytest.raises(SettingsInvalid, match="none is left"):
        choose_methods("md5", "md5")
    refused = compare(made, "--methods", "md6", "--out", tmp_path)
    assert refused.exit_code == ExitCode.USAGE
    assert "md6: no method; there are md5, " in refused.stderr


def test_nothing_is_compared_of_nothing_or_with_a_truth_that_is_not_there(made, tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("{}\n")
    nothing = compare(empty, "--out", tmp_path / "out")
    assert nothing.exit_code == ExitCode.INPUT_MISSING
    assert f"no items found; {empty}, line 1: there is neither" in nothing.stderr
    for flag in ("--pairs", "--truth"):
        call = (made, "--methods", "md5", "--out", tmp_path / "made")
        missing = compare(*call, flag, tmp_path / "none.tsv")
        assert missing.exit_code == ExitCode.INPUT_MISSING
        assert "none.tsv" in missing.stderr
