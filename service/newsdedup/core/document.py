from dataclasses import dataclass
from typing import NamedTuple

import xxhash

from newsdedup.core.facts.names import find_names
from newsdedup.core.facts.numbers import distinct_numbers as distinct
from newsdedup.core.facts.numbers import find_numbers, find_signed_numbers
from newsdedup.core.model import Document, NewsItem, Version
from newsdedup.core.text.clean import clean
from newsdedup.core.text.language import detect_language
from newsdedup.core.text.words import find_signs, tokens
from newsdedup.core.words.vocabulary import Vocabulary

CLEANING_RULES = 1
"""Raised whenever the same item could get another text, language or words: keys, entries and
background tables of another number do not fit. tests/core/test_document.py notices a change."""

VERSION_RULES = 2
"""Raised whenever an item with the same text could get another version: states do not fit then,
background tables do."""


class ReadItem(NamedTuple):
    """A document, and what is of use only while it is analyzed."""

    document: Document
    forms: list[str]
    """Its words in their order, as `tokens` gives them."""


@dataclass(frozen=True, slots=True)
class Analyzer:
    """The way from an item to a document: cleaned, lemmatized, its facts noted."""

    vocabulary: Vocabulary

    def document(self, item: NewsItem) -> Document:
        """Return what the item says; the same item gives the same document in every process."""
        return self.read(item).document

    def read(self, item: NewsItem) -> ReadItem:
        """Return the document of an item, with the words that it was made of."""
        title, text = clean(item.title, item.text)
        lang = detect_language(text)
        forms = tokens(text)
        numbers, beside = find_numbers(text), find_signs(text)
        # Few texts have a minus sign, which `signs` has looked for.
        below = any(sign.startswith("-") for sign in beside)
        document = Document(
            lang=lang,
            title=title,
            text=text,
            terms=tuple(self.vocabulary.terms(forms, lang)),
            numbers=distinct(find_signed_numbers(text) if below else numbers),
            names=find_names(text, self.vocabulary, lang),
            version=content_version(normal_content(forms, numbers, beside) or _unread(item)),
        )
        return ReadItem(document, forms)

    @property
    def reading(self) -> str:
        """Return the version of the way from text to lemmas: what a table is counted with."""
        return f"cleaning {CLEANING_RULES}, {self.vocabulary.reading}"

    @property
    def version(self) -> str:
        """Return the version of everything that a document depends on."""
        return f"cleaning {CLEANING_RULES}, versions {VERSION_RULES}, {self.vocabulary.version}"


def normal_content(forms: list[str], numbers: list[str], beside: list[str]) -> str:
    """Return what a text says: words, numbers and signs, each in their order; "" if nothing.

    Spaces, punctuation, capitals and markup do not count.
    """
    words = f"{' '.join(forms)}\n{' '.join(numbers)}"
    if beside:
        return f"{words}\n{' '.join(beside)}"
    return words if len(words) > 1 else ""


def _unread(item: NewsItem) -> str:
    """Return an item that says nothing in words, as pictographs do, without its spaces."""
    return " ".join(f"{item.title} {item.text}".split())


def content_version(what: str) -> Version:
    """Return the hash of what an item says."""
    return Version(xxhash.xxh3_128_hexdigest(what.encode("utf-8", "surrogatepass")))
