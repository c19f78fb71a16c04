"""The page of `lab score` over a small stream that is written here in full."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode

pytestmark = pytest.mark.usefixtures("long")

SAID = {
    "bridge": "The bridge over the river Velna in Marstad reopened on Monday after a repair that "
    "took 14 months and cost 32 million crowns, mayor Ida Holm said.",
    "copy": "The bridge over the river Velna in Marstad reopened on Monday after a repair that "
    "took 14 months and cost 32 million crowns, mayor Ida Holm said. Traffic flows again.",
    "storm": "A storm tore the roofs off eleven houses in Halden during the night; the fire "
    "brigade counted forty fallen trees and nobody was hurt.",
    "flood": "The river Velna left its banks near Halden; the fire brigade carried forty people "
    "out of eleven houses in Marstad during the night.",
}
PAIRS = "id1\tid2\tlabel\tweight\tlang\nbridge\tcopy\tR\t2\ten\nbridge\tstorm\tN\t1\ten\n"
PAIRS += "storm\tflood\tS\t1\ten\nbridge\tgone\tW\t1\ten\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [
        json.dumps({"id": name, "source": f"{name}.example", "text": text,
                    "published_at": f"2026-03-02T1{n}:00:00Z"})
        for n, (name, text) in enumerate(SAID.items())
    ]  # fmt: skip
    (tmp_path / "items.jsonl").write_text("\n".join(lines), "utf-8")
    (tmp_path / "pairs.tsv").write_text(PAIRS, "utf-8")
    return tmp_path


def scored(folder: Path, *arguments: object) -> Result:
    where = ["--items", folder / "items.jsonl", "--pairs", folder / "pairs.tsv"]
    return CliRunner().invoke(app, ["lab", "score", *map(str, [*where, *arguments])])


@pytest.mark.parametrize("rule", ["terms", "verified", "minhash"])
def test_a_rule_is_swept_and_shown_by_slice(folder: Path, rule: str) -> None:
    out = folder / "reports"
    scores = scored(folder, "--rule", rule, "--out", out)
    assert scores.exit_code == ExitCode.OK, scores.output
    assert scores.stdout.strip() == str(out / "score.html")
    measurements = json.loads((out / "score.json").read_text("utf-8"))["measurements"]
    plain = json.loads(scored(folder, "--rule", rule, "--json").stdout)
    assert {name: measurements[name] for name in plain} == plain
    sweep = measurements["sweeps"][rule]
    own = next(
        one for one in sweep["plain"]["curve"] if one["threshold"] == round(sweep["threshold"], 4)
    )
    assert {name: own[name] for name in ("precision", "recall", "f1")} == plain["decision"]["plain"]
    page = (out / "score.html").read_text("utf-8")
    for title in ("By class of the guide", "By language", "By length", "Precision against recall"):
        assert title in page


def test_methods_are_swept_alongside_the_rule(folder: Path) -> None:
    out = folder / "reports"
    names = ("--rule", "terms", "--method", "minhash", "--method", "md5")
    scores = scored(folder, *names, "--out", out, "--json")
    assert scores.exit_code == ExitCode.OK, scores.output
    assert json.loads(scores.stdout)["page"] == str(out / "score.html")
    sweeps = json.loads((out / "score.json").read_text("utf-8"))["measurements"]["sweeps"]
    assert list(sweeps) == ["terms", "minhash", "md5"]
    # The copy has a sentence more: no checksum finds it, the share of minima does.
    assert sweeps["md5"]["plain"]["curve"][-1]["recall"] == 0.0
    assert sweeps["minhash"]["plain"]["average_precision"] == 1.0
    # Of all duplicates that are among the items: the pair of weight 2.
    assert sweeps["minhash"]["weighted"]["curve"][-1]["recall"] == 1.0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--method", "minhash"), "needs --out"),
        (("--method", "no", "--out", "x"), "no such method"),
    ],
)
def test_a_method_that_cannot_be_swept_is_refused(folder: Path, options, reason: str) -> None:
    refused = scored(folder, *[folder / one if one == "x" else one for one in options])
    assert refused.exit_code == ExitCode.USAGE
    assert reason in refused.stderr


def test_a_page_that_cannot_be_written_is_refused(folder: Path) -> None:
    refused = scored(folder, "--out", folder / "items.jsonl")
    assert refused.exit_code == ExitCode.OUTPUT_UNUSABLE
