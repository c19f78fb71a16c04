"""The import of archives: what is read and how, where it goes, where its position is kept."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import msgspec
import typer

from newsdedup.adapters.files.outputs import AppendedFile
from newsdedup.adapters.files.paths import refuse_folder, scheme_of
from newsdedup.adapters.sqlite.file_schema import MEMORY
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.bootstrap.record_outputs import engine_state, open_record_output, output_identity
from newsdedup.bootstrap.runs import RunPaths, record_limits
from newsdedup.cli.environment import KillAtFailpoint
from newsdedup.cli.errors import say
from newsdedup.cli.options import STANDARD_STREAM
from newsdedup.cli.states import run_paths
from newsdedup.config import Settings
from newsdedup.feeder.archives import archive_entry as archives
from newsdedup.feeder.archives.archive_entry import item_record
from newsdedup.feeder.archives.archive_files import read_archive
from newsdedup.feeder.archives.archive_kind import ArchiveKind
from newsdedup.feeder.archives.import_state import ImportState
from newsdedup.runners.intake.imports import ArchiveImport

_POSITIONS, _DEAD = "newsdedup.import", "newsdedup.dlq.jsonl"
"""Their files in the current folder, where the output is no file that they could be next to."""


@dataclass(frozen=True, slots=True)
class ImportPaths:
    """Where an import writes."""

    to: str
    positions: Path
    dead: Path
    engine: RunPaths | None
    """The paths of the run, if `to` is engine:STATE."""
    fresh: bool
    """Whether to read all files from their beginning."""


def import_paths(
    settings: Settings,
    *,
    to: str,
    events: str,
    positions: Path | None,
    dlq: str | None,
    fresh: bool,
) -> ImportPaths:
    """Return the paths that an import writes; positions and dead letters are next to its output.

    For an output that is no file they are in the current folder; `positions` and `dlq` may name
    others. Raise BadParameter for `events` without engine:STATE.
    """
    engine = None
    if engine_state(to) is not None:
        engine = run_paths(settings, to=events, dlq=None, fresh=False)
    elif events != STANDARD_STREAM:
        raise typer.BadParameter("--events belongs to --to engine:STATE")
    output = engine.state if engine else None if scheme_of(to) else Path(to)
    if output is not None:
        refuse_folder(output)
    if to == STANDARD_STREAM:
        known, dead = MEMORY, Path(_DEAD)
    elif output is None or output == MEMORY:
        known, dead = Path(_POSITIONS), Path(_DEAD)
    else:
        known = output.with_name(f"{output.name}.import")
        dead = known if engine else output
        dead = dead.with_name(f"{dead.name}.dlq")
    return ImportPaths(to, positions or known, Path(dlq) if dlq else dead, engine, fresh)


async def run_import(
    settings: Settings,
    kind: ArchiveKind,
    files: Sequence[str],
    paths: ImportPaths,
    source: str,
    *,
    columns: ColumnMap,
    judged: Counter[str],
    advance: Callable[[int], None],
) -> Counter[str]:
    """Import files and return the counts of the import; those of the engine are added to `judged`.

    `source` is the source of all items, "" for what the archive says. `advance` gets the number of
    records read since its last call. An empty output gets everything again, as with `paths.fresh`.
    Raise what opening the output, or writing to it, raises.
    """
    limits, fail = record_limits(settings), KillAtFailpoint()
    options = archives.ArchiveOptions(source=source, columns=columns, limits=limits)
    address, empty = output_identity(settings, paths.to, paths.engine)
    name = msgspec.json.encode([kind, address, source, sorted(columns.by_field.items())]).decode()

    def make_record(file: str, fields: archives.ArchiveFields) -> bytes:
        return item_record(fields, source=source, file=file, limits=limits)

    def read(file: str, start: archives.ArchivePosition) -> Iterator[archives.ArchiveEntry]:
        for entry in read_archive(kind, options, file, start):
            advance(1)
            yield entry

    counts: Counter[str] = Counter()
    async with AsyncExitStack() as stack:
        state = stack.enter_context(ImportState(paths.positions, name))
        if paths.fresh or empty:
            state.forget()
        output = await open_record_output(
            settings, paths.to, engine=paths.engine, observe=judged.update, fail=fail
        )
        stack.push_async_callback(output.close)
        job = ArchiveImport(
            files=files,
            read=read,
            make_record=make_record,
            grows=kind.grows,
            output=output,
            state=state,
            dead=AppendedFile(paths.dead),
            report=say,
            batch=settings.run.batch,
            fail=fail,
        )
        async for batch in job.run():
            counts.update(batch)
    return counts
