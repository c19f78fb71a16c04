"""Labelled pairs of items: reading their files, naming their items, slicing them for reports."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from newsdedup import ItemKey
from newsdedup.core.item_names import item_name, possible_keys
from newsdedup.engine.analyzer import Analyzed
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.collections.pair_lines import NAME_COLUMNS, holds_json_lines, read_pair_lines
from newsdedup_lab.collections.tab_files import read_tab_file

_LABELS = {
    **dict.fromkeys("RW", True),
    **dict.fromkeys(("U", "P", "S", "T", "N", "BAD"), False),
    "OK": None,
    "X": None,
}
"""Whether a class is one of duplicates; None where that is not said.

The codes are those of the guide. tgcontest calls two messages OK that are about the same event,
in whatever words, and BAD those that are not.
"""
_DUP_VALUES = {"1": True, "0": False, "?": None}
"""What `dup` may be: 1, 0, or ? where people differ."""
_MAX_WEIGHT = 1e15

_LabelMeaning = tuple[bool | None, str]
"""Whether a pair is one of duplicates, and by which word; None if the word does not tell."""


def parse_label(values: Mapping[str, str]) -> _LabelMeaning:
    """Return whether the pair of a line is a duplicate, and by which word, such as "dup 1".

    The first is None if the word leaves it open, or if there is no word. The column `dup` decides,
    else `label`; `label_a` is the label of one annotator and decides nothing. Raise ValueError for
    an unknown word.
    """
    dup, label = values.get("dup", ""), values.get("label", "")
    if dup:
        return _look_up(dup, _DUP_VALUES, "dup"), f"dup {dup}"
    if label:
        return _look_up(label, _LABELS, "label"), f"label {label}"
    return None, "no label"


def parse_weight(values: Mapping[str, str]) -> float:
    """Return the weight of a line, 1 by default; raise ValueError if it is no number >= 0.

    Larger ones than any pool has pairs are refused, too: their sums would be infinite.
    """
    written = values.get("weight") or "1"
    try:
        weight = float(written)
    except ValueError:
        raise ValueError(f"weight {written} is no number such as 1.5") from None
    if not 0 <= weight <= _MAX_WEIGHT:
        raise ValueError(f"weight {written}: a weight is 0 or more, and at most {_MAX_WEIGHT:g}")
    return weight


def _look_up(word: str, words: Mapping[str, bool | None], column: str) -> bool | None:
    """Return what `words` has for a word of a column; raise ValueError if the word is not there."""
    if word not in words:
        raise ValueError(f"{column} {word} is not known: one of {', '.join(words)}")
    return words[word]


_SLICE_COLUMNS = ("set", "lang")
_REPEATED = "repeated"
"""By which word a pair is left out that was there before."""
_NO_PAIR = "no pair"
"""By which words a line is left out that is about no pair."""
LENGTH_CLASSES = {"short": 0, "middle": 12, "long": 100}
"""From how many distinct content lemmas of the shorter text on."""
_HOURS = (0, 1, 6, 24, 72)


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two items that an annotator compared."""

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
    """The pairs of a file, and the number of lines left out for each reason."""

    pairs: tuple[LabelledPair, ...]
    left_out: Mapping[str, int]


def read_labelled_pairs(path: Path) -> list[LabelledPair]:
    """Return the decided pairs of a file."""
    return list(read_pair_file(path).pairs)


def read_pair_file(path: Path) -> PairFile:
    """Return the pairs of a TSV, or of JSON lines, with id1, id2, and dup (0, 1 or ?) or label.

    Left out and counted by reason are pairs on which people differ (dup ?), that could not be
    judged (label X), of which only the event is known (label OK), or that nobody labelled, and
    repeated pairs. JSON lines are a log of the feedback of editors: the last line that decides a
    pair counts. Raise SourceUnusable, which names the line, if one is invalid, or if two lines of a
    TSV contradict each other.
    """
    return _read_spoken_pairs(path) if holds_json_lines(path) else _read_pair_table(path)


def _read_pair_table(path: Path) -> PairFile:
    """Return the pairs of a TSV."""
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


def _read_spoken_pairs(path: Path) -> PairFile:
    """Return the pairs of the feedback of editors (JSON lines).

    Lines that name no pair, such as withdrawals, are counted. Raise SourceUnusable if none does.
    """
    lines = read_pair_lines(path)
    left_out: Counter[str] = Counter()
    found: dict[frozenset[str], LabelledPair] = {}
    for line in lines:
        if not any(line.values[name] for name in NAME_COLUMNS):
            left_out[_NO_PAIR] += 1
            continue
        try:
            pair = _parse_pair(line.values)
        except ValueError as error:
            raise SourceUnusable(f"{path}: line {line.line}: {error}") from error
        if isinstance(pair, str):
            left_out[pair] += 1
            continue
        names = frozenset((pair.left, pair.right))
        left_out[_REPEATED] += found.pop(names, None) is not None
        found[names] = pair
    if left_out[_NO_PAIR] == len(lines):
        raise SourceUnusable(
            f"{path}: needs the fields id1, id2, and dup or label; no line has id1 or id2"
        )
    return PairFile(tuple(found.values()), dict(sorted((+left_out).items())))


def _parse_pair(values: Mapping[str, str]) -> LabelledPair | str:
    """Return the pair of a line, or why it is left out; raise ValueError if it is invalid."""
    left, right = values["id1"], values["id2"]
    if not (left and right):
        raise ValueError("id1 or id2 is empty")
    if left == right:
        raise ValueError(f"{left} stands alongside itself")
    weight = parse_weight(values)
    duplicate, word = parse_label(values)
    if duplicate is None:
        return word
    label = values.get("label") or values.get("label_a") or ""
    columns = tuple((name, values[name]) for name in _SLICE_COLUMNS if values.get(name))
    return LabelledPair(left, right, duplicate, weight, label, columns)


def length_class(words: int) -> str:
    """Return the length class for the number of content lemmas of the shorter text."""
    return max((least, name) for name, least in LENGTH_CLASSES.items() if words >= least)[1]


def pair_slices(
    pair: LabelledPair, left: Analyzed, right: Analyzed, hours: float | None
) -> Iterator[str]:
    """Yield the names of the slices of a pair as KIND=VALUE, such as length=short or source=same.

    `left` and `right` are its items, `hours` the time between them, None if one is undated.
    """
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
    """Return the name of the class of time differences in which some hours are."""
    return next((f"{a}-{b}" for a, b in pairwise(_HOURS) if hours < b), f"{_HOURS[-1]}-")


_NAMED_KEYS = 3


@dataclass(frozen=True, slots=True)
class ItemNames:
    """An index from the names that a pair file may use (ID or SOURCE/ID) to item keys."""

    by_id: Mapping[str, tuple[ItemKey, ...]]

    def resolve(self, name: str) -> ItemKey | None:
        """Return the key of the item with a name (ID or SOURCE/ID), None if there is none.

        An item whose SOURCE/ID it is comes before one whose ID it is. Raise SourceUnusable if
        several items have that name.
        """
        exact = tuple(key for key in possible_keys(name) if key in self.by_id.get(key.id, ()))
        found = exact or self.by_id.get(name, ())
        if len(found) > 1:
            some = ", ".join(item_name(key) for key in found[:_NAMED_KEYS])
            raise SourceUnusable(
                f"{len(found)} sources have an item {name}; write SOURCE/ID, as in: {some}"
            )
        return found[0] if found else None

    def resolve_pair(self, pair: LabelledPair) -> tuple[ItemKey, ItemKey] | None:
        """Return the keys of both items of a pair, None if one is missing.

        Raise SourceUnusable if both names mean one item, or if a name is ambiguous.
        """
        left, right = self.resolve(pair.left), self.resolve(pair.right)
        if left is not None and left == right:
            raise SourceUnusable(f"{pair.left} and {pair.right} are one item: no pair")
        return None if left is None or right is None else (left, right)

    def require_any(self, pairs: Sequence[LabelledPair], path: Path) -> None:
        """Raise SourceUnusable if there are no pairs, or none has both of its items here.

        `path` is the file of the pairs, for the message.
        """
        if not pairs:
            raise SourceUnusable(f"{path}: of no pair is said whether it is one of duplicates")
        if not [pair for pair in pairs if self.resolve_pair(pair) is not None]:
            raise SourceUnusable(f"{path}: no pair of it is among the items")


def index_names(keys: Iterable[ItemKey]) -> ItemNames:
    """Return the index of the names by which a pair file may call the items with these keys."""
    by_id: dict[str, dict[ItemKey, None]] = {}
    for key in keys:
        by_id.setdefault(key.id, {})[key] = None
    return ItemNames({name: tuple(found) for name, found in by_id.items()})
