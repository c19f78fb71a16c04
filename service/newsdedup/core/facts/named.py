import re
from collections import Counter

from newsdedup.core.model import Language
from newsdedup.core.vocabulary import Vocabulary

MOST_NAMES = 12
HEAD = 2_000
"""Characters in which names are looked for: who it is about stands at the head of a message."""

_CAPITAL = "[A-ZÀ-ÖØ-ÞА-ЯІЇЄҐ]"
_QUOTE = "[\"'(]"
# What stands before the space is neither the end of a sentence nor the dash of speech or a list.
_INSIDE = "[^\\s.!?:*-]"

# It begins with a literal space, which the engine finds fast, and asks for the capital before it
# looks back: most words fail there.
NAME = re.compile(
    f" (?:(?={_CAPITAL})(?<={_INSIDE} )|{_QUOTE}(?={_CAPITAL})(?<={_INSIDE} {_QUOTE}))"
    r"(\w+(?:['-]\w+)*)"
)


def names(text: str, vocabulary: Vocabulary, lang: Language) -> tuple[str, ...]:
    """Return up to 12 lemmas that the head of the text writes with a capital inside a sentence.

    The most frequent come first, equally frequent ones in alphabetical order. The headline of an
    English text is passed over where more follows: English prints its words with capitals.
    """
    prose = text.partition("\n")[2] if lang == "en" else ""
    capitalized = NAME.findall(prose or text, 0, HEAD)
    if not capitalized:
        return ()
    terms = vocabulary.terms(map(str.lower, capitalized), lang)
    counted = Counter([term.lemma for term in terms])
    # Sorting keeps the order of equals, reversed or not.
    ranked = sorted(sorted(counted), key=counted.__getitem__, reverse=True)
    return tuple(ranked[:MOST_NAMES])
