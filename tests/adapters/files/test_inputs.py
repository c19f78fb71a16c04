import gzip
import os
import sys

import pytest
import zstandard

from newsdedup.adapters.files.inputs import (
    InputPosition,
    expand_inputs,
    hash_prefix,
    position_key,
    read_lines,
    resume_position,
)
from newsdedup.adapters.files.lines import IDLE, Line
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable

CONTENT = b"one\ntwo\nthree\n"


def read(name, start=None):
    found = read_lines(str(name), start or InputPosition(), limit=1 << 20, idle_seconds=60)
    return [line.data for line in found if isinstance(line, Line)]


def written(path, content=CONTENT):
    if path.suffix == ".gz":
        content = gzip.compress(content)
    if path.suffix == ".zst":
        half = len(content) // 2
        content = zstandard.compress(content[:half]) + zstandard.compress(content[half:])
    path.write_bytes(content)
    return path


def test_a_folder_means_its_files_by_name(tmp_path):
    for name in ("b.jsonl", "a.ndjson", "c.txt", "sub.jsonl.gz"):
        written(tmp_path / name)
    names = [name.rpartition("/")[2] for name in expand_inputs([str(tmp_path)])]
    assert names == ["a.ndjson", "b.jsonl", "sub.jsonl.gz"]


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(SourceUnusable, match="nowhere"):
        expand_inputs([str(tmp_path / "nowhere")])


def test_a_folder_without_items_is_reported(tmp_path):
    with pytest.raises(SourceUnusable, match="no files"):
        expand_inputs([str(tmp_path)])


def test_an_input_cannot_be_named_twice(tmp_path):
    path = str(written(tmp_path / "a.jsonl"))
    with pytest.raises(SettingsInvalid, match="twice"):
        expand_inputs([path, path])


def test_a_file_that_grew_goes_on_where_it_was(tmp_path):
    path = written(tmp_path / "a.jsonl")
    before = InputPosition(len(CONTENT), 3, hash_prefix(str(path)))
    path.write_bytes(CONTENT + b"four\n")
    assert read(path, resume_position(str(path), {position_key(str(path)): before})) == [b"four"]


@pytest.mark.parametrize("content", [b"another\nfile\nunder the name\n", b"one\n"])
def test_another_file_under_the_same_name_is_read_from_its_beginning(tmp_path, content):
    path = written(tmp_path / "a.jsonl")
    before = InputPosition(len(CONTENT), 3, hash_prefix(str(path)))
    path.write_bytes(content)
    start = resume_position(str(path), {position_key(str(path)): before})
    assert (start.offset, start.line) == (0, 0)


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.zst"])
def test_a_damaged_archive_is_reported_after_its_good_lines(tmp_path, name):
    path = written(tmp_path / name, CONTENT * 100_000)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(SourceUnusable, match="cannot be read"):
        read(path)


def test_a_pipe_tells_when_it_is_idle(monkeypatch):
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as stdin, os.fdopen(writer, "wb", buffering=0) as feed:
        monkeypatch.setattr(sys, "stdin", stdin)
        feed.write(b"one\ntw")
        found = read_lines("-", InputPosition(), limit=100, idle_seconds=0.001)
        first = next(found)
        assert isinstance(first, Line)
        assert first.data == b"one"
        assert next(found) is IDLE
        feed.write(b"o\n")
        assert next(found).data == b"two"
