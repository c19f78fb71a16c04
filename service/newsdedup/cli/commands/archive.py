from collections import Counter
from pathlib import Path
from time import monotonic
from typing import Annotated

from newsdedup.cli import options
from newsdedup.cli.environment import end_at_sigterm, load_settings
from newsdedup.cli.options import argument, option, parse_input_path, switch
from newsdedup.cli.output import counted, print_result, stderr_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown.progress import Steps, show_count

_Events = Annotated[
    list[str] | None,
    argument(
        "[EVENTS]...",
        "Files of events, folders, or - for standard input. [default: none]",
        parser=parse_input_path,
    ),
]
_NAMED = ("judged", "corrected", "retracted", "repeated", "unreadable", "expired", "internal_error")
_ToArchive = Annotated[Path, option("--to", "FILE", "The archive; it is created if missing.")]
_Check = Annotated[
    bool, switch("--check", "Then count everything again, and fail if the archive differs.")
]


@command(
    "newsdedup archive events.jsonl --to news.archive",
    "newsdedup archive 2026/ --to news.archive --keep 90d",
    "newsdedup tail --from beginning --json | newsdedup archive - --to news.archive",
    "newsdedup archive --to news.archive --check",
)
def build_archive(
    events: _Events = None,
    *,
    to: _ToArchive,
    keep: options.Keep = None,
    check: _Check = False,
    config: options.Config = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Collect events in an archive: items, stories, sources and full text, in one SQLite file.

    Events that the archive has are skipped, so files may overlap and be read again. After a stop or
    a crash it continues; of a file that has grown only the rest is read. Items older than --keep
    are erased, and so is every item that its source withdrew.
    """
    from newsdedup.adapters.files.inputs import expand_inputs
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.archive.following import follow_file
    from newsdedup.bootstrap.runs import open_archive_writer

    settings = load_settings(config, {"archive.keep": keep})
    inputs = expand_inputs(events or [])
    refuse_clashes([("--to", to)], inputs)
    end_at_sigterm()
    counts: Counter[str] = Counter()
    began = monotonic()
    with (
        Steps(quiet=quiet).step("indexing words again") as indexed,
        open_archive_writer(settings, to, indexed=indexed) as archive,
    ):
        for name in inputs:
            batches = follow_file(archive, name)
            for batch in show_count(batches, stderr_console(), of="batches", quiet=quiet):
                counts.update(batch)
        counts.update(archive.prune())
        differences = archive.check() if check else []
        counts["items"] = archive.items()
    # An internal error is named only where it happened: it never should.
    names = ["lines", "judged", "corrected", "retracted", "stories", "repeated", "unreadable"]
    names += ["expired", "items", *(["internal_error"] if counts["internal_error"] else [])]
    stats: dict[str, object] = {name: counts[name] for name in names}
    stats |= {"bytes": to.stat().st_size, "seconds": round(monotonic() - began, 3)}
    stats |= {"differences": differences} if check else {}
    parts = [counted(counts["lines"], "event")]
    parts += [f"{counts[name]} {name}" for name in _NAMED if counts[name]]
    words = f"{', '.join(parts)}; the archive holds {counted(counts['items'], 'item')}"
    print_result(stats, words, json=json, quiet=quiet)
    if differences:
        from newsdedup.ports.errors import StateUnusable

        raise StateUnusable(f"archive {to} differs from its items: {'; '.join(differences)}")
