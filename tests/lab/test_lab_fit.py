"""A model fitted on a made-up stream whose truth is known."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from newsdedup.bootstrap.rules import make_rule
from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from newsdedup.config import build_settings
from newsdedup.core.matching.verify.model import parse_model, render_model

pytestmark = pytest.mark.usefixtures("long")


def lab(*args: object) -> Result:
    return CliRunner().invoke(app, ["lab", *map(str, args)])


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """Return a stream with pairs alongside it: copies of one story, and neighbours of two."""
    path = tmp_path_factory.mktemp("fit") / "made.jsonl"
    assert lab("generate", "--items", 500, "--out", path).exit_code == ExitCode.OK
    with path.with_name(path.name + ".truth.tsv").open(encoding="utf-8", newline="") as file:
        truth = list(csv.DictReader(file, delimiter="\t"))
    items = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for index, item in enumerate(items):
        # The ids of a made stream are unique within a source only; pairs name an id alone.
        item["id"] = str(index)
    path.write_text("\n".join(json.dumps(item) for item in items), "utf-8")
    path.with_name("pairs.tsv").write_text(_pairs([row["story"] for row in truth]), "utf-8")
    return path


def _pairs(stories: list[str]) -> str:
    """Return each item with the first of its story, and the first of each with the one before."""
    first: dict[str, int] = {}
    rows = ["id1\tid2\tdup"]
    for index, story in enumerate(stories):
        leader = first.setdefault(story, index)
        if leader != index:
            rows.append(f"{leader}\t{index}\t1")
        elif index:
            rows.append(f"{index - 1}\t{index}\t0")
    return "\n".join(rows) + "\n"


def fitted(made: Path, to: Path, *more: object) -> Result:
    pairs = made.with_name("pairs.tsv")
    return lab("fit", "--items", made, "--pairs", pairs, "--to", to, *more)


@pytest.fixture(scope="module")
def measurements(made: Path) -> dict:
    result = fitted(made, made.with_name("model.json"), "--json", "--version", "7")
    assert result.exit_code == ExitCode.OK, result.output
    return json.loads(result.stdout)["measurements"]


def test_a_fitted_model_is_one_that_the_rule_can_read(made, measurements):
    text = made.with_name("model.json").read_text("utf-8")
    model = parse_model(text)
    assert render_model(model) == text
    assert model.version == "7"
    assert measurements["model"]["threshold"] == model.threshold
    assert 0.3 <= model.threshold <= 0.9


def test_a_fitted_model_is_one_that_a_setting_takes(made, measurements):
    rule = make_rule(build_settings({"rule.model": str(made.with_name("model.json"))}))
    assert rule.version.startswith("verified-3/7-")
    assert rule.version.endswith(f"/{measurements['model']['threshold']:g}")


def test_unseen_copies_of_a_made_up_stream_are_found(measurements):
    plain = measurements["by_story"][f"{_folder(measurements)}/pairs.tsv"]["as it came"]["plain"]
    assert plain["f1"] > 0.8
    assert plain["precision"] > 0.8


def test_all_measurements_are_reported(measurements):
    pairs = sum(measurements["pairs"].values())
    assert pairs > 100
    assert sum(row["pairs"] for row in measurements["reliability"]) == pairs
    assert measurements["by_source"]["pairs"] == pairs
    # There is no other stream to be fitted on.
    assert measurements["by_stream"] == {}
    assert set(measurements["by_language"]) <= {"ru", "uk", "en"}


def test_the_same_inputs_give_the_same_model_and_a_page(made, measurements, tmp_path):
    again = tmp_path / "again.json"
    result = fitted(made, again, "--version", "7", "--report", tmp_path / "report")
    assert result.exit_code == ExitCode.OK, result.output
    assert again.read_bytes() == made.with_name("model.json").read_bytes()
    report = json.loads((tmp_path / "report" / "fit.json").read_text("utf-8"))
    assert report["measurements"] == measurements
    assert "Reliability" in (tmp_path / "report" / "fit.html").read_text("utf-8")


def test_the_rows_are_called_what_they_are(made, tmp_path):
    said = fitted(made, tmp_path / "model.json").stdout
    assert "as it came" not in said
    assert "the pairs directly" in said


def test_streams_and_pairs_that_are_called_alike_are_kept_apart(made, tmp_path):
    lines = made.read_text("utf-8").splitlines()
    header, *rows = made.with_name("pairs.tsv").read_text("utf-8").splitlines()
    ends = {"x": range(250), "y": range(250, 500)}
    options: list[object] = []
    for folder, indexes in ends.items():
        pool = tmp_path / folder / "pool"
        pool.mkdir(parents=True)
        (pool / "items.jsonl").write_text("\n".join(lines[index] for index in indexes), "utf-8")
        contained = [row for row in rows if all(int(end) in indexes for end in row.split("\t")[:2])]
        (pool / "pairs.tsv").write_text("\n".join([header, *contained]) + "\n", "utf-8")
        options += ["--items", pool / "items.jsonl", "--pairs", pool / "pairs.tsv"]
    result = lab("fit", *options, "--to", tmp_path / "model.json", "--json")
    assert result.exit_code == ExitCode.OK, result.output
    report = json.loads(result.stdout)["measurements"]
    assert list(report["pairs"]) == ["pool/pairs.tsv (1)", "pool/pairs.tsv (2)"]
    assert report["items"] == {"pool/items.jsonl (1)": 250, "pool/items.jsonl (2)": 250}
    first, second = report["pairs"].values()
    assert min(first, second) > 50
    by_stream = report["by_stream"]
    assert [one["pairs"] for one in by_stream.values()] == [first, second]
    assert list(by_stream["pool/items.jsonl (2)"]["files"]) == ["pool/pairs.tsv (2)"]
    assert report["by_source"]["pairs"] == first


def test_a_stream_that_comes_twice_adds_no_pairs(made, measurements, tmp_path):
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(made.read_bytes())
    to = tmp_path / "model.json"
    result = fitted(made, to, "--items", copy, "--report", tmp_path / "report")
    assert result.exit_code == ExitCode.OK, result.output
    report = json.loads((tmp_path / "report" / "fit.json").read_text("utf-8"))["measurements"]
    count = sum(measurements["pairs"].values())
    assert (report["pairs"], report["held_again"]) == (measurements["pairs"], count)
    assert measurements["held_again"] == 0
    said = f"Pairs that several streams hold, counted once, in the first: {count}."
    assert said in result.stdout
    assert said in (tmp_path / "report" / "fit.html").read_text("utf-8")


def test_pairs_of_nobody_are_refused(made, tmp_path):
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("id1\tid2\tdup\nx\ty\t1\n", "utf-8")
    result = lab("fit", "--items", made, "--pairs", pairs, "--to", tmp_path / "model.json")
    assert result.exit_code == ExitCode.INPUT_MISSING
    assert "labelled pairs" in result.stderr
    assert not (tmp_path / "model.json").exists()


def _folder(measurements: dict) -> str:
    (name,) = measurements["pairs"]
    return name.partition("/")[0]
