"""A run over a folder in which its own files are, too."""

import json
import subprocess
from pathlib import Path

import pytest

from cli.in_process import run
from newsdedup.cli.errors import ExitCode
from runners.processes import COMMAND, environment

ITEM = {"id": "1", "source": "a.example", "title": "Council approves the new tram line"}


@pytest.fixture
def arch(tmp_path: Path) -> Path:
    """Return a folder with an item and a bad record."""
    folder = tmp_path / "arch"
    folder.mkdir()
    (folder / "b.jsonl").write_text(json.dumps(ITEM) + "\n{broken\n")
    return folder


@pytest.mark.parametrize(
    "words",
    [
        "run arch --to arch/a.jsonl",
        "run arch --to arch/a.jsonl --dlq arch/c.jsonl --state arch/d.json",
        "run . --to ./a.jsonl --state s --dlq arch/newsdedup.dlq.jsonl",
    ],
)
def test_a_second_run_reads_nothing_of_what_the_first_one_wrote(arch: Path, words: str) -> None:
    done = run(*words.split(), "--json", cwd=arch.parent)
    assert done.returncode == ExitCode.OK, done.stderr
    stats = json.loads(done.stdout)
    assert (stats["lines"], stats["judged"], stats["dead_letters"]) == (2, 1, 1)
    again = json.loads(run(*words.split(), "--json", cwd=arch.parent).stdout)
    assert again["lines"] == 0
    anew = json.loads(run(*words.split(), "--json", "--fresh", cwd=arch.parent).stdout)
    assert (anew["lines"], anew["dead_letters"]) == (2, 1)


def test_dead_letters_of_a_run_to_standard_output_are_no_news(arch: Path) -> None:
    outputs = [run("run", ".", cwd=arch).stdout for _ in range(2)]
    assert outputs[0].count(b"\n") == 1
    assert [json.loads(event)["id"] for event in outputs[1].splitlines()] == ["1"]
    assert (arch / "newsdedup.dlq.jsonl").read_bytes().count(b"\n") == 2


@pytest.mark.usefixtures("process")
def test_what_the_shell_writes_into_the_folder_is_no_news(arch: Path) -> None:
    with (arch / "z.jsonl").open("wb") as output:
        code = subprocess.call([*COMMAND, "run", "."], cwd=arch, stdout=output, env=environment())
    assert code == ExitCode.OK
    assert (arch / "z.jsonl").read_bytes().count(b"\n") == 1
    assert (arch / "newsdedup.dlq.jsonl").read_bytes().count(b"\n") == 1


def test_news_that_another_run_wrote_is_news_and_is_not_overwritten(arch: Path) -> None:
    words = ("run", "arch", "--to", "arch/b.jsonl")
    before = (arch / "b.jsonl").read_bytes()
    for flags in ((), ("--fresh",), ("--fresh", "--state", "s")):
        assert run(*words, *flags, cwd=arch.parent).returncode == ExitCode.OUTPUT_UNUSABLE
    assert (arch / "b.jsonl").read_bytes() == before


def test_a_folder_that_holds_nothing_but_ones_own_files_has_no_items(arch: Path) -> None:
    assert run("run", "arch", "--to", "arch/a.jsonl", cwd=arch.parent).returncode == ExitCode.OK
    (arch / "b.jsonl").unlink()
    done = run("run", "arch", "--to", "arch/a.jsonl", cwd=arch.parent)
    assert done.returncode == ExitCode.INPUT_MISSING
    assert b"no files in it end in" in done.stderr
