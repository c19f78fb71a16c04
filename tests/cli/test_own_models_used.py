"""A model of one's own, from the settings file or the environment to the verdict."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cli.shells import newsdedup
from cli.small_stream import written
from newsdedup.adapters.words.package_data import shipped_model
from newsdedup.cli.errors import ExitCode
from newsdedup.core.matching.verify.model import render_model

pytestmark = pytest.mark.usefixtures("process")

SHIPPED = shipped_model()
BLIND = replace(
    SHIPPED, version="blind", bias=-30.0, weights=(0.0,) * len(SHIPPED.weights), habit=0.0
)
"""To this model nothing is alike, but for copies on their face."""
RUN = ("run", "items.jsonl", "--to", "events.jsonl", "--quiet")
RETOLD = ("explain", "r1", "r3", "--json")
OWN = {"NEWSDEDUP_RULE__MODEL": "own.json"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    written(tmp_path / "items.jsonl")
    (tmp_path / "own.json").write_text(render_model(BLIND), "utf-8")
    return tmp_path


def duplicates(folder: Path, *args: str, **environ: str) -> bool:
    result = newsdedup(*RETOLD, *args, cwd=folder, **environ)
    assert result.returncode == ExitCode.OK, result.stderr
    duplicate: bool = json.loads(result.stdout)["explanation"]["duplicate"]
    return duplicate


def test_a_run_is_explained_by_its_model_and_refused_by_another(folder: Path) -> None:
    settings = folder / "newsdedup.toml"
    settings.write_text('[rule]\nmodel = "own.json"\n', "utf-8")
    assert newsdedup(*RUN, cwd=folder).returncode == ExitCode.OK
    assert not duplicates(folder, "--items", "items.jsonl")
    settings.unlink()
    (folder / "own.json").unlink()
    assert not duplicates(folder, "--state", "events.jsonl.state")
    assert duplicates(folder, "--items", "items.jsonl")
    refused = newsdedup(*RUN, cwd=folder)
    assert refused.returncode == ExitCode.STATE_UNUSABLE
    assert "verified-3/blind-" in refused.stderr


def test_pairs_are_scored_by_the_model_that_is_named(folder: Path) -> None:
    (folder / "pairs.tsv").write_text("id1\tid2\tdup\nr1\tr3\t1\nr1\te1\t0\n", "utf-8")
    score = ("lab", "score", "--items", "items.jsonl", "--pairs", "pairs.tsv", "--json")
    found = [
        json.loads(newsdedup(*score, cwd=folder, **environ).stdout)["decision"]["plain"]["recall"]
        for environ in (OWN, {})
    ]
    assert found == [0.0, 1.0]


def test_a_model_that_is_not_there_is_a_wrong_setting(folder: Path) -> None:
    (folder / "own.json").unlink()
    for command in (RUN, (*RETOLD, "--items", "items.jsonl")):
        result = newsdedup(*command, cwd=folder, **OWN)
        assert result.returncode == ExitCode.USAGE
        assert result.stderr.startswith(
            "newsdedup: rule.model = own.json: cannot be read: No such file"
        )
    assert not (folder / "events.jsonl").exists()


def test_the_doctor_looks_at_the_model(folder: Path) -> None:
    def finding(**environ: str) -> dict[str, str]:
        result = newsdedup("doctor", "--json", cwd=folder, **environ)
        checks = json.loads(result.stdout)["checks"]
        [found] = [each for each in checks if each["check"] == "model"]
        return dict(found)

    assert finding()["status"] == finding(**OWN)["status"] == "ok"
    (folder / "own.json").write_text("{}", "utf-8")
    wrong = finding(**OWN)
    assert wrong["status"] == "fail"
    assert "rule.model" in wrong["advice"]
