"""What moved between two texts, in words: as far as the codes of entries let it be told.

A code holds 13 bits of a hash of the unit. Measures, currencies and people are few and known by
their codes; any other noun is looked for among the lemmas of the text, and without a find stays
unnamed. One noun in several hundred is named wrongly, by chance.
"""

from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import NamedTuple

from newsdedup.core.facts.codes import unit_code
from newsdedup.core.facts.days import shown
from newsdedup.core.facts.fact import MILLION, Kind
from newsdedup.core.facts.moves import Moved
from newsdedup.core.facts.stems import stem
from newsdedup.core.facts.units import CENT, PERCENT

NAMED = {
    PERCENT: "percent",
    "usd": "US dollar",
    "eur": "euro",
    "rub": "rouble",
    "uah": "hryvnia",
    "gbp": "pound sterling",
    "yen": "yen",
    "cny": "yuan",
    "inr": "rupee",
    "franc": "franc",
    "dem": "German mark",
    "cent": "cent",
    "kzt": "tenge",
    "person": "people",
    "injured": "injured",
    "killed": "killed",
    "year": "year",
    "month": "month",
    "day": "day",
    "hour": "hour",
    "minute": "minute",
    "km": "kilometre",
    "m": "metre",
    "cm": "centimetre",
    "m2": "square metre",
    "km2": "square kilometre",
    "cm2": "square centimetre",
    "m3": "cubic metre",
    "km3": "cubic kilometre",
    "cm3": "cubic centimetre",
    "km/h": "kilometre per hour",
    "m/s": "metre per second",
    "km/s": "kilometre per second",
    "kg": "kilogram",
    "ton": "ton",
    "ha": "hectare",
    "degree": "degree",
    "point": "point",
    "barrel": "barrel",
}
"""What the units are called; tests/core/facts/test_told_moves.py holds it against units.py."""

_OF_KIND = {Kind.SCORE: "score", Kind.CLOCK: "time of day", Kind.DAY: "date"}
"""What is called by its kind; a day that is counted is a unit."""

_BY_CODE = {unit_code(unit): word for unit, word in NAMED.items()}
_CENT = unit_code(CENT)
"""Its value is that of the whole currency."""
_SIDE = 1_000
_MANY_DIGITS = 10**7 * MILLION
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_TEENS = range(10, 20)


class Told(NamedTuple):
    """What two texts count, each in its own way."""

    what: str | None
    """None where no word is known for it."""
    was: str
    now: str


def told(
    moves: Collection[Moved],
    lemmas: Iterable[str],
    *,
    was: Collection[str] = (),
    now: Collection[str] = (),
) -> tuple[Told, ...]:
    """Return what moved, in words; the lemmas are those that are known of the texts.

    `was` and `now` are the numbers of the texts as they are written: a code of a score keeps the
    higher side first.
    """
    if not moves:
        return ()
    named = {unit_code(stem(lemma)): lemma for lemma in lemmas} | _BY_CODE
    return tuple(
        [
            Told(_what(one, named), _value(one, one.was, was), _value(one, one.now, now))
            for one in moves
        ]
    )


def _what(move: Moved, named: dict[int, str]) -> str | None:
    return _OF_KIND.get(move.kind) or named.get(move.unit)


def _value(move: Moved, value: int, written: Collection[str]) -> str:
    if move.kind is Kind.SCORE:
        return _score(*divmod(value, _SIDE), written)
    if move.kind is Kind.ORDINAL:
        return _ordinal(value // MILLION)
    if move.kind is Kind.CLOCK:
        return f"{value // 60:02}:{value % 60:02}"
    if move.kind is Kind.DAY:
        return shown(value)
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
