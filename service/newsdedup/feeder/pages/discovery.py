"""The feeds of a site, from one of its pages: what the page links, then where feeds usually are.

Pure: the caller fetches the page before and tries the addresses after it. A page that is a
feed itself has none. Comments of readers come last.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from newsdedup.feeder.parsing.canonical_urls import join_address
from newsdedup.feeder.parsing.charsets import HTML_DECLARATION, decode_feed
from newsdedup.feeder.parsing.html_text import hrefs, plain_title, resolve_html
from newsdedup.feeder.parsing.parsed_feed import FeedUnusable, ProblemList

_READ_BYTES: Final = 2 * 2**20
_MOST_LINKS: Final = 100
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG: Final = re.compile(
    r"""<(link|base)\s((?:[^<>"']++|"[^"<>]{0,4000}+"|'[^'<>]{0,4000}+')*+)""", re.IGNORECASE
)
_ATTRIBUTE: Final = re.compile(
    r"""([a-zA-Z]{1,20})\s{0,9}=\s{0,9}(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++))"""
)
_FEED_TYPES: Final = frozenset(
    {
        *("application/rss+xml", "application/atom+xml", "application/feed+json"),
        *("application/rdf+xml", "application/x-rss+xml", "text/rss+xml", "text/xml"),
        "application/xml",
    }
)
_FEED_PATH: Final = re.compile(
    r"(?:/|[._-])(?:rss2?|feeds?|atom|rdf)(?:\.(?:xml|json|rss|rdf|php|aspx?))?/?$|\.(?:rss|atom)$",
    re.IGNORECASE,
)
_COMMENTS: Final = re.compile(r"/comments?(?:/|$)|comments?[._-]?feed", re.IGNORECASE)
_USUAL: Final = (
    *("/feed", "/rss", "/rss.xml", "/feed.xml", "/atom.xml", "/index.xml", "/feed.json"),
    *("/feeds/posts/default", "/rss/all", "/index.rdf"),
)
"""WordPress, many portals of news, Hugo and Jekyll, JSON Feed, Blogger."""


@dataclass(frozen=True, slots=True)
class FeedLink:
    """Where a feed is or may be."""

    address: str
    title: str = ""
    """As the page calls it; "" if it does not."""
    guessed: bool = False
    """Whether no page links it: many guesses lead nowhere."""


def find_feeds(body: bytes, *, address: str, content_type: str | None = None) -> list[FeedLink]:
    """Return the feeds of the site of a page, the likeliest first, each address once.

    Links for feed readers, then visible links that look like feeds of the same host, then guesses:
    below the page itself, then at the root. A body that is no text has the guesses alone;
    `content_type`, the header of HTTP or None, may name its encoding.
    """
    try:
        text = decode_feed(
            body[:_READ_BYTES], content_type, ProblemList(), declaration=HTML_DECLARATION
        )
    except FeedUnusable:
        text = ""
    text = _COMMENT.sub(" ", text)
    tags = [(one[1].lower(), _attributes(one[2])) for one in _TAG.finditer(text)]
    base = next((one["href"] for tag, one in tags if tag == "base" and "href" in one), "")
    base = join_address(address, base) or address
    links = [_feed_link(one, base) for tag, one in tags if tag == "link"]
    links += [FeedLink(target) for target in _visible(text, base, address)]
    linked = [link for link in links if link is not None]
    linked.sort(key=lambda link: _COMMENTS.search(urlsplit(link.address).path) is not None)
    different: dict[str, FeedLink] = {}
    for link in (*linked[:_MOST_LINKS], *_guesses(address)):
        different.setdefault(link.address.rstrip("/"), link)
    return list(different.values())


def _attributes(text: str) -> dict[str, str]:
    """Return the attributes in the text of a tag, by their names in lower case."""
    return {
        match[1].lower(): resolve_html(match[2] or match[3] or match[4] or "").strip()
        for match in _ATTRIBUTE.finditer(text)
    }


def _feed_link(attributes: dict[str, str], base: str) -> FeedLink | None:
    """Return the feed that an element `link` names; None if it names none."""
    relations = attributes.get("rel", "").lower().split()
    kind = attributes.get("type", "").partition(";")[0].strip().lower()
    target = join_address(base, attributes.get("href", "")) if attributes.get("href") else ""
    is_feed = kind in _FEED_TYPES or (
        # WordPress gives this type to other things than feeds, too.
        kind == "application/json" and _FEED_PATH.search(urlsplit(target).path) is not None
    )
    if not target or not ("feed" in relations or ("alternate" in relations and is_feed)):
        return None
    return FeedLink(target, plain_title(attributes.get("title", "")[:1_000]))


def _visible(text: str, base: str, address: str) -> Iterator[str]:
    """Yield the addresses of links in HTML that look like feeds of the host of `address`."""
    host = urlsplit(address).hostname
    for href in hrefs(text):
        target = join_address(base, href) if href else ""
        parts = urlsplit(target)
        if parts.hostname == host and _FEED_PATH.search(parts.path):
            yield target


def _guesses(address: str) -> Iterator[FeedLink]:
    """Yield where the feeds of the section at an address, and then of its site, usually are."""
    path = urlsplit(address).path.rstrip("/")
    if path and "." not in path.rpartition("/")[2]:
        for usual in ("/feed", "/rss.xml", "/index.xml"):
            yield FeedLink(join_address(address, path + usual), guessed=True)
    for usual in _USUAL:
        yield FeedLink(join_address(address, usual), guessed=True)
