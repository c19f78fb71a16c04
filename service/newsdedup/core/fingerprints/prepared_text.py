"""A document as the methods of the papers read it: words, sentences and shingles."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from newsdedup.core.model import Document, Term
from newsdedup.core.text.tokens import find_numbers, sentences, tokens
from newsdedup.core.words.vocabulary import Vocabulary

_SHORTEST_WORD = 4
"""Characters of the shortest word: paper 000 leaves out those of three letters and fewer."""
_SHORTEST_COUNTED = 3
"""Characters of the shortest word that counts in the length of a document (paper 000, A12)."""


class TextPart(NamedTuple):
    """A stretch of the text: its words and its numbers, each in their order."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PreparedText:
    """The text of a document after the preprocessing of paper 000.

    Words are lemmas, without stop words and without those of three letters and fewer; our
    reading: the lemma is measured, not the form.
    """

    text: str
    """The clean text; the title is its first line."""
    whole: TextPart
    body: TextPart
    """Without the title."""
    lead: TextPart
    """The first paragraph behind the title."""
    sentences: tuple[tuple[str, ...], ...]
    """The sentences that hold words, the title's first."""
    length: int
    """Words of three letters and more, as the text writes them."""
    terms: tuple[Term, ...]
    """The content lemmas with their weights, as the engine signs them."""
    facts: tuple[str, ...]
    """The distinct numbers, sorted."""

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words of the whole text in order."""
        return self.whole.words


def prepare_text(document: Document, vocabulary: Vocabulary) -> PreparedText:
    """Return a document as the methods read it; the vocabulary must be the one that made it."""
    passages: list[TextPart] = []
    found: list[tuple[str, ...]] = []
    length = 0
    for line in document.text.split("\n"):
        here: list[tuple[str, ...]] = []
        for sentence in sentences(line):
            forms = tokens(sentence)
            length += sum([len(form) >= _SHORTEST_COUNTED for form in forms])
            lemmas = [term.lemma for term in vocabulary.terms(forms, document.lang)]
            here.append(tuple([lemma for lemma in lemmas if len(lemma) >= _SHORTEST_WORD]))
        passages.append(TextPart(tuple(chain.from_iterable(here)), tuple(find_numbers(line))))
        found += filter(None, here)
    return PreparedText(
        text=document.text,
        whole=_joined(passages),
        body=_joined(passages[1:]),
        lead=_joined(passages[1:2]),
        sentences=tuple(found),
        length=length,
        terms=document.terms,
        facts=document.numbers,
    )


def _joined(passages: list[TextPart]) -> TextPart:
    """Return the words and the numbers of several parts as one part."""
    return TextPart(
        tuple(chain.from_iterable([passage.words for passage in passages])),
        tuple(chain.from_iterable([passage.numbers for passage in passages])),
    )


def hash_shingles(words: Sequence[str], size: int) -> list[int]:
    """Return a 64-bit hash of every run of `size` words, in order, with repetitions.

    A text of fewer words is one run, so that any text with words has shingles (Fetterly 2003).
    """
    if not words:
        return []
    runs = zip(*[words[start:] for start in range(size)], strict=False)
    hashed = list(map(xxh3_64_intdigest, map(str.encode, map(" ".join, runs))))
    return hashed or [xxh3_64_intdigest(" ".join(words).encode())]


def hash_wrapped_shingles(words: Sequence[str], size: int) -> list[int]:
    """Return a 64-bit hash of the run of `size` words from each word on, around the end."""
    repeats = -(-(size - 1) // len(words)) if words else 0
    return hash_shingles((*words, *(tuple(words) * repeats)[: size - 1]), size)
