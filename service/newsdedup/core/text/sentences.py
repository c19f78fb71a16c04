"""Paragraphs and sentences of clean text."""

import re
from collections.abc import Iterator
from itertools import chain, pairwise

from newsdedup.data.lang import words

_UPPER = "A-ZА-ЯІЇЄҐЁ\u00c0-\u00de"
_LOWER = "a-zа-яіїєґё"
# The last form mends what extraction glued: "...полива.Рани ждет...".
_end = re.compile(
    r"[.!?\n](?:(?<=\n)|(?<![.!?].)[.!?]*+[\"'»”)\]]*+"
    rf"(?: +(?=(?:- )?[\"'«„“(\[]{{0,3}}[{_UPPER}\d])"
    rf"|(?<=[{_LOWER}][.!?])(?=[{_UPPER}][{_LOWER}])))"
)
_last_word = re.compile(r"([\w-]*)\.\Z")


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
    for end in _end.finditer(text):
        if end[0] == "\n" or _divides(text, start, end):
            start = end.end()
            yield start


def _divides(text: str, start: int, end: re.Match[str]) -> bool:
    """Return whether a match of `_end` ends the sentence that began at index `start`."""
    stop = end.start()
    if end[0].rstrip() != ".":
        return True
    last = _last_word.search(text, max(start, stop - 24), stop + 1)
    word = "" if last is None else last[1]
    if not end[0].endswith(" "):  # "Яндекс.Дзен" is a name
        return len(word) > 1 and word.islower()
    before = text[max(start, stop - len(word) - 2) : stop - len(word)].strip()
    return _ends_sentence(word, before=before, after=text[end.end()])


def _ends_sentence(word: str, *, before: str, after: str) -> bool:
    """Return whether a full stop behind a word ends a sentence; after an abbreviation it may not.

    `before` are up to two characters before the word, `after` is the first one of what follows.
    """
    lower = word.lower()
    if lower in _BEHIND_YEARS and before[-1:].isdigit():
        return True
    if lower in _BEHIND_NUMBERS:
        return not after.isdigit()
    initial = len(word) == 1 and word.isupper()
    list_number = word.isdigit() and not before
    return not (initial or list_number or lower in _INSIDE)
