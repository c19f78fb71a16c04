"""Methods of the papers in a live run: their keys find, their names stand in the evidence."""

import json
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from cli.small_stream import REPORTS, written
from newsdedup.adapters.sqlite.state import StateReader
from newsdedup.adapters.words.package_data import shipped_background, write_background
from newsdedup.bootstrap.rules import decode_rule
from newsdedup.bootstrap.runs import RunPaths, open_run
from newsdedup.config import RuleSettings, Settings
from newsdedup.core.fingerprints.catalogue import METHODS
from newsdedup.core.words.background import NO_PIVOTS, Pivots, make_pivots
from newsdedup.ports.errors import SettingsInvalid, StateUnusable
from newsdedup.runners.files.embedded import EmbeddedRun

pytestmark = pytest.mark.usefixtures("long")

FIVE = ("long_sent", "minhash", "lex_rand", "md5_body", "three_plus_five")


def judged(folder: Path, chosen: RuleSettings, *, helpers: int = 0) -> list[dict]:
    settings = replace(Settings(), rule=chosen)
    settings = replace(settings, run=replace(settings.run, helpers=helpers))
    items = written(folder / "items.jsonl", REPORTS)
    to = folder / "events.jsonl"
    run = open_run(settings, RunPaths(str(to), folder / "state", folder / "dead", fresh=True))
    list(run.over([str(items)]))
    run.close()
    return [json.loads(line)["dedup"] for line in to.read_text("utf-8").splitlines()]


def fired(events: list[dict]) -> set[str]:
    matched = [event["matched"] for event in events if event.get("matched")]
    return {name for one in matched for name in one["evidence"]["fingerprints"]}


def verdicts(events: list[dict]) -> list[tuple[str, str]]:
    return [(event["item"]["id"], event["verdict"]) for event in events if "verdict" in event]


def test_enabled_fingerprints_stand_in_the_evidence_and_change_no_verdict(tmp_path: Path) -> None:
    plain = judged(tmp_path, RuleSettings())
    marked = judged(tmp_path, RuleSettings(fingerprints=FIVE))
    assert fired(plain) <= {"terms12", "head"}
    assert fired(marked) >= {"terms12", "long_sent", "minhash"}
    assert verdicts(marked) == verdicts(plain)


@pytest.mark.usefixtures("process")
def test_helper_processes_make_the_same_fingerprints(tmp_path: Path) -> None:
    chosen = RuleSettings(fingerprints=FIVE)
    assert judged(tmp_path, chosen, helpers=1) == judged(tmp_path, chosen)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_can_decide_by_itself(tmp_path: Path, name: str) -> None:
    events = judged(tmp_path, RuleSettings(name=name))
    assert {event["rule"].partition("-")[0] for event in events if "rule" in event} == {name}
    assert fired(events) <= {name}
    with StateReader(tmp_path / "state") as reader:
        assert decode_rule(reader.settings).name == name


def test_pivot_words_of_the_shipped_table_find_copies_in_a_live_run(tmp_path: Path) -> None:
    alone = judged(tmp_path, RuleSettings(name="descr_words"))
    assert fired(alone) == {"descr_words"}
    assert "descr_words" in fired(judged(tmp_path, RuleSettings(fingerprints=("descr_words",))))


def with_pivots(folder: Path, chosen: Pivots, fingerprints: tuple[str, ...]) -> EmbeddedRun:
    path = folder / "own.zst"
    write_background(path, replace(shipped_background(), pivots=chosen))
    settings = replace(Settings(), rule=RuleSettings(fingerprints=fingerprints))
    settings = replace(settings, words=replace(settings.words, background=str(path)))
    indexes = RunPaths(str(folder / "e"), folder / "state", folder / "dead")
    return open_run(settings, indexes)


@pytest.mark.parametrize("fingerprints", [("md5",), ("md5", "descr_words")])
def test_a_state_of_other_pivots_is_refused_where_they_sign(tmp_path: Path, fingerprints) -> None:
    with_pivots(tmp_path, make_pivots({"мост": 3}), fingerprints).close()
    with (
        pytest.raises(StateUnusable, match="other settings")
        if "descr_words" in fingerprints
        else nullcontext()
    ):
        with_pivots(tmp_path, make_pivots({"мост": 4}), fingerprints).close()


def test_a_table_without_pivots_is_refused_where_they_sign(tmp_path: Path) -> None:
    with_pivots(tmp_path, NO_PIVOTS, ("md5",)).close()
    with pytest.raises(SettingsInvalid, match="has none"):
        with_pivots(tmp_path, NO_PIVOTS, ("descr_words",))


def test_a_state_of_other_fingerprints_is_refused(tmp_path: Path) -> None:
    judged(tmp_path, RuleSettings(fingerprints=("md5",)))
    settings = replace(Settings(), rule=RuleSettings(fingerprints=("tf",)))
    indexes = RunPaths(str(tmp_path / "e"), tmp_path / "state", tmp_path / "dead")
    with pytest.raises(StateUnusable, match="other settings"):
        open_run(settings, indexes)
