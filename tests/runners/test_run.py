"""What a user meets who runs the command over files and pipes."""

import gzip
import json
import os
import selectors
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import zstandard

from cli.in_process import run
from newsdedup.synthetic.stream import demo_stream
from runners.processes import started

ORIGINAL = {
    "id": "1",
    "source": "port.example",
    "title": "Пожар уничтожил три склада в одесском порту",
    "text": "Три склада сгорели в порту Одессы в понедельник, сообщили спасатели. "
    "Пострадавших нет, рассказал журналистам начальник порта Петренко. Причину выясняет комиссия.",
    "published_at": "2026-05-04T10:00:00Z",
    "section": "порты",
}
COPY = {**ORIGINAL, "id": "2", "source": "other.example", "published_at": "2026-05-04T11:00:00Z"}
WEATHER = {
    "id": "3",
    "source": "weather.example",
    "title": "Синоптики обещают похолодание",
    "text": "В Карпатах ночью ожидаются заморозки и сильный ветер, предупредили синоптики. "
    "Снег может выпасть на перевалах, водителей просят выбирать объездные дороги.",
    "published_at": "2026-05-04T12:00:00Z",
}
ITEMS = (ORIGINAL, COPY, WEATHER)


def lines(*items) -> bytes:
    return b"".join(json.dumps(item, ensure_ascii=False).encode() + b"\n" for item in items)


def judged(output: bytes) -> list[tuple[str, str]]:
    events = [json.loads(line) for line in output.splitlines()]
    return [(event["id"], event["dedup"]["verdict"]) for event in events]


VERDICTS = [("1", "original"), ("2", "duplicate"), ("3", "original")]


@pytest.fixture
def items(tmp_path):
    (tmp_path / "items.jsonl").write_bytes(lines(*ITEMS))
    return tmp_path


def test_a_file_becomes_a_file_of_events_and_received_bytes_stay_as_they_were(items):
    done = run("run", "items.jsonl", "--to", "out.jsonl", "--json", cwd=items)
    assert done.returncode == 0, done.stderr
    output = json.loads(done.stdout)
    assert (output["judged"], output["duplicates"], output["dead_letters"]) == (3, 1, 0)
    out = (items / "out.jsonl").read_bytes()
    assert judged(out) == VERDICTS
    first = lines(ORIGINAL).rstrip(b"}\n")
    assert out.startswith(first)
    assert not (items / "out.jsonl.dlq").exists()


def test_packed_files_and_folders_are_read_alike(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.jsonl.gz").write_bytes(gzip.compress(lines(ORIGINAL)))
    (folder / "b.jsonl.zst").write_bytes(zstandard.compress(lines(COPY)))
    (folder / "c.jsonl").write_bytes(lines(WEATHER))
    done = run("run", "in", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert judged(done.stdout) == VERDICTS


def test_a_run_goes_on_where_a_file_has_grown(items):
    assert run("run", "items.jsonl", "--to", "out.jsonl", cwd=items).returncode == 0
    late = {
        **ORIGINAL,
        "id": "0",
        "source": "early.example",
        "published_at": "2026-05-04T09:00:00Z",
    }
    with (items / "items.jsonl").open("ab") as file:
        file.write(lines(late))
    done = run("run", "items.jsonl", "--to", "out.jsonl", "--json", cwd=items)
    assert json.loads(done.stdout)["corrected"] == 2
    out = (items / "out.jsonl").read_bytes().splitlines()
    kinds = [json.loads(line)["dedup"]["event"] for line in out]
    assert kinds[3:] == [
        "item.judged", "verdict.corrected", "verdict.corrected", "story.original_changed",
    ]  # fmt: skip


@pytest.mark.usefixtures("process")
def test_a_pipe_that_pauses_is_answered_at_once(tmp_path):
    process = started("run", "-", "--quiet", cwd=tmp_path)
    ready = selectors.DefaultSelector()
    ready.register(process.stdout, selectors.EVENT_READ)
    process.stdin.write(lines(ORIGINAL))
    process.stdin.flush()
    assert ready.select(timeout=120), "no answer while the input is open"
    first = os.read(process.stdout.fileno(), 1 << 20)
    assert judged(first) == VERDICTS[:1]
    process.stdin.write(lines(COPY))
    process.stdin.flush()
    assert ready.select(timeout=120)
    assert judged(os.read(process.stdout.fileno(), 1 << 20)) == VERDICTS[1:2]
    rest, _ = process.communicate()
    assert (rest, process.returncode) == (b"", 0)


@pytest.mark.usefixtures("process")
def test_two_processes_cannot_write_one_state(items):
    first = started("run", "-", "--to", "out.jsonl", cwd=items)
    first.stdin.write(lines(ORIGINAL))
    first.stdin.flush()
    while not (items / "out.jsonl").exists() or not (items / "out.jsonl").stat().st_size:
        assert first.poll() is None
    second = run("run", "items.jsonl", "--to", "out.jsonl", cwd=items)
    assert second.returncode == 75
    assert b"in use by another process" in second.stderr
    first.communicate()
    assert run("run", "items.jsonl", "--to", "out.jsonl", cwd=items).returncode == 0


@pytest.mark.usefixtures("process")
def test_two_processes_with_states_of_their_own_cannot_write_one_output(items):
    (items / "link.jsonl").symlink_to("out.jsonl")
    written = [items / "out.jsonl", items / "out.jsonl.dlq"]
    with started("run", "-", "--to", "out.jsonl", "--state", "a", cwd=items) as first:
        first.stdin.write(lines(ORIGINAL) + b"no JSON\n")
        first.stdin.flush()
        while not all(file.exists() and file.stat().st_size for file in written):
            assert first.poll() is None
        before = [file.read_bytes() for file in written]
        for target in ("out.jsonl", "link.jsonl"):
            for more in ((), ("--fresh", "--dlq", "out.jsonl.dlq")):
                command = ("run", "items.jsonl", "--to", target, "--state", "b", *more)
                second = run(*command, cwd=items)
                assert second.returncode == 75, second.stderr
                assert f"{target} is being written by another process".encode() in second.stderr
        assert [file.read_bytes() for file in written] == before
        first.kill()
    done = run("run", "items.jsonl", "--to", "out.jsonl", "--state", "a", cwd=items)
    assert done.returncode == 0, done.stderr  # who was killed holds no lock


@pytest.mark.usefixtures("process")
def test_helpers_change_nothing(items):
    assert run("run", "items.jsonl", "--to", "a.jsonl", cwd=items).returncode == 0
    done = run("run", "items.jsonl", "--to", "b.jsonl", "--helpers", "1", cwd=items)
    assert done.returncode == 0, done.stderr
    assert (items / "a.jsonl").read_bytes() == (items / "b.jsonl").read_bytes()


@pytest.mark.usefixtures("process")
def test_a_helper_that_is_killed_changes_nothing(tmp_path):
    planted = [one.item for one in demo_stream()]
    (tmp_path / "items.jsonl").write_bytes(lines(*planted))
    few = {"NEWSDEDUP_RUN__BATCH": "100"}
    running = started("run", "-", "--to", "b.jsonl", "--helpers", "1", cwd=tmp_path, environ=few)
    running.stdin.write(lines(*planted[:200]))
    running.stdin.flush()
    while not (tmp_path / "b.jsonl").exists() or not (tmp_path / "b.jsonl").stat().st_size:
        assert running.poll() is None
    os.kill(helper_of(running.pid), signal.SIGKILL)
    _, errors = running.communicate(lines(*planted[200:]))
    assert running.returncode == 0, errors
    assert errors.count(b"helper_died") == 1
    assert run("run", "items.jsonl", "--to", "a.jsonl", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def helper_of(parent: int) -> int:
    """Return the process that a run has started to help it."""
    (helper,) = (
        status.parent
        for status in Path("/proc").glob("[0-9]*/status")
        if f"PPid:\t{parent}\n" in status.read_text()
        and b"spawn_main" in (status.parent / "cmdline").read_bytes()
    )
    return int(helper.name)


def test_a_state_of_other_settings_is_refused_and_both_are_named(items):
    assert run("run", "items.jsonl", "--to", "out.jsonl", cwd=items).returncode == 0
    before = (items / "out.jsonl").read_bytes()
    done = run("run", "items.jsonl", "--to", "out.jsonl", "--window", "24h", cwd=items)
    assert done.returncode == 78
    assert b"window 72h" in done.stderr
    assert b"window 24h" in done.stderr
    assert (items / "out.jsonl").read_bytes() == before
    anew = run("run", "items.jsonl", "--to", "out.jsonl", "--window", "24h", "--fresh", cwd=items)
    assert anew.returncode == 0
    assert judged((items / "out.jsonl").read_bytes()) == VERDICTS


@pytest.mark.parametrize(("number", "said"), [("99", b"upgrade"), ("1", b"--fresh")])
def test_a_state_of_another_version_is_refused_and_kept_until_it_is_given_up(items, number, said):
    assert run("run", "items.jsonl", "--to", "out.jsonl", cwd=items).returncode == 0
    with closing(sqlite3.connect(items / "out.jsonl.state")) as state, state:
        state.execute("UPDATE meta SET value = ? WHERE name = 'format'", (number,))
    state.close()
    done = run("run", "items.jsonl", "--to", "out.jsonl", cwd=items)
    assert done.returncode == 78
    assert said in done.stderr
    assert judged((items / "out.jsonl").read_bytes()) == VERDICTS
    assert run("run", "items.jsonl", "--to", "out.jsonl", "--fresh", cwd=items).returncode == 0


@pytest.mark.parametrize("content", [b"no database at all, but long enough " * 99, b"x"])
def test_a_damaged_state_is_reported(items, content):
    (items / "out.jsonl.state").write_bytes(content)
    done = run("run", "items.jsonl", "--to", "out.jsonl", cwd=items)
    assert done.returncode == 78
    assert b"Traceback" not in done.stderr


def test_a_full_disk_is_reported_and_damages_nothing(items):
    done = run("run", "items.jsonl", "--to", "/dev/full", "--state", "s", cwd=items)
    assert done.returncode == 74
    assert b"No space left" in done.stderr
    assert run("run", "items.jsonl", "--to", "out.jsonl", "--state", "s", cwd=items).returncode == 0
    assert judged((items / "out.jsonl").read_bytes()) == VERDICTS


def test_a_state_that_cannot_be_written_is_reported(items):
    done = run("run", "items.jsonl", "--state", "/proc/newsdedup/state", cwd=items)
    assert done.returncode == 73
    assert b"there is no folder" in done.stderr


def test_an_output_that_is_somebody_elses_is_not_touched(items):
    (items / "out.jsonl").write_text("mine\n", encoding="utf-8")
    done = run("run", "items.jsonl", "--to", "out.jsonl", cwd=items)
    assert done.returncode == 73
    assert (items / "out.jsonl").read_text(encoding="utf-8") == "mine\n"


def test_bad_lines_are_buried_and_the_run_goes_on(tmp_path):
    bad = [
        b"{not json",
        b"\xff\xfe",
        b'{"id": "e", "title": "", "text": " "}',
        b'{"id": "d", "title": "x", "links": "9999-12-31T00:00:00Z"}',
        b'{"title": "' + b"x" * 50_000_000 + b'"}',
        b"[" * 100_000,
    ]
    content = lines(ORIGINAL) + b"\n".join(bad) + b"\n" + lines(COPY)
    (tmp_path / "items.jsonl").write_bytes(content)
    done = run("run", "items.jsonl", "--to", "out.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    output = json.loads(done.stdout)
    assert output["dead_letters_by_reason"] == {
        "bad_field": 1, "no_text": 1, "not_json": 1, "not_utf8": 1, "too_deep": 1, "too_long": 1,
    }  # fmt: skip
    assert judged((tmp_path / "out.jsonl").read_bytes()) == VERDICTS[:2]
    buried = (tmp_path / "out.jsonl.dlq").read_bytes().splitlines()
    dead_letters = [json.loads(line) for line in buried]
    assert [dead_letter["line"] for dead_letter in dead_letters] == [2, 3, 4, 5, 6, 7]
    assert [dead_letter["size"] for dead_letter in dead_letters] == [len(line) for line in bad]


def test_of_an_unknown_item_an_editors_word_is_a_dead_letter_and_a_retraction_nothing(tmp_path):
    gone = {"newsdedup": "retract", "source": "port.example", "id": "gone"}
    split = {
        "newsdedup": "split",
        "item": {"source": "port.example", "id": "gone"},
        "at": "2026-05-04T15:00:00Z",
    }
    done = run("run", "-", "--to", "out.jsonl", cwd=tmp_path, stdin=lines(ORIGINAL, gone, split))
    assert done.returncode == 0, done.stderr
    assert judged((tmp_path / "out.jsonl").read_bytes()) == VERDICTS[:1]
    (dead_letter,) = (tmp_path / "out.jsonl.dlq").read_text("utf-8").splitlines()
    assert json.loads(dead_letter)["code"] == "unknown_item"
    assert json.loads(json.loads(dead_letter)["text"]) == split


def test_an_editor_and_a_retraction_speak_in_the_stream(tmp_path):
    split = {
        "newsdedup": "split",
        "item": {"source": "other.example", "id": "2"},
        "at": "2026-05-04T13:00:00Z",
    }
    gone = {"newsdedup": "retract", "source": "port.example", "id": "1"}
    done = run("run", "-", "--quiet", cwd=tmp_path, stdin=lines(*ITEMS, split, gone))
    assert done.returncode == 0, done.stderr
    output = [json.loads(line)["dedup"] for line in done.stdout.splitlines()][3:]
    alone, _, unlinked = output
    assert [one["event"] for one in output] == [
        "verdict.corrected",
        "item.retracted",
        "verdict.corrected",
    ]
    assert (alone["item"]["id"], alone["verdict"]) == ("2", "original")
    assert alone["matched"]["id"] == "1"
    assert (unlinked["item"]["id"], unlinked["matched"]) == ("2", None)
