"""The background table: how common each lemma is in the news of each language, and its order."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log2
from typing import NamedTuple

import xxhash

from newsdedup.core.model import LANGUAGES, Document, Language

PIVOT_STEPS = 20
"""Steps of the frequency tf / tf_max, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Pivots:
    """The words that tell documents apart, each above its own frequency: what method A9 signs with.

    Thresholds are in steps; `version` is a hash of words and thresholds.
    """

    thresholds: Mapping[str, int]
    version: str


def make_pivots(thresholds: Mapping[str, int]) -> Pivots:
    """Return the thresholds, words in alphabetical order, with a hash of them as the version."""
    ordered = dict(sorted(thresholds.items()))
    return Pivots(ordered, xxhash.xxh3_64_hexdigest(render_thresholds(ordered).encode()))


def render_thresholds(thresholds: Mapping[str, int]) -> str:
    """Return a line for each word, in the given order: the word, a space and its threshold."""
    return "".join([f"{word} {threshold}\n" for word, threshold in thresholds.items()])


NO_PIVOTS = make_pivots({})
"""Without words: no document is signed."""


def parse_pivots(text: str) -> Pivots:
    """Return the pivots of lines by `render_thresholds`; raise ValueError for any other line."""
    pairs = [line.split(" ") for line in text.splitlines()]
    return make_pivots({word: int(threshold) for word, threshold in pairs})


LEAST_DOCUMENTS = 3
"""Lemmas of fewer documents are dropped: typing errors, and names that would reveal a text."""
PRIOR = 1_000
"""Documents without the lemma that every language is taken to have had before it was counted.

Three of 287 Ukrainian documents must not make a word commoner than three hundred of 22,000
Russian ones: docs/decisions/0003-background-and-weights.md."""
UNSEEN_DOCUMENTS = 1
"""Assumed documents of a lemma that the table lacks: fewer than LEAST_DOCUMENTS."""


class Frequency(NamedTuple):
    """How common a lemma is in the language in which it is commonest."""

    df: int
    """Documents that contain it."""
    cf: int
    """Its occurrences in them."""
    documents: int
    """Documents counted in that language, plus PRIOR."""


class LanguageCounts(NamedTuple):
    """The counted documents of one language."""

    documents: int
    words: int
    """Content words in all of them."""
    lemmas: Mapping[str, tuple[int, int]]
    """Lemma to the number of documents that contain it and the number of its occurrences."""


@dataclass(frozen=True)
class Background:
    """How common lemmas are in news.

    Every language is counted separately, and a lemma is as common as it is where it is commonest.
    Otherwise a Ukrainian word would look rare because Ukrainian news is; and a lemma means the
    same in every document, so a copy whose language is taken for another keeps its terms.
    """

    counts: Mapping[Language, LanguageCounts]
    made_with: str
    """Versions of the cleaning, the lemmas and the stop words with which documents were counted."""
    pivots: Pivots = NO_PIVOTS
    """What method A9 signs with, chosen from the same documents; they have their own version."""

    @cached_property
    def version(self) -> str:
        """Return a hash of the counts and of what they were made with; made once, in 0.1 s.

        Not of the pivots: only those who sign with them need another state when they change.
        """
        return xxhash.xxh3_64_hexdigest(render_background(self).encode())

    def frequency(self, lemma: str) -> Frequency | None:
        """Return how common a lemma is where it is commonest; None if the table lacks it."""
        counted = [
            Frequency(*here, count.documents + PRIOR)
            for count in self.counts.values()
            if (here := count.lemmas.get(lemma)) is not None
        ]
        # By its share of documents, then by its counts.
        return max(counted, key=lambda one: (one.df / one.documents, one), default=None)

    @property
    def documents(self) -> int:
        """Return the number of documents of the best counted language, plus PRIOR."""
        return PRIOR + max((count.documents for count in self.counts.values()), default=0)

    @property
    def mean_length(self) -> float:
        """Return the mean number of content words of a counted document; 1.0 without any."""
        documents = sum(count.documents for count in self.counts.values())
        words = sum(count.words for count in self.counts.values())
        return words / documents if documents else 1.0


EMPTY_BACKGROUND = Background({}, "nothing")
"""Without lemmas: for the vocabulary that counts the documents of a new table."""


def count_documents(
    documents: Iterable[Document], *, made_with: str, least: int = LEAST_DOCUMENTS
) -> Background:
    """Return the background of documents in one pass, without lemmas of fewer than `least` ones.

    `made_with` are the versions of what the documents were analyzed with, which the table keeps.
    """
    sizes: Counter[Language] = Counter()
    holding: defaultdict[Language, Counter[str]] = defaultdict(Counter)
    occurring: defaultdict[Language, Counter[str]] = defaultdict(Counter)
    for document in documents:
        lemmas = [term.lemma for term in document.terms]
        sizes[document.lang] += 1
        holding[document.lang].update(set(lemmas))
        occurring[document.lang].update(lemmas)
    counts = {
        lang: LanguageCounts(
            sizes[lang],
            occurring[lang].total(),
            {
                lemma: (df, occurring[lang][lemma])
                for lemma, df in sorted(holding[lang].items())
                if df >= least
            },
        )
        for lang in sorted(sizes)
    }
    return Background(counts, made_with)


def add_backgrounds(own: Background, other: Background) -> Background:
    """Return the sum of two tables, with the pivots of the other one.

    Raise ValueError if their documents were read by different rules: their lemmas differ.
    """
    if own.made_with != other.made_with:
        raise ValueError("tables of other lemmas or stop words cannot be added")
    counts = dict(other.counts)
    for lang, mine in own.counts.items():
        theirs = counts.get(lang, LanguageCounts(0, 0, {}))
        lemmas = dict(theirs.lemmas)
        for lemma, (df, cf) in mine.lemmas.items():
            before = lemmas.get(lemma, (0, 0))
            lemmas[lemma] = before[0] + df, before[1] + cf
        documents, words = theirs.documents + mine.documents, theirs.words + mine.words
        counts[lang] = LanguageCounts(documents, words, dict(sorted(lemmas.items())))
    return Background(dict(sorted(counts.items())), own.made_with, other.pivots)


def render_background(background: Background) -> str:
    """Return the counts as text: what made them, then four lines a language.

    Language, documents and words; lemmas in alphabetical order; their df; their cf.
    """
    lines = [background.made_with]
    for lang, count in sorted(background.counts.items()):
        counted = sorted(count.lemmas.items())
        lines += [
            f"{lang} {count.documents} {count.words}",
            " ".join([lemma for lemma, _ in counted]),
            " ".join([str(df) for _, (df, _) in counted]),
            " ".join([str(cf) for _, (_, cf) in counted]),
        ]
    return "\n".join(lines) + "\n"


def parse_background(text: str) -> Background:
    """Return the background that `render_background` wrote, without pivots.

    Raise ValueError for an unknown language, a malformed line or a text that ends too early.
    """
    made_with, *lines = text.removesuffix("\n").split("\n")
    if not text.endswith("\n") or len(lines) % 4:
        raise ValueError("the counts end too early: each language has four lines")
    counts: dict[Language, LanguageCounts] = {}
    for header, lemmas, df, cf in zip(
        lines[::4], lines[1::4], lines[2::4], lines[3::4], strict=True
    ):
        lang, documents, words = header.split()
        if lang not in LANGUAGES:
            raise ValueError(f"unknown language: {lang!r}")
        pairs = zip(map(int, df.split()), map(int, cf.split()), strict=True)
        counted = dict(zip(lemmas.split(), pairs, strict=True))
        counts[lang] = LanguageCounts(int(documents), int(words), counted)
    return Background(counts, made_with)


STEPS_PER_DOUBLING = 4
"""Bands per doubling of the document frequency."""
RAREST_LOG = -24
"""log2 of the share of documents below which all lemmas are in band 1: 1 in 16 million."""
KEY_HASH_BITS = 48


def term_key(lemma: str, frequency: Frequency | None) -> int:
    """Return the sort key of a lemma in the frozen order: rare first, then by hash.

    band << 48 | 48 bits of xxh3(lemma), band = 1 + floor(4 * (24 + log2(df / N))), at least 1;
    band 0 for a lemma that the table lacks. Not negative, and below 2**63.
    """
    tail = xxhash.xxh3_64_intdigest(lemma.encode()) >> (64 - KEY_HASH_BITS)
    return _band(frequency) << KEY_HASH_BITS | tail


@lru_cache(maxsize=4_096)
def _band(frequency: Frequency | None) -> int:
    """Return the band of `term_key`: 4 more for a doubled share of documents; 0 for None."""
    if frequency is None:
        return 0
    # Rounded, so that the last bit of log2, which differs between machines, decides nothing.
    share = round(log2(frequency.df / frequency.documents), 9)
    return max(1, 1 + int(STEPS_PER_DOUBLING * (share - RAREST_LOG)))


def first_key(share: float) -> int:
    """Return the lowest `term_key` of lemmas in at least this share, 0 to 1, of the documents."""
    return int(1 + STEPS_PER_DOUBLING * (round(log2(share), 9) - RAREST_LOG)) << KEY_HASH_BITS
