import asyncio
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

from newsdedup.cli import options
from newsdedup.cli.environment import end_at_sigterm, load_settings
from newsdedup.cli.errors import ExitCode, require_extra
from newsdedup.cli.options import STANDARD_STREAM, argument, option, parse_input_path, switch
from newsdedup.cli.output import counted, listed_counts, print_result
from newsdedup.cli.registry import command
from newsdedup.cli.shown.progress import Steps
from newsdedup.cli.shown.results import counts_by
from newsdedup.feeder.archives.archive_kind import ArchiveKind

_Kind = Annotated[ArchiveKind, argument("KIND", f"One of {', '.join(ArchiveKind)}.")]
_Paths = Annotated[
    list[str], argument("PATH...", "Files, or folders of them.", parser=parse_input_path)
]
_Source = Annotated[
    str,
    option(
        "--source",
        "NAME",
        "The source of all items; @NAME of a Telegram channel gives its posts their addresses on "
        "t.me. [default: what the archive says]",
    ),
]
_Positions = Annotated[
    Path | None,
    option(
        "--positions",
        "FILE",
        "The file that records how far each file was read; none for standard output. [default: "
        "next to the output, else ./newsdedup.import]",
    ),
]
_Fresh = Annotated[bool, switch("--fresh", "Read all files from their beginning.")]


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
    to: options.Records,
    mapped: options.Mapped = None,
    source: _Source = "",
    events: options.EngineEvents = STANDARD_STREAM,
    positions: _Positions = None,
    dlq: options.DeadLetters = None,
    fresh: _Fresh = False,
    config: options.Config = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Read an archive or the output of a crawler, and write its articles as items.

    A page gets the id that it would have in a feed without ids: its canonical address. Records that
    cannot become items go to the dead letters, with the reason. Articles are written in the order
    of the archive; if that is not the order of time, write them to a file, and let `newsdedup
    produce` sort it for a topic or `newsdedup dedup` judge it. After a crash the import continues;
    what it writes twice has the same ids. A damaged file is read as far as possible, and the exit
    code is 65.
    """
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.adapters.tables.columns import ColumnMap, parse_column_map
    from newsdedup.bootstrap.record_outputs import engine_state
    from newsdedup.cli.import_job import import_paths, run_import
    from newsdedup.feeder.archives.archive_files import archive_files

    if kind.holds_pages:
        require_extra("feeder")
        require_extra("pages")
    settings = load_settings(config, {"run.state": engine_state(to)})
    where = import_paths(settings, to=to, events=events, positions=positions, dlq=dlq, fresh=fresh)
    files = archive_files(kind, paths)
    written: list[tuple[str, str | Path]] = [("--to", to)]
    if where.engine is not None:
        written = [("--to", where.engine.state), ("--events", events)]
    written += [("--dlq", where.dead), ("--positions", where.positions)]
    refuse_clashes(written, files)
    columns = ColumnMap(parse_column_map(mapped or ()).by_field, keeps_others=True)
    end_at_sigterm()
    began = monotonic()
    judged: Counter[str] = Counter()
    with Steps(quiet=quiet).step("records") as advance:
        importing = run_import(
            settings, kind, files, where, source, columns=columns, judged=judged, advance=advance
        )
        counts = asyncio.run(importing)
    stats = _stats(kind, to, counts, judged, where.dead, seconds=monotonic() - began)
    words = _sentence(stats)
    to_file = STANDARD_STREAM not in (to, events if where.engine else "")
    print_result(stats, words, json=json and to_file, quiet=quiet)
    if counts["damaged"]:
        raise typer.Exit(ExitCode.INPUT_UNUSABLE)


def _stats(
    kind: ArchiveKind,
    to: str,
    counts: Counter[str],
    judged: Counter[str],
    dead: Path,
    *,
    seconds: float,
) -> dict[str, Any]:
    """Return what an import has done, by names in JSON.

    `counts` are those of the import, `judged` those of the engine, `dead` is the file of dead
    letters.
    """
    return {
        "kind": kind,
        "to": to,
        "files": counts["files"],
        "damaged": counts["damaged"],
        # Written by this start; `resumed` are records that earlier ones have read.
        "items": counts["items"],
        "left_out": counts_by(counts, "left_out_"),
        "dead": counts["dead"],
        "dead_by_code": counts_by(counts, "dead_"),
        "dlq": str(dead),
        "resumed": counts["resumed"],
        "verdicts": {name: judged[name] for name in ("original", "duplicate") if judged[name]},
        "seconds": round(seconds, 3),
    }


def _sentence(stats: Mapping[str, Any]) -> str:
    """Return what `_stats` has counted in words."""
    rate = stats["items"] / max(stats["seconds"], 0.001)
    parts = [f"{counted(stats['items'], 'item')} of {counted(stats['files'], 'file')}"]
    if stats["verdicts"]:
        parts.append(listed_counts(stats["verdicts"]))
    if stats["left_out"]:
        parts.append(f"left out: {listed_counts(stats['left_out'])}")
    if stats["dead"]:
        codes = listed_counts(stats["dead_by_code"])
        parts.append(f"{counted(stats['dead'], 'dead letter')} ({codes}) in {stats['dlq']}")
    if stats["resumed"]:
        parts.append(f"read before: {counted(stats['resumed'], 'record')}")
    if stats["damaged"]:
        parts.append(f"damaged: {counted(stats['damaged'], 'file')}")
    return f"{'; '.join(parts)}; {rate:,.0f} items/s"
