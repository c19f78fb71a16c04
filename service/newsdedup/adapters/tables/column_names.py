"""The names that tables of news use for what an item needs, the best first."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from newsdedup.adapters.formats.item_names import FOREIGN_FIELDS
from newsdedup.adapters.tables.rows import ROW_FIELDS

COMMON_COLUMNS: Mapping[str, str] = {
    "id": "guid uuid uid _id item_id article_id news_id post_id doc_id document_id message_id key",
    "source": (
        "source_name publisher provider outlet publication media newspaper site domain channel "
        "источник издание джерело видання"
    ),
    "url": "link href ссылка адрес посилання",
    "title": "headline heading header subject заголовок название назва",
    "text": (
        "body content full_text article_body article article_text plain_text news_text document "
        "message текст содержание зміст вміст"
    ),
    "published_at": (
        "published publication_date publish_date pub_date date_published date datetime timestamp "
        "time posted_at created_at created дата время час"
    ),
    "seen_at": "seen crawled_at fetched_at scraped_at collected_at received_at",
    "updated_at": "updated modified_at modified last_modified",
    "lang": "language locale язык мова",
}
"""Beside our own names and those of item_names.py, which stand behind: a summary is no text where
there is a body."""


def bare_name(name: str) -> str:
    """Return the letters and digits of a name in lower case."""
    return "".join(c for c in name.lower() if c.isalnum())


def as_it_is(value: Any) -> Any:
    """Return a value that has the type it must have, or is refused later."""
    return value


def _unstructured(value: Any) -> Any:
    """Return a value that is no structure."""
    return None if isinstance(value, list | dict) else value


def _readers(own: str) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield each bare name of a field with what reads it; foreign names may hold structures."""
    foreign = {
        bare_name(name): read
        for name, read in FOREIGN_FIELDS.get(own, ())
        if bare_name(name) != bare_name(own)
    }
    yield bare_name(own), as_it_is
    for name in map(bare_name, COMMON_COLUMNS[own].split()):
        if name != bare_name(own):
            yield name, foreign.pop(name, _unstructured)
    yield from foreign.items()


COLUMN_NAMES: Mapping[str, tuple[tuple[str, Callable[[Any], Any]], ...]] = {
    own: tuple(_readers(own)) for own in ROW_FIELDS
}
