import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from newsdedup.adapters.files.line_decoder import bury_line
from newsdedup.adapters.files.lines import Line
from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from newsdedup.ports.errors import Rejection

RECORDS = (
    (b'{"id": "\xd0\x9f\xd0\xbe\xd0\xb6\xd0\xb0\xd1\x80\x1b[31m', "not_json"),
    (b"\xff\xfe \x1b]0;owned\x07", "not_utf8"),
    (b"[1]", "not_object"),
    (b'{"id": 4, "published_at": "1"}', "not_json"),
)


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "x.dlq"
    lines = [
        bury_line(
            Line("in\x1b[2J.jsonl", number, number * 10, number * 10 + 9, data, len(data)),
            Rejection(code, f"reason\u202e {number}"),
        )
        for number, (data, code) in enumerate(RECORDS, 1)
    ]
    path.write_bytes(b"".join(lines))
    return path


def dlq(*args: str | Path) -> Result:
    return CliRunner().invoke(app, ["dlq", *map(str, args)])


def test_dead_letters_are_listed_with_their_position_and_counted_by_code(file):
    found = json.loads(dlq("ls", file, "--json").stdout)
    assert found["by_code"] == {"not_json": 2, "not_object": 1, "not_utf8": 1}
    assert found["matching"] == 4
    assert found["dead_letters"][1] == {
        "number": 2,
        "input": "in\x1b[2J.jsonl",
        "line": 2,
        "offset": 20,
        "code": "not_utf8",
        "reason": "reason\u202e 2",
        "size": len(RECORDS[1][0]),
        "cut": False,
    }
    assert dlq("ls", file).stdout.splitlines()[-1] == (
        "4 dead letters: not_json 2, not_object 1, not_utf8 1"
    )


def test_dead_letters_of_one_code_keep_their_numbers(file):
    found = json.loads(dlq("ls", file, "--code", "not_json", "--json").stdout)
    assert [dead_letter["number"] for dead_letter in found["dead_letters"]] == [1, 4]
    assert found["matching"] == 2
    assert "not_object" not in dlq("ls", file, "--code", "not_json").stdout.splitlines()[1]


def test_many_dead_letters_are_counted_but_not_all_listed(file):
    shown = dlq("ls", file, "--limit", "1").stdout
    assert "3 more: --limit 0" in shown
    assert "4 dead letters" in shown


def test_a_dead_letter_is_shown_whole(file):
    shown = dlq("show", file, 1).stdout
    assert "offset  10" in shown
    assert r'{"id": "Пожар\x1b[31m' in shown
    assert r"\xff\xfe \x1b]0;owned\x07" in dlq("show", file, 2).stdout


def test_nothing_in_a_dead_letter_can_steer_the_terminal(file):
    for shown in (dlq("ls", file).stdout, *(dlq("show", file, n).stdout for n in range(1, 5))):
        assert [c for c in shown if not c.isprintable() and c != "\n"] == []


@pytest.mark.parametrize("number", range(1, 5))
def test_the_bytes_of_a_record_can_be_had_as_they_were(file, number):
    assert dlq("show", file, number, "--raw").stdout_bytes == RECORDS[number - 1][0]


def test_a_dead_letter_is_printed_for_a_program(file):
    found = json.loads(dlq("show", file, 1, "--json").stdout)
    assert found["text"] == RECORDS[0][0].decode()
    assert (found["number"], found["line"], found["base64"]) == (1, 1, None)


def test_of_a_record_that_was_cut_it_is_said_how_much_is_kept(tmp_path):
    path = tmp_path / "x.dlq"
    line = Line("in", 1, 0, 50_001, b"{" * 20, 50_000)
    path.write_bytes(bury_line(line, Rejection("too_long", "too long")))
    result = dlq("show", path, 1)
    assert "only the first 20 of 50,000 bytes are kept" in result.stderr
    assert "{" * 20 in result.stdout


def test_a_line_that_is_no_dead_letter_is_listed_as_such(file):
    file.write_bytes(file.read_bytes() + b"{mended badly\n")
    found = json.loads(dlq("ls", file, "--json").stdout)
    assert found["dead_letters"][4]["code"] == "not_a_dead_letter"
    assert "mended badly" in dlq("show", file, 5).stdout


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("show", "x.dlq", 9), ExitCode.USAGE, "no dead letter 9"),
        (("show", "x.dlq", 0), ExitCode.USAGE, "no dead letter 0"),
        (("ls", "none.dlq"), ExitCode.INPUT_MISSING, "none.dlq: there is no such file"),
        (("show", "none.dlq", 1), ExitCode.INPUT_MISSING, "none.dlq: there is no such file"),
    ],
)
def test_what_is_not_there_is_named(file, monkeypatch, args, code, said):
    monkeypatch.chdir(file.parent)
    result = dlq(*args)
    assert result.exit_code == code
    assert said in result.stderr


def test_an_empty_file_has_no_dead_letters(tmp_path):
    (tmp_path / "x.dlq").write_bytes(b"")
    assert dlq("ls", tmp_path / "x.dlq").stdout == "0 dead letters\n"


def test_dead_letters_of_an_interrupted_replay_are_pointed_at(file):
    file.with_name("x.dlq.replaying").write_bytes(b"")
    assert "x.dlq.replaying" in " ".join(dlq("ls", file).stderr.split())
