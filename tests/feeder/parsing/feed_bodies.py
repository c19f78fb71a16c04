"""Feeds for the tests, made of a few words."""

from datetime import UTC, datetime

from newsdedup.feeder.parsing.feed import parse_feed
from newsdedup.feeder.parsing.parsed_feed import BOUNDS, ParsedFeed, ParsingBounds

RECEIVED = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ADDRESS = "https://visti.example/rss"
DECLARATION = '<?xml version="1.0" encoding="{}"?>'
NAMESPACES = (
    ' xmlns:content="http://purl.org/rss/1.0/modules/content/"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"'
    ' xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"'
    ' xmlns:media="http://search.yahoo.com/mrss/"'
    ' xmlns:at="http://purl.org/atompub/tombstones/1.0"'
)


def rss(*items: str, channel: str = "") -> str:
    listed = "".join(f"<item>{item}</item>" for item in items)
    return (
        f'<rss version="2.0"{NAMESPACES}><channel><title>Вісті Вельни</title>'
        f"<link>https://www.visti.example/</link>{channel}{listed}</channel></rss>"
    )


def atom(*entries: str, feed: str = "", attributes: str = "") -> str:
    listed = "".join(f"<entry>{entry}</entry>" for entry in entries)
    return (
        f'<feed xmlns="http://www.w3.org/2005/Atom"'
        f' xmlns:at="http://purl.org/atompub/tombstones/1.0" {attributes}>'
        f"<title>Velna Daily</title>{feed}{listed}</feed>"
    )


def parsed(
    body: str | bytes, *, content_type: str | None = None, bounds: ParsingBounds = BOUNDS
) -> ParsedFeed:
    raw = body.encode() if isinstance(body, str) else body
    return parse_feed(
        raw, content_type=content_type, address=ADDRESS, received_at=RECEIVED, bounds=bounds
    )
