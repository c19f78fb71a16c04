"""The use of the analyzer over a collection to count how common its words are."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from newsdedup.adapters.rows import BadRow, Row
from newsdedup.core.background import LEAST, Background, count
from newsdedup.core.document import Analyzer
from newsdedup.core.model import Document, NewsItem
from newsdedup.ports import InvalidItem


def counted(
    rows: Iterable[Row | BadRow],
    *,
    read: Callable[[Row], NewsItem],
    analyzer: Analyzer,
    least: int = LEAST,
) -> tuple[Background, Counter[str]]:
    """Return the table that the rows make, and how many were left out, by reason.

    One pass; of the items nothing is kept but the counts of their lemmas.
    """
    left_out: Counter[str] = Counter()
    documents = _documents(rows, read, analyzer, left_out)
    return count(documents, made_with=analyzer.reading, least=least), left_out


def _documents(
    rows: Iterable[Row | BadRow],
    read: Callable[[Row], NewsItem],
    analyzer: Analyzer,
    left_out: Counter[str],
) -> Iterator[Document]:
    for row in rows:
        if isinstance(row, BadRow):
            left_out[row.code] += 1
            continue
        try:
            yield analyzer.document(read(row))
        except InvalidItem as error:
            left_out[error.code] += 1
