"""A generated stream as files: the items, and alongside them the truth about each."""

import csv
from collections.abc import Iterable
from pathlib import Path

import msgspec

from newsdedup.adapters.files.outputs import sink_errors
from newsdedup.ports.errors import SinkUnusable
from newsdedup.synthetic.planted import PlantedItem
from newsdedup_lab.report.study_stages import Advance

_COLUMNS = ("source", "id", "kind", "story", "of_source", "of_id")
_BATCH = 512


def truth_path(items: Path) -> Path:
    """Return the path of the truth file that belongs to an items file."""
    return items.with_name(f"{items.name}.truth.tsv")


def write_generated(
    stream: Iterable[PlantedItem], to: Path, *, fresh: bool, advance: Advance
) -> None:
    """Write the items to `to` and their truth alongside it; both files appear when all is written.

    `advance` counts the items; memory does not grow with their number. Raise SinkUnusable if a file
    exists and `fresh` is not set, or if a file cannot be written.
    """
    truth = truth_path(to)
    for path in (to, truth):
        if path.exists() and not fresh:
            raise SinkUnusable(f"{path} exists: name another --out, or use --fresh to replace it")
    parts = [path.with_name(f"{path.name}.part") for path in (to, truth)]
    encode = msgspec.json.Encoder().encode
    with (
        sink_errors(to),
        parts[0].open("wb") as lines,
        parts[1].open("w", encoding="utf-8", newline="") as table,
    ):
        rows = csv.writer(table, dialect="excel-tab", lineterminator="\n")
        rows.writerow(_COLUMNS)
        number = 0
        for number, planted in enumerate(stream, 1):
            lines.write(encode(planted.item) + b"\n")
            rows.writerow(_truth_row(planted))
            if number % _BATCH == 0:
                advance(_BATCH)
        advance(number % _BATCH)
    with sink_errors(to):
        for part, path in zip(parts, (to, truth), strict=True):
            part.replace(path)


def _truth_row(planted: PlantedItem) -> tuple[object, ...]:
    """Return the values of an item's line in the truth file, in the order of _COLUMNS.

    The last two name the item that it was made from; they are "" if there is none.
    """
    truth = planted.truth
    of = truth.of or ("", "")
    return planted.item["source"], planted.item["id"], truth.kind, truth.story, *of
