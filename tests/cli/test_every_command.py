import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from cli.shells import commands
from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode

COMMANDS = dict(commands())
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "cli.md").read_text("utf-8")
EXAMPLE = re.compile(r"^ +(?=\S).*\bnewsdedup .+$", re.MULTILINE)


def help_of(name: str) -> str:
    result = CliRunner().invoke(app, [*name.split()[1:], "--help"])
    assert result.exit_code == 0
    return result.stdout


def examples(name: str) -> list[str]:
    _, _, shown = help_of(name).partition("Examples:")
    # Behind a backslash a line goes on, as in a shell.
    return [line.strip() for line in EXAMPLE.findall(re.sub(r" \\\n +", " ", shown))]


def called(line: str) -> list[list[str]]:
    """Return the arguments of newsdedup wherever a line of shell calls it."""
    parts = re.split(r"[|>]", line)
    words = [shlex.split(part, comments=True) for part in parts]
    return [part[1:] for part in words if part[:1] == ["newsdedup"]]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_examples_of_its_command_that_can_be_called_as_they_stand(name: str) -> None:
    shown = examples(name)
    assert any(re.search(rf"\b{name}\b", line) for line in shown)
    for args in [args for line in shown for args in called(line)]:
        parse(get_command(app), args)


def parse(command: Any, args: list[str]) -> None:
    """Parse arguments as they would be parsed, but call nothing."""
    while args and args[0] in getattr(command, "commands", {}):
        command, args = command.commands[args[0]], args[1:]
    command.make_context("newsdedup", list(args))


def test_every_command_and_option_says_what_it_does() -> None:
    assert [name for name, command in COMMANDS.items() if not command.help] == []
    options = [
        (name, param.name)
        for name, command in COMMANDS.items()
        for param in command.params
        if param.param_type_name == "option" and not param.help
    ]
    assert options == []


def test_the_tables_of_the_pages_are_those_of_commands_and_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["scripts/pages", "--check"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / "scripts" / "pages"), run_name="__main__")
    assert (bool(ended.value.code), capsys.readouterr().out) == (False, "")


@pytest.mark.parametrize("page", ["README.md", "docs/cli.md"])
def test_a_table_names_commands_that_are_there(page: str) -> None:
    rows = re.findall(
        r"^\| \[?`(newsdedup [a-z ]+[a-z])", (ROOT / page).read_text("utf-8"), re.MULTILINE
    )
    assert [row for row in rows if row not in COMMANDS] == []


def test_the_page_names_no_command_that_is_not_there() -> None:
    assert set(re.findall(r"^### `(newsdedup[^`]*)`$", PAGE, re.MULTILINE)) <= set(COMMANDS)


@pytest.mark.parametrize("code", ExitCode)
def test_every_exit_code_is_on_the_page(code: ExitCode) -> None:
    assert f"| {code.value} | {code.meaning} |" in PAGE.splitlines()


def test_the_page_knows_no_other_exit_codes() -> None:
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)] == list(ExitCode)


def test_without_a_command_the_help_is_shown() -> None:
    result = CliRunner().invoke(app, [])
    assert result.exit_code == ExitCode.USAGE
    assert "Commands:" in result.output


def test_a_mistyped_command_names_its_nearest_neighbour() -> None:
    result = CliRunner().invoke(app, ["doktor"])
    assert result.exit_code == ExitCode.USAGE
    assert "'doctor'" in result.stderr


@pytest.mark.usefixtures("process")
def test_a_plugin_that_cannot_be_loaded_is_named_and_the_other_commands_are_listed(
    tmp_path: Path,
) -> None:
    about = tmp_path / "broken-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[newsdedup.commands]\nbroken = no_such_module\n")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    shown = subprocess.run(
        [sys.executable, "-m", "newsdedup", "--help"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    reason = "ModuleNotFoundError: No module named 'no_such_module'"
    assert shown.stderr == f"newsdedup: the command broken cannot be loaded: {reason}\n"
    assert "\n  doctor " in shown.stdout
