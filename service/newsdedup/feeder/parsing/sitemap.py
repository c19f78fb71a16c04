"""Sitemaps, news sitemaps among them, and sitemap indexes."""

from collections.abc import Iterator

from newsdedup.feeder.parsing.canonical_urls import join_address
from newsdedup.feeder.parsing.element_tree import XmlElement
from newsdedup.feeder.parsing.entry_reader import EntryReader, EntryValues
from newsdedup.feeder.parsing.parsed_feed import Enclosure, ParsedFeed, SitemapReference


def read_sitemap(root: XmlElement, reader: EntryReader) -> ParsedFeed:
    """Return the pages of an element `urlset` as entries.

    Those of a plain sitemap have an address and perhaps the date of their last change, no title.
    """
    values = [_page_values(page, reader) for page in root.children("url")]
    publication = root.child("url")
    news = publication.child("news:news") if publication is not None else None
    named = news.child("news:publication") if news is not None else None
    return ParsedFeed(
        format="sitemap",
        address=reader.address,
        received_at=reader.received_at,
        title=reader.feed_name(named.text_of("news:name")) if named is not None else "",
        lang=reader.lang(named.text_of("news:language")) if named is not None else "",
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
    """Return the values of an element `url`, with those of its element `news` if it has one."""
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
        enclosures=_pictures(page, reader),
    )


def _pictures(page: XmlElement, reader: EntryReader) -> Iterator[Enclosure]:
    """Yield the pictures that a sitemap names for a page."""
    for picture in page.children("image:image"):
        yield reader.enclosure(page.base, picture.text_of("image:loc"))
