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
_local = re.compile(r"[0-9]{2,3}-[0-9]{2}-[0-9]{2}\Z")
_code = re.compile(
    r"(?:(?:\+[0-9]{1,3}|\b8)[ -]?)?(?:\([0-9]{3,5}\)|(?<=[0-9][ -])[0-9]{3,5})[ -]?\Z"
)
"""The numbers of a country and a town before that of a telephone: "+7 (914) 544-55-32"."""
_LONGEST_CODE = 14
_LEAST_DIGITS = 9
BEFORE = "+("
"""What may stand before a telephone number."""


def telephone(lower: str, start: int) -> int:
    """Return where the telephone number ends that begins there, or 0 where there is none."""
    found = _number.match(lower, start)
    if found is None or lower[found.end() : found.end() + 1].isdigit():
        return 0
    return found.end() if sum(map(str.isdigit, found[0])) >= _LEAST_DIGITS else 0


def is_local(literal: str) -> bool:
    """Return whether a literal is a number without the code of its town: "544-55-32"."""
    return _local.match(literal) is not None


def code_begun(lower: str, start: int) -> int:
    """Return where the code begins before a number that begins there; the start if it has none."""
    code = _code.search(lower, max(0, start - _LONGEST_CODE), start)
    return start if code is None else code.start()
