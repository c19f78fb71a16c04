import gc
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from cli import in_process
from cli.shells import NEWSDEDUP, PLAIN, newsdedup
from newsdedup import __main__
from newsdedup.cli.errors import ExitCode
from newsdedup.engine.collector import COLLECTOR_THRESHOLD

pytestmark = pytest.mark.usefixtures("process")

HEAVY = ("pymorphy3", "Stemmer", "numpy", "pyroaring", "sqlite3", "zstandard", "msgspec", "xxhash")
ENGINE = (
    "newsdedup.core",
    "newsdedup.adapters",
    "newsdedup.bootstrap",
    "newsdedup.engine.deduplicate",
)


CATALOGUE = "newsdedup.core.fingerprints.catalogue"
"""The names of the methods, which settings check; it loads none of them."""


def imported(*args: str) -> set[str]:
    """Return the modules that a command has imported when it ends."""
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "newsdedup", *args],
        env=PLAIN,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}


@pytest.mark.parametrize("args", ["--help", "--version", "version", "config show"])
def test_words_about_the_program_do_not_wait_for_the_engine(args: str) -> None:
    modules = imported(*args.split())
    assert "newsdedup.cli" in modules
    assert sorted(modules.intersection(HEAVY)) == []
    engine = {name for name in modules if name.startswith(ENGINE)}
    assert engine <= {"newsdedup.core", "newsdedup.core.fingerprints", CATALOGUE}


def test_help_does_not_wait_for_rich() -> None:
    assert "rich.console" not in imported("--help")


def test_the_collector_runs_less_often_before_the_engine_loads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, thresholds = gc.get_threshold(), list[int]()
    monkeypatch.setattr(__main__, "app", lambda: thresholds.append(gc.get_threshold()[0]))
    try:
        gc.set_threshold(700)
        __main__.main()
    finally:
        gc.set_threshold(*before)
    assert thresholds == [COLLECTOR_THRESHOLD]


def test_completion_knows_the_commands() -> None:
    result = newsdedup(
        _NEWSDEDUP_COMPLETE="complete_bash", COMP_WORDS="newsdedup con", COMP_CWORD="1"
    )
    assert result.stdout.split() == ["config"]


def on_terminal(*args: str, **environ: str) -> str:
    """Return what a command writes when its output is a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [NEWSDEDUP, *args], stdout=theirs, stderr=theirs, env=PLAIN | {"TERM": "xterm"} | environ
    ):
        os.close(theirs)
        written = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # Linux says so when the other end is closed
                break
            if not part:
                break
            written += part
    os.close(ours)
    return written.decode()


def test_there_are_colours_on_a_terminal_but_not_with_no_color() -> None:
    assert "\x1b[" in on_terminal("doctor")
    assert "\x1b" not in on_terminal("doctor", NO_COLOR="1")


def test_there_are_no_control_codes_in_a_pipe() -> None:
    result = newsdedup("doctor", TERM="xterm-256color")
    assert "\x1b" not in result.stdout + result.stderr
    assert "settings" in result.stdout


@pytest.mark.parametrize("args", ["schema item.judged", "--help", "doctor --help", "--version"])
def test_a_reader_that_went_away_is_no_reason_to_complain(args: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        result = subprocess.run(
            [NEWSDEDUP, *args.split()],
            stdout=writer,
            stderr=subprocess.PIPE,
            env=PLAIN,
            check=False,
        )
    finally:
        os.close(writer)
    assert (result.returncode, result.stderr) == (ExitCode.PIPE_CLOSED, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
def test_a_full_disk_under_standard_output_is_an_io_error() -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [NEWSDEDUP, "version"], stdout=full, stderr=subprocess.PIPE, env=PLAIN, check=False
        )
    assert result.returncode == ExitCode.IO_ERROR
    assert result.stderr == b"newsdedup: standard output: No space left on device\n"


@pytest.mark.parametrize("encoding", ["ascii", "koi8-r", "cp1251"])
def test_data_in_a_pipe_is_utf8_whatever_the_locale(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "newsdedup.toml").write_text('[run]\nstate = "стан – ё"\n', "utf-8")
    result = newsdedup("config", "show", "--json", cwd=tmp_path, PYTHONIOENCODING=encoding)
    assert json.loads(result.stdout)["run"]["state"] == "стан – ё"


@pytest.mark.parametrize(
    "command",
    [
        ("feeds", "add", "https://visti.example/rss", "--unchecked", "--category"),
        ("run", "items.jsonl", "--to"),
    ],
)
def test_an_argument_that_is_not_utf8_is_refused(command: tuple[str, ...], tmp_path: Path) -> None:
    result = in_process.run(*command, os.fsdecode(b"\xed\xee\xe2.state"), cwd=tmp_path)
    assert result.returncode == ExitCode.USAGE
    assert result.stderr.decode() == (
        "newsdedup: the argument \\xed\\xee\\xe2.state is not text in utf-8, as file names and "
        "values must be\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_signal_while_modules_are_loaded_ends_a_service_wherever_it_arrives() -> None:
    # What a callback raises is ignored: an import has such callbacks.
    code = """
import os, signal, time, weakref
from newsdedup.cli.environment import exit_at_signals
class Module: pass
exit_at_signals()
module = Module()
callback = weakref.ref(module, lambda _: os.kill(os.getpid(), signal.SIGTERM))
del module
print("it goes on", flush=True)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
