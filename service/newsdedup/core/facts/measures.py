"""Whether two codes may count the same thing: 5 tons are not 5 kilograms, whatever they are of."""

from newsdedup.core.facts.codes import UNIT, unit_code
from newsdedup.core.facts.units import CENT, PERCENT, UNITS

_ALIKE = (
    *(("person", "killed"), ("person", "injured"), (PERCENT, "point")),
    *[(CENT, currency) for currency in ("usd", "eur", "rub", "uah")],
)
"""Units that may count the same: of the people of one text another says what happened to them."""


def _measures() -> dict[int, int]:
    """Return a bit for each unit and for each two that are alike, by the code of the unit."""
    bits = {unit: 1 << place for place, unit in enumerate(sorted(UNITS))}
    for place, pair in enumerate(_ALIKE, len(bits)):
        for unit in pair:
            bits[unit] |= 1 << place
    return {unit_code(unit): found for unit, found in bits.items()}


_MEASURES = _measures()


def other_measure(left: int, right: int) -> bool:
    """Return whether two codes count what is known to be different: percents and roubles.

    Nouns prove nothing: "5 workers" and "5 people" may be the same five.
    """
    ours = _MEASURES.get(left & UNIT)
    if ours is None:
        return False
    theirs = _MEASURES.get(right & UNIT)
    return theirs is not None and not ours & theirs
