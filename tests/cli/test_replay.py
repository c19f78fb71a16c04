import json
import signal
from pathlib import Path

import pytest

from cli.in_process import run
from cli.small_stream import FIRE, REPORTS, report
from newsdedup.cli.errors import ExitCode
from runners import processes

SMALL_BATCHES = {"NEWSDEDUP_RUN__BATCH": "2"}
DLQ = "events.jsonl.dlq"
BROKEN_LINKS = "none"


def late(n: int) -> dict[str, str]:
    """Return an item whose links are no list, a copy of one that came before it."""
    item = report(f"late{n}.example", "late", FIRE, "07:00:00")
    # No number: another one in the headline would be another message.
    return {**item, "links": BROKEN_LINKS, "title": f"{item['title']} {chr(97 + n)}"}


LINES = [
    *(json.dumps(item, ensure_ascii=False) for item in REPORTS[:2]),
    *(json.dumps(late(n), ensure_ascii=False) for n in range(3)),
    "{never good",
    *(json.dumps(late(n), ensure_ascii=False) for n in range(3, 6)),
    "[]",
    *(json.dumps(item, ensure_ascii=False) for item in REPORTS[2:]),
]


def ran(folder: Path) -> Path:
    """Return a folder with a run whose bad records are in its dead letters."""
    (folder / "items.jsonl").write_text("\n".join(LINES) + "\n", "utf-8")
    done = run("run", "items.jsonl", "--to", "events.jsonl", "--quiet", cwd=folder, **SMALL_BATCHES)
    assert done.returncode == 0, done.stderr
    return folder


def mended(folder: Path) -> Path:
    """Return the folder after an editor has put a list into the dead letters."""
    dead_letters = folder / DLQ
    dead_letters.write_text(
        dead_letters.read_text("utf-8").replace(rf"\"{BROKEN_LINKS}\"", "[]"), "utf-8"
    )
    return folder


REPLAY = ("dlq", "replay", DLQ, "--to", "events.jsonl")


def replay(folder: Path, *args: str):
    return run(*REPLAY, *args, cwd=folder, **SMALL_BATCHES)


def killed(folder: Path, *command: str, at: str) -> None:
    """Let a command die at a failpoint, in a process of its own."""
    died = processes.run(*command, cwd=folder, NEWSDEDUP_FAILPOINT=at, **SMALL_BATCHES)
    assert died.returncode == -signal.SIGKILL, died.stderr


def written(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in ("events.jsonl", DLQ)}


def dead_letters(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / DLQ).read_bytes().splitlines()]


def events(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "events.jsonl").read_bytes().splitlines()]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> dict[str, bytes]:
    """What a replay writes that nobody kills."""
    folder = mended(ran(tmp_path_factory.mktemp("undisturbed")))
    done = replay(folder)
    assert done.returncode == 0, done.stderr
    return written(folder)


def test_mended_dead_letters_are_judged_where_the_others_were(tmp_path):
    before = dead_letters(mended(ran(tmp_path)))
    assert [dead_letter["code"] for dead_letter in before] == [
        *["bad_field"] * 3, "not_json", *["bad_field"] * 3, "not_object",
    ]  # fmt: skip
    done = replay(tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    [reported] = json.loads(done.stdout)["replays"]
    assert (reported["lines"], reported["judged"], reported["duplicates"]) == (8, 6, 6)
    assert reported["dead_letters_by_reason"] == {"not_json": 1, "not_object": 1}
    replayed = events(tmp_path)[-6:]
    assert {event["dedup"]["story"]["original"]["id"] for event in replayed} == {"r1"}
    # An event carries the record that was in the dead letter, not the dead letter.
    assert [event["source"] for event in replayed] == [f"late{n}.example" for n in range(6)]
    assert not (tmp_path / f"{DLQ}.replaying").exists()


def test_what_fails_again_keeps_its_position_in_its_own_input(tmp_path):
    before = [
        dead_letter
        for dead_letter in dead_letters(mended(ran(tmp_path)))
        if dead_letter["code"] != "bad_field"
    ]
    assert replay(tmp_path).returncode == 0
    assert dead_letters(tmp_path) == before
    assert [LINES[dead_letter["line"] - 1] for dead_letter in before] == [
        dead_letter["text"] for dead_letter in before
    ]


def test_a_second_replay_of_the_same_dead_letters_reads_all_of_them(tmp_path):
    assert replay(ran(tmp_path)).returncode == 0
    first = written(tmp_path)
    assert len(dead_letters(tmp_path)) == 8
    again = replay(tmp_path, "--json")
    assert json.loads(again.stdout)["replays"][0]["lines"] == 8
    assert written(tmp_path) == first


@pytest.mark.usefixtures("process")
@pytest.mark.parametrize("nth", [1, 3])
@pytest.mark.parametrize(
    "point", ["before_output", "after_output", "after_sync", "after_commit", "after_dead_letters"]
)
def test_a_replay_killed_anywhere_goes_on_as_if_it_had_not(tmp_path, undisturbed, point, nth):
    mended(ran(tmp_path))
    killed(tmp_path, *REPLAY, at=f"{point}:{nth}")
    assert (tmp_path / f"{DLQ}.replaying").exists()
    done = replay(tmp_path)
    assert done.returncode == 0, done.stderr
    assert written(tmp_path) == undisturbed
    assert not (tmp_path / f"{DLQ}.replaying").exists()


@pytest.mark.usefixtures("process")
@pytest.mark.parametrize("point", ["before_aside", "after_aside", "after_removal"])
def test_no_dead_letter_is_lost_where_the_file_is_moved_or_removed(tmp_path, undisturbed, point):
    mended(ran(tmp_path))
    killed(tmp_path, *REPLAY, at=point)
    done = replay(tmp_path)
    assert done.returncode == 0, done.stderr
    assert written(tmp_path) == undisturbed


@pytest.mark.usefixtures("process")
def test_dead_letters_that_came_after_an_interrupted_replay_are_fed_after_it(tmp_path):
    mended(ran(tmp_path))
    killed(tmp_path, *REPLAY, at="after_output:1")
    more = json.dumps({"input": "other.jsonl", "line": 1, "offset": 0, "code": "x", "reason": "x",
                       "size": 2, "text": json.dumps(REPORTS[-1])})  # fmt: skip
    (tmp_path / "more.jsonl").write_text("{bad\n")
    run("run", "more.jsonl", "--to", "events.jsonl", cwd=tmp_path)
    with (tmp_path / DLQ).open("a") as file:
        file.write(more + "\n")
    done = replay(tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    first, second = json.loads(done.stdout)["replays"]
    assert first["lines"] == 8
    assert second["repeated"] == 1
    assert [dead_letter["input"] for dead_letter in dead_letters(tmp_path)].count("more.jsonl") == 1


def test_a_run_goes_on_after_a_replay(tmp_path, undisturbed):
    assert replay(mended(ran(tmp_path))).returncode == 0
    done = run("run", "items.jsonl", "--to", "events.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert written(tmp_path) == undisturbed


def test_mended_dead_letters_wait_for_their_replay_whatever_runs_before(tmp_path):
    before = dead_letters(mended(ran(tmp_path)))
    (tmp_path / "more.jsonl").write_text("{bad\n")
    assert run("run", "more.jsonl", "--to", "events.jsonl", cwd=tmp_path).returncode == 0
    assert dead_letters(tmp_path)[:-1] == before
    assert dead_letters(tmp_path)[-1]["input"] == "more.jsonl"


@pytest.mark.usefixtures("process")
def test_a_run_that_was_killed_goes_on_after_a_replay(tmp_path):
    (tmp_path / "items.jsonl").write_text("\n".join(LINES) + "\n", "utf-8")
    command = ("run", "items.jsonl", "--to", "events.jsonl", "--quiet")
    killed(tmp_path, *command, at="after_output:3")
    assert replay(tmp_path).returncode == 0
    assert run(*command, cwd=tmp_path, **SMALL_BATCHES).returncode == 0
    judged = [event for event in events(tmp_path) if event["dedup"]["event"] == "item.judged"]
    assert len(judged) == len(REPORTS)
    assert [dead_letter["line"] for dead_letter in dead_letters(tmp_path)] == [
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
    ]


def test_a_dead_letter_of_which_only_the_beginning_is_kept_stays(tmp_path):
    (tmp_path / "items.jsonl").write_text(json.dumps({"id": "1", "title": "x" * 90_000}) + "\n")
    limit = {"NEWSDEDUP_LIMITS__LINE_BYTES": "80kB"}
    run("run", "items.jsonl", "--to", "events.jsonl", cwd=tmp_path, **limit)
    [cut] = dead_letters(tmp_path)
    assert (cut["code"], cut["cut"]) == ("too_long", True)
    assert replay(tmp_path).returncode == 0
    [again] = dead_letters(tmp_path)
    assert again == {**cut, "code": "cut", "reason": again["reason"]}
    assert "65536 of 90024 bytes" in again["reason"]


def test_a_line_that_somebody_broke_stays_as_it_is(tmp_path):
    ran(tmp_path)
    (tmp_path / DLQ).write_bytes(b'\n{"broken": by hand\n')
    done = replay(tmp_path)
    assert b"1 failed again" in done.stderr
    assert (tmp_path / DLQ).read_bytes() == b'{"broken": by hand\n'


def test_dead_letters_are_replayed_when_settings_were_changed(tmp_path):
    (tmp_path / "items.jsonl").write_text(json.dumps(REPORTS[0]) + "\n", "utf-8")
    limit = {"NEWSDEDUP_LIMITS__TEXT_CHARS": "20"}
    run("run", "items.jsonl", "--to", "events.jsonl", cwd=tmp_path, **limit)
    assert len(dead_letters(tmp_path)) == 1
    done = replay(tmp_path)
    assert b"1 dead letter replayed: 1 judged" in done.stderr
    assert not (tmp_path / DLQ).exists()
    assert events(tmp_path)[0]["id"] == "r1"


def test_a_replay_to_standard_output_needs_no_state(tmp_path):
    mended(ran(tmp_path))
    done = run("dlq", "replay", DLQ, "--to", "-", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    verdicts = [json.loads(line)["dedup"]["verdict"] for line in done.stdout.splitlines()]
    assert verdicts == ["original", *["duplicate"] * 5]
    assert len(dead_letters(tmp_path)) == 2


def test_a_replay_of_nothing_says_so(tmp_path):
    done = replay(tmp_path)
    assert done.returncode == ExitCode.INPUT_MISSING
    assert b"there is no such file" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("process")
def test_while_a_run_goes_on_a_replay_is_refused_and_moves_nothing(tmp_path):
    before = written(mended(ran(tmp_path)))
    with processes.started("run", "-", "--to", "events.jsonl", cwd=tmp_path) as going_on:
        assert going_on.stdin is not None
        going_on.stdin.write(b'{"title": "One more"}\n')
        going_on.stdin.flush()
        while written(tmp_path)["events.jsonl"] == before["events.jsonl"]:
            assert going_on.poll() is None
        assert replay(tmp_path).returncode == ExitCode.BUSY
        assert (tmp_path / DLQ).read_bytes() == before[DLQ]
        going_on.stdin.close()
        assert going_on.wait() == 0


def test_with_other_settings_a_replay_is_refused_and_moves_nothing(tmp_path):
    before = written(mended(ran(tmp_path)))
    done = replay(tmp_path, "--window", "5h")
    assert done.returncode == ExitCode.STATE_UNUSABLE
    assert written(tmp_path) == before
