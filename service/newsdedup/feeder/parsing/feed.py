"""A body that was fetched, whatever its format, to the feed that it holds. Nothing is fetched."""

from dataclasses import replace
from datetime import datetime

from newsdedup.feeder.parsing.atom import read_atom
from newsdedup.feeder.parsing.charsets import decode_feed
from newsdedup.feeder.parsing.element_tree import local_name
from newsdedup.feeder.parsing.entry_reader import EntryReader
from newsdedup.feeder.parsing.json_feed import read_json_feed
from newsdedup.feeder.parsing.parsed_feed import (
    BOUNDS,
    FeedUnusable,
    ParsedFeed,
    ParsingBounds,
    ProblemList,
)
from newsdedup.feeder.parsing.rss import read_rss
from newsdedup.feeder.parsing.sitemap import read_sitemap, read_sitemap_index
from newsdedup.feeder.parsing.strict_xml import read_xml

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
    name = local_name(roots[0].name)
    if name in ("html", "head", "body"):
        raise FeedUnusable("the body is a web page, no feed")
    raise FeedUnusable(f"the body is XML, but no feed: it begins with the element {name[:100]!r}")
