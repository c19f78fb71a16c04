import json
from pathlib import Path

import pytest

from newsdedup import InvalidItem
from newsdedup.adapters.files import line_decoder
from newsdedup.adapters.files.line_decoder import DeadLetterDecoder, LineDecoder
from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.ports.errors import Rejection, SourceUnusable

BAD = Line("in.jsonl", 7, 300, 320, b'{"id": "\xd0\xbf', 10)
NOT_TEXT = Line("-", 1, 0, 4, b"\xff\x00\n", 3)
CUT = Line("in.jsonl", 9, 500, 90_500, b"{" * 100, 90_000)


def lettered(line: Line) -> bytes:
    return line_decoder.bury_line(line, Rejection("not_json", "broken"))


def inner(data: bytes) -> Line:
    return Line("x.dlq", 3, 40, 40 + len(data), data.rstrip(b"\n"), len(data.rstrip(b"\n")))


@pytest.mark.parametrize("line", [BAD, NOT_TEXT, CUT])
def test_a_record_comes_out_of_its_dead_letter_as_it_was_at_its_own_position(line):
    found = line_decoder.unwrap_dead_letter(inner(lettered(line)))
    assert found is not None
    assert (found.input, found.number, found.offset) == (line.input, line.number, line.offset)
    assert (found.data, found.size) == (line.data, line.size)


def test_a_dead_letter_that_fails_again_is_the_dead_letter_that_it_was():
    again = line_decoder.unwrap_dead_letter(inner(lettered(CUT)))
    assert again is not None
    assert lettered(again) == lettered(CUT)


def test_only_a_whole_record_is_decoded():
    with pytest.raises(InvalidItem, match="only 100 of 90000 bytes") as raised:
        DeadLetterDecoder(LineDecoder(LIMITS)).decode(inner(lettered(CUT)))
    assert raised.value.code == "cut"


def test_a_record_that_somebody_made_whole_is_no_longer_cut():
    fields = json.loads(lettered(CUT))
    mended = json.dumps({**fields, "text": '{"id": 1}', "cut": False})
    found = line_decoder.unwrap_dead_letter(inner(mended.encode()))
    assert found is not None
    assert found.size == len(found.data) == 9


@pytest.mark.parametrize(
    "broken",
    [
        b"{",
        b"[]",
        b'{"input": "x"}',
        b"[" * 200_000,
        b"\xff",
        lettered(NOT_TEXT).replace(b"/w", b"/"),
    ],
    ids=["cut", "list", "fields", "deep", "bytes", "base64"],
)
def test_a_line_that_somebody_broke_is_kept_as_it_is(broken):
    with pytest.raises(InvalidItem) as raised:
        line_decoder.unwrap_dead_letter(inner(broken))
    assert raised.value.code == line_decoder.NO_DEAD_LETTER
    replay = DeadLetterDecoder(LineDecoder(LIMITS))
    again = replay.dead_letter(inner(broken), raised.value.rejection)
    assert again == broken.rstrip(b"\n") + b"\n"


def test_empty_lines_hold_nothing(tmp_path):
    assert line_decoder.unwrap_dead_letter(inner(b"  \r")) is None
    path: Path = tmp_path / "x.dlq"
    path.write_bytes(b"\n" + lettered(BAD) + b"\r\n{broken")
    found = [
        (line.number, line_decoder.parse_dead_letter(line).code)
        for line in line_decoder.read_dead_letter_lines(path)
    ]
    assert found == [(2, "not_json"), (4, "not_a_dead_letter")]


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SourceUnusable, match="nowhere"):
        list(line_decoder.read_dead_letter_lines(tmp_path / "nowhere.dlq"))
