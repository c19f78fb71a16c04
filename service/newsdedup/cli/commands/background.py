"""Count how common words are in your own news, or show such a table."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli import options
from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import STANDARD_STREAM, argument, option, parse_output_target
from newsdedup.cli.output import counted, listed_counts, print_json, print_result, stderr_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown.progress import show_count

if TYPE_CHECKING:
    from newsdedup.core.words.background import Background

_MOST_FREQUENT = 10
_NO_PIVOTS = "none, so descr_words cannot be enabled: they need words of 5 documents and more"
_To = Annotated[str, option("--to", "FILE", "The table.", parser=parse_output_target)]
_Least = Annotated[
    int, typer.Option("--least", metavar="N", min=1, help="Lemmas of fewer documents are left out.")
]
_Added = Annotated[
    bool, typer.Option("--add", help="Add the counts to those of the table of the package.")
]
_FEW = 10_000
"""Counts of fewer items say little of what is common."""
_Shown = Annotated[Path | None, argument("FILE", "A table. [default: the one in use]")]


@command(
    "newsdedup background build archive/ --to own.zst",
    "newsdedup background build 2024.parquet 2025.parquet --to own.zst --least 5",
    "newsdedup background build archive/ --to sum.zst --add",
    name="build",
)
def build_table(
    items: options.Items,
    *,
    to: _To,
    least: _Least = 3,
    add: _Added = False,
    config: options.Config = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Count the words of items: such a table fits weights and look-ups to your own stream.

    Reads the files that `newsdedup dedup` reads, once, and writes counts and the pivot words of the
    method descr_words. With --add the table knows what that of the package knows, too, and has its
    pivots. To use the table, name it in the setting words.background; a state that was made with
    another table is refused, so start over with --fresh.
    """
    from newsdedup.adapters.files.outputs import check_writable
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.adapters.tables.columns import ColumnMap
    from newsdedup.adapters.tables.input_records import dataset_files, read_datasets
    from newsdedup.adapters.tables.rows import decode_row
    from newsdedup.adapters.words.language_detector import Py3LangidDetector
    from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
    from newsdedup.adapters.words.package_data import shipped_background, write_background
    from newsdedup.bootstrap.runs import record_limits
    from newsdedup.core.document import Analyzer
    from newsdedup.core.words.background import EMPTY_BACKGROUND, add_backgrounds
    from newsdedup.ports.errors import NothingToRead
    from newsdedup.runners.files.counting import count_collection

    if to == STANDARD_STREAM:
        raise typer.BadParameter("a table goes to a file, not to standard output")
    settings = load_settings(config)
    limits = record_limits(settings)
    files = dataset_files(items)
    refuse_clashes([("--to", to)], files)
    check_writable(Path(to), replaced=True)
    rows = read_datasets(files, ColumnMap(), limits=limits)
    table, left_out = count_collection(
        show_count(rows, stderr_console(), of="items", quiet=quiet),
        read=lambda row: decode_row(row, limits=limits),
        analyzer=Analyzer(
            shipped_vocabulary(EMPTY_BACKGROUND, bound=settings.words.cache_forms),
            Py3LangidDetector(),
        ),
        least=least,
    )
    if not any(count.lemmas for count in table.counts.values()):
        raise NothingToRead(
            f"no lemma occurs in {least} items: nothing is written"
            f"{_left_out_reasons(left_out)}; more items, or a smaller --least, make a table"
        )
    items_read = sum(count.documents for count in table.counts.values())
    if add:
        table = add_backgrounds(table, shipped_background())
    size = write_background(Path(to), table)
    lines = _lines(table, size=size)
    if items_read < _FEW:
        lines.append(f"{counted(items_read, 'item')} make a poor table; {_FEW:,} are enough")
    if reasons := _left_out_reasons(left_out).removeprefix("; "):
        lines.append(reasons)
    lines.append(f"written to {to}; to use it, put into newsdedup.toml:")
    words = "\n".join([*lines, "", "[words]", f'background = "{to}"'])
    stats = {**_stats(table), "left_out": dict(sorted(left_out.items())), "bytes": size}
    print_result(stats, words, json=json, quiet=quiet)


@command("newsdedup background show", "newsdedup background show own.zst --json", name="show")
def show_table(
    file: _Shown = None, *, config: options.Config = None, json: options.Json = False
) -> None:
    """Print the origin of a table, its size and its most frequent lemmas."""
    from newsdedup.adapters.words import package_data

    own = load_settings(config).words.background
    if file is None and not own:
        table, origin = package_data.shipped_background(), "the table of the package"
        size = len(package_data.pack_background(table))
    else:
        path = file or Path(own)
        (table, size), origin = package_data.read_background(path), str(path)
    if json:
        print_json({"origin": origin, **_stats(table), "bytes": size})
        return
    print(origin)
    print("\n".join(_lines(table, size=size)))
    for lang, lemmas in _most_frequent(table).items():
        print(f"{lang}: {', '.join(f'{lemma} {df:,}' for lemma, df in lemmas.items())}")


def _stats(table: "Background") -> dict[str, object]:
    """Return what a table holds by names in JSON."""
    counts = sorted(table.counts.items())
    return {
        "version": table.version,
        "made_with": table.made_with,
        "documents": {lang: count.documents for lang, count in counts},
        "words": {lang: count.words for lang, count in counts},
        "lemmas": {lang: len(count.lemmas) for lang, count in counts},
        "pivots": {"words": len(table.pivots.thresholds), "version": table.pivots.version},
        "most_frequent": _most_frequent(table),
    }


def _most_frequent(table: "Background") -> dict[str, dict[str, int]]:
    """Return for each language the ten lemmas in most documents, with their document counts."""
    frequent = {}
    for lang, count in sorted(table.counts.items()):
        ranked = sorted((-df, lemma) for lemma, (df, _) in count.lemmas.items())
        frequent[lang] = {lemma: -df for df, lemma in ranked[:_MOST_FREQUENT]}
    return frequent


def _lines(table: "Background", *, size: int) -> list[str]:
    """Return what a table holds as lines of text; `size` is its size in bytes."""
    lines = [f"version    {table.version}", f"made with  {table.made_with}"]
    for lang, count in sorted(table.counts.items()):
        lemmas = f"{counted(len(count.lemmas), 'lemma')}, {counted(count.words, 'word')}"
        lines.append(f"{lang:9}  {counted(count.documents, 'document')}, {lemmas}")
    words = len(table.pivots.thresholds)
    pivots = f"{words:,} words, version {table.pivots.version}" if words else _NO_PIVOTS
    return [*lines, f"pivots     {pivots}", f"size       {size:,} bytes"]


def _left_out_reasons(left_out: Counter[str]) -> str:
    """Return "; " and how many records cannot be items, by code; "" if there are none."""
    if not left_out:
        return ""
    codes = listed_counts(dict(sorted(left_out.items())))
    return f"; no item: {counted(left_out.total(), 'record')} ({codes})"
