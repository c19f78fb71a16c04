"""The embedded mode's state: index, verdicts and positions move in one transaction.

The records of the window live in memory, where they are searched; SQLite is their journal. A
process that dies loses the open batch only; the next one reads the input from where it began. A
StateReader reads what was committed last, also while a run writes it.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import msgspec

from newsdedup.adapters.files.inputs import InputPosition
from newsdedup.adapters.files.line_decoder import holds_dead_letters
from newsdedup.adapters.files.paths import STDIO, FileIdentity, file_identity
from newsdedup.adapters.formats.record_bytes import decode_record
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.sqlite.file_schema import MEMORY, OpenFiles, connect_read_only, read_meta
from newsdedup.adapters.sqlite.ledger import SqliteLedger, rows_to_delete
from newsdedup.adapters.sqlite.state_file import STATE, ReadState, lock_state, open_state
from newsdedup.core.events import Judgement
from newsdedup.core.item_names import possible_keys
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.stream_statistics import Observation
from newsdedup.core.model import ItemKey, Version
from newsdedup.core.stories.kinship import Placed
from newsdedup.core.stories.publication import Decision
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Watermark

_Row = tuple[int, int, str, str, bytes]
"""Ordinal, bucket, source, id, encoded record."""
decode_observations = msgspec.msgpack.Decoder(list[Observation]).decode
"""Returns the observations in a stored row; raises msgspec.MsgspecError if it holds none."""


@dataclass(frozen=True, slots=True)
class StreamProgress:
    """What a batch commits alongside records and judgements."""

    watermark: Watermark = field(default_factory=Watermark)
    inputs: dict[str, InputPosition] = field(default_factory=dict)
    outputs: dict[str, int] = field(default_factory=dict)
    """Committed lengths of output files."""
    dead_letters: bytes = b""
    """Of the batch, as lines; they are added to their file after the commit."""
    counts: dict[str, int] = field(default_factory=dict)


class SqliteState(MemoryStore, OpenFiles):
    """A Store in memory whose changes `commit` writes to SQLite, together with its ledger.

    What was not committed when it is closed is lost.
    """

    def __init__(self, path: Path, rule: Rule, *, made_by: str, settings: str = "{}") -> None:
        super().__init__(rule)
        self.path = path
        self._changed: dict[int, _Row] = {}
        self._removed: list[int] = []
        """The ordinals of records that left memory since the last commit."""
        self._expired: int | None = None
        """Records in buckets before this one are deleted bit by bit."""
        self.take_observations: Callable[[], list[Observation]] = list
        """Returns the observations since the last commit and drops them."""
        with ExitStack() as opened:
            if path != MEMORY:
                opened.callback(os.close, lock_state(path))
            self._connection = open_state(path, made_by=made_by, settings=settings)
            opened.callback(self._connection.close)
            self.ledger = SqliteLedger(self._connection, path)
            with STATE.errors(path, "reading"):
                self.progress = read_progress(self._connection)
                self._load()
            self._opened = opened.pop_all()

    def store(self, decision: Decision, *, bucket: int) -> None:
        """Write the changed records to memory, and note their rows for the next commit."""
        super().store(decision, bucket=bucket)
        for record in decision.changed:
            ordinal, filed = self.arrival_and_bucket(record.key)
            self._changed[ordinal] = (ordinal, filed, *record.key, self.encoded(record.key))

    def expire(self, *, before: int) -> None:
        """Hide the records in buckets before this one; commits delete their rows bit by bit."""
        super().expire(before=before)
        self._expired = before

    def commit(self, progress: StreamProgress) -> None:
        """Write all changes since the last commit and the progress in one transaction.

        It is durable when this returns. If SQLite fails raise StateUnusable: nothing is written
        then, and the state can only be closed, since a second commit could leave out changes.
        """
        with STATE.transaction(self._connection, self.path):
            self._write_records()
            self.ledger.flush()
            self._write_observations()
            self._connection.execute(
                "INSERT INTO meta VALUES ('progress', ?)"
                " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (msgspec.json.encode(progress),),
            )
        self.progress = progress
        self._changed.clear()
        self._removed.clear()

    def roll_back(self) -> None:
        """Drop all changes since the last commit: read the records anew, as when it was opened.

        What rests on the state, its watermark and statistics, begins anew by `progress` and
        `observations`. Raise StateUnusable if the file cannot be read.
        """
        skipped = self.skipped
        super().__init__(self._rule)
        self._leaders.hot_skipped = skipped
        self._changed.clear()
        self._removed.clear()
        self._expired = None
        self.take_observations = list
        self.ledger.roll_back()
        with STATE.errors(self.path, "reading"):
            self._load()

    def observations(self) -> list[Observation]:
        """Return the stored observations of two generations in order; or raise StateUnusable."""
        with STATE.errors(self.path, "reading"):
            return stored_observations(self._connection)

    def _load(self) -> None:
        """Read all stored records into memory, in the order of arrival.

        Of an item that came again after it had expired the file may have both records: the later
        one counts.
        """
        rows = self._connection.execute(
            "SELECT ordinal, bucket, record FROM records ORDER BY ordinal"
        )
        for ordinal, bucket, encoded in rows:
            record = decode_record(encoded)
            if (before := self._slots.find(record.key)) is not None:
                self._drop(before)
            self.restore(record, arrival=ordinal, bucket=bucket)

    def _drop(self, slot: int) -> None:
        """Remove the record in a slot from memory, and with the next commit from the file."""
        self._removed.append(self._table.arrival(slot))
        super()._drop(slot)

    def _write_records(self) -> None:
        """Write the noted records, delete those that left memory, and some expired ones."""
        self._connection.executemany(
            "INSERT INTO records VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (ordinal)"
            " DO UPDATE SET record = excluded.record, bucket = excluded.bucket",
            self._changed.values(),
        )
        self._connection.executemany(
            "DELETE FROM records WHERE ordinal = ?", [(ordinal,) for ordinal in self._removed]
        )
        if self._expired is not None:
            self._connection.execute(
                "DELETE FROM records WHERE ordinal IN"
                " (SELECT ordinal FROM records WHERE bucket < ? LIMIT ?)",
                (self._expired, rows_to_delete(written=len(self._changed))),
            )

    def _write_observations(self) -> None:
        """Store the observations since the last commit; drop those of all but two generations."""
        taken = self.take_observations()
        if not taken:
            return
        # A row for each generation: a batch in which one turns must not be forgotten with it.
        by_generation = groupby(taken, key=lambda observation: observation.generation)
        self._connection.executemany(
            "INSERT INTO lessons (generation, taught) VALUES (?, ?)",
            [
                (generation, msgspec.msgpack.encode(list(those)))
                for generation, those in by_generation
            ],
        )
        self._connection.execute(
            "DELETE FROM lessons WHERE generation < ?", (taken[-1].generation - 1,)
        )


def stored_observations(connection: sqlite3.Connection) -> list[Observation]:
    """Return the observations of the stream that a state has stored, in their order."""
    rows = connection.execute("SELECT taught FROM lessons ORDER BY n")
    return [one for (encoded,) in rows for one in decode_observations(encoded)]


def read_progress(connection: sqlite3.Connection) -> StreamProgress:
    """Return the progress of the last commit to a state, that of an empty one if there is none."""
    value = read_meta(connection, "progress")
    return StreamProgress() if value is None else msgspec.json.decode(value, type=StreamProgress)


class StateReader(ReadState):
    """One snapshot of a state, whatever is committed meanwhile; it locks and writes nothing.

    Every method raises StateUnusable for a damaged state.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
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
        return str(read_meta(self._connection, "settings") or "")

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
                yield Placed(decode_record(record), ordinal)


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
    value = read_meta(connection, "progress")
    return {} if value is None else msgspec.json.decode(value, type=_Outputs).outputs
