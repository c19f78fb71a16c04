"""The words, numbers, signs and sentences of a text."""

import re
from collections.abc import Iterator
from itertools import chain, pairwise
from unicodedata import category

from newsdedup.data.lang import words

_ALPHABETS = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0370-\u03ff\u0400-\u0481\u048a-\u052f"
    "\u0531-\u0587\u05d0-\u05ea\u0620-\u064a\u0671-\u06d5\u0900-\u0963\u0971-\u0eff\u1000-\u109f\u10a0-\u10ff\u1200-\u137f"
    "\u1780-\u17d3\u1e00-\u1fff"
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


_DIGITS = "1203456789"
"""The commonest first: most texts that hold a digit hold one of these."""
LONGEST_NUMBER = 24
"""Longer runs of digits are account numbers and noise."""

# Groups of three after a space are one number (12 500), unless a year precedes (2024 100).
_NUMBER = r"[0-9]+(?:(?<![0-9]{4})(?: [0-9]{3}(?![0-9])){1,4})?(?:[.,:][0-9]+)*(?: ?%)?"
# What is no digit is passed over by a repetition, which the engine does in half the time of a
# search. The end of the text is a match too, or the rest of the text would be tried from each of
# its characters.
NUMBER = re.compile(rf"[^0-9]*+(?:({_NUMBER})|\Z)")


def find_numbers(text: str) -> list[str]:
    """Return the canonical numbers of the text in its order, repeated ones, too."""
    if not any(map(text.__contains__, _DIGITS)):
        return []
    written = NUMBER.findall(text)
    # The match at the end of the text is empty.
    return [canonical_number(n) for n in written if 0 < len(n) <= LONGEST_NUMBER]


def canonical_number(written: str) -> str:
    """Return one spelling for all spellings of a number.

    "1 200", "1,200" and "1200" are "1200"; "3,5" and "3.50" are "3.5"; "15 %" is "15%"; scores
    and times ("2:1"), dates and versions ("5.11.2024") stay as written.

    A comma before exactly three digits is taken for the English thousands sign, since Russian
    and Ukrainian news seldom gives three decimals; a dot is always decimal.
    """
    if written.isdigit():
        return written.lstrip("0") or "0"
    number = written.rstrip(" %")
    percent = "%" if number != written else ""
    whole, *rest = number.replace(" ", "").replace(",", ".").split(".")
    if ":" in number or (len(rest) > 1 and "," not in number):
        return number + percent
    if rest and "," in number and whole != "0":
        while rest and len(rest[0]) == 3:
            whole += rest.pop(0)
    whole = whole.lstrip("0") or "0"
    decimals = ".".join(rest).rstrip("0")
    return f"{whole}.{decimals}{percent}" if decimals else whole + percent


_CAPITALS = "".join([one for one in map(chr, range(0x100, 0x2000)) if one.isupper()])
UPPER = f"A-ZА-ЯІЇЄҐ\u00c0-\u00de{_CAPITALS}"
"""The capital letters of all alphabets, for a class of characters."""
# Letters without capitals that may begin a sentence; Thai ends none with a stop.
_CASELESS = "\u05d0-\u05ea\u0620-\u06d3\u0904-\u0dff\u10d0-\u10ff\uac00-\ud7a3"
_LOWER = "a-zа-яіїєґё"
# The last form mends what extraction glued: "...полива.Рани ждет...".
_end = re.compile(
    r"[.!?\n](?:(?<=\n)|(?<![.!?].)[.!?]*+[\"'»”)\]]*+"
    rf"(?: +(?=(?:- )?[\"'«„“(\[]{{0,3}}[{UPPER}{_CASELESS}\d])"
    rf"|(?<=[{_LOWER}][.!?])(?=[{UPPER}][{_LOWER}])))"
)
_STOPS = "\u0589\u061f\u06d4\u0964\u0965\u104b\u1362\u17d4\u3002"
"""Signs that end a sentence whatever follows: those of scripts without capitals, mostly."""
_HAN = "\u3040-\u30ff\u3400-\u9fff"
# Apart, because a search for characters of ASCII alone is faster.
_end_of_script = re.compile(rf"[{_STOPS}]|(?<=[{_HAN}])[!?]+(?=[{_HAN}])|{_end.pattern}")
_last_word = re.compile(r"([\w\u0900-\u0dff-]*)\.\Z")
# In scripts without capitals, with its vowel sign; Hindi ends sentences with such words, "है".
_caseless_initial = re.compile(r"[\u05d0-\u05ea\u0620-\u06d3\u0980-\u0dff\u10d0-\u10ff]\W*\Z")

BEFORE_NAMES = words("sentences.before_names")
"""Abbreviations before the name of a city, a street or a person."""
# A number follows, or the sentence goes on: neither these nor those end one.
_INSIDE = BEFORE_NAMES | words("sentences.before_numbers")
# The end of a sentence if a capital letter follows, not if a number does ("руб. 50 коп.").
_BEHIND_NUMBERS = words("sentences.behind_numbers")
_BEHIND_YEARS = words("sentences.behind_years")


def paragraphs(text: str) -> list[str]:
    """Return the lines of the text that are not blank."""
    return [line for line in text.split("\n") if line and not line.isspace()]


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of the text in order, stripped; each line has its own.

    A stop ends a sentence if space and a capital letter, number or quote follow, unless it follows
    an abbreviation ("ул.", "Mr."), an initial ("А. С. Пушкин", "U.S.") or a list number.
    """
    parts = pairwise(chain((0,), sentence_ends(text), (len(text),)))
    return filter(None, (text[start:end].strip() for start, end in parts))


def sentence_ends(text: str) -> Iterator[int]:
    """Yield ascending the index behind each newline and behind each stop that ends a sentence.

    The spaces after a stop belong to the sentence that it ends. The end of the text is not yielded
    unless it is a newline.
    """
    start = 0
    ends = _end_of_script if any(map(text.__contains__, _STOPS)) else _end
    for end in ends.finditer(text):
        if end[0] == "\n" or _divides(text, start, end):
            start = end.end()
            yield start


def _divides(text: str, start: int, end: re.Match[str]) -> bool:
    """Return whether a match of `_end` ends the sentence that began at index `start`.

    A full stop behind an abbreviation, an initial or the number of a list may end none.
    """
    stop = end.start()
    if end[0].rstrip() != ".":
        return True
    last = _last_word.search(text, max(start, stop - 24), stop + 1)
    word = "" if last is None else last[1]
    if not end[0].endswith(" "):  # "Яндекс.Дзен" is a name
        return len(word) > 1 and word.islower()
    before = text[max(start, stop - len(word) - 2) : stop - len(word)].strip()
    lower = word.lower()
    if lower in _BEHIND_YEARS and before[-1:].isdigit():
        return True
    if lower in _BEHIND_NUMBERS:
        return not text[end.end()].isdigit()
    initial = (len(word) == 1 and word.isupper()) or _caseless_initial.match(word)
    list_number = word.isdigit() and not before
    return not (initial or list_number or lower in _INSIDE)
