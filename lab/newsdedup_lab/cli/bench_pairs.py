"""`newsdedup bench ITEMS --pairs FILE`: speed and quality of all rules, methods and libraries."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from newsdedup.cli.errors import require_libraries
from newsdedup.cli.output import plain_table, print_json, stdout_console
from newsdedup_lab.cli.studies import given_command_line, made_now, print_report_files

if TYPE_CHECKING:
    from rich.table import Table

    from newsdedup.config import Settings
    from newsdedup_lab.bench.stage_rates import ReportStage


def bench_pairs(
    context: typer.Context,
    items: list[str] | None,
    settings: "Settings",
    labels: Path,
    *,
    rule: str | None,
    peers: list[str],
    repeats: int,
    out: Path | None,
    json: bool,
    say: "ReportStage",
) -> None:
    """Measure a rule, or all, and the peers; print a table or JSON, and write a page into `out`.

    Without `rule` all rules and methods are measured, without `peers` all installed ones. Raise
    BadParameter without items, and SourceUnusable, before anything is measured, if the labels
    cannot be read or none of the pairs is among the items.
    """
    if not items:
        raise typer.BadParameter("--pairs: name the ITEMS of the pairs")
    if out is not None:
        require_libraries("matplotlib")
    from newsdedup.bootstrap.runs import line_decoder
    from newsdedup_lab.bench.peers import choose_peers
    from newsdedup_lab.bench.speed_and_quality import measure_speed_and_quality, measured_rules
    from newsdedup_lab.bench.suite import provenance
    from newsdedup_lab.collections.items import load_collection
    from newsdedup_lab.collections.pairs import index_names, read_pair_file
    from newsdedup_lab.performance.frontier_page import frontier_report, write_frontier_plot
    from newsdedup_lab.report.study_stages import prepare_report_folder, write_report

    chosen = choose_peers(peers)
    if chosen.absent:
        say(f"absent peers: {', '.join(chosen.absent)}")
    labelled = read_pair_file(labels)
    collection = load_collection(
        items, line_decoder(settings).content, line_limit=settings.limits.line_bytes
    )
    index_names(item.key for item in collection.items).require_any(labelled.pairs, labels)
    folder = None if out is None else prepare_report_folder(out)
    called = given_command_line(context)
    made = provenance(called, chosen)
    measurements = measure_speed_and_quality(
        collection,
        settings,
        labelled,
        rules=measured_rules(rule),
        peers=chosen,
        repeats=repeats,
        say=say,
    )
    if folder is not None:
        versions: dict[str, str] = made["versions"]  # type: ignore[assignment]
        written = write_report(frontier_report(measurements), made_now(called, versions), folder)
        write_frontier_plot(measurements, folder)
        if not json:
            stdout_console().print(frontier_table(measurements))
        print_report_files(*written, json=json)
    elif json:
        print_json({"frontier": {"made": made, "measurements": measurements}})
    else:
        stdout_console().print(frontier_table(measurements))


def frontier_table(measurements: dict[str, Any]) -> "Table":
    """Return the table: a row for each rule, method and library, the best F first."""
    table = plain_table(
        "", ">threshold", ">items/s", ">precision", ">recall", ">F", ">weighted F", "surpassed by"
    )
    table.title = "\n".join(_notes(measurements))
    for row in measurements["methods"]:
        shares = [*row["plain"].values(), row["weighted"]["f1"]]
        table.add_row(
            row["title"],
            f"{row['threshold']:g}",
            f"{row['rate']:,.0f}",
            *[f"{share:.3f}" for share in shares],
            row["behind"] or "-",
        )
    return table


def _notes(measurements: dict[str, Any]) -> Iterator[str]:
    """Yield the number of items and pairs, and what is on the frontier."""
    items, pairs = measurements["items"], measurements["pairs"]
    yield f"{items:,} items, {pairs} pairs, {measurements['duplicates']} of duplicates"
    yield f"on the frontier: {', '.join(measurements['frontier'])}"
    if measurements["pairs_without_items"]:
        yield f"pairs without items: {measurements['pairs_without_items']}"
    if measurements["peers_absent"]:
        yield f"absent peers: {', '.join(measurements['peers_absent'])}"
