"""Telephone numbers in groups of digits: they count nothing."""

import re

_number = re.compile(
    # +44 20 7946 0958, +380 (67) 123-45-67
    r"(?<=\+)[1-9][0-9]{0,3}(?:[ -]?\(?[0-9]{1,6}\)?){2,6}"
    # (555) 123-4567
    r"|(?<=\()[2-9][0-9]{2}\) ?[0-9]{3}-[0-9]{4}"
    # 8 800 555 35 35
    r"|8[ -]\(?[0-9]{3,4}\)?[ -][0-9]{2,3}[ -][0-9]{2}[ -][0-9]{2}"
    # 0 800 123 456, 0800 555 111, 020 7946 0958, (044) 123 45 67
    r"|0[ -]?[0-9]{2,4}\)?(?:[ -][0-9]{2,4}){2,4}"
)
_LEAST_DIGITS = 9
BEFORE = "+("
"""What may stand before a telephone number."""


def telephone(lower: str, start: int) -> int:
    """Return where the telephone number ends that begins there, or 0 where there is none."""
    found = _number.match(lower, start)
    if found is None or lower[found.end() : found.end() + 1].isdigit():
        return 0
    return found.end() if sum(map(str.isdigit, found[0])) >= _LEAST_DIGITS else 0
