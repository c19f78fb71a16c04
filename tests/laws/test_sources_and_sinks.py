"""The laws of every source of records and of every sink.

A new source adds a line to READERS or DECODERS, a new kind of sink one to CASES.
"""

import gzip
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from newsdedup import InvalidItem, NewsItem
from newsdedup.adapters.files.inputs import InputPosition, read_lines
from newsdedup.adapters.files.line_decoder import DeadLetterDecoder, LineDecoder, bury_line
from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.adapters.kafka.records import ReceivedRecord, RecordDecoder
from newsdedup.bootstrap.runs import SINKS, SinkTarget, open_sink
from newsdedup.ports.errors import Rejection
from newsdedup.ports.streams import Decoded

CONTENT = b'{"title":"one"}\n\n{"title":"two"}\nno end'
ITEM = b'{"id":"1", "source":"a","title":"\xd0\x9c\xd0\xbe\xd1\x81\xd1\x82","x":1.50}'


# Sources: lines of files, packed files, pipes and standard input.


def plain_file(folder: Path) -> str:
    (folder / "in.jsonl").write_bytes(CONTENT)
    return str(folder / "in.jsonl")


def gzip_file(folder: Path) -> str:
    (folder / "in.jsonl.gz").write_bytes(gzip.compress(CONTENT))
    return str(folder / "in.jsonl.gz")


def zstd_file(folder: Path) -> str:
    frames = zstandard.compress(CONTENT[:20]) + zstandard.compress(CONTENT[20:])
    (folder / "in.jsonl.zst").write_bytes(frames)
    return str(folder / "in.jsonl.zst")


READERS = [plain_file, gzip_file, zstd_file]


@pytest.fixture(params=[*READERS, "pipe"])
def source(request, tmp_path, monkeypatch) -> Iterator[str]:
    if request.param != "pipe":
        yield request.param(tmp_path)
        return
    reader, writer = os.pipe()
    os.write(writer, CONTENT)
    os.close(writer)
    with os.fdopen(reader, "rb") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield "-"


def lines(source: str, start: InputPosition | None = None) -> list[Line]:
    read = read_lines(source, start or InputPosition(), limit=1_000, idle_seconds=60)
    return [line for line in read if isinstance(line, Line)]


def test_every_source_yields_the_same_lines_at_the_same_offsets(source):
    assert [line.data for line in lines(source)] == CONTENT.split(b"\n")


def test_the_offset_of_a_line_is_where_its_bytes_are(source):
    for number, line in enumerate(lines(source), 1):
        assert line.number == number
        assert CONTENT[line.offset : line.end].rstrip(b"\n") == line.data


@pytest.mark.parametrize("reader", READERS)
def test_a_source_that_can_be_read_twice_is_resumed_behind_any_line(reader, tmp_path):
    source = reader(tmp_path)
    whole = lines(source)
    for count, line in enumerate(whole, 1):
        start = InputPosition(line.end, line.number, in_line=line.is_open)
        assert lines(source, start) == whole[count:]


# Decoders: of lines, of the dead letters about lines, of records in Kafka.


def decode_line(data: bytes) -> Decoded:
    return LineDecoder(LIMITS).decode(Line("in.jsonl", 1, 0, len(data), data, len(data)))


def decode_dead_letter(data: bytes) -> Decoded:
    line = Line("in.jsonl", 1, 0, len(data), data, len(data))
    dead_letter = bury_line(line, Rejection("not_json", "broken"))
    wrapped = Line("in.dlq", 7, 0, len(dead_letter), dead_letter, len(dead_letter))
    return DeadLetterDecoder(LineDecoder(LIMITS)).decode(wrapped)


def decode_kafka(data: bytes) -> Decoded:
    return RecordDecoder(LIMITS).decode(ReceivedRecord("in", 0, 1, None, data))


DECODERS: dict[Callable[[bytes], Decoded], bytes] = {
    decode_line: ITEM,
    decode_dead_letter: ITEM,
    decode_kafka: ITEM,
}
"""Each with the item "1" of the source "a" as it comes there."""


@pytest.mark.parametrize("decode", DECODERS)
def test_every_decoder_returns_the_item_and_its_bytes_unchanged(decode):
    decoded = decode(DECODERS[decode])
    assert isinstance(decoded.content, NewsItem)
    assert (decoded.content.key, decoded.data) == (("a", "1"), DECODERS[decode])


@pytest.mark.parametrize("decode", DECODERS)
@given(data=st.binary(max_size=60) | st.sampled_from([b"{", b"[]", b'{"id":1}', ITEM[:-1]]))
def test_any_bytes_are_decoded_or_refused_with_a_reason(decode, data):
    try:
        decode(data)
    except InvalidItem as refusal:
        assert refusal.code  # noqa: PT017  # decoded or refused: both are right
        assert str(refusal)  # noqa: PT017  # as above


# Sinks: an address of each kind, and what was received there.


class FileTarget:
    def __init__(self, folder: Path) -> None:
        self._path = folder / "out.jsonl"
        self.target = str(self._path)

    def content(self) -> bytes:
        return self._path.read_bytes()


class PipeTarget:
    target = "-"

    def __init__(self, captured: pytest.CaptureFixture[bytes]) -> None:
        self._captured = captured
        self._content = b""

    def content(self) -> bytes:
        self._content += self._captured.readouterr().out
        return self._content


CASES = {"file": (FileTarget, "tmp_path"), "-": (PipeTarget, "capsysbinary")}
"""By a key of SINKS: the address, and the fixture that it takes."""


@pytest.fixture(params=CASES)
def sink(request):
    make, fixture = CASES[request.param]
    return make(request.getfixturevalue(fixture))


def test_every_kind_of_sink_is_tested_by_these_laws():
    assert set(SINKS.values()) == {SINKS[kind] for kind in CASES}


def test_after_a_sync_all_that_was_written_is_there_in_its_order(sink):
    opened = open_sink(SinkTarget(sink.target))
    opened.write(b"one\n")
    opened.write(b"two\nthree\n")
    opened.sync()
    assert sink.content() == b"one\ntwo\nthree\n"
    opened.write(b"four\n")
    opened.sync()
    opened.close()
    assert sink.content() == b"one\ntwo\nthree\nfour\n"


def test_a_sink_with_a_length_holds_nothing_behind_a_synced_one_when_it_is_opened_again(tmp_path):
    sink = FileTarget(tmp_path)
    opened = open_sink(SinkTarget(sink.target))
    opened.write(b"committed\n")
    length = opened.sync()
    assert length == len(b"committed\n")
    opened.write(b"half of a li")
    opened.close()
    again = open_sink(SinkTarget(sink.target, committed=length))
    again.write(b"next\n")
    assert again.sync() == len(sink.content())
    again.close()
    assert sink.content() == b"committed\nnext\n"
