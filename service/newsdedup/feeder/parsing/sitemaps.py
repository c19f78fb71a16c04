"""Sitemaps, news sitemaps among them, and sitemap indexes.

A sitemap may list 50,000 pages and more than are read, many with the newest last; so the newest are
chosen before the XML is read, by the dates that they state.
"""

import re
from collections.abc import Sequence

from newsdedup.feeder.parsing.canonical_urls import join_address
from newsdedup.feeder.parsing.element_tree import XmlElement
from newsdedup.feeder.parsing.entry_reader import EntryReader, EntryValues
from newsdedup.feeder.parsing.parsed_feed import (
    ParsedFeed,
    ParsingBounds,
    ProblemList,
    SitemapReference,
)

_ROOT = re.compile(r"<(urlset|sitemapindex)[\s>]")
_PAGES = {
    "urlset": re.compile(r"<url>(?:[^<]|<(?!/?url>))*+</url>"),
    "sitemapindex": re.compile(r"<sitemap>(?:[^<]|<(?!/?sitemap>))*+</sitemap>"),
}
_DATE = re.compile(r"<(?:lastmod|news:publication_date)>\s*([0-9][0-9T:.Z+-]{3,34})")
_ROOT_WITHIN = 2_000
"""Characters."""


def newest_pages(text: str, bounds: ParsingBounds, problems: ProblemList) -> str:
    """Return the text of a sitemap without the oldest of its pages, if there are too many.

    Pages without a date count as oldest; of pages with one date the first ones stay. A text that is
    no sitemap is returned as it is, and so is one whose tags have a prefix.
    """
    root = _ROOT.search(text, 0, _ROOT_WITHIN)
    if root is None:
        return text
    name = "url" if root[1] == "urlset" else "sitemap"
    if text.count(f"<{name}>") <= bounds.entries:
        return text
    spans = [page.span() for page in _PAGES[root[1]].finditer(text)]
    if len(spans) <= bounds.entries:
        return text
    dates = _newest_dates(text, spans)
    newest = sorted(range(len(spans)), key=dates.__getitem__, reverse=True)[: bounds.entries]
    problems.add_cut(f"Pages beyond the newest {bounds.entries} were left out")
    pages = "\n".join(text[slice(*spans[number])] for number in sorted(newest))
    return text[: spans[0][0]] + pages + text[spans[-1][1] :]


def _newest_dates(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return the latest date that each page states, "" for none; pages are stretches of a text."""
    dates = [""] * len(spans)
    number = 0
    for date in _DATE.finditer(text, spans[0][0], spans[-1][1]):
        while spans[number][1] <= date.start():
            number += 1
        if date.start() >= spans[number][0]:
            dates[number] = max(dates[number], date[1])
    return dates


def read_sitemap(root: XmlElement, reader: EntryReader) -> ParsedFeed:
    """Return the pages of an element `urlset` as entries.

    Those of a plain sitemap have an address and perhaps the date of their last change, no title.
    """
    values = [_page_values(page, reader) for page in root.children("url")]
    first = root.child("url")
    news = first and first.child("news:news")
    named = news and news.child("news:publication")
    return ParsedFeed(
        format="sitemap",
        address=reader.address,
        received_at=reader.received_at,
        title=reader.feed_name(named.text_of("news:name")) if named else "",
        lang=reader.lang(named.text_of("news:language")) if named else "",
        entries=reader.entries([one for one in values if one.address], lambda one: one),
    )


def read_sitemap_index(root: XmlElement, reader: EntryReader) -> ParsedFeed:
    """Return the sitemaps that an element `sitemapindex` lists."""
    listed = [
        SitemapReference(join_address(one.base, location), reader.moment(one.text_of("lastmod")))
        for one in root.children("sitemap")
        if (location := one.text_of("loc"))
    ]
    return ParsedFeed(
        format="sitemap index",
        address=reader.address,
        received_at=reader.received_at,
        sitemaps=tuple(one for one in listed if one.url),
    )


def _page_values(page: XmlElement, reader: EntryReader) -> EntryValues:
    """Return what an element `url` of a sitemap states, with its element `news` if it has one."""
    news = page.child("news:news") or XmlElement("news:news", {}, page.base, page.lang)
    publication = news.child("news:publication") or news
    keywords = news.text_of("news:keywords")
    return EntryValues(
        address=page.text_of("loc"),
        base=page.base,
        title=news.text_of("news:title"),
        published=news.text_of("news:publication_date"),
        updated=page.text_of("lastmod"),
        lang=publication.text_of("news:language"),
        categories=keywords.split(",") if keywords else (),
        enclosures=(
            reader.enclosure(page.base, picture.text_of("image:loc"))
            for picture in page.children("image:image")
        ),
    )
