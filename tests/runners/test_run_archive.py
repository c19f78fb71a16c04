"""An archive alongside a run is what its events make, whenever the run dies."""

import asyncio
import json
import signal
from functools import partial
from pathlib import Path

import pytest

from archive.dumps import dump
from archive.event_stream import search_words
from cli.in_process import run
from newsdedup.archive.writer import ArchiveWriter
from newsdedup.bootstrap.runs import RunPaths, open_run
from newsdedup.config import Settings
from newsdedup.ports.errors import StateUnusable
from newsdedup.runners.intake.engine_output import EngineOutput
from newsdedup.synthetic.stream import demo_stream
from runners import processes

SMALL_BATCHES = {"NEWSDEDUP_RUN__BATCH": "16", "NEWSDEDUP_RULE__NAME": "terms"}
POINTS = ["after_output", "after_sync", "after_commit", "after_dead_letters", "after_archive"]


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("items") / "items.jsonl"
    lines = [json.dumps(planted.item) for planted in demo_stream()][:120]
    first = json.loads(lines[0])
    lines.insert(
        70, json.dumps({"newsdedup": "retract", "source": first["source"], "id": first["id"]})
    )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def made_of(events: Path, folder: Path) -> list[list[tuple[object, ...]]]:
    """Return what an archive holds that is made of a file of events at once."""
    path = folder / "again.archive"
    with ArchiveWriter(path, search_words()) as archive:
        archive.apply(events.read_bytes().splitlines())
        assert archive.check() == []
    return dump(path)


@pytest.mark.usefixtures("process")
@pytest.mark.parametrize("point", POINTS)
def test_a_run_that_is_killed_leaves_the_archive_that_its_events_make(
    items, tmp_path, point
) -> None:
    command = ("run", items, "--to", "out.jsonl", "--archive", "news.archive", "--quiet")
    failing = SMALL_BATCHES | {"NEWSDEDUP_FAILPOINT": f"{point}:4"}
    died = processes.run(*command, cwd=tmp_path, **failing)
    assert died.returncode == -signal.SIGKILL
    done = run(*command, cwd=tmp_path, **SMALL_BATCHES)
    assert done.returncode == 0, done.stderr
    assert dump(tmp_path / "news.archive") == made_of(tmp_path / "out.jsonl", tmp_path)


@pytest.mark.usefixtures("process")
@pytest.mark.parametrize("point", ["after_output", "after_commit", "after_archive"])
def test_a_run_to_a_pipe_that_is_killed_archives_what_it_published(items, tmp_path, point) -> None:
    command = ("run", items, "--state", "s", "--dlq", "d", "--archive", "news.archive", "--quiet")
    failing = SMALL_BATCHES | {"NEWSDEDUP_FAILPOINT": f"{point}:4"}
    died = processes.run(*command, cwd=tmp_path, **failing)
    done = run(*command, cwd=tmp_path, **SMALL_BATCHES)
    assert done.returncode == 0, done.stderr
    (tmp_path / "events").write_bytes(died.stdout + done.stdout)
    assert dump(tmp_path / "news.archive") == made_of(tmp_path / "events", tmp_path)


def test_an_archive_that_is_added_to_a_run_catches_up_with_its_output(items, tmp_path) -> None:
    command = ("run", items, "--to", "out.jsonl", "--quiet")
    assert run(*command, cwd=tmp_path, **SMALL_BATCHES).returncode == 0
    again = run(*command, "--archive", "news.archive", cwd=tmp_path, **SMALL_BATCHES)
    assert again.returncode == 0, again.stderr
    assert dump(tmp_path / "news.archive") == made_of(tmp_path / "out.jsonl", tmp_path)


@pytest.mark.usefixtures("long")
def test_a_run_that_begins_anew_begins_its_archive_anew_and_no_other(items, tmp_path) -> None:
    command = ("run", items, "--to", "out.jsonl", "--archive", "news.archive", "--fresh", "--quiet")
    for rule in ("terms", "simhash"):
        done = run(*command, "--rule", rule, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        (tmp_path / "again.archive").unlink(missing_ok=True)
        assert dump(tmp_path / "news.archive") == made_of(tmp_path / "out.jsonl", tmp_path)
    other = ("run", items, "--to", "other.jsonl", "--archive", "news.archive", "--quiet")
    assert run(*other, cwd=tmp_path).returncode == 0
    refused = run(*command, cwd=tmp_path)
    assert refused.returncode != 0
    assert b"holds events from elsewhere" in refused.stderr


def paths(folder: Path, archive: str) -> RunPaths:
    """Return the paths of a run in a folder, with this archive."""
    return RunPaths(
        to=str(folder / "out.jsonl"),
        state=folder / "state",
        dead=folder / "dead.jsonl",
        archive=folder / archive,
    )


def test_a_run_whose_archive_cannot_be_opened_leaves_its_files_to_the_next(tmp_path):
    (tmp_path / "bad.archive").write_bytes(b"no database at all")
    with pytest.raises(StateUnusable, match=r"bad\.archive is no database"):
        open_run(Settings(), paths(tmp_path, "bad.archive"))
    open_run(Settings(), paths(tmp_path, "news.archive")).close()


def test_an_engine_that_fails_at_its_beginning_leaves_its_files_to_the_next(tmp_path):
    def fail(point: str) -> None:
        raise StateUnusable(point)

    async def opened(**failing) -> None:
        opening = partial(open_run, Settings(), paths(tmp_path, "news.archive"), **failing)
        output = await EngineOutput.open(opening, observe=lambda _: None)
        await output.close()

    with pytest.raises(StateUnusable, match="after_sync"):
        asyncio.run(opened(fail=fail))
    asyncio.run(opened())
