import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import KillAtFailpoint, end_at_sigterm, load_settings
from newsdedup.cli.errors import ExitCode, require_libraries, say
from newsdedup.cli.options import (
    STANDARD_STREAM,
    Config,
    Json,
    Mapped,
    Quiet,
    argument,
    option,
    parse_input_path,
)
from newsdedup.cli.output import print_json, stderr_console
from newsdedup.cli.registry import command
from newsdedup.cli.run_paths import run_paths
from newsdedup.cli.shown.imported import import_sentence, import_stats
from newsdedup.cli.shown.progress import Steps
from newsdedup.feeder.archives.archive_files import ArchiveKind

if TYPE_CHECKING:
    from newsdedup.adapters.tables.columns import ColumnMap
    from newsdedup.bootstrap.imports import ImportPaths
    from newsdedup.config import Settings

_POSITIONS = "newsdedup.import"
_DEAD = "newsdedup.dlq.jsonl"

_Kind = Annotated[
    ArchiveKind,
    typer.Argument(metavar="KIND", help=f"What it is: {', '.join(ArchiveKind)}."),
]
_Paths = Annotated[
    list[str], argument("PATH...", "Files, or folders of them.", parser=parse_input_path)
]
_To = Annotated[
    str, option("--to", "TARGET", "A file, -, kafka://host:port/topic, or engine:STATE.")
]
_Source = Annotated[
    str,
    option(
        "--source",
        "NAME",
        "The source of all items. [default: what the archive says]; of a Telegram channel @NAME "
        "gives its posts their addresses on t.me, too.",
    ),
]
_Events = Annotated[
    str,
    option("--events", "FILE", "Where the events of engine:STATE go. [default: standard output]"),
]
_Positions = Annotated[
    Path | None,
    option(
        "--positions",
        "FILE",
        "The file that keeps how far each file was read. [default: alongside the output, else "
        f"./{_POSITIONS}; none for standard output]",
    ),
]
_Dlq = Annotated[
    Path | None,
    option(
        "--dlq",
        "FILE",
        f"Where records go that are no items. [default: alongside the output, else ./{_DEAD}]",
    ),
]
_Fresh = Annotated[
    bool, typer.Option("--fresh", help="Read all files from their beginning, also if known.")
]


@command(
    "newsdedup import warc CC-NEWS-20260302.warc.gz --to items.jsonl",
    "newsdedup import telegram exports/ --to items.jsonl --source @visti",
    "newsdedup import table news.csv --to items.jsonl --map title=headline,text=body",
    "newsdedup import scrapy items.jl --to engine:news.state --events events.jsonl",
    "newsdedup import news-please articles/ --to kafka://127.0.0.1:9092/news.raw",
)
def import_archive(
    kind: _Kind,
    paths: _Paths,
    *,
    to: _To,
    mapped: Mapped = None,
    source: _Source = "",
    events: _Events = STANDARD_STREAM,
    positions: _Positions = None,
    dlq: _Dlq = None,
    fresh: _Fresh = False,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Read an archive or the output of a crawler, and write its articles as items.

    A page gets the id that it would have in a feed without ids: its canonical address. What cannot
    become an item goes to the dead letters, with the reason, and the import goes on. Articles are
    written in the order of the archive; where that is not the order of time, write them to a file
    and let `newsdedup produce` sort it for a topic, or `newsdedup dedup` judge it. Killed and
    started again, it goes on where it was; what it writes twice then has the same ids. A damaged
    file is read as far as possible, and the exit code is 65.
    """
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.adapters.tables.columns import ColumnMap, parse_column_map
    from newsdedup.bootstrap.record_outputs import engine_state
    from newsdedup.feeder.archives.archive_files import archive_files

    if kind.holds_pages:
        require_libraries("brotli", "lxml", "trafilatura", "warcio")
    settings = load_settings(config, {"run.state": engine_state(to)})
    locations = _locations(
        settings, to=to, events=events, positions=positions, dlq=dlq, fresh=fresh
    )
    files = archive_files(kind, paths)
    engine = locations.engine
    written = [("--to", to)] if engine is None else [("--to", engine.state), ("--events", events)]
    refuse_clashes(
        [*written, ("--dlq", locations.dead), ("--positions", locations.positions)], files
    )
    columns = ColumnMap(parse_column_map(mapped or ()).by_field, keeps_others=True)
    end_at_sigterm()
    began = monotonic()
    counts: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    with Steps(stderr_console(), quiet=quiet).step("records") as advance:
        job = _Job(settings, kind, files, locations, columns, source)
        asyncio.run(job.run(counts.update, judged.update, advance))
    stats = import_stats(
        counts, judged, kind=kind, to=to, dead=str(locations.dead), seconds=monotonic() - began
    )
    if json and STANDARD_STREAM not in (to, events if locations.engine else ""):
        print_json(stats)
    elif not quiet:
        stderr_console().print(import_sentence(stats))
    if counts["damaged"]:
        raise typer.Exit(ExitCode.INPUT_UNUSABLE)


@dataclass(frozen=True, slots=True)
class _Job:
    """What the user asked for."""

    settings: "Settings"
    kind: ArchiveKind
    files: list[str]
    locations: "ImportPaths"
    columns: "ColumnMap"
    source: str

    async def run(
        self,
        count: Callable[[Counter[str]], None],
        judged: Callable[[Counter[str]], None],
        advance: Callable[[int], None],
    ) -> None:
        """Import the files; `count` and `judged` get the counts of the batches."""
        from newsdedup.bootstrap.imports import open_import

        async with open_import(
            self.settings,
            self.kind,
            self.files,
            self.locations,
            columns=self.columns,
            source=self.source,
            report=say,
            observe=judged,
            advance=advance,
            fail=KillAtFailpoint(),
        ) as job:
            async for counts in job.run():
                count(counts)


def _locations(
    settings: "Settings",
    *,
    to: str,
    events: str,
    positions: Path | None,
    dlq: Path | None,
    fresh: bool,
) -> "ImportPaths":
    """Return where an import writes: positions and dead letters next to an output that is a file.

    Raise BadParameter for an option that the output has no use for.
    """
    from newsdedup.adapters.files.paths import scheme_of
    from newsdedup.adapters.sqlite.state_file import MEMORY
    from newsdedup.bootstrap.imports import ImportPaths
    from newsdedup.bootstrap.record_outputs import engine_state

    engine = None
    if engine_state(to) is not None:
        engine = run_paths(settings, to=events, dlq=None, fresh=False)
    elif events != STANDARD_STREAM:
        raise typer.BadParameter("--events belongs to --to engine:STATE")
    output = engine.state if engine else None if scheme_of(to) else Path(to)
    if to == STANDARD_STREAM:
        known, dead = MEMORY, Path(_DEAD)
    elif output is None or output == MEMORY:
        known, dead = Path(_POSITIONS), Path(_DEAD)
    else:
        known = output.with_name(f"{output.name}.import")
        dead = known if engine else output
        dead = dead.with_name(f"{dead.name}.dlq")
    return ImportPaths(
        to=to, positions=positions or known, dead=dlq or dead, engine=engine, fresh=fresh
    )
