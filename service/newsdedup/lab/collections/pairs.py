"""Pairs of items that people compared, and the slices in which they are looked at."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from newsdedup.engine.deduplicate import Analyzed
from newsdedup.lab.collections.labels import parse_label, parse_weight
from newsdedup.lab.collections.tab_files import read_tab_file
from newsdedup.ports.errors import SourceUnusable

_SLICE_COLUMNS = ("set", "lang")
_REPEATED = "repeated"
"""By which word a pair is left out that was there before."""
LENGTH_CLASSES = {"short": 0, "middle": 12, "long": 100}
"""From how many distinct content lemmas of the shorter text on."""
_HOURS = (0, 1, 6, 24, 72)


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


PairTest = Callable[[LabelledPair], bool]


@dataclass(frozen=True, slots=True)
class PairFile:
    """The pairs of a file, and how many of its lines are none, by what they say."""

    pairs: tuple[LabelledPair, ...]
    left_out: Mapping[str, int]


def read_labelled_pairs(path: Path) -> list[LabelledPair]:
    """Return the pairs of a file of which is said whether they are duplicates."""
    return list(read_pair_file(path).pairs)


def read_pair_file(path: Path) -> PairFile:
    """Return the pairs of a TSV with the columns id1, id2, and dup (0 or 1) or label.

    Left out are pairs on which people differ (dup ?), that could not be judged (label X), of which
    only the event is known (label OK), or that nobody labelled; and a pair that was there before.
    Pairs that contradict each other are refused.
    """
    file = read_tab_file(path, of="pairs")
    if not (
        file.has_columns("id1", "id2") and (file.has_columns("dup") or file.has_columns("label"))
    ):
        raise file.columns_error("id1, id2, and dup or label")
    if not file.rows:
        raise SourceUnusable(f"{path}: holds no pairs")
    left_out: Counter[str] = Counter()
    found: dict[frozenset[str], tuple[int, LabelledPair]] = {}
    for row in file.rows:
        try:
            pair = _parse_pair(row.values)
        except ValueError as error:
            raise file.line_error(row.line, str(error)) from error
        if isinstance(pair, str):
            left_out[pair] += 1
            continue
        line, before = found.setdefault(frozenset((pair.left, pair.right)), (row.line, pair))
        if before.duplicate != pair.duplicate:
            text = f"{pair.left} and {pair.right} are duplicates here or in line {line}, not both"
            raise file.line_error(row.line, text)
        left_out[_REPEATED] += before is not pair
    return PairFile(tuple(pair for _, pair in found.values()), dict(sorted((+left_out).items())))


def _parse_pair(values: Mapping[str, str]) -> LabelledPair | str:
    """Return a pair, or the word by which it is left out."""
    left, right = values["id1"], values["id2"]
    if not (left and right):
        raise ValueError("id1 or id2 is empty")
    if left == right:
        raise ValueError(f"{left} stands beside itself")
    weight = parse_weight(values)
    duplicate, word = parse_label(values)
    if duplicate is None:
        return word
    label = values.get("label") or values.get("label_a") or ""
    columns = tuple((name, values[name]) for name in _SLICE_COLUMNS if values.get(name))
    return LabelledPair(left, right, duplicate, weight, label, columns)


def length_class(words: int) -> str:
    """Return what a pair is called whose shorter text has so many distinct content lemmas."""
    return max((least, name) for name, least in LENGTH_CLASSES.items() if words >= least)[1]


def pair_slices(
    pair: LabelledPair, left: Analyzed, right: Analyzed, hours: float | None
) -> Iterator[str]:
    """Yield the slices that a pair belongs to; its hours are None if an item has no time."""
    for name, value in pair.columns:
        yield f"{name}={value}"
    if pair.label:
        yield f"label={pair.label}"
    words = min(len(one.document.terms) for one in (left, right))
    yield f"length={length_class(words)}"
    same = left.item.key.source == right.item.key.source
    yield f"source={'same' if same else 'other'}"
    yield f"hours={'unknown' if hours is None else _hours_span(hours)}"


def _hours_span(hours: float) -> str:
    return next((f"{a}-{b}" for a, b in pairwise(_HOURS) if hours < b), f"{_HOURS[-1]}-")
