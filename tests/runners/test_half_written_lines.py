"""A file that grows while it is read from time to time, wherever its writer was just then."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from cli.in_process import run
from newsdedup.bootstrap.runs import RunPaths, open_run
from newsdedup.config import Settings

FIRST = {"id": "1", "source": "a.example", "title": "Снег обещают на перевалах 😀"}
SECOND = {"id": "2", "source": "b.example", "title": "Council approves the new tram line"}
LINES = [json.dumps(FIRST, ensure_ascii=False).encode(), json.dumps(SECOND).encode()]
WHOLE = b"".join(line + b"\n" for line in LINES)
ESCAPED = json.dumps(FIRST).encode() + b"\n"


def ran(items: Path) -> Counter[str]:
    """Return the counts of a run that goes on alongside its output."""
    out = items.with_name("out.jsonl")
    positions = RunPaths(
        to=str(out), state=out.with_name("state"), dead=out.with_name("dead_letters")
    )
    job = open_run(Settings(), positions)
    try:
        return sum(job.over([str(items)]), Counter())
    finally:
        job.close()


def events_of(folder: Path) -> list[tuple[str, str]]:
    events = (folder / "out.jsonl").read_bytes().splitlines()
    return [(said["id"], said["dedup"]["event"]) for said in map(json.loads, events)]


CUTS = [
    1,
    len(LINES[0]) - 1,  # before the brace that ends it
    LINES[0].index("С".encode()) + 1,  # within a character
    LINES[0].index("😀".encode()) + 2,
    len(LINES[0]),  # before the end of the line: what is judged at once
    len(LINES[0]) + 1,
    len(LINES[0]) + 2,
    len(WHOLE) - 1,
]


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize("cut", CUTS)
def test_wherever_the_writer_was_nothing_is_lost_and_nothing_is_buried(
    tmp_path: Path, cut: int
) -> None:
    items = tmp_path / "items.jsonl"
    items.write_bytes(WHOLE[:cut])
    first = ran(items)
    is_whole = WHOLE[:cut].rpartition(b"\n")[2] in (b"", *LINES)
    assert first["half_written"] == (not is_whole)
    assert first["item.judged"] == WHOLE[: cut + 1].count(b"\n")
    items.write_bytes(WHOLE)
    assert ran(items)["half_written"] == 0
    assert events_of(tmp_path) == [("1", "item.judged"), ("2", "item.judged")]
    assert not (tmp_path / "dead_letters").exists()
    assert ran(items) == Counter()


def test_half_of_an_escape_is_half_a_line(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    items.write_bytes(ESCAPED[: ESCAPED.index(b"\\ude00")])
    assert ran(items) == Counter(half_written=1)
    items.write_bytes(ESCAPED)
    assert ran(items)["item.judged"] == 1


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_the_end_of_a_line_that_comes_later_is_no_line(tmp_path: Path, end: bytes) -> None:
    items = tmp_path / "items.jsonl"
    items.write_bytes(LINES[0])
    assert ran(items)["item.judged"] == 1
    items.write_bytes(LINES[0] + end)
    assert ran(items) == Counter()
    items.write_bytes(LINES[0] + end + end + LINES[1])
    assert ran(items) == Counter(
        lines=2, undated=1, original=1, relation_none=1, lang_en=1, **{"item.judged": 1}
    )
    assert not (tmp_path / "dead_letters").exists()


def test_packed_files_that_grow_are_read_alike(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl.gz"
    items.write_bytes(gzip.compress(WHOLE[: len(LINES[0])]))
    assert ran(items)["item.judged"] == 1
    items.write_bytes(items.read_bytes() + gzip.compress(WHOLE[len(LINES[0]) : -5]))
    assert ran(items) == Counter(half_written=1)
    items.write_bytes(items.read_bytes() + gzip.compress(WHOLE[-5:]))
    assert ran(items)["item.judged"] == 1
    assert not (tmp_path / "dead_letters").exists()


def test_a_line_that_is_whole_and_no_item_is_buried_at_once(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    items.write_bytes(b'{"id": "1"}')
    assert ran(items)["dead_no_text"] == 1
    assert ran(items) == Counter()


def test_a_person_and_a_program_get_a_report_of_half_a_line(tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_bytes(WHOLE[:-5])
    done = run("run", "items.jsonl", "--to", "out.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"\nHalf-written last lines of inputs, left for the next run: 1\n" in done.stderr
    assert b"\nWithout published_at and seen_at, dated by the items before them: 1\n" in done.stderr
    again = run("run", "items.jsonl", "--to", "out.jsonl", "--json", cwd=tmp_path)
    stats = json.loads(again.stdout)
    assert (stats["lines"], stats["half_written"], stats["dead_letters"]) == (0, 1, 0)


def test_a_pipe_that_ends_in_half_a_line_has_a_bad_record(tmp_path: Path) -> None:
    done = run("run", "-", "--to", "out.jsonl", "--json", cwd=tmp_path, stdin=WHOLE[:-5])
    stats = json.loads(done.stdout)
    assert (stats["lines"], stats["half_written"], stats["dead_letters"]) == (2, 0, 1)


def test_blank_lines_are_skipped_and_not_buried(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    items.write_bytes(b"\n" * 5_000 + LINES[0] + b"\n \t\r\n\r\n" + LINES[1] + b"\n\n  ")
    counts = ran(items)
    assert (counts["item.judged"], counts["dead"]) == (2, 0)
    assert not (tmp_path / "dead_letters").exists()
    assert ran(items) == Counter()
