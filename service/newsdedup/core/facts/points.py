"""Points of percentages: "на 0,5 п.п.", "на 50 базисных пунктов"."""

import re

from newsdedup.core.facts.units import PERCENT

_points = re.compile(
    r"[ -]?(?:(?P<base>б\. ?п\b|бп\b|(?:базисн|базов)\w+ пункт|bps?\b|basis point)"
    r"|[пв]\. ?п\b|пп\b)"
)
POINTS = ("б", "п", "в", "bp", "bas")
"""How words begin of which such points may be told."""
_BASE = 100


def in_percents(lower: str, end: int, value: int, step: int, unit: str) -> tuple[int, int, str]:
    """Return value, step and unit of a number in percents if it ends before points of them."""
    found = _points.match(lower, end)
    if found is None:
        return value, step, unit
    if found["base"] is None:
        return value, step, PERCENT
    return value // _BASE, max(1, step // _BASE), PERCENT
