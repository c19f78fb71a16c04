import io
import json
import sys
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.cli.output import (
    WIDTH_IN_PIPES,
    counted,
    plain_table,
    prepare_streams,
    print_json,
    printable_line,
    stderr_console,
    stdout_console,
)


@given(st.text())
def test_what_is_printable_cannot_steer_a_terminal(text: str) -> None:
    shown = printable_line(text)
    assert shown.isprintable()
    assert printable_line(shown) == shown
    assert [c for c in text if c.isprintable() and c != " "] == [c for c in shown if c != " "]


def test_white_space_stays_apart_and_invisible_characters_go() -> None:
    assert printable_line("a\tb\u00a0c\nd") == "a b c d"
    assert printable_line("ново\u00adсти\u200b \x1b[31mред\x07\u202e") == "новости [31mред"


@dataclass(frozen=True)
class Value:
    name: str
    parts: tuple[int, ...]


def test_json_holds_values_of_ours_and_any_text(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"value": Value("ё", (1, 2)), "none": None})
    printed = capsys.readouterr().out
    assert json.loads(printed) == {"value": {"name": "ё", "parts": [1, 2]}, "none": None}
    assert "ё" in printed


def test_a_pipe_gets_utf8_and_never_fails_on_a_character(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", pipe)
    prepare_streams()
    sys.stdout.write("ё \udcff\n")
    pipe.flush()
    assert isinstance(pipe.buffer, io.BytesIO)
    assert pipe.buffer.getvalue() == "ё \\udcff\n".encode()


def test_tables_in_a_pipe_have_no_colours_and_no_markup(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    stdout_console().print("[b]x[/b] :smile:", style="bold red")
    assert capsys.readouterr().out == "[b]x[/b] :smile:\n"


@pytest.mark.parametrize(
    ("columns", "width"), [("40", 40), ("", WIDTH_IN_PIPES), ("0", WIDTH_IN_PIPES), ("wide", 120)]
)
def test_tables_in_a_pipe_are_as_wide_as_the_caller_says(
    monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    for name in ("stdin", "stderr"):
        monkeypatch.setattr(sys, name, io.StringIO())
    monkeypatch.setenv("COLUMNS", columns)
    assert stdout_console().width == width


def test_lines_in_a_pipe_end_in_no_blanks_but_before_what_follows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    console = stdout_console()
    console.print("ok", end="  ")
    table = plain_table("a", "b")
    table.add_row("1", "long enough")
    table.add_row("2", "")
    console.print(table)
    assert capsys.readouterr().out == "ok  a  b\n1  long enough\n2\n"


@pytest.mark.parametrize(
    ("number", "words", "text"),
    [
        (0, ("story", "stories"), "0 stories"),
        (1, ("story", "stories"), "1 story"),
        (1, ("duplicate",), "1 duplicate"),
        (1_234, ("item",), "1,234 items"),
    ],
)
def test_a_count_has_its_noun_in_the_right_number(
    number: int, words: tuple[str, ...], text: str
) -> None:
    assert counted(number, *words) == text


def test_forced_colours_do_not_make_a_pipe_interactive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert not stderr_console().is_interactive


def test_notes_are_not_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    stderr_console().print("слово " * 100)
    assert capsys.readouterr().err.count("\n") == 1
