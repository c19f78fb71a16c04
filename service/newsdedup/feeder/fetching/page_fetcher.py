"""Pages fetched where robots.txt allows it, whose rules are remembered for a day."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

from yarl import URL

from newsdedup.feeder.fetching.address_guard import host_name
from newsdedup.feeder.fetching.fetch_error import FetchError
from newsdedup.feeder.fetching.fetcher import Fetched, Fetcher, FetchRequest
from newsdedup.feeder.fetching.robots import (
    ALL_ALLOWED,
    ALL_FORBIDDEN,
    RobotsRules,
    parse_robots,
)

PAGE_TYPES: Final = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"
_REMEMBERED: Final = timedelta(hours=24)
_RETRIED: Final = timedelta(hours=1)
"""After which a robots.txt that could not be read is tried again."""
_MOST_HOSTS: Final = 10_000


class PageFetcher:
    """Fetches pages; `pace` returns when a host may get a request."""

    def __init__(
        self,
        fetcher: Fetcher,
        *,
        now: Callable[[], datetime],
        pace: Callable[[str], Awaitable[None]],
    ) -> None:
        self._fetcher = fetcher
        self._now = now
        self._pace = pace
        self._rules: dict[str, tuple[RobotsRules, datetime]] = {}
        """By origin, with the time until which they hold; the oldest first."""

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
        if not rules.allows(url.raw_path_qs):
            raise FetchError("robots", f"robots.txt of {url.host} forbids this page")
        await self._pace(host_name(address))
        return await self._fetcher.fetch(FetchRequest(address=address, accept=PAGE_TYPES))

    async def _rules_of(self, origin: str) -> RobotsRules:
        """Return the rules of an origin, fetched if they are unknown or a day old."""
        rules, until = self._rules.get(origin, (ALL_ALLOWED, self._now()))
        if until > self._now():
            return rules
        rules, lasting = await self._fetch_rules(origin)
        self._rules.pop(origin, None)
        self._rules[origin] = (rules, self._now() + lasting)
        if len(self._rules) > _MOST_HOSTS:
            del self._rules[next(iter(self._rules))]
        return rules

    async def _fetch_rules(self, origin: str) -> tuple[RobotsRules, timedelta]:
        """Return the rules of an origin and for how long they hold."""
        await self._pace(host_name(origin))
        request = FetchRequest(address=origin + "/robots.txt", accept="text/plain, */*;q=0.1")
        try:
            fetched = await self._fetcher.fetch(request)
        except FetchError as error:
            if error.kind == "address":
                raise
            return ALL_FORBIDDEN, _RETRIED
        if fetched.answer.meaning == "content":
            return parse_robots(fetched.body), _REMEMBERED
        if 400 <= fetched.status < 500 and not fetched.answer.busy:
            return ALL_ALLOWED, _REMEMBERED
        return ALL_FORBIDDEN, _RETRIED
