"""Lists of feeds as people have them: OPML, or a text with an address a line.

A line is an address, and behind it, if wanted, options as in a shell:

    https://visti.example/rss.xml
    https://herald.example/feed   category="World news" source=herald secret=env:HERALD
    https://daily.example/news-sitemap.xml   full_text=yes

Blank lines and what follows a `#` that begins a word are passed over.
"""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from newsdedup.feeder.parsing.charsets import decode_feed
from newsdedup.feeder.parsing.parsed_feed import FeedUnusable, ProblemList
from newsdedup.feeder.state.feed_state import Subscription
from newsdedup.feeder.subscriptions.feed_address import AddressInvalid, feed_address
from newsdedup.feeder.subscriptions.opml import read_opml
from newsdedup.ports.errors import SourceUnusable

LONGEST_LIST: Final = 16 * 2**20
"""Bytes; a list of 100,000 feeds takes about as much."""
_OPTIONS: Final = ("category", "source", "secret", "full_text")
_ANSWERS: Final = {"yes": True, "no": False}
_LONGEST_OPTION: Final = 500


@dataclass(frozen=True, slots=True)
class SubscriptionList:
    """The feeds of a list, each address once, and what is wrong with the list, a sentence each."""

    subscriptions: tuple[Subscription, ...]
    problems: tuple[str, ...] = ()


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
            read = list(read_opml(text, problems))
        else:
            read = list(_read_lines(text, problems))
    except FeedUnusable as error:
        raise SourceUnusable(f"{name}: {error}") from error
    unique = {one.address: one for one in reversed(read)}
    return SubscriptionList(
        tuple(reversed(unique.values())),
        tuple(f"{name}: {problem}" for problem in problems.sentences()),
    )


def _read_lines(text: str, problems: ProblemList) -> Iterator[Subscription]:
    """Yield the feeds of a text; a line that is wrong is a problem, and left out."""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            words = shlex.split(line, comments=True)
            if words:
                yield _subscription(*words)
        except ValueError as error:
            problems.add(f"Line {number} is left out: {error}")


def _subscription(address: str, *words: str) -> Subscription:
    """Return the feed of an address with its options; raise AddressInvalid for a wrong one."""
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
