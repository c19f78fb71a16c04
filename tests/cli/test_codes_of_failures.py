"""Commands that cannot do their work end with the exit code that docs/cli.md says."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from newsdedup.cli.errors import ExitCode
from runners.processes import COMMAND, environment, run, run_bound_by_permissions

pytestmark = pytest.mark.usefixtures("process")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with an item, and others that cannot be written, or not looked into."""
    (tmp_path / "items.jsonl").write_text(json.dumps({"title": "The tram line opened"}) + "\n")
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "closed").mkdir(0o500)
    (tmp_path / "hidden").mkdir(0)
    yield tmp_path
    (tmp_path / "closed").chmod(0o700)
    (tmp_path / "hidden").chmod(0o700)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("run items.jsonl --to none/x.jsonl", 73, "there is no folder none"),
        ("run items.jsonl --to closed/x.jsonl", 73, "cannot be written: Permission denied"),
        ("run items.jsonl --to hidden/x.jsonl", 73, "cannot be written: Permission denied"),
        ("run items.jsonl --to x.jsonl --state hidden/s", 73, "Permission denied"),
        ("run items.jsonl --to x.jsonl --dlq hidden/d", 73, "Permission denied"),
        ("run hidden/x.jsonl", 66, "cannot be read"),
        ("dedup hidden/x.jsonl --to r/", 66, "cannot be read"),
        ("dedup items.jsonl --to hidden/r/", 73, "hidden/r"),
        ("run items.jsonl --to closed", 73, "cannot be written: Is a directory"),
        ("run items.jsonl --to .", 73, "cannot be written: Is a directory"),
        ("run items.jsonl --to x.jsonl --state /", 73, "cannot be written: Is a directory"),
        ("import table items.jsonl --to .", 73, "cannot be written: Is a directory"),
        ("import table items.jsonl --to engine:.", 73, "cannot be written: Is a directory"),
        ("archive items.jsonl --to .", 73, "cannot be written: Is a directory"),
        ("run items.jsonl --to x.jsonl --state none/s", 73, "there is no folder none"),
        ("run items.jsonl --to x.jsonl --dlq none/d", 0, "1 item: "),
        ("run items.jsonl items.jsonl", 2, "named twice"),
        ("dedup items.jsonl items.jsonl --to r/", 2, "named twice"),
        ("dedup empty.jsonl --to r/", 65, "there are no rows"),
        ("background build empty.jsonl --to t", 65, "nothing is written"),
        ("dlq ls .", 66, ".: "),
        ("stories list none.state", 66, "none.state: there is no such file"),
        ("sources show x --state none.state", 66, "none.state: there is no such file"),
        ("explain 1 2 --state none.state", 66, "none.state: there is no such file"),
        ("demo --into closed/demo", 73, "closed/demo: cannot be written: Permission denied"),
        ("demo --into items.jsonl", 73, "items.jsonl: cannot be written: File exists"),
        ("demo --into .", 73, "items.jsonl exists already: name another --into"),
    ],
)
def test_the_exit_code_says_whose_fault_it_was(
    folder: Path, words: str, code: int, said: str
) -> None:
    done = run_bound_by_permissions(*words.split(), cwd=folder)
    assert (done.returncode, said in done.stderr.decode()) == (code, True), done.stderr
    assert b"Traceback" not in done.stderr


@pytest.fixture
def forbidden(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with items, below it one that nobody may look into."""
    closed = tmp_path / "in" / "closed"
    closed.mkdir(parents=True)
    for folder in (closed.parent, closed):
        (folder / "items.jsonl").write_text(json.dumps({"title": "The tram line opened"}) + "\n")
    closed.chmod(0)
    yield closed.parent
    closed.chmod(0o700)


@pytest.mark.parametrize("command", ["run", "dedup"])
def test_a_folder_that_cannot_be_looked_into_is_reported(
    forbidden: Path, tmp_path: Path, command: str
) -> None:
    done = run_bound_by_permissions(command, forbidden, "--to", "out.jsonl", cwd=tmp_path)
    assert done.returncode == ExitCode.INPUT_MISSING, done.stderr
    assert f"{forbidden / 'closed'}: cannot be read: Permission denied".encode() in done.stderr
    assert not (tmp_path / "out.jsonl").exists()


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with a run that can go on."""
    (tmp_path / "items.jsonl").write_text(json.dumps({"title": "The tram line opened"}) + "\n")
    assert run("run", "items.jsonl", "--to", "out.jsonl", cwd=tmp_path).returncode == 0
    yield tmp_path
    tmp_path.chmod(0o700)


GO_ON = ("run", "items.jsonl", "--to", "out.jsonl")


@pytest.mark.parametrize("closed", ["out.jsonl.state", "."])
def test_a_state_that_may_not_be_written_is_not_taken_for_another_or_a_damaged_one(
    begun: Path, closed: str
) -> None:
    (begun / closed).chmod(0o444 if closed != "." else 0o555)
    done = run_bound_by_permissions(*GO_ON, cwd=begun)
    assert done.returncode == ExitCode.OUTPUT_UNUSABLE
    assert b"out.jsonl.state: " in done.stderr
    assert b"failed: the file or its folder is read-only" in done.stderr
    assert b"settings" not in done.stderr
    assert b"damaged" not in done.stderr


def test_a_state_that_may_not_be_removed_or_read_is_reported(begun: Path) -> None:
    begun.chmod(0o555)
    done = run_bound_by_permissions(*GO_ON, "--fresh", cwd=begun)
    assert done.returncode == ExitCode.OUTPUT_UNUSABLE
    assert b"the file or its folder is read-only" in done.stderr
    (begun / "out.jsonl.state").chmod(0)
    for words in (GO_ON, ("stories", "list", "--state", "out.jsonl.state")):
        done = run_bound_by_permissions(*words, cwd=begun)
        assert done.returncode == ExitCode.INPUT_MISSING
        assert b"out.jsonl.state: cannot be read: Permission denied" in done.stderr


def test_a_full_folder_of_temporary_files_is_named(tmp_path: Path) -> None:
    item = {"title": "Most na rzece został otwarty", "text": "Most otwarto po długim remoncie."}
    (tmp_path / "items.jsonl").write_text(json.dumps(item) + "\n")
    limited = ["/bin/sh", "-c", 'ulimit -f 2000; exec "$@"', "sh", *COMMAND, "run", "items.jsonl"]
    done = subprocess.run(
        limited,
        cwd=tmp_path,
        capture_output=True,
        check=False,
        timeout=300,
        env=environment(TMPDIR=str(tmp_path)),
    )
    assert done.returncode == ExitCode.IO_ERROR
    assert f"{tmp_path} (TMPDIR), where py3langid needs 70 MB: File too" in done.stderr.decode()
