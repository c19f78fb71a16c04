"""Marks by which a source says that a report was changed: "UPDATE 2-", "(дополнено)".

A mark is an ordinal of the unit EDITION: the second update is the second of its order. Two of them
move as any ranks do, and a text that has one where the earlier text of its source has none reports
something new.
"""

import re
from collections.abc import Collection

from newsdedup.core.facts.fact import (
    FIRST_ORDINAL,
    MILLION,
    ORDINAL_CODES,
    UNIT_MASK,
    Codes,
    unit_code,
)
from newsdedup.data.lang import words

EDITION = "edition"
"""The unit of marks."""
EDITION_UNIT = unit_code(EDITION)

_MARKS = words("labels.editions")
_SEARCHED = 400
"""Characters at the beginning of a text that are searched: its title and the line behind it."""
_LINES = 2
_mark = "|".join(sorted(map(re.escape, _MARKS), key=lambda word: (-len(word), word)))
_number = r"(?: ?(?P<{}>[1-9][0-9]?)(?![0-9.,:]*[0-9]))?"
_edition = re.compile(
    # At the beginning of a line, perhaps behind an emoji: "UPDATE 2-Minister resigns"
    rf"(?:\A|\n)[^\w\n(\[]{{0,6}}(?:{_mark}){_number.format('leading')} ?[:.)\]|-]"
    # In brackets at its beginning or at its end: "(Updates with details)"
    rf"|(?:\A|\n)[^\w\n(\[]{{0,6}}[(\[](?:{_mark})\b{_number.format('begun')}[^)\]\n]{{0,120}}[)\]]"
    rf"|[(\[](?:{_mark})\b{_number.format('ended')}[^)\]\n]{{0,40}}[)\]]\W{{0,3}}(?=\n|\Z)"
    # At its end: "Warning has passed: update"
    rf"|[:|-] ?(?:{_mark}){_number.format('last')}[.!]?(?=\n|\Z)"
)


def find_edition(lower: str, forms: Collection[str]) -> tuple[int, int, int] | None:
    """Return start, end and number of the mark of a text in lower case, None if it has none.

    `forms` are its tokens. A mark without a number is the first.
    """
    if _MARKS.isdisjoint(forms):
        return None
    found = _edition.search(lower, 0, _SEARCHED)
    if found is None or lower.count("\n", 0, found.start()) >= _LINES:
        return None
    number = next(filter(None, found.groups()), "1")
    start = found.start() + (found[0][0] == "\n")
    return start, found.end(), int(number) * MILLION


def edition_codes(codes: Codes) -> frozenset[int]:
    """Return those codes of facts that are marks of editions."""
    if not codes or codes[-1] < FIRST_ORDINAL:
        return frozenset()
    return frozenset(
        [code for code in codes if code & UNIT_MASK == EDITION_UNIT and code in ORDINAL_CODES]
    )
