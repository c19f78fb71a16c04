"""Moves, values that differ between two texts on one subject: from codes, then in words."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import NamedTuple

from newsdedup.core.facts.comparison import missing_quantities, subject_code
from newsdedup.core.facts.days import format_day
from newsdedup.core.facts.editions import EDITION, EDITION_UNIT
from newsdedup.core.facts.fact import (
    FIRST_DAY,
    FIRST_ORDINAL,
    MILLION,
    VALUE_SHIFT,
    Codes,
    FactKind,
    decode_fact,
    unit_code,
)
from newsdedup.core.facts.units import CENT, stem
from newsdedup.data.lang import rows

_EXACT_CODES = range(FIRST_ORDINAL, FIRST_DAY)
"""Codes of ordinals and times of day, which agree only if they are equal."""


class Move(NamedTuple):
    """Two values that two texts give for one subject."""

    kind: FactKind
    was: int
    now: int
    """In millionths; of scores, times and days `Fact.value`. Seven digits are kept."""
    unit: int
    """The `unit_code` of what is counted."""


def find_moves(was: Codes, now: Codes) -> tuple[Move, ...]:
    """Return the moves between the codes of two texts, sorted.

    A move pairs two values of one subject, each missing in the other text. If one text has more of
    them, each value of the other text takes the nearest, and the rest make no move.
    """
    before, after = _missing_by_subject(was, now), _missing_by_subject(now, was)
    moves = [
        move
        for subject in before.keys() & after.keys()
        for move in pair_moves(before[subject], after[subject])
    ]
    return tuple(sorted(moves))


def pair_moves(before: list[int], after: list[int]) -> list[Move]:
    """Return the moves between two ascending lists of codes, one for each of the shorter list.

    Codes of equally long lists are paired in order, else each takes the nearest of the longer list.
    """
    pairs = [(decode_fact(earlier), decode_fact(later)) for earlier, later in _pair(before, after)]
    return [Move(was.kind, was.value, now.value, was.unit) for was, now in pairs]


def _missing_by_subject(ours: Codes, theirs: Codes) -> dict[int, list[int]]:
    """Return by subject our quantities, scores, ordinals and times that the other text lacks.

    Codes ascend. Quantities without a unit have no subject and are absent.
    """
    exact = [code for code in ours if code in _EXACT_CODES and code not in theirs]
    missing: defaultdict[int, list[int]] = defaultdict(list)
    for code in missing_quantities(ours, theirs) + exact:
        subject = subject_code(code)
        if subject:
            missing[subject].append(code)
    return missing


def _pair(before: list[int], after: list[int]) -> list[tuple[int, int]]:
    """Return the pairs (before, after) of codes that `pair_moves` makes of two ascending lists."""
    if len(before) == len(after):
        return list(zip(before, after, strict=True))
    if len(before) > len(after):
        return [(earlier, later) for later, earlier in _pair(after, before)]
    rest = list(after)
    pairs = []
    for earlier in before:
        value = earlier >> VALUE_SHIFT
        nearest = min(rest, key=lambda later: (abs((later >> VALUE_SHIFT) - value), later))
        rest.remove(nearest)
        pairs.append((earlier, nearest))
    return pairs


UNIT_NAMES = {unit: name for unit, [name] in rows("units.names").items()}
"""What the units are called; tests/core/facts/test_moves.py checks that none is missing."""
_KIND_NAMES = {FactKind.SCORE: "score", FactKind.CLOCK: "time of day", FactKind.DAY: "date"}
"""What is called by its kind. "3 days" are a quantity, whose unit is a day."""
_NAMES = {unit_code(unit): name for unit, name in UNIT_NAMES.items()} | {EDITION_UNIT: EDITION}
_CENT = unit_code(CENT)
"""Its value is that of the whole currency."""


class MoveText(NamedTuple):
    """A move in words."""

    what: str | None
    """What the values count; None if no word is known for its unit."""
    was: str
    now: str


def describe_moves(
    moves: Collection[Move],
    lemmas: Iterable[str],
    *,
    was: Collection[str] = (),
    now: Collection[str] = (),
) -> tuple[MoveText, ...]:
    """Return the moves in words, one text for each move, in their order.

    A code keeps only 13 bits of a hash of the unit. Measures, currencies and people have known
    codes; any other noun must be among `lemmas`, those of the texts. By chance, one noun in several
    hundred gets a wrong name. `was` and `now` are the numbers as the texts write them, because a
    code of a score does not say which side was first.
    """
    if not moves:
        return ()
    names = {unit_code(stem(lemma)): lemma for lemma in lemmas} | _NAMES
    return tuple(
        [
            MoveText(
                _KIND_NAMES.get(move.kind) or names.get(move.unit),
                _format_value(move, move.was, was),
                _format_value(move, move.now, now),
            )
            for move in moves
        ]
    )


def _format_value(move: Move, value: int, written: Collection[str]) -> str:
    """Return a value of a move as text: "3:1", "2nd", "09:30", "2024-10-28", or a decimal.

    A score is as `written`, the numbers of its text, have it, or "3:1 or 1:3" if they have neither
    ("1-3"). "about" precedes a number of more digits than a code keeps.
    """
    if move.kind is FactKind.SCORE:
        higher, lower = divmod(value, 1_000)
        forms = list(dict.fromkeys((f"{higher}:{lower}", f"{lower}:{higher}")))
        return " or ".join([form for form in forms if form in written] or forms)
    if move.kind is FactKind.ORDINAL:
        number = value // MILLION
        last = 0 if number % 100 in range(10, 20) else number % 10
        return f"{number}{({1: 'st', 2: 'nd', 3: 'rd'}).get(last, 'th')}"
    if move.kind is FactKind.CLOCK:
        return f"{value // 60:02}:{value % 60:02}"
    if move.kind is FactKind.DAY:
        return format_day(value)
    if move.unit == _CENT:
        value *= 100
    # Seven digits are kept: of more, the last ones are not known.
    cut = abs(value) >= 10**7 * MILLION and str(abs(value))[6] != "0"
    return f"{'about ' if cut else ''}{Decimal(value) / MILLION:f}"
