from pathlib import Path

import pytest

from newsdedup.adapters.outputs import OutputFile
from newsdedup.ports import SinkUnusable


def test_a_file_is_cut_to_what_was_committed(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"committed\nuncomm")
    file = OutputFile(path, committed=10)
    file.write(b"next\n")
    assert file.sync() == 15
    file.close()
    assert path.read_bytes() == b"committed\nnext\n"


def test_a_file_that_no_state_knows_is_not_touched(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"somebody's\n")
    with pytest.raises(SinkUnusable, match="--fresh"):
        OutputFile(path, committed=None)
    assert path.read_bytes() == b"somebody's\n"


def test_fresh_overwrites(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old\n")
    file = OutputFile(path, committed=None, fresh=True)
    file.write(b"n\n")
    file.sync()
    file.close()
    assert path.read_bytes() == b"n\n"


def test_a_file_that_somebody_cut_is_refused(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"short")
    with pytest.raises(SinkUnusable, match="were committed"):
        OutputFile(path, committed=10)


def test_a_folder_that_is_missing_is_told(tmp_path):
    with pytest.raises(SinkUnusable, match="cannot be written"):
        OutputFile(tmp_path / "no" / "out", committed=None)


def test_a_full_disk_is_told():
    file = OutputFile(Path("/dev/full"), committed=None)
    with pytest.raises(SinkUnusable, match="No space left"):
        file.write(b"x" * 10)
    file.close()
