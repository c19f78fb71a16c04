"""A document as the methods of the seeds read it."""

from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from newsdedup.core.facts.numbers import find_numbers
from newsdedup.core.model import Document, Term
from newsdedup.core.text.sentences import sentences
from newsdedup.core.text.words import tokens
from newsdedup.core.words.vocabulary import Vocabulary

SHORTEST = 4
"""Letters of the shortest word: seed 000 leaves out those of three letters and fewer."""

COUNTED = 3
"""Letters of the shortest word that counts in the length of a document (seed 000, A12)."""


class Passage(NamedTuple):
    """A stretch of the text: its words and its numbers, each in their order."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The text of a document after the preprocessing of seed 000.

    Words are lemmas, without stop words and without those of three letters and fewer; our
    reading: the lemma is measured, not the form.
    """

    text: str
    """The clean text as it stands; the title is its first line."""
    whole: Passage
    body: Passage
    """Without the title."""
    lead: Passage
    """The first paragraph behind the title."""
    sentences: tuple[tuple[str, ...], ...]
    """The sentences that hold words, the title's first."""
    length: int
    """Words of three letters and more, as they stand in the text."""
    terms: tuple[Term, ...]
    """The content lemmas with their weights, as the engine signs them."""
    facts: tuple[str, ...]
    """The distinct numbers, sorted."""

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words of the whole text in order."""
        return self.whole.words


def read(document: Document, vocabulary: Vocabulary) -> Reading:
    """Return the reading of a document; the vocabulary must be the one that made it."""
    passages: list[Passage] = []
    found: list[tuple[str, ...]] = []
    length = 0
    for line in document.text.split("\n"):
        here: list[tuple[str, ...]] = []
        for sentence in sentences(line):
            forms = tokens(sentence)
            length += sum([len(form) >= COUNTED for form in forms])
            lemmas = [term.lemma for term in vocabulary.terms(forms, document.lang)]
            here.append(tuple([lemma for lemma in lemmas if len(lemma) >= SHORTEST]))
        passages.append(Passage(tuple(chain.from_iterable(here)), tuple(find_numbers(line))))
        found += filter(None, here)
    return Reading(
        text=document.text,
        whole=_joined(passages),
        body=_joined(passages[1:]),
        lead=_joined(passages[1:2]),
        sentences=tuple(found),
        length=length,
        terms=document.terms,
        facts=document.numbers,
    )


def _joined(passages: list[Passage]) -> Passage:
    return Passage(
        tuple(chain.from_iterable([passage.words for passage in passages])),
        tuple(chain.from_iterable([passage.numbers for passage in passages])),
    )
