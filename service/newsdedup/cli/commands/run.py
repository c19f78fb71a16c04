from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Annotated

from newsdedup.cli import options
from newsdedup.cli.environment import KillAtFailpoint, begin_logging, end_at_sigterm, load_settings
from newsdedup.cli.options import STANDARD_STREAM, switch
from newsdedup.cli.output import counted, print_result, stderr_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown.progress import RunProgress
from newsdedup.cli.shown.results import run_sentence, run_stats
from newsdedup.cli.states import run_paths

_Fresh = Annotated[
    bool,
    switch("--fresh", "Start over: empty the state, the archive, the output and the dead letters."),
]


@command(
    "newsdedup run items.jsonl --to events.jsonl",
    "newsdedup run archive/ --to events.jsonl --window 24h",
    "tail -f items.jsonl | newsdedup run - | jq .dedup.verdict",
    "newsdedup run items.jsonl --to events.jsonl --archive news.archive",
    "newsdedup run items.jsonl --to events.jsonl --fresh    # start over",
)
def run_stream(
    items: options.Items,
    *,
    to: options.To = STANDARD_STREAM,
    state: options.State = None,
    fresh: _Fresh = False,
    dlq: options.DeadLetters = None,
    archive: options.ArchiveOption = None,
    window: options.Window = None,
    rule: options.RuleOption = None,
    helpers: options.Helpers = None,
    log: options.Log = None,
    config: options.Config = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Judge every item of files: original or duplicate.

    Reads JSON lines, JSON arrays and CSV (also .gz, .zst), and writes each item again, as a line
    with a `dedup` object. With an output file the run can be stopped or killed at any time: started
    again, it continues. Bad records go to the dead letters, with the reason, and do not stop the
    run; an input without any readable record is refused (65).
    """
    from newsdedup.adapters.files.inputs import expand_inputs
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.adapters.sqlite.state import own_files
    from newsdedup.adapters.tables.input_records import check_forms
    from newsdedup.bootstrap.runs import open_run

    flags = {"run.state": state, "run.log": log, "run.helpers": helpers}
    settings = load_settings(config, flags | {"rule.window": window, "rule.name": rule})
    begin_logging(settings.run.log, quiet=True)
    where = run_paths(settings, to=to, dlq=dlq, fresh=fresh, archive=archive)
    end_at_sigterm()
    inputs = expand_inputs(items, own=own_files(to=where.to, state=where.state, dead=where.dead))
    written: list[tuple[str, str | Path]] = [("--to", where.to), ("--dlq", where.dead)]
    written += [("--state", where.state), *([] if archive is None else [("--archive", archive)])]
    refuse_clashes(written, inputs)
    check_forms(inputs)
    counts: Counter[str] = Counter()
    began = monotonic()
    with (
        RunProgress(stderr_console(), quiet=quiet) as progress,
        closing(open_run(settings, where, fail=KillAtFailpoint())) as job,
    ):
        for batch in job.over(inputs):
            counts.update(batch)
            progress.advance(items=batch["lines"], duplicates=batch["duplicate"])
        counts.update(postings_skipped=job.state.skipped, cut_short=job.deduplicate.cut_short)
    stats = run_stats(counts, to=where.to, dead=str(where.dead), seconds=monotonic() - began)
    to_file = where.to != STANDARD_STREAM
    words = run_sentence(stats) + _left_in_folders(items)
    print_result(stats, words, json=json and to_file, quiet=quiet)


def _left_in_folders(items: Iterable[str]) -> str:
    """Return a line on the CSV files in folders, which are read only by name; "" if none is."""
    from newsdedup.adapters.files.input_forms import CSV_SUFFIXES
    from newsdedup.adapters.files.paths import list_files

    left = [
        file
        for folder in map(Path, items)
        if folder.is_dir()
        for file in list_files(folder, lambda name: name.lower().endswith(CSV_SUFFIXES))
    ]
    if not left:
        return ""
    files = f"{counted(len(left), 'file')} left out, such as {left[0]}"
    return f"\nCSV in folders is read only if it is named: {files}"
