"""Counts the words of a collection, to build a background table."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from newsdedup.adapters.tables.rows import BadTableRow, TableRow
from newsdedup.core.document import Analyzer
from newsdedup.core.fingerprints.corpus import prepare_text
from newsdedup.core.fingerprints.descr_words import (
    LEAST_PIVOT_DOCUMENTS,
    PivotSample,
    choose_pivots,
)
from newsdedup.core.model import Document, NewsItem
from newsdedup.core.words.background import (
    LEAST_DOCUMENTS,
    Background,
    count_documents,
    make_pivots,
)
from newsdedup.ports.errors import InvalidItem


def count_collection(
    rows: Iterable[TableRow | BadTableRow],
    *,
    read: Callable[[TableRow], NewsItem],
    analyzer: Analyzer,
    least: int = LEAST_DOCUMENTS,
) -> tuple[Background, Counter[str]]:
    """Return the background table of a collection, and the counts of rejected rows by code.

    `read` makes the item of a row, or raises InvalidItem. Lemmas in fewer than `least` documents
    are left out. One pass; only the counts of lemmas stay in memory, and the lemmas of a bounded
    sample for the pivots.
    """
    left_out: Counter[str] = Counter()
    sample = PivotSample()

    def words(document: Document) -> tuple[str, ...]:
        return prepare_text(document, analyzer.vocabulary).words

    def documents() -> Iterator[Document]:
        for row in rows:
            if isinstance(row, BadTableRow):
                left_out[row.code] += 1
                continue
            try:
                document = analyzer.document(read(row))
            except InvalidItem as error:
                left_out[error.code] += 1
                continue
            sample.note(document.text, partial(words, document))
            yield document

    table = count_documents(documents(), made_with=analyzer.reading, least=least)
    chosen = choose_pivots(sample, least=max(LEAST_PIVOT_DOCUMENTS, least)).thresholds
    # A word that is too rare to be counted in any language is no pivot either: it tells a text.
    pivots = {word: chosen[word] for word in chosen if table.frequency(word) is not None}
    return replace(table, pivots=make_pivots(pivots)), left_out
