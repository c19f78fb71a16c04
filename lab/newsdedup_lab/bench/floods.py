"""Floods of items that are alike: one event, the messages of one source, one headline."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from random import Random
from typing import Final

from newsdedup import ItemKey, NewsItem
from newsdedup.synthetic.frames import Book, read_book
from newsdedup.synthetic.fresh import next_message, report_length
from newsdedup.synthetic.report import compose_report

_LANGUAGE: Final = "ru"
_SPAN: Final = timedelta(hours=1)
_SOURCES: Final = 500

Flood = Callable[[Book, Random, datetime, int], Iterator[tuple[str, str, str]]]
"""Yields source, title and text of so many items."""


def _one_event(
    book: Book, rng: Random, begin: datetime, count: int
) -> Iterator[tuple[str, str, str]]:
    """Yield near copies of one report: each lacks a sentence and has a word of its own."""
    report = compose_report(book, report_length(rng, site=True), rng, begin)
    sentences = [part for paragraph in report.paragraphs for part in paragraph.split(". ")]
    for number in range(count):
        left_out = int(rng.random() * len(sentences))
        rest = [one for index, one in enumerate(sentences) if index != left_out or not index]
        yield f"feed-{number % _SOURCES}", report.title, ". ".join([*rest, f"{number}-я копия"])


def _one_series(
    book: Book, rng: Random, begin: datetime, count: int
) -> Iterator[tuple[str, str, str]]:
    """Yield messages of one template by one source, each with other values."""
    series = next_message(book, rng, begin).series
    yielded = 0
    while yielded < count:
        message = next_message(book, rng, begin)
        if message.series == series:
            yielded += 1
            yield "templates", message.text.title, "\n".join(message.text.paragraphs)


def _one_headline(
    book: Book, rng: Random, begin: datetime, count: int
) -> Iterator[tuple[str, str, str]]:
    """Yield different reports, all under the headline of the first."""
    title = compose_report(book, report_length(rng, site=True), rng, begin).title
    for number in range(count):
        report = compose_report(book, report_length(rng, site=True), rng, begin)
        yield f"feed-{number % _SOURCES}", title, "\n".join(report.paragraphs)


FLOODS: Final[Mapping[str, Flood]] = {
    "event": _one_event,
    "templates": _one_series,
    "headline": _one_headline,
}


def generate_flood(
    name: str, count: int, *, begin: datetime, span: timedelta = _SPAN, seed: int = 7
) -> Iterator[NewsItem]:
    """Yield `count` items of a flood within `span` of `begin`; a seed gives the same items.

    "event" are near copies of one report by 500 sources, "templates" messages of one template by
    one source, "headline" different reports under one headline by 500 sources.
    """
    rng = Random(seed)  # noqa: S311  # a made stream must repeat, not keep a secret
    texts = FLOODS[name](read_book(_LANGUAGE), rng, begin, count)
    for number, (source, title, text) in enumerate(texts):
        yield NewsItem(
            ItemKey(source, f"{name}-{number}"),
            title,
            text,
            published_at=begin + span * number / count,
        )
