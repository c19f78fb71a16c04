import errno
import sqlite3
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from newsdedup import ItemKey, UnknownItem
from newsdedup.cli.app import Commands
from newsdedup.cli.errors import ExitCode, exit_code
from newsdedup.ports import errors

FULL = OSError(errno.ENOSPC, "No space left on device")


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


def sqlite_error(statement: str, path: Path) -> sqlite3.Error:
    """Return a real error of SQLite: they cannot be made by hand."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA page_size = 512")
    connection.execute("PRAGMA max_page_count = 2")
    try:
        connection.execute(statement)
    except sqlite3.Error as error:
        return error
    finally:
        connection.close()
    raise AssertionError(statement)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.SettingsInvalid("x"), 2),
        (errors.InvalidItem("no_text", "x"), 65),
        (errors.NothingToRead("x"), 65),
        (errors.SourceUnusable("x"), 66),
        (UnknownItem(ItemKey("agency", "1")), 66),
        (errors.Unavailable("x"), 69),
        (errors.SinkUnusable("x"), 73),
        (caused(errors.SinkUnusable("x"), PermissionError(errno.EACCES, "no")), 73),
        (caused(errors.SinkUnusable("x"), FULL), 74),
        (caused(errors.SourceUnusable("x"), OSError(errno.EIO, "disk")), 74),
        (FULL, 74),
        (PermissionError(errno.EACCES, "no"), 74),
        (errors.StateBusy("x"), 75),
        (errors.SinkBusy("x"), 75),
        (errors.StateUnusable("x"), 78),
        (caused(errors.StateUnusable("x"), FULL), 74),
        (ValueError("x"), 70),
        (caused(ValueError("x"), KeyError("y")), 70),
    ],
    ids=repr,
)
def test_each_error_has_its_exit_code(error: Exception, code: int) -> None:
    assert exit_code(error) == code


def test_every_error_of_the_ports_has_an_exit_code() -> None:
    def below(kind: type[Exception]) -> list[type[Exception]]:
        return [kind, *(deep for sub in kind.__subclasses__() for deep in below(sub))]

    kinds = [kind for kind in below(errors.NewsdedupError) if kind is not errors.NewsdedupError]
    assert [kind for kind in kinds if exit_code(kind.__new__(kind)) is ExitCode.BUG] == []


def test_a_state_on_a_full_disk_is_an_io_error_and_a_damaged_one_is_not(tmp_path: Path) -> None:
    full = sqlite_error("CREATE TABLE t AS SELECT zeroblob(9999) AS x", tmp_path / "full")
    wrong = sqlite_error("SELECT * FROM missing", tmp_path / "wrong")
    assert exit_code(caused(errors.StateUnusable("x"), full)) == ExitCode.IO_ERROR
    assert exit_code(caused(errors.StateUnusable("x"), wrong)) == ExitCode.STATE_UNUSABLE


def command_that_raises(error: BaseException) -> typer.Typer:
    app = typer.Typer(cls=Commands)

    @app.callback()
    def top() -> None:
        """Stand above the command."""

    @app.command()
    def fail() -> None:
        """Fail."""
        raise error

    return app


def test_a_foreseen_error_is_one_message_without_a_traceback() -> None:
    app = command_that_raises(errors.StateBusy("state x is in use by another process"))
    result = CliRunner().invoke(app, ["fail"])
    assert result.exit_code == ExitCode.BUSY
    assert result.stderr == "newsdedup: state x is in use by another process\n"
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FULL, "No space left on device"),
        (
            PermissionError(errno.EACCES, "Permission denied", "a.jsonl"),
            "a.jsonl: Permission denied",
        ),
        (OSError("odd"), "odd"),
    ],
    ids=repr,
)
def test_an_error_of_the_system_names_its_file(error: OSError, said: str) -> None:
    result = CliRunner().invoke(command_that_raises(error), ["fail"])
    assert result.exit_code == ExitCode.IO_ERROR
    assert result.stderr == f"newsdedup: {said}\n"


@pytest.mark.parametrize(("debug", "shown"), [("1", True), ("0", False), ("", False)])
def test_the_traceback_is_shown_on_request(debug: str, shown: bool) -> None:
    app = command_that_raises(errors.SinkUnusable("no"))
    result = CliRunner().invoke(app, ["fail"], env={"NEWSDEDUP_DEBUG": debug})
    assert result.exit_code == ExitCode.OUTPUT_UNUSABLE
    assert ("Traceback" in result.stderr) is shown
    assert result.stderr.endswith("newsdedup: no\n")


def test_a_bug_ends_with_its_traceback_and_an_exit_code_of_its_own() -> None:
    result = CliRunner().invoke(command_that_raises(KeyError("x")), ["fail"])
    assert result.exit_code == ExitCode.BUG
    assert "Traceback" in result.stderr
    assert "KeyError: 'x'" in result.stderr
    assert "newsdedup: this is a bug in newsdedup (KeyError)" in result.stderr


def test_an_interruption_is_no_error_of_ours() -> None:
    result = CliRunner().invoke(command_that_raises(KeyboardInterrupt()), ["fail"])
    assert result.exit_code == ExitCode.INTERRUPTED
    assert result.stderr == "newsdedup: interrupted\n"


def test_a_command_may_choose_its_exit_code() -> None:
    result = CliRunner().invoke(command_that_raises(typer.Exit(ExitCode.FAILED)), ["fail"])
    assert (result.exit_code, result.output) == (ExitCode.FAILED, "")


def test_a_wrong_parameter_is_a_usage_error() -> None:
    result = CliRunner().invoke(command_that_raises(typer.BadParameter("not so")), ["fail"])
    assert result.exit_code == ExitCode.USAGE
    assert "not so" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_message_cannot_steer_the_terminal() -> None:
    app = command_that_raises(errors.SourceUnusable("a\x1b[2Jb\u202ec.jsonl: gone\n  second line"))
    result = CliRunner().invoke(app, ["fail"])
    assert result.stderr == "newsdedup: a[2Jbc.jsonl: gone\n  second line\n"
