"""OPML 1.0 to 2.0, in which readers of feeds exchange subscriptions."""

from collections.abc import Iterable, Iterator
from typing import Final
from xml.sax.saxutils import quoteattr

from newsdedup.feeder.parsing.element_tree import XmlElement, local_name
from newsdedup.feeder.parsing.parsed_feed import FeedUnusable, ParsingBounds, ProblemList
from newsdedup.feeder.parsing.strict_xml import read_xml
from newsdedup.feeder.scheduling.stored_feed import StoredFeed
from newsdedup.feeder.state.feed_state import Subscription
from newsdedup.feeder.subscriptions.feed_address import AddressInvalid, feed_address

NAMESPACE: Final = "urn:newsdedup:opml"
"""Of the attributes that only newsdedup knows."""
_BOUNDS: Final = ParsingBounds(entries=100_000)
_LONGEST_NAME: Final = 500


def read_opml(text: str, problems: ProblemList) -> Iterator[Subscription]:
    """Yield the feeds of an OPML text; an outline with a wrong address is a problem, and left out.

    The category is the path of the outlines around a feed, else its attribute `category`. Raise
    FeedUnusable if the text is no OPML.
    """
    roots = read_xml(text, "", _BOUNDS, problems)
    root = next((one for one in roots if local_name(one.name) == "opml"), None)
    if root is None:
        raise FeedUnusable(f"is no OPML: it begins with the element {roots[0].name[:100]!r}")
    for body in root.children("body"):
        yield from _read_outlines(body, (), problems)


def _read_outlines(
    parent: XmlElement, path: tuple[str, ...], problems: ProblemList
) -> Iterator[Subscription]:
    """Yield the feeds within an element; `path` are the names of the outlines around them."""
    for outline in parent.children("outline"):
        attributes = outline.attributes
        name = (attributes.get("text") or attributes.get("title") or "").strip()[:_LONGEST_NAME]
        address = attributes.get("xmlurl", "").strip()
        if address:
            try:
                yield Subscription(
                    feed_address(address),
                    category="/".join(path) or _first_category(attributes.get("category", "")),
                    source=attributes.get("source", "")[:_LONGEST_NAME],
                    full_text=attributes.get("fulltext", "").strip().lower() in ("true", "yes"),
                    secret=attributes.get("secret", "")[:_LONGEST_NAME],
                )
            except AddressInvalid as error:
                problems.add(f"A feed is left out: {error}")
        yield from _read_outlines(outline, path if address or not name else (*path, name), problems)


def write_opml(feeds: Iterable[StoredFeed]) -> str:
    """Return feeds as OPML 2.0, those of a category within one outline."""
    by_category: dict[str, list[StoredFeed]] = {}
    for feed in feeds:
        by_category.setdefault(feed.category, []).append(feed)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<opml version="2.0" xmlns:newsdedup="{NAMESPACE}">',
        "<head><title>Feeds of newsdedup</title></head>",
        "<body>",
    ]
    for category, members in by_category.items():
        outlines = map(_outline, members)
        if category:
            lines += [f"<outline text={quoteattr(category)}>", *outlines, "</outline>"]
        else:
            lines += outlines
    return "\n".join([*lines, "</body>", "</opml>", ""])


def _outline(feed: StoredFeed) -> str:
    """Return the outline of a feed, with its address as it was subscribed."""
    name = feed.title or feed.subscribed
    own = {
        "newsdedup:source": feed.source,
        "newsdedup:fullText": "true" if feed.full_text else "",
        "newsdedup:secret": feed.secret,
    }
    more = "".join(f" {key}={quoteattr(value)}" for key, value in own.items() if value)
    return (
        f'<outline type="rss" text={quoteattr(name)} title={quoteattr(name)} '
        f"xmlUrl={quoteattr(feed.subscribed)}{more}/>"
    )


def _first_category(text: str) -> str:
    """Return the first of the categories of an attribute, which OPML separates by commas."""
    return text.partition(",")[0].strip().strip("/")[:_LONGEST_NAME]
