import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.in_process import run
from cli.small_stream import FIRE, REPORTS, state_of
from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from runners.processes import started

EVIL = "evil.example/\x1b]0;owned\x07/x\u202e1"


@pytest.fixture(scope="module")
def state(tmp_path_factory) -> Path:
    return state_of(tmp_path_factory.mktemp("stories"))


def stories(*args: str | Path) -> Result:
    return CliRunner().invoke(app, ["stories", *map(str, args)])


def listed(state: Path, *args: str) -> dict:
    return json.loads(stories("list", state, "--json", *args).stdout)


def titles(state: Path, *args: str) -> list[str]:
    return [story["title"] for story in listed(state, *args)["stories"]]


def test_the_largest_stories_come_first(state):
    found = listed(state)
    assert [story["size"] for story in found["stories"]] == [3, 2]
    assert (found["matching"], found["kept"]) == (2, 4)
    fire = found["stories"][0]
    assert fire["title"] == FIRE[0]
    assert fire["original"] == {"source": "tula.example", "id": "r1"}
    assert fire["languages"] == ["ru"]
    assert fire["first"] == "2026-11-02T06:00:00+00:00"
    assert fire["last"] == "2026-11-02T10:00:00+00:00"


def test_the_newest_come_first_if_asked(state):
    newest = listed(state, "--newest", "--min-size", "1")["stories"]
    assert [story["last"] for story in newest] == sorted(
        (story["last"] for story in newest), reverse=True
    )


def test_stories_can_be_limited_in_number_size_and_time(state):
    assert len(titles(state, "--limit", "1")) == 1
    assert len(titles(state, "--min-size", "1", "--limit", "0")) == 4
    assert titles(state, "--min-size", "3") == [FIRE[0]]
    assert titles(state, "--since", "2026-11-02T09:45Z") == [FIRE[0]]
    # Before the newest item, which came at 11:00.
    assert titles(state, "--since", "75m") == [FIRE[0]]


@pytest.mark.parametrize("since", ["yesterday", "", "3", "6 hours ago"])
def test_a_time_that_is_none_is_refused_with_an_example(state, since):
    result = stories("list", state, "--since", since)
    assert result.exit_code == ExitCode.USAGE
    assert "2026-11-02T06:00Z, or 6h" in " ".join(result.stderr.split())


def test_a_table_names_each_story_whole(state):
    shown = stories("list", state).stdout
    for story in listed(state)["stories"]:
        assert story["id"] in shown
        assert story["title"] in shown


def test_an_output_stands_for_the_state_next_to_it(state):
    alongside = state.with_suffix("")
    assert stories("list", alongside).stdout == stories("list", state).stdout
    assert stories("list", "--state", state).stdout == stories("list", state).stdout


def test_a_story_shows_its_items_in_order_with_what_they_share(state):
    story = listed(state)["stories"][0]["id"]
    found = json.loads(stories("show", story, "--state", state, "--json").stdout)
    assert found["story"]["id"] == story
    assert [item["id"] for item in found["items"]] == ["r1", "r2", "r3"]
    original, copy, retold = found["items"]
    assert (original["verdict"], original["score"], original["shared"]) == ("original", None, [])
    assert (copy["relation"], copy["score"], copy["hours_after_original"]) == ("reprint", 1.0, 2.0)
    assert copy["matched"] == {"source": "tula.example", "id": "r1"}
    assert retold["relation"] == "rewrite"
    assert 6 <= len(retold["shared"]) < len(copy["shared"]) == 12
    assert "склад" in [term["term"] for term in retold["shared"]]


@pytest.mark.parametrize("name", ["r1", "r2", "copy.example/r2"])
def test_a_story_is_found_by_any_of_its_items(state, name):
    shown = stories("show", name, "--state", state)
    assert shown.exit_code == ExitCode.OK
    assert shown.stdout.startswith("Story ")
    for part in ("tula.example/r1", "duplicate, reprint", "+4.00", FIRE[0]):
        assert part in shown.stdout


def test_an_unknown_name_is_refused_with_the_nearest(state):
    result = stories("show", "copy.exmaple/r2", "--state", state)
    assert result.exit_code == ExitCode.INPUT_MISSING
    assert "did you mean copy.example/r2" in result.stderr
    story = listed(state)["stories"][0]["id"]
    assert story in stories("show", story[:6], "--state", state).stderr
    assert stories("show", "r\udcff", "--state", state).exit_code == ExitCode.USAGE


def test_an_id_of_two_sources_asks_for_the_source(state):
    result = stories("show", "7", "--state", state)
    assert result.exit_code == ExitCode.USAGE
    assert "2 sources have an item 7" in result.stderr
    assert "poltava.example/7" in result.stderr
    assert stories("show", "poltava.example/7", "--state", state).exit_code == ExitCode.OK


def test_what_was_retracted_is_not_shown(tmp_path):
    withdrawn = {"newsdedup": "retract", "source": "tula.example", "id": "r1"}
    state = state_of(tmp_path, [*REPORTS, withdrawn])
    result = stories("show", "r1", "--state", state)
    assert result.exit_code == ExitCode.INPUT_MISSING
    assert "withdrawn" in result.stderr
    assert listed(state)["stories"][0]["original"]["id"] != "r1"


def test_an_editor_s_decision_is_shown_as_such(tmp_path):
    pinned = {
        "newsdedup": "original",
        "item": {"source": "copy.example", "id": "r2"},
        "at": "2026-11-02T12:00:00Z",
    }
    shown = stories("show", "r2", "--state", state_of(tmp_path, [*REPORTS, pinned])).stdout
    assert "by an editor" in shown
    assert "-2.00" in shown


def test_a_story_whose_original_has_left_the_window_is_still_shown(tmp_path):
    state = state_of(tmp_path)
    with closing(sqlite3.connect(state)) as connection, connection:
        connection.execute("DELETE FROM records WHERE id = 'r1'")
    connection.close()
    [story] = [one for one in listed(state)["stories"] if one["original"]["id"] == "r1"]
    assert (story["size"], story["title"]) == (2, "")
    shown = json.loads(stories("show", "r2", "--state", state, "--json").stdout)
    assert shown["items"][0]["hours_after_original"] is None


def test_no_title_can_steer_the_terminal(state):
    for shown in (
        stories("list", state, "--min-size", "1").stdout,
        stories("show", EVIL, "--state", state).stdout,
        stories("show", EVIL + "x", "--state", state).stderr,
    ):
        assert "red" in shown or "evil.example" in shown
        assert [c for c in shown if not c.isprintable() and c != "\n"] == []


def test_json_holds_every_character_of_a_title(state):
    [evil] = [one for one in listed(state, "--min-size", "1")["stories"] if "evil" in one["title"]]
    assert evil["title"] == REPORTS[-1]["title"]


@pytest.mark.parametrize("args", [("list",), ("show", "x")])
def test_without_a_state_one_is_asked_for(args, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = stories(*args)
    assert result.exit_code == ExitCode.USAGE
    assert "--state FILE" in result.stderr


def test_a_state_that_is_not_there_or_is_none_is_refused(tmp_path):
    assert stories("list", tmp_path / "none").exit_code == ExitCode.INPUT_MISSING
    (tmp_path / "text").write_text("text" * 1000)
    assert stories("list", tmp_path / "text").exit_code == ExitCode.STATE_UNUSABLE


@pytest.mark.usefixtures("process")
def test_stories_can_be_looked_at_while_a_run_goes_on(tmp_path):
    lines = "".join(json.dumps(item) + "\n" for item in REPORTS[:4]).encode()
    command = ("run", "-", "--to", "events.jsonl", "--state", "s", "--quiet")
    with started(*command, cwd=tmp_path) as going_on:
        assert going_on.stdin is not None
        going_on.stdin.write(lines)
        going_on.stdin.flush()
        while not _kept(tmp_path / "s"):
            assert going_on.poll() is None
        # The run still holds the state, as a second one reports.
        assert run(*command, cwd=tmp_path).returncode == ExitCode.BUSY
        assert titles(tmp_path / "s") == [FIRE[0]]
        going_on.stdin.close()
        assert going_on.wait() == 0
    assert titles(tmp_path / "s") == [FIRE[0]]


def _kept(state: Path) -> int:
    """Return how many stories are committed; none while there is no state."""
    result = stories("list", state, "--json")
    return json.loads(result.stdout)["kept"] if result.exit_code == ExitCode.OK else 0
