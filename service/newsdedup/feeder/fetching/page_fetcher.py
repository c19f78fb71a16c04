"""Pages fetched where robots.txt (RFC 9309) allows it, whose rules are remembered for a day.

Feeds are fetched without it: a feed is published to be fetched by programs at the wish of a reader,
who named this address; robots.txt is for crawlers that follow links. Many sites forbid all paths
but the front page although they publish a feed.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from yarl import URL

from newsdedup.feeder.fetching.address_guard import host_name
from newsdedup.feeder.fetching.answers import FetchError
from newsdedup.feeder.fetching.fetcher import Fetched, Fetcher, FetchRequest

PAGE_TYPES: Final = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"
_REMEMBERED: Final = timedelta(hours=24)
_RETRIED: Final = timedelta(hours=1)
"""After which a robots.txt that could not be read is tried again."""
_MOST_HOSTS: Final = 10_000
_MOST_RULES: Final = 200_000
"""Rules of all hosts together that are remembered, about 25 MB: a hostile file has 40,000."""
ROBOTS_BYTES: Final = 500 * 2**10
"""RFC 9309 2.5: at least so much is to be parsed; what follows is ignored."""
PRODUCT: Final = "newsdedup"
"""The product token of our User-Agent, in lower case."""
_MOST_WILDCARDS: Final = 8
"""Stars of a pattern; one with more is taken as a mistake and matches nothing."""


RobotsRules = tuple[tuple[str, bool], ...]
"""The rules of one host for us: patterns of paths, and whether each allows."""
ALL_ALLOWED: Final[RobotsRules] = ()
"""Where there is no robots.txt: any status of 4xx."""
ALL_FORBIDDEN: Final[RobotsRules] = (("/", False),)
"""Where robots.txt cannot be read now: any status of 5xx, and no answer."""


def may_fetch(path: str, rules: RobotsRules) -> bool:
    """Return whether a path with its query may be fetched.

    The longest pattern that matches decides, Allow where two are as long; without one it may.
    """
    matching = [(len(pattern), allow) for pattern, allow in rules if _matches(pattern, path)]
    return path == "/robots.txt" or not matching or max(matching)[1]


def parse_robots(body: bytes) -> RobotsRules:
    """Return the rules for our PRODUCT, else those for `*`; lines of other kinds are ignored.

    Rules for others are dropped as they are read: a file may put thousands below as many names.
    """
    text = body[:ROBOTS_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    groups: dict[str, list[tuple[str, bool]]] = {}
    agents: set[str] = set()
    before = ""
    for line in re.split(r"\r\n|\r|\n", text):
        name, colon, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        name = name.lower() if colon else ""
        if name == "user-agent":
            # Names that follow each other share the rules below them.
            if before != name:
                agents.clear()
            agents |= {PRODUCT, "*"} & {value.lower()}
        elif name not in ("allow", "disallow"):
            continue
        for agent in agents:
            rules = groups.setdefault(agent, [])
            if value and name != "user-agent":
                rules.append((value, name == "allow"))
        before = name
    return tuple(groups.get(PRODUCT, groups.get("*", [])))


@dataclass(slots=True)
class PageFetcher:
    """Fetches pages where robots.txt allows it; `pace` returns when a host may get a request."""

    fetcher: Fetcher
    now: Callable[[], datetime]
    pace: Callable[[str], Awaitable[None]]
    _rules: dict[str, tuple[RobotsRules, datetime]] = field(default_factory=dict)
    """By origin, with the time until which they hold; the oldest first."""
    _number: int = 0
    """Of all rules that are remembered."""

    async def fetch(self, address: str) -> Fetched:
        """Return the response to a page; raise FetchError if robots.txt forbids it or none comes.

        A redirect to another host is followed without asking that host's robots.txt: RFC 9309
        speaks of addresses that a crawler chooses.
        """
        try:
            url = URL(address)
            origin = url.origin()
        except ValueError as error:
            raise FetchError("address", "the address of the page is malformed") from error
        rules = await self._rules_of(str(origin))
        if not may_fetch(url.raw_path_qs, rules):
            raise FetchError("robots", f"robots.txt of {url.host} forbids this page")
        await self.pace(host_name(address))
        return await self.fetcher.fetch(FetchRequest(address=address, accept=PAGE_TYPES))

    async def _rules_of(self, origin: str) -> RobotsRules:
        """Return the rules of an origin ("https://host"), fetched if unknown or out of date."""
        rules, until = self._rules.get(origin, (ALL_ALLOWED, self.now()))
        if until > self.now():
            return rules
        rules, lasting = await self._fetch_rules(origin)
        self._forget(origin)
        self._rules[origin] = (rules, self.now() + lasting)
        self._number += len(rules)
        while len(self._rules) > _MOST_HOSTS or self._number > _MOST_RULES:
            self._forget(next(iter(self._rules)))
        return rules

    def _forget(self, origin: str) -> None:
        """Drop the rules of an origin, if they are remembered."""
        self._number -= len(self._rules.pop(origin, (ALL_ALLOWED, None))[0])

    async def _fetch_rules(self, origin: str) -> tuple[RobotsRules, timedelta]:
        """Return the rules in the robots.txt of an origin, and how long they hold.

        Without an answer everything is forbidden. Raise FetchError for an address that must not be
        fetched.
        """
        await self.pace(host_name(origin))
        request = FetchRequest(address=origin + "/robots.txt", accept="text/plain, */*;q=0.1")
        try:
            fetched = await self.fetcher.fetch(request)
        except FetchError as error:
            if error.kind == "address":
                raise
            return ALL_FORBIDDEN, _RETRIED
        if fetched.answer.meaning == "content":
            return parse_robots(fetched.body), _REMEMBERED
        if 400 <= fetched.status < 500 and not fetched.answer.busy:
            return ALL_ALLOWED, _REMEMBERED
        return ALL_FORBIDDEN, _RETRIED


def _matches(pattern: str, path: str) -> bool:
    """Return whether a pattern with `*` and `$` matches the beginning of a path."""
    anchored = pattern.endswith("$")
    parts = pattern.removesuffix("$").split("*")
    if len(parts) > _MOST_WILDCARDS + 1 or not path.startswith(parts[0]):
        return False
    at = len(parts[0])
    # The leftmost match of each part leaves the most room for the next: no backtracking.
    for part in parts[1:-1] if anchored else parts[1:]:
        at = path.find(part, at)
        if at < 0:
            return False
        at += len(part)
    if not anchored:
        return True
    last = parts[-1]
    return path == last if len(parts) == 1 else at <= len(path) - len(last) and path.endswith(last)
