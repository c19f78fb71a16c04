"""What the methods of the papers read: a document as words and shingles, a corpus as counts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import xxhash
from xxhash import xxh3_64_intdigest

from newsdedup.core.model import Document, Term
from newsdedup.core.text.tokens import find_numbers, sentences, tokens
from newsdedup.core.words.background import PRIOR, UNSEEN_DOCUMENTS, Background, Frequency
from newsdedup.core.words.vocabulary import Vocabulary
from newsdedup.core.words.weights import Weighting

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
    """Return a document as the methods read it; `vocabulary` must be that of its terms."""
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
    """Return a 64-bit hash of the `size` words from each word on; the first follow the last."""
    repeats = -(-(size - 1) // len(words)) if words else 0
    return hash_shingles((*words, *(tuple(words) * repeats)[: size - 1]), size)


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """Counts of a collection, frozen and versioned: N, df and cf of a word, mean length."""

    documents: int
    """N."""
    mean_length: float
    """Words of a mean document: dl_avg."""
    frequencies: Mapping[str, Frequency]
    """What is counted of a word; N goes with it, since a background has one per language."""
    version: str
    """A hash of the counts."""

    def frequency(self, word: str) -> Frequency:
        """Return how common a word is; one that was not counted counts as in one document."""
        return self.frequencies.get(word) or Frequency(
            UNSEEN_DOCUMENTS, UNSEEN_DOCUMENTS, self.documents
        )

    def rarest_first(self, words: Iterable[str]) -> list[str]:
        """Return the words by their share of documents, rare ones first, then by alphabet."""
        known = [(self.frequency(word), word) for word in words]
        return [word for _, word in sorted((one.df / one.documents, word) for one, word in known)]


NO_CORPUS = CorpusStats(1, 1.0, {}, "nothing")
"""Knows no word: enough for the local methods."""


def count_corpus(texts: Iterable[PreparedText]) -> CorpusStats:
    """Return the counts of texts, with one N for all words."""
    documents = 0
    holding: Counter[str] = Counter()
    occurring: Counter[str] = Counter()
    for prepared in texts:
        documents += 1
        holding.update(set(prepared.words))
        occurring.update(prepared.words)
    frequencies = {
        word: Frequency(df, occurring[word], max(1, documents))
        for word, df in sorted(holding.items())
    }
    # Of an empty collection, N and the mean length are 1: nothing is divided by zero.
    mean = occurring.total() / documents if occurring else 1.0
    return _versioned(max(1, documents), mean, frequencies)


def corpus_from_background(background: Background) -> CorpusStats:
    """Return a background as a corpus, each word with the counts of its commonest language."""
    words = {word for count in background.counts.values() for word in count.lemmas}
    frequencies = {
        word: frequency
        for word in sorted(words)
        if (frequency := background.frequency(word)) is not None
    }
    return _versioned(max(PRIOR, background.documents), background.mean_length, frequencies)


def _versioned(
    documents: int, mean_length: float, frequencies: Mapping[str, Frequency]
) -> CorpusStats:
    """Return the counts as a corpus, with their hash as its version."""
    digest = xxhash.xxh3_64(f"{documents} {mean_length!r}".encode())
    for word, (df, cf, of) in frequencies.items():
        digest.update(f"\n{word} {df} {cf} {of}".encode())
    return CorpusStats(documents, mean_length, frequencies, digest.hexdigest())


def weigh_words(
    words: Sequence[str], corpus: CorpusStats, weighting: Weighting
) -> dict[str, float]:
    """Return the weight of every distinct word of a document: its share there times its rarity."""
    if not words:
        return {}
    counted = Counter(words)
    highest = max(counted.values())
    length = len(words) / corpus.mean_length
    shares = {tf: weighting.share(tf, highest, length) for tf in set(counted.values())}
    frequency, worth = corpus.frequency, weighting.worth
    return {word: shares[tf] * worth(frequency(word)) for word, tf in counted.items()}
