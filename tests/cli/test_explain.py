import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.small_stream import BRIDGE, FIRE, FIRE_RETOLD, REPORTS, report, state_of, written
from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("explained")
    state_of(path)
    return path


@pytest.fixture(autouse=True)
def here(folder, monkeypatch):
    monkeypatch.chdir(folder)


def explain(*args: str) -> Result:
    return CliRunner().invoke(app, ["explain", *args])


def explanation(*args: str) -> dict:
    result = explain(*args, "--json")
    assert result.exit_code == ExitCode.OK, result.stderr
    return json.loads(result.stdout)


def test_a_rewrite_is_explained_to_a_person():
    shown = explain("r1", "r3", "--state", "events.jsonl.state").stdout
    lines = shown.splitlines()
    assert lines[0].startswith("A  tula.example/r1  2026-11-02 06:00:00 UTC  ru")
    assert lines[1].strip() == FIRE[0]
    assert lines[3].strip() == FIRE_RETOLD[0]
    assert "Duplicates: a rewrite, score 0." in shown
    assert "The probability of one message is" in shown
    assert "For: they share much besides names" in shown
    assert "B follows A as a rewrite" in shown
    assert "numbers      in both: 2000" in shown
    assert "hours apart  4; B is later" in shown


def test_a_program_gets_the_same():
    found = explanation("r1", "r3", "--state", "events.jsonl.state")
    why = found["explanation"]
    assert (found["a"]["source"], found["b"]["id"]) == ("tula.example", "r3")
    assert why["duplicate"] is True
    assert len(why["shared"]) + len(why["only_a"]) == len(found["a"]["terms"]) == 12
    assert why["numbers"]["both"] == ["2000"]
    assert (why["hours_apart"], why["window_hours"]) == (4.0, 72.0)
    assert found["in_state"]["kind"] == "follows"
    assert found["in_state"]["story_a"] == found["in_state"]["story_b"]


GERMAN = (
    """Brücke über die Leine wieder offen
Die Brücke in Altenfurt ist seit Mittwoch freigegeben, teilte Bürgermeisterin Voss mit.""",
    """Brücken bei Altenfurt freigegeben
Seit Mittwoch sind in Altenfurt zwei Brücken freigegeben, sagte Bürgermeisterin Hanna Voss.""",
)


def test_people_are_shown_words_and_programs_stems(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in zip("ab", GERMAN, strict=True):
        (tmp_path / f"{name}.txt").write_text(text)
    shown = explain("a.txt", "b.txt").stdout
    assert "brücke  " in shown
    assert "bürgermeisterin  " in shown
    assert "hanna" in shown.partition("only in B")[2]
    terms = {one["term"] for one in explanation("a.txt", "b.txt")["explanation"]["shared"]}
    assert {"bruck", "burgerme"} <= terms


def test_words_of_a_state_are_shown_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (first, text), (second, retold) = (one.split("\n") for one in GERMAN)
    state_of(
        tmp_path,
        [
            report("a.example", "g1", (first, text), "10:00:00"),
            report("b.example", "g2", (second, retold), "11:00:00"),
        ],
    )
    assert "bürgermeisterin  " in explain("g1", "g2", "--state", "events.jsonl.state").stdout


@pytest.mark.parametrize("flag", [("--window", "1h"), ("--rule", "terms")])
def test_items_of_a_state_are_explained_by_its_own_rule_alone(flag, monkeypatch):
    result = explain("r1", "r3", "--state", "events.jsonl.state", *flag)
    assert result.exit_code == ExitCode.USAGE
    assert "the rule that judged them" in result.stderr
    monkeypatch.setenv("NEWSDEDUP_RUN__STATE", "events.jsonl.state")
    assert explain("r1", "r3", *flag).exit_code == ExitCode.USAGE


def test_of_two_copies_it_is_said_whom_they_follow():
    shown = explain("r3", "copy.example/r2", "--state", "events.jsonl.state").stdout
    assert "Both follow tula.example/r1" in shown
    assert "B is the earlier one and came in first." in shown


def test_unlike_items_are_different():
    found = explanation("r1", "e1", "--state", "events.jsonl.state")
    assert found["explanation"]["score"] is None
    assert found["explanation"]["relation"] == "none"
    assert found["in_state"]["kind"] == "apart"
    assert "Different, says rule" in explain("r1", "e1", "--state", "events.jsonl.state").stdout


def test_the_state_the_files_and_the_items_give_one_explanation(folder):
    for name, item in (("one.json", REPORTS[0]), ("other.json", REPORTS[5])):
        (folder / name).write_text(json.dumps(item, indent=1, ensure_ascii=False), "utf-8")
    in_state = explanation("r1", "r3", "--state", "events.jsonl.state")
    among_items = explanation("r1", "r3", "--items", "items.jsonl")
    in_files = explanation("one.json", "other.json")
    for found in (among_items, in_files):
        assert found["in_state"] is None
        assert {**found, "in_state": None} == {**in_state, "in_state": None}


def test_plain_text_is_compared_too(folder):
    for name, (title, text) in (("one.txt", FIRE), ("other.txt", FIRE_RETOLD)):
        (folder / name).write_text(f"{title}\n\n{text}\n", "utf-8")
    found = explanation("one.txt", "other.txt")
    assert found["explanation"]["duplicate"] is True
    assert found["a"]["at"] is None
    assert found["explanation"]["hours_apart"] is None
    assert "no time" in explain("one.txt", "other.txt").stdout


def test_the_rule_of_a_state_is_the_one_that_judged_it(folder):
    (folder / "newsdedup.toml").write_text(
        "[rule]\nname = 'terms'\nduplicate = 12\nsimilar = 12\n", "utf-8"
    )
    try:
        assert explanation("r1", "r3", "--state", "events.jsonl.state")["explanation"]["duplicate"]
        assert not explanation("r1", "r3", "--items", "items.jsonl")["explanation"]["duplicate"]
    finally:
        (folder / "newsdedup.toml").unlink()


def test_the_window_can_be_tried_out():
    found = explanation("r1", "r3", "--items", "items.jsonl", "--window", "1h")
    assert not found["explanation"]["duplicate"]
    assert "this alone decides" in found["explanation"]["why"][0]


def test_an_edited_item_is_explained_by_the_version_that_counts(tmp_path):
    edited = report("tula.example", "r1", (FIRE[0], FIRE[1] + " Дополнено."), "06:00:00")
    state = state_of(tmp_path, [*REPORTS, {**edited, "updated_at": "2026-11-02T11:30:00Z"}])
    shown = explain("r1", "r3", "--state", str(state)).stdout
    assert "A was edited; an earlier version that the newest still matches counts." in shown
    assert "Дополнено" not in shown


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("r1", "r9", "--state", "events.jsonl.state"), ExitCode.INPUT_MISSING, "did you mean"),
        (("r1", "7", "--state", "events.jsonl.state"), ExitCode.USAGE, "SOURCE/ID"),
        (("r1", "r1", "--state", "events.jsonl.state"), ExitCode.USAGE, "are the same item"),
        (("r1", "r9", "--items", "items.jsonl"), ExitCode.INPUT_MISSING, "did you mean"),
        (("r1", "7", "--items", "items.jsonl"), ExitCode.USAGE, "poltava.example/7"),
        (("r1", "r3", "--items", "none.jsonl"), ExitCode.INPUT_MISSING, "no such file"),
        (("r1", "r3"), ExitCode.USAGE, "--state or --items"),
        (("items.jsonl", "items.jsonl"), ExitCode.INPUT_UNUSABLE, "one item"),
        (("a", "b", "--items", "x", "--state", "y"), ExitCode.USAGE, "not both"),
    ],
)
def test_what_cannot_be_explained_says_why(args, code, said):
    result = explain(*args)
    assert result.exit_code == code
    assert said in " ".join(result.stderr.split())


@pytest.mark.parametrize("name", ["items.json", "items.csv"])
def test_items_are_found_in_every_form_that_a_run_reads(tmp_path, name):
    items = [report(f"{one}.example", one, FIRE, "06:00:00") for one in ("x1", "x2")]
    table = [items[0].keys(), *(item.values() for item in items)]
    with (tmp_path / name).open("w", newline="") as file:
        if name == "items.csv":
            csv.writer(file).writerows(table)
        else:
            json.dump(items, file, indent=1)
    result = explain("x1", "x2", "--items", str(tmp_path / name))
    assert (result.exit_code, "Duplicates" in result.stdout) == (ExitCode.OK, True)


def test_no_title_can_steer_the_terminal(tmp_path):
    hostile = report("a\x1b[2J", "1", ("\x1b[31mred\u202e", "x\x07y " + BRIDGE[1]), "06:00:00")
    written(tmp_path / "bad.jsonl", [hostile, {**hostile, "id": "2"}])
    shown = explain("1", "2", "--items", str(tmp_path / "bad.jsonl")).stdout
    assert "red" in shown
    assert [c for c in shown if not c.isprintable() and c != "\n"] == []


@pytest.fixture(scope="module")
def moved_on(tmp_path_factory) -> Path:
    """Return a folder whose state has seen news of a fortnight later: all else left its window."""
    path = tmp_path_factory.mktemp("moved-on")
    # Three that far ahead are believed.
    later = [
        report(f"late{n}.example", f"z{n}", BRIDGE, "") | {"published_at": f"2026-11-16T0{n}:00Z"}
        for n in (7, 8, 9)
    ]
    withdrawn = {"newsdedup": "retract", "source": "west.example", "id": "e1"}
    state_of(path, [*REPORTS, withdrawn, *later])
    return path


@pytest.mark.parametrize("name", ["r1", "tula.example/r1"])
def test_an_item_that_has_left_the_window_is_reported_with_its_verdict(moved_on, name):
    result = explain(name, "z9", "--state", str(moved_on / "events.jsonl.state"))
    assert result.exit_code == ExitCode.INPUT_MISSING
    assert f"{name} has left the window: " in result.stderr
    assert "keeps items since 2026-11-16 07:00 UTC" in result.stderr
    assert f"The verdict in {moved_on / 'events.jsonl'} was: original, story " in result.stderr


def test_a_damaged_line_of_the_events_hides_no_verdict_on_an_item_that_has_left(moved_on):
    events = moved_on / "events.jsonl"
    whole = events.read_bytes()
    events.write_bytes(whole + b'{"dedup":{"event":"\xff","item":{"source":"a","id":"r1"}}}\n')
    try:
        result = explain("r1", "z9", "--state", f"{events}.state")
    finally:
        events.write_bytes(whole)
    assert result.exit_code == ExitCode.INPUT_MISSING
    assert "r1 has left the window: " in result.stderr


def test_an_item_that_never_came_is_said_to_be_unknown(moved_on):
    result = explain("r77", "z9", "--state", str(moved_on / "events.jsonl.state"))
    assert "nothing called r77 is kept in" in result.stderr


def test_nothing_is_reported_of_an_item_that_was_withdrawn_before_it_left(moved_on):
    result = explain("e1", "z9", "--state", str(moved_on / "events.jsonl.state"))
    assert result.exit_code == ExitCode.INPUT_MISSING
    assert "original" not in result.stderr
