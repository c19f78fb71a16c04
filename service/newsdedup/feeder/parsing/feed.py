"""A body that was fetched, whatever its format, to the feed that it holds. Nothing is fetched.

Here are also the readers of sitemaps, news sitemaps among them, and of sitemap indexes.
"""

from dataclasses import replace
from datetime import datetime

from newsdedup.feeder.parsing.atom import read_atom
from newsdedup.feeder.parsing.canonical_urls import join_address
from newsdedup.feeder.parsing.charsets import decode_feed
from newsdedup.feeder.parsing.element_tree import XmlElement, local_name
from newsdedup.feeder.parsing.entry_reader import EntryReader, EntryValues
from newsdedup.feeder.parsing.json_feed import read_json_feed
from newsdedup.feeder.parsing.parsed_feed import (
    BOUNDS,
    FeedUnusable,
    ParsedFeed,
    ParsingBounds,
    ProblemList,
    SitemapReference,
)
from newsdedup.feeder.parsing.rss import read_rss
from newsdedup.feeder.parsing.xml_documents import read_xml


def parse_feed(
    body: bytes,
    *,
    content_type: str | None,
    address: str,
    received_at: datetime,
    bounds: ParsingBounds = BOUNDS,
) -> ParsedFeed:
    """Return the feed of a body; raise FeedUnusable, and no other error, if it holds none.

    `content_type` is the header of HTTP, None without one; `address` is where the body was fetched
    from, after redirects; `received_at` has a zone, and no date of the feed is later.
    """
    if len(body) > bounds.body_bytes:
        raise FeedUnusable(f"the body has {len(body)} bytes, more than {bounds.body_bytes}")
    if not body.strip():
        raise FeedUnusable("the body is empty")
    problems = ProblemList()
    text = decode_feed(body, content_type, problems)
    reader = EntryReader(address, received_at, bounds, problems)
    if text[:100].lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        feed = read_json_feed(text, reader)
    else:
        feed = _read_xml_feed(text, reader)
    if not feed.entries and not feed.deleted and not feed.sitemaps:
        problems.add("The feed has no entries")
    if feed.entries and all(entry.published is None for entry in feed.entries):
        problems.add("No entry has a date")
    return replace(feed, problems=problems.sentences(), left_out=tuple(reader.left_out))


def _read_xml_feed(text: str, reader: EntryReader) -> ParsedFeed:
    """Return the feed of XML by the name of its root; raise FeedUnusable for any other root."""
    roots = read_xml(text, reader.address, reader.bounds, reader.problems)
    # Before the feed there may be tags of a warning that the server wrote.
    for root in roots:
        read = _READERS.get(local_name(root.name))
        if read is not None:
            return read(root, reader)
    for root in roots:
        # Broken software puts a feed into a page or an element of its own.
        for wrapped in root.descendants(*_WRAPPED):
            reader.problems.add("The feed is within an element", local_name(root.name))
            return _READERS[local_name(wrapped.name)](wrapped, reader)
    name = local_name(roots[0].name)
    if name == "item":
        return read_rss(XmlElement("channel", {}, reader.address, "", [*roots]), reader)
    if name in ("html", "head", "body"):
        raise FeedUnusable("the body is a web page, no feed")
    raise FeedUnusable(f"the body is XML, but no feed: it begins with the element {name[:100]!r}")


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


_READERS = {
    "rss": read_rss,
    "rdf": read_rss,
    "channel": read_rss,
    "feed": read_atom,
    "entry": read_atom,
    "urlset": read_sitemap,
    "sitemapindex": read_sitemap_index,
}
"""By the name of the document element, whatever its namespace and capitals."""
_WRAPPED = ("rss", "rdf", "rdf:rdf", "feed", "atom:feed", "urlset", "sitemapindex")
