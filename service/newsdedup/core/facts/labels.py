"""Numbers that are names: "ст. 15", "N 5", "на улице Мира, 10", "Boeing 737"."""

import re

from newsdedup.core.facts.around import Around
from newsdedup.core.facts.fact import MILLION
from newsdedup.core.facts.units import known, noun

PLANES = ("boeing", "боинг", "боинга", "боінг", "боїнг")
"""What stands before the number of a plane: "Boeing 737-500"."""
_LABELS = frozenset(
    (
        *("n", "no", "nr", "ст", "ч", "п", "пп", "стр", "art", "article", "section"),
        *("airbus", *PLANES),
    )
)
_HOUSES = frozenset(
    ("дом", "доме", "дома", "дому", "домом", "д", "будинок", "будинку", "будинком", "буд")
)
_HIGHEST_HOUSE = 400 * MILLION
_street = re.compile(
    r"(?<!\w)(?:ул|вул|просп|пр|пр-т|пр-кт|пер|пров|пл|бул|наб|ш|улиц\w+|вулиц\w+|проспект\w*"
    r"|переул\w+|провул\w+|площад\w+|площ[іау]\w*|бульвар\w*|шосс?е|набережн\w+)"
    r"\.? [^,.;\n\d]{2,32}, \Z"
)
_LONGEST_STREET = 56
_OF_MANY = ("ов", "ев", "ёв", "ів", "їв", "ей", "их", "ых")
"""Endings of what is counted, not of what happened there: "на улице Мира, 10 домов"."""


def is_name(around: Around, unit: str) -> bool:
    """Return whether a number behind a label or a street counts nothing."""
    label = around.label
    if label in _LABELS:
        return unit != "minute"  # "в 9 ч 30 мин"
    if label in _HOUSES:
        return not (known(around.words[0]) or noun(around.words[0]))
    return around.before.endswith(", ") and _of_a_house(around)


def _of_a_house(around: Around) -> bool:
    """Return whether the number stands behind a street: "на улице Мира, 10, загорелся дом"."""
    numeral, word = around.numeral, around.words[0]
    if (
        not numeral.plain
        or numeral.value > _HIGHEST_HOUSE
        or known(word)
        or word.endswith(_OF_MANY)
    ):
        return False
    start = numeral.start
    return _street.search(around.lower, max(0, start - _LONGEST_STREET), start) is not None
