"""The lemmas of all words of a collection, stop words included, and their frequencies."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest, nsmallest
from pathlib import Path
from typing import Any

import xxhash

from newsdedup import ItemKey
from newsdedup.adapters.words.lemmatizers import shipped_lemmas
from newsdedup.core.fingerprints.synonym_jaccard import Synonyms, word_hash
from newsdedup.core.model import Language
from newsdedup.core.text.tokens import tokens
from newsdedup.core.words.vocabulary import BOUND
from newsdedup.engine.analyzer import Analyzed
from newsdedup_lab.collections.corpora import Corpus, Documents, collect_documents
from newsdedup_lab.report.study_stages import StepProgress
from newsdedup_lab.synonyms.mythes_file import read_synonyms


@dataclass(frozen=True, slots=True)
class Band:
    """Bounds of the ICF = TotalLemms / CF of the words that count."""

    lowest: float = 500.0
    highest: float = 191_703.0

    def holds(self, cf: int, total: int) -> bool:
        """Return whether a word of this frequency lies in the band."""
        return self.lowest <= total / cf <= self.highest


@dataclass(frozen=True, slots=True)
class AllWords:
    """The documents of a collection and the frequencies of all lemmas."""

    documents: Documents
    languages: dict[ItemKey, Language]
    frequencies: Counter[str]
    """CF."""
    reader: "LemmaReader"

    @property
    def total(self) -> int:
        """Return TotalLemms, the number of running words."""
        return self.frequencies.total()

    def lemmas(self, index: int) -> list[str]:
        """Return the distinct lemmas of the document at this index, stop words included, sorted."""
        key = self.documents.keys[index]
        return sorted(set(self.reader.lemmas(self.documents.texts[index], self.languages[key])))


class LemmaReader:
    """Lemmatizes texts and dictionary words, with a cache."""

    def __init__(self) -> None:
        # Not a vocabulary: even one without a stop list knows no word of two characters.
        self._lemma = lru_cache(maxsize=BOUND)(shipped_lemmas().lemma)

    def lemmas(self, text: str, lang: Language) -> list[str]:
        """Return the lemmas in the order of the text."""
        return [self._lemma(form, lang) for form in tokens(text)]

    def lemma(self, form: str) -> str:
        """Return the lemma of a dictionary word: English if it is ASCII, else Russian."""
        return self._lemma(form.replace("ё", "е"), "en" if form.isascii() else "ru")


def count_words(corpus: Corpus, watch: StepProgress) -> AllWords:
    """Read a corpus once; return its documents and the frequencies of lemmas, stop words too."""
    reader = LemmaReader()
    frequencies: Counter[str] = Counter()
    languages: dict[ItemKey, Language] = {}

    def noted(analyzed: Iterable[Analyzed]) -> Iterator[Analyzed]:
        """Yield the analyses, and count the lemmas of each."""
        for one in analyzed:
            languages[one.item.key] = one.document.lang
            frequencies.update(reader.lemmas(one.document.text, one.document.lang))
            yield one

    documents = collect_documents(noted(corpus.analyzed(watch)))
    return AllWords(documents, languages, frequencies, reader)


def read_dictionaries(files: Iterable[Path], lemma: Callable[[str], str]) -> Synonyms:
    """Return the synonyms of all dictionaries as one."""
    return merge_synonyms([read_synonyms(path, lemma) for path in files])


def merge_synonyms(dictionaries: Sequence[Synonyms]) -> Synonyms:
    """Return one dictionary with the rows of all, repeated rows once."""
    found: dict[int, set[int]] = {}
    for each in dictionaries:
        for word, rows in each.rows.items():
            found.setdefault(word, set()).update(rows)
    versions = "\n".join(sorted({each.version for each in dictionaries}))
    version = xxhash.xxh3_64_hexdigest(versions.encode())
    return Synonyms({word: tuple(sorted(found[word])) for word in sorted(found)}, version)


def dictionaries_digest(files: Iterable[Path]) -> list[str]:
    """Return a hash of each file, "" if it does not exist."""
    return [
        xxhash.xxh3_128_hexdigest(path.read_bytes()) if path.is_file() else "" for path in files
    ]


_SHOWN_WORDS = 15
"""Words shown on either side of the lower bound."""


def band_measurements(
    read: AllWords, band: Band, documents: Sequence[Sequence[str]], synonyms: Synonyms
) -> dict[str, Any]:
    """Return counts of the lemmas below, in and above the band, and what it keeps of documents.

    `documents` has the distinct lemmas of each document; `synonyms` is only asked which lemmas of
    the collection it knows.
    """
    total, cf = read.total, read.frequencies
    parts: Mapping[str, list[str]] = {"common": [], "kept": [], "rare": []}
    for lemma, count in cf.items():
        parts[_part(band, total / count)].append(lemma)
    inside = set(parts["kept"])
    distinct = sum(len(lemmas) for lemmas in documents)
    return {
        "total": total,
        "parts": {
            name: {"lemmas": len(lemmas), "occurrences": sum(cf[lemma] for lemma in lemmas)}
            for name, lemmas in parts.items()
        },
        "last_cut": nsmallest(_SHOWN_WORDS, parts["common"], key=lambda lemma: (cf[lemma], lemma)),
        "first_kept": nlargest(_SHOWN_WORDS, parts["kept"], key=lambda lemma: (cf[lemma], lemma)),
        "of_document": round(distinct / len(documents), 1),
        "kept_of_document": round(
            sum(lemma in inside for lemmas in documents for lemma in lemmas) / len(documents), 1
        ),
        "with_synonyms": sum(bool(synonyms.of(word_hash(lemma))) for lemma in cf),
        "dictionary": len(synonyms.rows),
    }


def _part(band: Band, icf: float) -> str:
    """Return "common", "kept" or "rare" for an ICF below, in or above the band."""
    if icf < band.lowest:
        return "common"
    return "kept" if icf <= band.highest else "rare"
