"""From an item to its document: clean text, language, terms, numbers, names and version."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby, islice
from typing import NamedTuple

import xxhash

from newsdedup.core.facts.context import find_signed_numbers
from newsdedup.core.model import Document, Language, NewsItem, Version
from newsdedup.core.text.clean import clean
from newsdedup.core.text.language import LanguageDetector, detect_language
from newsdedup.core.text.scripts import WITHOUT_CASE, spell_alike
from newsdedup.core.text.tokens import BEFORE_NAMES, UPPER, find_numbers, find_signs, tokens
from newsdedup.core.words.vocabulary import STEMMED, Vocabulary
from newsdedup.data.languages import LANGUAGE_ROWS

CLEANING_RULES = 1
"""Raised whenever the same item could get another text, language or words: keys, entries and
background tables of another number do not fit. tests/core/test_document.py notices a change."""

VERSION_RULES = 2
"""Raised whenever an item with the same text could get another version: states do not fit then,
background tables do."""


class ReadItem(NamedTuple):
    """A document, and the word forms that only the analysis needs."""

    document: Document
    forms: list[str]
    """The words of the text in order, as `tokens` returns them."""


@dataclass(frozen=True, slots=True)
class Analyzer:
    """Makes documents: cleans the text, finds its terms, numbers and names, hashes its content."""

    vocabulary: Vocabulary
    detector: LanguageDetector | None = None
    """Tells languages apart where letters and common words do not; None leaves these "other"."""

    def document(self, item: NewsItem) -> Document:
        """Return the document of an item; it is the same in every process."""
        return self.read(item).document

    def read(self, item: NewsItem) -> ReadItem:
        """Clean an item; return its document and the lower-case words of its clean text."""
        title, text = clean(item.title, item.text)
        lang = detect_language(text, claimed=item.lang, detector=self.detector)
        title, text = spell_alike(title, lang), spell_alike(text, lang)
        forms = tokens(text)
        numbers, signs = find_numbers(text), find_signs(text)
        # Few texts have a minus sign; `find_signs` has looked for it.
        below = any(sign.startswith("-") for sign in signs)
        document = Document(
            lang=lang,
            title=title,
            text=text,
            terms=tuple(self.vocabulary.terms(forms, lang)),
            numbers=distinct_numbers(find_signed_numbers(text) if below else numbers),
            names=find_names(text, self.vocabulary, lang),
            version=_version(item, forms, numbers, signs),
        )
        return ReadItem(document, forms)

    def written(self, document: Document) -> dict[str, str]:
        """Return for each stem of a text the first word that has it; none if it has no stems."""
        if document.lang not in STEMMED:
            return {}
        return self.vocabulary.written(tokens(document.text), document.lang)

    @property
    def reading(self) -> str:
        """Return the versions of cleaning, lemmas and stop words; a table fits only one."""
        return f"cleaning {CLEANING_RULES}, {self.vocabulary.reading}"

    @property
    def version(self) -> str:
        """Return as text the versions of everything that a document depends on."""
        return f"cleaning {CLEANING_RULES}, versions {VERSION_RULES}, {self.vocabulary.version}"


def _version(item: NewsItem, forms: list[str], numbers: list[str], signs: list[str]) -> Version:
    """Return 128 bits of xxh3 of the words, numbers and signs of a text, as hexadecimal digits.

    Spaces, punctuation, capitals and markup do not count: equal contents are equal versions. An
    item without any words, numbers and signs is hashed by its raw text with single spaces.
    """
    content = f"{' '.join(forms)}\n{' '.join(numbers)}"
    if signs:
        content = f"{content}\n{' '.join(signs)}"
    elif content == "\n":
        content = " ".join(f"{item.title} {item.text}".split())
    return Version(xxhash.xxh3_128_hexdigest(content.encode("utf-8", "surrogatepass")))


def distinct_numbers(numbers: Iterable[str]) -> tuple[str, ...]:
    """Return the first 64 distinct numbers, sorted as text."""
    return tuple(sorted(islice(dict.fromkeys(numbers), 64)))


WITHOUT_NAMES = frozenset(
    code for code, row in LANGUAGE_ROWS.items() if not row.names or row.script in WITHOUT_CASE
)
_CAPITAL = f"[{UPPER}]"
_QUOTE = "[\"'(]"
# What precedes the space is neither the end of a sentence nor the dash of speech or a list.
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


_CAPITALIZING = frozenset(("en", "id", "ms"))
"""Languages that capitalize the words of headlines."""


def find_names(text: str, vocabulary: Vocabulary, lang: Language) -> tuple[str, ...]:
    """Return up to 12 lemmas of capitalized words, other than a sentence's first, of a text.

    The most frequent come first, equally frequent ones in alphabetical order. Only the first 2,000
    characters count. A headline in capitals, and any in a language of _CAPITALIZING, is skipped if
    more text follows. None are found in languages whose capitals do not tell names.
    """
    if lang in WITHOUT_NAMES:
        return ()
    headline, _, rest = text.partition("\n")
    shouted = lang in LANGUAGE_ROWS and headline.isupper()
    prose = rest if shouted or lang in _CAPITALIZING else ""
    capitalized = _name.findall(prose or text, 0, 2_000)
    if not capitalized:
        return ()
    terms = vocabulary.terms(map(str.lower, capitalized), lang)
    counted = Counter([term.lemma for term in terms])
    # Sorting keeps the order of equals, reversed or not.
    ranked = sorted(sorted(counted), key=counted.__getitem__, reverse=True)
    return tuple(ranked[:12])
