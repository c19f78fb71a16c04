from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.files.outputs import AppendedFile
from newsdedup.ports.errors import SinkUnusable

lines = st.lists(st.sampled_from([b"", b"a", b"ab", b"record"]), max_size=4).map(
    lambda parts: b"".join(part + b"\n" for part in parts)
)


def test_a_file_is_made_with_its_first_line(tmp_path):
    file = AppendedFile(tmp_path / "dead")
    file.add(b"")
    assert not file.path.exists()
    file.add(b"record\n")
    file.add(b"another\n")
    assert file.path.read_bytes() == b"record\nanother\n"


def test_lines_of_others_stay_wherever_the_file_was_meanwhile(tmp_path):
    file = AppendedFile(tmp_path / "dead")
    file.add(b"record\n")
    file.path.write_bytes(b"mended by somebody\nand one more\n")
    file.add(b"next\n")
    assert file.path.read_bytes() == b"mended by somebody\nand one more\nnext\n"
    file.path.unlink()
    file.add(b"last\n")
    assert file.path.read_bytes() == b"last\n"


def test_a_line_that_an_editor_left_open_swallows_no_other(tmp_path):
    file = AppendedFile(tmp_path / "dead")
    file.path.write_bytes(b"no end")
    file.add(b"record\n")
    assert file.path.read_bytes() == b"no end\nrecord\n"


def test_fresh_empties_the_file(tmp_path):
    path = tmp_path / "dead"
    path.write_bytes(b"old\n")
    AppendedFile(path, fresh=True)
    assert path.read_bytes() == b""


@given(lines, lines, st.data())
def test_what_was_torn_is_completed_and_what_was_whole_is_left(
    tmp_path_factory, before, ours, data
):
    file = AppendedFile(tmp_path_factory.mktemp("torn") / "dead")
    written = data.draw(st.integers(0, len(ours)))
    file.path.write_bytes(before + ours[:written])
    file.finish(ours)
    found = file.path.read_bytes()
    assert found.startswith(before)
    assert found.endswith(ours)
    # Lines that happen to be there already may stand for ours; a torn line never stays.
    assert len(found) <= len(before + ours)


def test_completing_many_lines_reads_each_byte_a_few_times(tmp_path):
    file = AppendedFile(tmp_path / "dead")
    ours = b"".join(b'{"line":%d}\n' % n for n in range(200_000))
    file.path.write_bytes(ours[:-7])
    file.finish(ours)
    assert file.path.read_bytes() == ours
    file.path.write_bytes(b"other\n" * 400_000)
    file.finish(ours)
    assert file.path.read_bytes().endswith(ours)


def test_a_folder_that_is_missing_is_reported(tmp_path):
    with pytest.raises(SinkUnusable, match="cannot be written"):
        AppendedFile(tmp_path / "no" / "dead").add(b"x\n")


def test_a_full_disk_is_reported():
    with pytest.raises(SinkUnusable, match="No space left"):
        AppendedFile(Path("/dev/full")).add(b"x\n")


def test_what_is_no_file_takes_lines_too():
    file = AppendedFile(Path("/dev/null"))
    file.add(b"x\n")
    file.finish(b"x\n")
