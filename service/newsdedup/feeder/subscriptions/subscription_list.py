"""Lists of feeds as people have them: OPML, or a text with an address a line.

A line is an address, which may be followed by options as in a shell:

    https://visti.example/rss.xml
    https://herald.example/feed   category="World news" source=herald secret=env:HERALD
    https://daily.example/news-sitemap.xml   full_text=yes

Blank lines and what follows a `#` that begins a word are passed over.
"""

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import quoteattr

from yarl import URL

from newsdedup.feeder.fetching.address_guard import LONGEST_ADDRESS
from newsdedup.feeder.parsing.charsets import decode_feed
from newsdedup.feeder.parsing.element_tree import XmlElement, local_name
from newsdedup.feeder.parsing.parsed_feed import FeedUnusable, ParsingBounds, ProblemList
from newsdedup.feeder.parsing.xml_documents import read_xml
from newsdedup.feeder.scheduling.stored_feed import StoredFeed
from newsdedup.feeder.state.feed_state import Subscription
from newsdedup.ports.errors import SourceUnusable

LONGEST_LIST: Final = 16 * 2**20
"""Bytes; a list of 100,000 feeds takes about as much."""
NAMESPACE: Final = "urn:newsdedup:opml"
"""Of the attributes that only newsdedup knows."""
_OPML_BOUNDS: Final = ParsingBounds(entries=100_000)
_NO_HOST: Final = frozenset(" \t<>\"'")
_OPTIONS: Final = ("category", "source", "secret", "full_text")
_ANSWERS: Final = {"yes": True, "no": False}
_LONGEST_OPTION: Final = 500
_LONGEST_LINE: Final = 10_000
"""Characters of a line of a text: it has room for an address and all options. `shlex` takes the
square of the length of a word."""


class AddressInvalid(ValueError):
    """A text that is no address of the web; the message says why."""


@dataclass(frozen=True, slots=True)
class SubscriptionList:
    """The feeds of a list, each address once, and what is wrong with the list, a sentence each."""

    subscriptions: tuple[Subscription, ...]
    problems: tuple[str, ...] = ()


def feed_address(text: str) -> str:
    """Return the address that a text means; raise AddressInvalid if it means none.

    feed:// and feed:https:// are schemes of old readers; without a scheme it is https.
    """
    text = text.strip()
    for prefix in ("feed://", "feed:"):
        if text.lower().startswith(prefix):
            text = text[len(prefix) :]
    if "://" not in text:
        text = f"https://{text}"
    if len(text) > LONGEST_ADDRESS:
        raise AddressInvalid(f"an address of {len(text)} characters is too long")
    try:
        url = URL(text)
        port = url.port
    except ValueError as error:
        raise AddressInvalid(f"{text[:100]!r} is no address of the web") from error
    host = url.host or ""
    # What can be looked up: localhost, a name, or a number.
    is_host = ("." in host or ":" in host or host == "localhost") and not set(host) & _NO_HOST
    if url.scheme not in ("http", "https") or port == 0 or not is_host:
        raise AddressInvalid(f"{text[:100]!r} is no address of the web")
    if url.user is not None or url.password is not None:
        raise AddressInvalid(
            "an address must not hold a password: name it as secret=env:NAME or secret=file:PATH"
        )
    return str(url.with_fragment(None))


def read_subscriptions(body: bytes, *, name: str) -> SubscriptionList:
    """Return the feeds of an OPML file or a text of addresses; `name` begins each problem.

    Raise SourceUnusable for what is no list, or larger than 16 MiB.
    """
    if len(body) > LONGEST_LIST:
        raise SourceUnusable(f"{name} has {len(body)} bytes, more than {LONGEST_LIST}")
    problems = ProblemList()
    try:
        text = decode_feed(body, None, problems).lstrip("\ufeff \t\r\n")
        if text.startswith("<"):
            read = list(_read_opml(text, problems))
        else:
            read = list(_read_lines(text, problems))
    except FeedUnusable as error:
        raise SourceUnusable(f"{name}: {error}") from error
    unique = {one.address: one for one in reversed(read)}
    return SubscriptionList(
        tuple(reversed(unique.values())),
        tuple(f"{name}: {problem}" for problem in problems.sentences()),
    )


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


def _read_opml(text: str, problems: ProblemList) -> Iterator[Subscription]:
    """Yield the feeds of an OPML text; an outline with a wrong address is a problem, and left out.

    The category is the path of the outlines around a feed, else its attribute `category`. Raise
    FeedUnusable if the text is no OPML.
    """
    roots = read_xml(text, "", _OPML_BOUNDS, problems)
    root = next((one for one in roots if local_name(one.name) == "opml"), None)
    if root is None:
        raise FeedUnusable(
            f"is no OPML: it begins with the element {roots[0].name[:100]!r}; a list of feeds is "
            "OPML or has the address of a feed on each line"
        )
    for body in root.children("body"):
        yield from _read_outlines(body, "", problems)


def _read_outlines(parent: XmlElement, path: str, problems: ProblemList) -> Iterator[Subscription]:
    """Yield the feeds within an element; `path` has the names of the outlines around them."""
    for outline in parent.children("outline"):
        attributes = outline.attributes
        name = (attributes.get("text") or attributes.get("title") or "").strip()[:_LONGEST_OPTION]
        address = attributes.get("xmlurl", "").strip()
        first = attributes.get("category", "").partition(",")[0]
        if address:
            try:
                yield Subscription(
                    feed_address(address),
                    category=path or first.strip().strip("/")[:_LONGEST_OPTION],
                    source=attributes.get("source", "")[:_LONGEST_OPTION],
                    full_text=attributes.get("fulltext", "").strip().lower() in ("true", "yes"),
                    secret=attributes.get("secret", "")[:_LONGEST_OPTION],
                    title="" if name == address else " ".join(name.split()),
                )
            except AddressInvalid as error:
                problems.add(f"A feed is left out: {error}")
        inner = f"{path}/{name}" if path and name else path or name
        yield from _read_outlines(outline, path if address else inner[:_LONGEST_OPTION], problems)


def _outline(feed: StoredFeed) -> str:
    """Return a feed as an element `outline` of OPML, with its address as it was subscribed."""
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


def _read_lines(text: str, problems: ProblemList) -> Iterator[Subscription]:
    """Yield the feeds of a text; a line that is wrong is a problem, and left out."""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if len(line) > _LONGEST_LINE:
                raise AddressInvalid(f"it has {len(line)} characters, more than {_LONGEST_LINE}")
            words = shlex.split(line, comments=True)
            if words:
                yield _subscription(*words)
        except ValueError as error:
            problems.add(f"Line {number} is left out: {error}")


def _subscription(address: str, *words: str) -> Subscription:
    """Return the feed of a line: `words` are options NAME=VALUE; raise AddressInvalid if wrong."""
    subscribed, options = feed_address(address), dict[str, str]()
    for word in words:
        name, equals, value = word.partition("=")
        if name not in _OPTIONS or not equals or len(value) > _LONGEST_OPTION:
            raise AddressInvalid(
                f"{word[:100]!r} is no option: expected {', '.join(_OPTIONS)}, each with = and "
                "a value; quote a value with spaces"
            )
        options[name] = value
    full_text = options.get("full_text", "no")
    if full_text not in _ANSWERS:
        raise AddressInvalid(f"full_text is yes or no, not {full_text[:100]!r}")
    return Subscription(
        subscribed,
        category=options.get("category", ""),
        source=options.get("source", ""),
        full_text=_ANSWERS[full_text],
        secret=options.get("secret", ""),
    )
