"""The recorded files of earlier releases, put into a folder of a test."""

import json
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import zstandard

RECORDED: Final = Path(__file__).parent / "recorded"
FILES: Final = "files.tar.zst"
"""One compressed file for all: the same texts are in most of them."""


@dataclass(frozen=True, slots=True)
class RecordedRelease:
    """The files of one release; recorded/README.md describes them."""

    folder: Path

    @property
    def commit(self) -> str:
        """The commit that wrote the files."""
        return self._facts["commit"]

    @property
    def committed_at(self) -> str:
        """When that commit was made, in ISO 8601 and UTC."""
        return self._facts["committed_at"]

    @property
    def _facts(self) -> Mapping[str, str]:
        facts: Mapping[str, str] = json.loads((self.folder / "release.json").read_text("utf-8"))
        return facts

    def has(self, name: str) -> bool:
        """Return whether the release has written such a file."""
        with tarfile.open(fileobj=BytesIO(self._tar())) as packed:
            return name in packed.getnames()

    def restore(self, folder: Path) -> "RestoredFiles":
        """Put all files into a folder."""
        with tarfile.open(fileobj=BytesIO(self._tar())) as packed:
            packed.extractall(folder, filter="data")
        return RestoredFiles(folder, self._facts["folder"])

    def _tar(self) -> bytes:
        return (
            zstandard.ZstdDecompressor()
            .decompressobj()
            .decompress((self.folder / FILES).read_bytes())
        )


@dataclass(frozen=True, slots=True)
class RestoredFiles:
    """The files of a release in a folder of a test."""

    folder: Path
    written_in: str
    """The folder in which the release wrote them, whose name some files hold."""

    def records(self, name: str) -> list[dict[str, Any]]:
        """Return the JSON objects of a file, one in each line."""
        text = (self.folder / name).read_text("utf-8")
        return [json.loads(line) for line in text.split("\n") if line]


def releases() -> list[RecordedRelease]:
    """Return all recorded releases, the oldest first."""
    recorded = [RecordedRelease(path.parent) for path in RECORDED.glob("*/release.json")]
    return sorted(recorded, key=lambda release: release.committed_at)


def pack_files(target: Path, paths: Iterable[Path]) -> None:
    """Write files into one, without their times and owners."""
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for path in sorted(paths):
            entry = tarfile.TarInfo(path.name)
            entry.size = path.stat().st_size
            with path.open("rb") as file:
                tar.addfile(entry, file)
    target.write_bytes(zstandard.ZstdCompressor(level=22).compress(packed.getvalue()))
