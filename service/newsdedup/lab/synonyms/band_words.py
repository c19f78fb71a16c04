"""What a band of frequency leaves of a collection."""

from collections.abc import Mapping, Sequence
from heapq import nlargest, nsmallest
from typing import Any

from newsdedup.core.fingerprints.synonyms import Synonyms, word_hash
from newsdedup.lab.synonyms.all_words import AllWords, Band

SHOWN = 15
"""Words shown on either side of the lower bound."""


def band_words(
    read: AllWords, band: Band, documents: Sequence[Sequence[str]], synonyms: Synonyms
) -> dict[str, Any]:
    """Return the words below, in and above the band, and what a document has of them."""
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
        "last_cut": nsmallest(SHOWN, parts["common"], key=lambda lemma: (cf[lemma], lemma)),
        "first_kept": nlargest(SHOWN, parts["kept"], key=lambda lemma: (cf[lemma], lemma)),
        "of_document": round(distinct / len(documents), 1),
        "kept_of_document": round(
            sum(lemma in inside for lemmas in documents for lemma in lemmas) / len(documents), 1
        ),
        "with_synonyms": sum(bool(synonyms.of(word_hash(lemma))) for lemma in cf),
        "dictionary": len(synonyms.rows),
    }


def _part(band: Band, icf: float) -> str:
    if icf < band.lowest:
        return "common"
    return "kept" if icf <= band.highest else "rare"
