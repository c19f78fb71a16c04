"""Areas, volumes and speeds: what is counted in them is no length."""

import re

from newsdedup.core.facts.units import LENGTHS, known

BEFORE_LENGTHS = frozenset(("кв", "куб", "sq", "cu"))
"""Words that may touch the length behind them: "кв.м"."""
_THIRD = ("куб", "cu")
_HOURS = frozenset(("час", "ч", "год", "годину", "hour", "h", "hr"))
_compound = re.compile(
    r"\.?[ -]?(?:(кв|квадрат\w{1,6}|sq|square|куб|куб[иі]ч\w{1,6}|cu|cubic)(?:\. ?| ))?"
    r"([^\W\d_]{1,14})([23]?)(?!\w)"
    r"(?: ?/ ?(час|ч|год|hour|hr|h|сек|с|sec|s)(?!\w)"
    r"| (?:в|за|на|per|an?) (час|годину|hour|секунду|second)(?!\w))?"
)


def compound(lower: str, end: int, unit: str) -> str:
    """Return the area, the volume or the speed behind the end of a number, else the unit.

    "120 кв. метров" are "m2", "90 km/h" are "km/h".
    """
    found = _compound.match(lower, end)
    if found is None:
        return unit
    before, word, behind, by, said = found.groups()
    length = known(word)
    if length not in LENGTHS:
        return unit
    power = behind
    if before is not None:
        power = "3" if before.startswith(_THIRD) else "2"
    time = by or said
    per = "" if time is None else "/h" if time in _HOURS else "/s"
    return f"{length}{power}{per}"
