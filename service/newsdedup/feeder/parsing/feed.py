"""A body that was fetched, whatever its format, to the feed that it holds. Nothing is fetched."""

import zlib
from datetime import datetime

from newsdedup.engine.collector import collector_paused
from newsdedup.feeder.parsing.atom import read_atom
from newsdedup.feeder.parsing.charsets import decode_feed
from newsdedup.feeder.parsing.element_tree import XmlElement, local_name
from newsdedup.feeder.parsing.entry_reader import EntryReader
from newsdedup.feeder.parsing.feed_items import shared_guids
from newsdedup.feeder.parsing.json_feed import read_json_feed
from newsdedup.feeder.parsing.parsed_feed import (
    BOUNDS,
    FeedUnusable,
    ParsedFeed,
    ParsingBounds,
    ProblemList,
)
from newsdedup.feeder.parsing.rss import read_rss
from newsdedup.feeder.parsing.sitemaps import newest_pages, read_sitemap, read_sitemap_index
from newsdedup.feeder.parsing.xml_documents import read_xml

_GZIP_MAGIC = b"\x1f\x8b\x08"
_MOST_MEMBERS = 100
"""Members of a gzip file, each of which costs a copy of what follows it."""


@collector_paused()  # A tree has no cycles, and grows while it would be searched for them.
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
    body = _unpacked(body, bounds)
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
    for guid in sorted(shared_guids(feed)):
        problems.add("A guid that several articles have counts for none of them", guid)
    return feed._replace(
        problems=problems.sentences(), cut=problems.cut, left_out=tuple(problems.left_out)
    )


def _unpacked(body: bytes, bounds: ParsingBounds) -> bytes:
    """Return a body without gzip, in which sites store large sitemaps ("sitemap.xml.gz")."""
    members: list[bytes] = []
    room = bounds.body_bytes
    while body.startswith(_GZIP_MAGIC):
        if len(members) == _MOST_MEMBERS:
            raise FeedUnusable(f"the body has more than {_MOST_MEMBERS} gzip members")
        stream = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            members.append(stream.decompress(body, room + 1))
        except zlib.error as error:
            raise FeedUnusable("the body is damaged gzip data") from error
        room -= len(members[-1])
        if room < 0:
            raise FeedUnusable(f"the body has more than {bounds.body_bytes} bytes, unpacked")
        body = stream.unused_data
    return b"".join(members) if members else body


def _read_xml_feed(text: str, reader: EntryReader) -> ParsedFeed:
    """Return the feed of XML by the name of its root; raise FeedUnusable for any other root."""
    text = newest_pages(text, reader.bounds, reader.problems)
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
