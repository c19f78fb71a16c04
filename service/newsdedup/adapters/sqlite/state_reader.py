"""Reading a state as it was last committed, also while a run writes it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from newsdedup.adapters.files.line_decoder import holds_dead_letters
from newsdedup.adapters.files.paths import STDIO, FileIdentity, file_identity
from newsdedup.adapters.sqlite.file_schema import MEMORY, connect_read_only
from newsdedup.adapters.sqlite.ledger import SqliteLedger
from newsdedup.adapters.sqlite.state import read_progress, stored_observations
from newsdedup.adapters.sqlite.state_file import STATE, ReadState, read_meta
from newsdedup.core.events import Judgement
from newsdedup.core.item_names import possible_keys
from newsdedup.core.matching.stream_statistics import Observation
from newsdedup.core.model import ItemKey, Version
from newsdedup.core.stories.kinship import Placed
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Watermark


class StateReader(ReadState):
    """One snapshot of a state, whatever is committed meanwhile; it locks and writes nothing.

    Every method raises StateUnusable for a damaged state.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._decode = msgspec.msgpack.Decoder(Record).decode
        self._ledger = SqliteLedger(self._connection, path)
        try:
            with STATE.errors(path, "reading"):
                # One transaction for all reads, so that a story is never read half.
                self._connection.execute("BEGIN")
                read_meta(self._connection, "made_by")
        except BaseException:
            self.close()
            raise

    @property
    def settings(self) -> str:
        """Return the settings by which its items were judged, as JSON."""
        return read_meta(self._connection, "settings") or ""

    @property
    def watermark(self) -> Watermark:
        """Return the watermark of the last commit."""
        return read_progress(self._connection).watermark

    @property
    def outputs(self) -> list[Path]:
        """Return the files into which the events of its items went, sorted."""
        return sorted(map(Path, _outputs(self._connection)))

    def records(self) -> Iterator[Record]:
        """Yield the records of all items in the order of arrival, retracted ones included."""
        for placed in self._select("ORDER BY ordinal"):
            yield placed.record

    def find_items(self, name: str) -> list[Placed]:
        """Return the records of the items with a name, sorted by source; none if it is unknown.

        A name is SOURCE/ID, or an ID, which items of several sources may have.
        """
        try:
            name.encode()
        except UnicodeEncodeError:
            return []  # ids are Unicode
        exact = [
            placed
            for key in possible_keys(name)
            for placed in self._select("WHERE id = ? AND source = ?", key.id, key.source)
        ]
        return exact or list(self._select("WHERE id = ? ORDER BY source", name))

    def read_version(self, key: ItemKey, version: Version) -> tuple[bytes, Judgement]:
        """Return received bytes and latest judgement of a version; or raise VersionMissing."""
        return self._ledger.read(key, version)

    def sources(self) -> list[str]:
        """Return the sources of all items, sorted; raise StateUnusable if the file is damaged."""
        with STATE.errors(self.path, "reading"):
            rows = self._connection.execute("SELECT DISTINCT source FROM records ORDER BY source")
            return [source for (source,) in rows]

    def newest_of(self, source: str, *, most: int) -> Iterator[Record]:
        """Yield up to `most` records of a source, the one that arrived last first."""
        for placed in self._select("WHERE source = ? ORDER BY ordinal DESC LIMIT ?", source, most):
            yield placed.record

    def observations(self) -> list[Observation]:
        """Return the stored observations of the stream in order; or raise StateUnusable."""
        with STATE.errors(self.path, "reading"):
            return stored_observations(self._connection)

    def _select(self, which: str, *parameters: str | int) -> Iterator[Placed]:
        """Yield records with their ordinals, or raise StateUnusable; `which` is SQL, as WHERE."""
        with STATE.errors(self.path, "reading"):
            rows = self._connection.execute(
                f"SELECT ordinal, record FROM records {which}",  # noqa: S608 - constants of ours
                parameters,
            )
            for ordinal, record in rows:
                yield Placed(self._decode(record), ordinal)


def own_files(*, to: str, state: Path, dead: Path) -> set[FileIdentity]:
    """Return the state, output and dead letters of a run, as far as they are certainly its own.

    They are no inputs in a folder of inputs. An output counts if the state knows it or it is empty:
    another may be a file of news. Dead letters are recognized by their content; raise SinkUnusable
    if they cannot be read.
    """
    own = {file_identity(state, descriptor=1)}
    known: dict[str, int] = {}
    with suppress(sqlite3.Error, msgspec.DecodeError):
        if state != MEMORY:
            with closing(connect_read_only(state)) as connection:
                known = _outputs(connection)
    is_own = to == STDIO or str(Path(to).absolute()) in known
    with suppress(OSError):
        is_own = is_own or (Path(to).is_file() and not Path(to).stat().st_size)
    if is_own:
        own.add(file_identity(to, descriptor=1))
    if holds_dead_letters(dead):
        own.add(file_identity(dead, descriptor=1))
    return {file for file in own if file is not None}


class _Outputs(msgspec.Struct):
    """The outputs in the progress of a state, which other versions may encode otherwise."""

    outputs: dict[str, int] = {}


def _outputs(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the committed length of each output by its path, as a state has stored it."""
    row = connection.execute("SELECT value FROM meta WHERE name = 'progress'").fetchone()
    return msgspec.json.decode(row[0], type=_Outputs).outputs if row else {}
