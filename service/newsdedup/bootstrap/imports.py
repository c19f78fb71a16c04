"""Makes the import of archives: what is read and how, where it goes, where its position is kept."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from newsdedup.adapters.files.outputs import AppendedFile
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.bootstrap.record_outputs import open_record_output, output_identity
from newsdedup.bootstrap.runs import RunPaths, record_limits
from newsdedup.config import Settings
from newsdedup.feeder.archives.archive_entry import (
    ArchiveEntry,
    ArchiveFields,
    ArchiveOptions,
    ArchivePosition,
    item_record,
)
from newsdedup.feeder.archives.archive_files import read_archive
from newsdedup.feeder.archives.archive_kind import ArchiveKind
from newsdedup.feeder.archives.import_state import ImportState
from newsdedup.ports.telemetry import Failpoint, no_failpoint
from newsdedup.runners.intake.imports import ArchiveImport


@dataclass(frozen=True, slots=True)
class ImportPaths:
    """Where an import writes."""

    to: str
    positions: Path
    dead: Path
    engine: RunPaths | None = None
    """The paths of the run, if `to` is engine:STATE."""
    fresh: bool = False
    """Whether to read all files from their beginning."""


@asynccontextmanager
async def open_import(
    settings: Settings,
    kind: ArchiveKind,
    files: Sequence[str],
    paths: ImportPaths,
    *,
    columns: ColumnMap,
    source: str,
    report: Callable[[str], None],
    observe: Callable[[Counter[str]], None],
    advance: Callable[[int], None],
    fail: Failpoint = no_failpoint,
) -> AsyncIterator[ArchiveImport]:
    """Yield the import of some files; its output and the file of its positions are open meanwhile.

    `source` is the source of all items, "" for what the archive says. `report` gets a sentence
    about each damaged file, `observe` the counts of the engine by batch, `advance` the number of
    records read since its last call. An empty output gets everything again, as with `fresh`.
    """
    limits = record_limits(settings)
    options = ArchiveOptions(source=source, columns=columns, limits=limits)
    address, empty = output_identity(settings, paths.to, paths.engine)
    name = [kind, address, source, sorted(columns.by_field.items())]

    def make_record(file: str, fields: ArchiveFields) -> bytes:
        return item_record(fields, source=source, file=file, limits=limits)

    def read(file: str, start: ArchivePosition) -> Iterator[ArchiveEntry]:
        for entry in read_archive(kind, options, file, start):
            advance(1)
            yield entry

    async with AsyncExitStack() as stack:
        state = stack.enter_context(
            ImportState(paths.positions, msgspec.json.encode(name).decode())
        )
        if paths.fresh or empty:
            state.forget()
        output = await open_record_output(
            settings, paths.to, engine=paths.engine, observe=observe, fail=fail
        )
        stack.push_async_callback(output.close)
        yield ArchiveImport(
            files=files,
            read=read,
            make_record=make_record,
            grows=kind.grows,
            output=output,
            state=state,
            dead=AppendedFile(paths.dead),
            report=report,
            batch=settings.run.batch,
            fail=fail,
        )
