from pathlib import Path

import pytest

from newsdedup.adapters.files.outputs import OutputFile, check_writable
from newsdedup.ports.errors import SinkUnusable


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


def test_a_folder_that_is_missing_is_reported(tmp_path):
    with pytest.raises(SinkUnusable, match="cannot be written"):
        OutputFile(tmp_path / "no" / "out", committed=None)


def test_a_full_disk_is_reported():
    file = OutputFile(Path("/dev/full"), committed=None)
    with pytest.raises(SinkUnusable, match="No space left"):
        file.write(b"x" * 10)
    file.close()


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_is_tried_and_left_as_it_was(tmp_path, replaced):
    path = tmp_path / "out"
    check_writable(path, replaced=replaced)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"old\n")
    check_writable(path, replaced=replaced)
    assert path.read_bytes() == b"old\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize("path", [".", "none/out", "file/out"])
def test_a_path_where_nothing_can_be_written_is_refused(tmp_path, path, replaced):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SinkUnusable, match="cannot be written"):
        check_writable(tmp_path / path, replaced=replaced)


def test_a_device_and_what_a_link_leads_to_are_tried(tmp_path):
    check_writable(Path("/dev/null"))
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "target")
    check_writable(link)
    assert list(tmp_path.iterdir()) == [link]
