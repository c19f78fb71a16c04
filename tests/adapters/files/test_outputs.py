import errno
import fcntl
from pathlib import Path

import pytest

from newsdedup.adapters.files.outputs import AppendedFile, OutputFile, check_writable
from newsdedup.ports.errors import SinkBusy, SinkUnusable


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


def test_a_file_that_was_moved_away_is_missed_and_not_made_anew(tmp_path):
    with pytest.raises(SinkUnusable, match="is missing, but 10 bytes were committed"):
        OutputFile(tmp_path / "out", committed=10)
    assert not (tmp_path / "out").exists()


def test_what_was_not_committed_is_cut_with_a_warning(tmp_path, caplog):
    path = tmp_path / "out"
    path.write_bytes(b"known\nunknown\n")
    OutputFile(path, committed=6).close()
    assert path.read_bytes() == b"known\n"
    assert f"output_cut path={path} bytes=8" in caplog.text


def test_an_output_that_is_open_takes_nothing_of_others_and_can_be_read(tmp_path):
    path = tmp_path / "out"
    file = OutputFile(path, committed=None)
    file.write(b"ours\n")
    with pytest.raises(SinkBusy, match="is being written by another process"):
        OutputFile(path, committed=None, fresh=True)
    with pytest.raises(SinkBusy, match="is being written by another process"):
        AppendedFile(path).add(b"dead\n")
    with pytest.raises(SinkBusy, match="is being written by another process"):
        AppendedFile(path, fresh=True)
    assert path.read_bytes() == b"ours\n"
    file.close()
    OutputFile(path, committed=5).close()


def test_one_file_of_dead_letters_takes_those_of_several_runs(tmp_path):
    one, other = AppendedFile(tmp_path / "dead"), AppendedFile(tmp_path / "dead")
    one.add(b"a\n")
    other.add(b"b\n")
    one.add(b"c\n")
    assert one.path.read_bytes() == b"a\nb\nc\n"


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_written(tmp_path, monkeypatch, code):
    def flock(*_):
        raise OSError(code, "no locks")

    monkeypatch.setattr(fcntl, "flock", flock)
    file = OutputFile(tmp_path / "out", committed=None)
    file.write(b"n\n")
    file.close()
    assert (tmp_path / "out").read_bytes() == b"n\n"


def test_devices_are_not_locked():
    one, other = (OutputFile(Path("/dev/null"), committed=None) for _ in range(2))
    one.close()
    other.close()


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
