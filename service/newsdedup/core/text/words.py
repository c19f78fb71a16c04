"""The words of a text in lower case, and the signs next to its words."""

import re
from unicodedata import category

_ALPHABETS = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0370-\u03ff\u0400-\u0481\u048a-\u052f"
    "\u0531-\u0587\u05d0-\u05ea\u0620-\u064a\u0671-\u06d5\u0900-\u0eff\u10a0-\u10ff\u1e00-\u1fff"
    "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
)
# Ranges, because this class is twice as fast as [^\W\d_]. Part lengths are bounded, so that a
# line of noise becomes many small keys and never one huge key.
_PART = f"[{_ALPHABETS}]{{1,64}}+"
_word = re.compile(f"{_PART}(?:['-]{_PART}){{0,2}}+")


def tokens(text: str) -> list[str]:
    """Return the lower-case words in order: runs of letters; numbers are no tokens.

    Parts joined by an apostrophe or a hyphen are one word, as dictionaries have them ("п'ять",
    "из-за", "пресс-служба", "Ростов-на-Дону"). That ends at three parts: a longer chain is a
    phrase ("state-of-the-art"), rare as a whole, and what follows the third part is a new word.
    """
    return _word.findall(text.lower())


_CURRENCY = "$\xa2-\xa5\u058f\u060b\u07fe\u07ff\u17db\u20a0-\u20cf\ua838\ufdfc"
_COUNTABLE = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No", "Sc"))
"""Letters, combining marks, digits and currency signs. Other characters are typography."""
# "-25" is no "25". A hyphen in a word ("COVID-19"), a range ("5-7", "5%-7%") or a dash with a space
# behind it is no minus. The number begins with the same digit however it is written.
_MINUS = rf"(?<![^\s(])-[{_CURRENCY}]?[0-9]"
# More digits than `find_numbers` takes for a number.
_LONG = r"[0-9](?=(?:[0-9]|[.,:](?=[0-9])){24})(?:[0-9]++|[.,:](?=[0-9]))*+"
_SIGN = rf"[^\x00-\x7f{_ALPHABETS}]+|\$|{_MINUS}|{_LONG}"
# What is no sign is passed over by a repetition, several times as fast as a search.
_sign = re.compile(rf"[\x00-#%-,./:-\x7f{_ALPHABETS}]*+(?:({_SIGN})|-|[0-9]++|\Z)")


def find_signs(text: str) -> list[str]:
    """Return what a text has besides words and plain numbers, in its order, letters in lower case.

    These are letters of further scripts, currency signs, a minus sign with the first digit behind
    it, and numbers of more than 24 digits.
    """
    signs = [_countable(sign) for sign in filter(None, _sign.findall(text))]
    return [sign for sign in signs if sign]


def _countable(sign: str) -> str:
    """Return the letters, digits and currency signs of a matched sign; ASCII stays as it is."""
    if sign[0] < "\x80":
        return sign
    return "".join([one for one in sign if category(one) in _COUNTABLE]).lower()
