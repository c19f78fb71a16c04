"""What a text says beside its words and numbers: scripts that `tokens` does not know, and signs."""

import re
from unicodedata import category

from newsdedup.core.text.words import LETTERS

_CURRENCY = "$\xa2-\xa5\u058f\u060b\u07fe\u07ff\u17db\u20a0-\u20cf\ua838\ufdfc"
_COUNTED = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No", "Sc"))
"""Letters, the marks on them, digits and currency signs. Other characters are typography."""
# "-25" is no "25". A hyphen in a word ("COVID-19"), a range ("5-7", "5%-7%") or a dash with a space
# behind it is no minus. The number begins with the same digit however it is written.
_MINUS = rf"(?<![^\s(])-[{_CURRENCY}]?[0-9]"
# More digits than `said_numbers` takes for a number.
_LONG = r"[0-9](?=(?:[0-9]|[.,:](?=[0-9])){24})(?:[0-9]++|[.,:](?=[0-9]))*+"
_SIGN = rf"[^\x00-\x7f{LETTERS}]+|\$|{_MINUS}|{_LONG}"
# What is no sign is passed over by a repetition, several times as fast as a search.
_sign = re.compile(rf"[\x00-#%-,./:-\x7f{LETTERS}]*+(?:({_SIGN})|-|[0-9]++|\Z)")


def find_signs(text: str) -> list[str]:
    """Return them in the order of the text, letters in lower case."""
    found = [_counted(sign) for sign in filter(None, _sign.findall(text))]
    return [sign for sign in found if sign]


def _counted(sign: str) -> str:
    if sign[0] < "\x80":
        return sign
    return "".join([one for one in sign if category(one) in _COUNTED]).lower()
