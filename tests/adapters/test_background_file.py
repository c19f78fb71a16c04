from pathlib import Path

import pytest

from newsdedup.adapters.words.package_data import read_background, write_background
from newsdedup.core.words.background import Background, LanguageCounts
from newsdedup.ports.errors import SinkUnusable, SourceUnusable

TABLE = Background({"uk": LanguageCounts(3, 20, {"міст": (3, 5)})}, "cleaning 1")


def test_a_table_that_was_written_is_read_back_with_its_size(tmp_path: Path) -> None:
    size = write_background(tmp_path / "own.zst", TABLE)
    assert read_background(tmp_path / "own.zst") == (TABLE, size)
    assert [path.name for path in tmp_path.iterdir()] == ["own.zst"]


@pytest.mark.parametrize("content", [b"", b"not a table", b"\x28\xb5\x2f\xfd\x00"])
def test_a_file_that_is_no_table_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "own.zst").write_bytes(content)
    with pytest.raises(SourceUnusable, match=r"own\.zst"):
        read_background(tmp_path / "own.zst")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceUnusable, match=r"own\.zst"):
        read_background(tmp_path / "own.zst")


def test_a_path_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(SinkUnusable, match="gone"):
        write_background(tmp_path / "gone" / "own.zst", TABLE)
