"""The names in a text, known by their capital letters."""

import re
from collections import Counter
from itertools import groupby

from newsdedup.core.model import Language
from newsdedup.core.text.sentences import BEFORE_NAMES
from newsdedup.core.words.vocabulary import Vocabulary

_CAPITAL = "[A-ZÀ-ÖØ-ÞА-ЯІЇЄҐ]"
_QUOTE = "[\"'(]"
# What stands before the space is neither the end of a sentence nor the dash of speech or a list.
_INSIDE = "[^\\s.!?:*-]"
_WORD_BEGINS = '(?<![^\\s("])'
_LONGER = max(map(len, BEFORE_NAMES)) + 1


def _abbreviated() -> str:
    """Return a pattern that matches behind an abbreviation or an initial, its dot and a space."""
    listed = sorted(BEFORE_NAMES, key=len)
    alike = ["|".join(map(re.escape, words)) for _, words in groupby(listed, key=len)]
    known = "|".join([rf"(?<={_WORD_BEGINS}(?i:{words})\. )" for words in alike])
    # "в 1990 г. Мэр", "5 м. Мэр" and "и т. д. Мэр" have ended a sentence, "U.S. Analysts" may have.
    ended = r"(?<!\d \w\. )(?<!\d \w\w\. )(?<!т\. д\. )(?<!и пр\. )"
    initial = rf"(?<={_WORD_BEGINS}{_CAPITAL}\. )|(?<=\.[А-ЯІЇЄҐ]\. )"
    # Most sentences end with longer words, and are done with here.
    return rf"(?<=\. )(?<!\w{{{_LONGER}}}\. ){ended}(?:{initial}|{known})"


# It begins with a literal space, which the engine finds fast, and asks for the capital before it
# looks back: most words fail there.
_name = re.compile(
    f" (?:(?={_CAPITAL})(?:(?<={_INSIDE} )|{_abbreviated()})"
    f"|{_QUOTE}(?={_CAPITAL})(?<={_INSIDE} {_QUOTE}))"
    r"(\w+(?:['-]\w+)*)"
)


def find_names(text: str, vocabulary: Vocabulary, lang: Language) -> tuple[str, ...]:
    """Return up to 12 lemmas that the head of the text writes with a capital inside a sentence.

    The most frequent come first, equally frequent ones in alphabetical order. The headline of an
    English text is passed over where more follows: English prints its words with capitals.
    """
    prose = text.partition("\n")[2] if lang == "en" else ""
    capitalized = _name.findall(prose or text, 0, 2_000)
    if not capitalized:
        return ()
    terms = vocabulary.terms(map(str.lower, capitalized), lang)
    counted = Counter([term.lemma for term in terms])
    # Sorting keeps the order of equals, reversed or not.
    ranked = sorted(sorted(counted), key=counted.__getitem__, reverse=True)
    return tuple(ranked[:12])
