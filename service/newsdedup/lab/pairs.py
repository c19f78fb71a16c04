"""Pairs of items that people compared, and the slices in which they are looked at."""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from newsdedup.deduplicate import Analyzed
from newsdedup.ports import SourceUnusable

COLUMNS = ("set", "lang")
DUPLICATE_LABELS = frozenset("RW")
LABELS = frozenset(("R", "W", "U", "P", "S", "T", "N", "BAD"))
"""Those of the guide, and what tgcontest calls two messages that are not about the same event."""
LENGTHS = {"short": 0, "middle": 12, "long": 100}
"""From how many distinct content lemmas of the shorter text on."""
HOURS = (0, 1, 6, 24, 72)


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two items that people compared."""

    left: str
    right: str
    duplicate: bool
    weight: float = 1.0
    """How many pairs of the pool it stands for."""
    label: str = ""
    """Its class by the guide, if the file tells it."""
    columns: tuple[tuple[str, str], ...] = ()


Found = Callable[[LabelledPair], bool]


def labelled_pairs(path: Path) -> list[LabelledPair]:
    """Return the pairs of a TSV with the columns id1, id2, and dup (0 or 1) or label.

    Label, or label_a, is a letter of the guide: R and W are duplicates; BAD is another event.
    Pairs on which people differ (dup neither 0 nor 1), that could not be judged (label X), or of
    which only the event is known (label OK) are left out.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [_pair(row) for row in csv.DictReader(file, delimiter="\t")]
            return [pair for pair in rows if pair is not None]
    except OSError as error:
        raise SourceUnusable(f"{path}: cannot be read: {error}") from error
    except (KeyError, ValueError, UnicodeDecodeError) as error:
        raise SourceUnusable(
            f"{path}: needs columns id1, id2, and dup or label; found trouble at {error}"
        ) from error


def _pair(row: dict[str, str]) -> LabelledPair | None:
    label = row.get("label") or row.get("label_a") or ""
    if "dup" in row:
        if row["dup"] not in ("0", "1"):
            return None
        duplicate = row["dup"] == "1"
    else:
        if row["label"] not in LABELS:
            return None
        duplicate = row["label"] in DUPLICATE_LABELS
    columns = tuple((name, row[name]) for name in COLUMNS if row.get(name))
    weight = float(row.get("weight") or 1)
    return LabelledPair(row["id1"], row["id2"], duplicate, weight, label, columns)


def length(words: int) -> str:
    """Return what a pair is called whose shorter text has so many distinct content lemmas."""
    return max((least, name) for name, least in LENGTHS.items() if words >= least)[1]


def slices(pair: LabelledPair, left: Analyzed, right: Analyzed, hours: float) -> Iterator[str]:
    """Yield the slices that a pair belongs to."""
    for name, value in pair.columns:
        yield f"{name}={value}"
    if pair.label:
        yield f"label={pair.label}"
    words = min(len(one.document.terms) for one in (left, right))
    yield f"length={length(words)}"
    same = left.item.key.source == right.item.key.source
    yield f"source={'same' if same else 'other'}"
    yield f"hours={next((f'{a}-{b}' for a, b in pairwise(HOURS) if hours < b), f'{HOURS[-1]}-')}"
