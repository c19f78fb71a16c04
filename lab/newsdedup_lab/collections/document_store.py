"""A corpus prepared once and stored on disk, for all methods that `lab compare` measures."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from mmap import ACCESS_READ, mmap
from pathlib import Path
from struct import Struct

import msgspec
import numpy as np
import xxhash
from numpy.typing import NDArray

from newsdedup import ItemKey
from newsdedup.core.fingerprints.corpus import PreparedText, prepare_text
from newsdedup_lab.collections.corpora import Corpus
from newsdedup_lab.report.study_stages import StepProgress, write_atomically

_LENGTH = Struct("<I")
"""What stands before each reading: its bytes."""


class DocumentIndex(msgspec.Struct, frozen=True):
    """The columns of the index: element n belongs to document n, in the order of the files."""

    sources: list[str]
    ids: list[str]
    letters: list[int]
    """Of the clean text."""
    words: list[int]
    """Of the reading."""
    texts: list[int]
    """Where each text ends."""
    readings: list[int]
    """Where each reading begins."""


@dataclass(frozen=True)
class DocumentStore:
    """The files of a stored corpus: readings, clean texts, and an index of both."""

    folder: Path

    @cached_property
    def index(self) -> DocumentIndex:
        """Return the index, the only file that is kept in memory."""
        return msgspec.msgpack.decode(_index(self.folder).read_bytes(), type=DocumentIndex)

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.index.ids)

    def key(self, number: int) -> ItemKey:
        """Return the item key of the document with this number."""
        return ItemKey(self.index.sources[number], self.index.ids[number])

    def readings(self) -> Iterator[PreparedText]:
        """Yield the prepared texts of all documents by number, one in memory at a time."""
        decode = msgspec.msgpack.Decoder(PreparedText).decode
        with _readings(self.folder).open("rb") as file:
            while head := file.read(_LENGTH.size):
                yield decode(file.read(_LENGTH.unpack(head)[0]))

    def reading(self, number: int) -> PreparedText:
        """Return the prepared text of the document with this number."""
        with _readings(self.folder).open("rb") as file:
            file.seek(self.index.readings[number])
            size = _LENGTH.unpack(file.read(_LENGTH.size))[0]
            return msgspec.msgpack.decode(file.read(size), type=PreparedText)

    @cached_property
    def _texts(self) -> "mmap | bytes":
        """Return the file of clean texts, mapped into memory; b"" if it is empty."""
        with _texts(self.folder).open("rb") as file:
            # An empty file cannot be mapped.
            return mmap(file.fileno(), 0, access=ACCESS_READ) if self.index.texts[-1] else b""

    def text(self, number: int) -> str:
        """Return the clean text of the document with this number."""
        begin = self.index.texts[number - 1] if number else 0
        return self._texts[begin : self.index.texts[number]].decode()

    def by_length(self) -> NDArray[np.int64]:
        """Return the document numbers ordered by text length, then by number."""
        return np.argsort(np.array(self.index.letters, dtype=np.int64), kind="stable")

    def digest(self) -> str:
        """Return a hash of the index and of the other files' sizes; "" if a file is missing."""
        try:
            hashed = xxhash.xxh3_128(_index(self.folder).read_bytes())
            for path in (_readings(self.folder), _texts(self.folder)):
                hashed.update(f" {path.stat().st_size}".encode())
        except OSError:
            return ""
        return hashed.hexdigest()


def build_document_store(corpus: Corpus, folder: Path, watch: StepProgress) -> DocumentStore:
    """Prepare all items of a corpus and store them in a folder; return the store.

    Raise SourceUnusable if the corpus has no items. The index is written last, so an interrupted
    build leaves no new index.
    """
    index = DocumentIndex([], [], [], [], [], [])
    encode = msgspec.msgpack.Encoder().encode
    with _readings(folder).open("wb") as readings, _texts(folder).open("wb") as texts:
        begin = end = 0
        for item, reading in _read_items(corpus, watch):
            index.sources.append(item.source)
            index.ids.append(item.id)
            index.letters.append(len(reading.text))
            index.words.append(len(reading.words))
            end += texts.write(reading.text.encode("utf-8", "replace"))
            index.texts.append(end)
            index.readings.append(begin)
            encoded = encode(reading)
            begin += readings.write(_LENGTH.pack(len(encoded)) + encoded)
    if not index.ids:
        raise corpus.items.no_items()
    write_atomically(_index(folder), msgspec.msgpack.encode(index))
    return DocumentStore(folder)


def _read_items(corpus: Corpus, watch: StepProgress) -> Iterator[tuple[ItemKey, PreparedText]]:
    """Yield the key and the prepared text of each item, and count it as progress."""
    analyzer = corpus.analyzer
    with watch.step("reading") as advance:
        for item in corpus.items:
            yield item.key, prepare_text(analyzer.document(item), analyzer.vocabulary)
            advance(1)


def _readings(folder: Path) -> Path:
    """Return the path of the file of readings in a folder."""
    return folder / "readings.msgpack"


def _texts(folder: Path) -> Path:
    """Return the path of the file of clean texts in a folder."""
    return folder / "texts.utf8"


def _index(folder: Path) -> Path:
    """Return the path of the index in a folder."""
    return folder / "index.msgpack"
