"""What moved between two texts: the same thing counted, with another value."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import NamedTuple

from newsdedup.core.facts.codes import VALUE_SHIFT, decode_fact, lowest_code, unit_code
from newsdedup.core.facts.comparison import Codes, clock_codes, missing_quantities, subject_code
from newsdedup.core.facts.days import format_day
from newsdedup.core.facts.fact import MILLION, Fact, FactKind
from newsdedup.core.facts.units import CENT, stem
from newsdedup.data.lang import rows

ORDINAL_CODES = range(lowest_code(FactKind.ORDINAL), lowest_code(FactKind.CLOCK))
"""Codes of places in an order; years are none."""
_TIMES = subject_code(lowest_code(FactKind.CLOCK))


class Move(NamedTuple):
    """A value that one text states and another states otherwise."""

    kind: FactKind
    was: int
    now: int
    """In millionths; of scores, times and days `Fact.value`. Seven digits are kept."""
    unit: int
    """The `unit_code` of what is counted; `unit_names` has its word."""


def find_moves(was: Codes, now: Codes) -> tuple[Move, ...]:
    """Return what both texts count and neither counts as the other does, the smallest first.

    Where one text has more such values than the other, each of the fewer goes with the nearest.
    """
    before, after = _by_count(was, now), _by_count(now, was)
    found = [
        move
        for count in before.keys() & after.keys()
        for move in pair_moves(before[count], after[count])
    ]
    return tuple(sorted(found))


def pair_moves(before: list[int], after: list[int]) -> list[Move]:
    """Return as many moves as there are of the fewer of two ascending lists of one kind."""
    return [_moved(earlier, later) for earlier, later in _paired(before, after)]


def unit_names(facts: Iterable[Fact]) -> dict[int, str]:
    """Return the words of the units that occur in the facts, by their codes."""
    return {unit_code(fact.unit): fact.unit for fact in facts if fact.unit}


def _by_count(ours: Codes, theirs: Codes) -> dict[int, list[int]]:
    """Return our codes that the other text lacks, ascending, by what they count."""
    known = set(theirs)
    ordinals = [code for code in ours if code in ORDINAL_CODES and code not in known]
    found: defaultdict[int, list[int]] = defaultdict(list)
    for code in missing_quantities(ours, theirs) + ordinals:
        count = subject_code(code)
        if count:
            found[count].append(code)
    named = clock_codes(ours)
    if named:
        found[_TIMES] = sorted(named - clock_codes(theirs))
    return found


def _paired(before: list[int], after: list[int]) -> list[tuple[int, int]]:
    if len(before) == len(after):
        return list(zip(before, after, strict=True))
    if len(before) > len(after):
        return [(earlier, later) for later, earlier in _paired(after, before)]
    rest = list(after)
    pairs = []
    for earlier in before:
        nearest = min(rest, key=lambda later: (_distance(earlier, later), later))
        rest.remove(nearest)
        pairs.append((earlier, nearest))
    return pairs


def _distance(left: int, right: int) -> int:
    return abs((left >> VALUE_SHIFT) - (right >> VALUE_SHIFT))


def _moved(before: int, after: int) -> Move:
    was, now = decode_fact(before), decode_fact(after)
    return Move(was.kind, was.value, now.value, was.unit)


UNIT_NAMES = {unit: name for unit, [name] in rows("units.names").items()}
"""What the units are called; tests/core/facts/test_told_moves.py holds it against units.py."""

_OF_KIND = {FactKind.SCORE: "score", FactKind.CLOCK: "time of day", FactKind.DAY: "date"}
"""What is called by its kind; a day that is counted is a unit."""

_BY_CODE = {unit_code(unit): word for unit, word in UNIT_NAMES.items()}
_CENT = unit_code(CENT)
"""Its value is that of the whole currency."""
_SIDE = 1_000
_MANY_DIGITS = 10**7 * MILLION
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_TEENS = range(10, 20)


class MoveText(NamedTuple):
    """What two texts count, each in its own way."""

    what: str | None
    """None where no word is known for it."""
    was: str
    now: str


def describe_moves(
    moves: Collection[Move],
    lemmas: Iterable[str],
    *,
    was: Collection[str] = (),
    now: Collection[str] = (),
) -> tuple[MoveText, ...]:
    """Return what moved, in words; the lemmas are those that are known of the texts.

    `was` and `now` are the numbers of the texts as they are written: a code of a score keeps the
    higher side first.
    """
    if not moves:
        return ()
    named = {unit_code(stem(lemma)): lemma for lemma in lemmas} | _BY_CODE
    return tuple(
        [
            MoveText(_what(one, named), _value(one, one.was, was), _value(one, one.now, now))
            for one in moves
        ]
    )


def _what(move: Move, named: dict[int, str]) -> str | None:
    return _OF_KIND.get(move.kind) or named.get(move.unit)


def _value(move: Move, value: int, written: Collection[str]) -> str:
    if move.kind is FactKind.SCORE:
        return _score(*divmod(value, _SIDE), written)
    if move.kind is FactKind.ORDINAL:
        return _ordinal(value // MILLION)
    if move.kind is FactKind.CLOCK:
        return f"{value // 60:02}:{value % 60:02}"
    if move.kind is FactKind.DAY:
        return format_day(value)
    if move.unit == _CENT:
        value *= 100
    # Seven digits are kept: of more, the last ones are not known.
    cut = abs(value) >= _MANY_DIGITS and str(abs(value))[6] != "0"
    return f"{'about ' if cut else ''}{Decimal(value) / MILLION:f}"


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in _TEENS else _ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"


def _score(higher: int, lower: int, written: Collection[str]) -> str:
    """Return a score as the text writes it, or either way where that is not known ("1-3")."""
    forms = list(dict.fromkeys((f"{higher}:{lower}", f"{lower}:{higher}")))
    return " or ".join([form for form in forms if form in written] or forms)
