"""An item for which a step raises a bug goes to the dead letters, and the run goes on."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from cli.in_process import run
from newsdedup.synthetic.stream import demo_stream
from runners import processes
from runners.planted_bugs import QUOTED, TRIGGER, bug_environment, planted

STAGES = {
    "decode": "decode",
    "analyze": "analyze",
    "keys": "decide",
    "compare": "compare",
    "decide": "decide",
    "render": "render",
    "learn": "compare",
    "encode": "encode",
}
"""What is planted, and the stage that the dead letter names.

A bug is planted in front of a function: the innermost line of ours is its caller."""
POSITIONS = (0, 5, 6, 40, 100)
"""Where marked items come in, copies of the items there."""
BUG = 70


def stream() -> list[dict[str, Any]]:
    """Return sound items, among them late originals, edits and redeliveries."""
    return [dict(planted.item) for planted in demo_stream()][:120]


def marked(item: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of an item whose name has the trigger."""
    return {**item, "id": f"{item['id']}-{TRIGGER}", "title": f"{item['title']} {TRIGGER}"}


def mixed(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the items with a marked copy behind some of them."""
    found = []
    for index, item in enumerate(items):
        found += [item, marked(item)] if index in POSITIONS else [item]
    return found


def write(folder: Path, items: list[dict[str, Any]]) -> Path:
    path = folder / "items.jsonl"
    text = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    path.write_text(text, "utf-8")
    return path


def judged(folder: Path, *, batch: str, code: int = 0) -> bytes:
    """Return the events of a run of the items in a folder."""
    done = run(
        "run", "items.jsonl", "--to", "out.jsonl", "--quiet",
        cwd=folder, NEWSDEDUP_RUN__BATCH=batch,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return (folder / "out.jsonl").read_bytes()


def dead_letters(folder: Path) -> list[dict[str, Any]]:
    path = folder / "out.jsonl.dlq"
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def names(events: bytes) -> list[str]:
    """Return the ids of the items that were judged, once for each judgement."""
    said = [json.loads(line)["dedup"] for line in events.splitlines()]
    return [one["item"]["id"] for one in said if one["event"] == "item.judged"]


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> bytes:
    """The events of the sound items alone."""
    folder = tmp_path_factory.mktemp("sound")
    write(folder, stream())
    return judged(folder, batch="500")


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize(
    ("bug", "batch"), [*((bug, "500") for bug in STAGES), ("compare", "1"), ("render", "1")]
)
def test_an_item_that_raises_is_set_aside_leaves_nothing_behind_and_comes_back_by_a_replay(
    sound, tmp_path, bug, batch
):
    items = mixed(stream())
    write(tmp_path, items)
    with planted(bug):
        assert judged(tmp_path, batch=batch) == sound
    found = dead_letters(tmp_path)
    assert [json.loads(one["text"])["id"] for one in found] == [
        item["id"] for item in items if TRIGGER in item["id"]
    ]
    for one in found:
        assert one["code"] == "internal_error"
        assert one["reason"].startswith("internal error: ValueError at newsdedup.")
        assert one["reason"].endswith(f" ({STAGES[bug]})")
        assert QUOTED not in one["reason"]
    done = run("dlq", "replay", "out.jsonl.dlq", "--to", "out.jsonl", "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert dead_letters(tmp_path) == []
    events = (tmp_path / "out.jsonl").read_bytes()
    assert events.startswith(sound)
    judgements = names(events[len(sound) :])
    assert [name for name in judgements if TRIGGER in name] == [
        item["id"] for item in items if TRIGGER in item["id"]
    ]


@pytest.mark.usefixtures("process")
@pytest.mark.parametrize(
    ("bug", "point", "batch"),
    [
        ("analyze", "isolated:2", "500"),
        ("compare", "isolated:2", "1"),
        ("render", "rolling_back:1", "500"),
    ],
)
def test_a_run_killed_while_it_isolates_loses_and_doubles_nothing(
    sound, tmp_path, bug, point, batch
):
    items = mixed(stream())
    write(tmp_path, items)
    variables = {"NEWSDEDUP_RUN__BATCH": batch, **bug_environment(bug)}
    command = ("run", "items.jsonl", "--to", "out.jsonl", "--quiet")
    died = processes.run(*command, cwd=tmp_path, NEWSDEDUP_FAILPOINT=point, **variables)
    assert died.returncode == -signal.SIGKILL, died.stderr
    done = processes.run(*command, cwd=tmp_path, **variables)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.jsonl").read_bytes() == sound
    assert [json.loads(one["text"])["id"] for one in dead_letters(tmp_path)] == [
        item["id"] for item in items if TRIGGER in item["id"]
    ]


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize(
    ("bug", "batch"), [("compare", "1"), ("compare_pairs", "500"), ("keys", "500")]
)
def test_a_stored_entry_that_raises_is_not_compared_and_costs_no_item(tmp_path, caplog, bug, batch):
    stored, later = stream()[:60], stream()[60:]
    stored[50] = marked(stored[50])
    copies = [{**stored[50], "id": f"copy {n}", "title": later[n]["title"]} for n in range(3)]
    write(tmp_path, stored)
    judged(tmp_path, batch=batch)
    with planted(bug):
        write(tmp_path, [*stored, *copies, *later])
        events = judged(tmp_path, batch=batch)
    assert dead_letters(tmp_path) == []
    assert {item["id"] for item in (*copies, *later)} <= set(names(events))
    said = "entry_without_keys" if bug == "keys" else "entry_set_aside"
    assert f"{said} source={stored[50]['source']!r} id={stored[50]['id']!r}" in caplog.text


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize("batch", ["1", "500"])
def test_a_bug_that_each_item_meets_ends_a_run_which_loses_nothing(tmp_path, batch):
    items = stream()
    write(tmp_path, items)
    with planted("everywhere"):
        done = run(
            "run", "items.jsonl", "--to", "out.jsonl", "--quiet",
            cwd=tmp_path, NEWSDEDUP_RUN__BATCH=batch,
        )  # fmt: skip
    assert done.returncode == BUG
    assert b"it is not the records" in done.stderr
    assert QUOTED not in done.stderr.decode().splitlines()[-1]
    judged(tmp_path, batch=batch)
    run("dlq", "replay", "out.jsonl.dlq", "--to", "out.jsonl", "--quiet", cwd=tmp_path)
    events = names((tmp_path / "out.jsonl").read_bytes())
    assert {item["id"] for item in items} <= set(events)
    assert dead_letters(tmp_path) == []
