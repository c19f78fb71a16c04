"""A web site with many feeds on several hosts, in a process of its own, that counts its visitors.

The hosts are addresses of loopback (127.0.0.1, 127.0.0.2 and on), which Linux serves without any
setting up. Each feed has an ETag; every second one is sent with gzip.
"""

import asyncio
import gzip
import socket
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final

import xxhash
from aiohttp import web

from newsdedup.ports.errors import SettingsInvalid
from newsdedup_lab.bench.feed_bodies import FEED_FORMS, MadeEntry, make_entries, make_feed

_POOL: Final = 1_000
"""Made items from which the entries of all feeds are taken, under ids of their own."""
_ANSWER_SECONDS: Final = 0.03
_PORTS_TRIED: Final = 20


@dataclass(frozen=True, slots=True)
class SitePlan:
    """The size of a site of feeds."""

    feeds: int
    hosts: int
    entries: int
    """Of each feed at first."""


@dataclass(slots=True)
class _HostVisits:
    """The requests to one host since they were last reported."""

    at: list[float] = field(default_factory=list)
    open: int = 0
    most_open: int = 0


class FeedSiteProcess:
    """The process of a site, controlled by the process that measures."""

    def __init__(self, plan: SitePlan, port: int, messages: Connection) -> None:
        self._plan = plan
        self._port = port
        self._messages = messages

    def addresses(self) -> list[str]:
        """Return the addresses of all feeds, host by host in turns."""
        return [
            f"http://{_host(number % self._plan.hosts)}:{self._port}/feed/{number}"
            for number in range(self._plan.feeds)
        ]

    def publish(self, step: int) -> None:
        """Add an entry to each `step`-th feed."""
        self._messages.send(("publish", step))
        self._messages.recv()

    def visits(self) -> dict[str, Any]:
        """Return the requests since the last call: their statuses, and the most of any host.

        `most_at_once` is how many requests of one host were open together, `most_in_a_second` how
        many began within one second.
        """
        self._messages.send(("visits", 0))
        answer: dict[str, Any] = self._messages.recv()
        return answer


@contextmanager
def feed_site_process(plan: SitePlan) -> Iterator[FeedSiteProcess]:
    """Run a site, and yield it when it answers; raise SettingsInvalid if it cannot start."""
    context = get_context("spawn")
    messages, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(plan, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        port = messages.recv()
        if not port:
            raise SettingsInvalid("the addresses 127.0.0.2 and on are not served by this machine")
        yield FeedSiteProcess(plan, port, messages)
    finally:
        process.terminate()
        process.join()
        messages.close()


def _host(number: int) -> str:
    """Return the address of a host by its number."""
    return f"127.0.0.{number + 1}"


def _serve(plan: SitePlan, messages: Connection) -> None:
    """Serve the site until the process is ended."""
    asyncio.run(_Site(plan).serve(messages))


class _Site:
    """The feeds and their visits."""

    def __init__(self, plan: SitePlan) -> None:
        self._plan = plan
        self._pool = make_entries(_POOL)
        self._grown: dict[int, int] = {}
        """Entries that were published later, by the number of the feed."""
        self._bodies: dict[int, tuple[bytes, str]] = {}
        self._hosts = [_HostVisits() for _ in range(plan.hosts)]
        self._statuses: Counter[int] = Counter()

    async def serve(self, messages: Connection) -> None:
        """Listen on all hosts, send the port, and answer messages."""
        sockets = _listen(self._plan.hosts)
        if not sockets:
            messages.send(0)
            return
        application = web.Application()
        application.router.add_get("/feed/{number}", self._answer)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        for one in sockets:
            await web.SockSite(runner, one).start()
        received = asyncio.Event()
        asyncio.get_running_loop().add_reader(messages.fileno(), received.set)
        messages.send(sockets[0].getsockname()[1])
        while True:
            await received.wait()
            received.clear()
            while messages.poll():
                messages.send(self._obey(*messages.recv()))

    def _obey(self, order: str, step: int) -> dict[str, Any]:
        """Carry out a message, "publish" or "visits"; return the answer to it."""
        if order == "visits":
            return self._report()
        for number in range(0, self._plan.feeds, step):
            self._grown[number] = self._grown.get(number, 0) + 1
            self._bodies.pop(number, None)
        return {}

    def _report(self) -> dict[str, Any]:
        """Return the visits so far, and begin to count anew."""
        hosts, self._hosts = self._hosts, [_HostVisits() for _ in self._hosts]
        statuses, self._statuses = self._statuses, Counter()
        return {
            "requests": sum(len(one.at) for one in hosts),
            "statuses": {str(status): count for status, count in sorted(statuses.items())},
            "most_at_once": max(one.most_open for one in hosts),
            "most_in_a_second": max(_most_within(one.at, 1.0) for one in hosts),
        }

    async def _answer(self, request: web.Request) -> web.Response:
        """Answer a request for a feed, after the time that an answer takes on the Internet."""
        number = int(request.match_info["number"])
        host = self._hosts[number % self._plan.hosts]
        host.at.append(time.monotonic())
        host.open += 1
        host.most_open = max(host.most_open, host.open)
        try:
            await asyncio.sleep(_ANSWER_SECONDS)
            body, tag = self._body(number)
            headers = {"ETag": tag}
            unchanged = request.headers.get("If-None-Match") == tag
            self._statuses[304 if unchanged else 200] += 1
            if unchanged:
                return web.Response(status=304, headers=headers)
            if number % 2:
                headers["Content-Encoding"] = "gzip"
            return web.Response(body=body, headers=headers)
        finally:
            host.open -= 1

    def _body(self, number: int) -> tuple[bytes, str]:
        """Return the bytes of a feed as they are sent, and its ETag."""
        made = self._bodies.get(number)
        if made is None:
            form = list(FEED_FORMS)[number % len(FEED_FORMS)]
            body = make_feed(form, self._entries(number), site=f"https://site{number}.example/")
            tag = f'"{xxhash.xxh3_64_hexdigest(body)}"'
            made = self._bodies[number] = (gzip.compress(body, 1) if number % 2 else body, tag)
        return made

    def _entries(self, number: int) -> Sequence[MadeEntry]:
        """Return the entries that a feed shows now, by its number."""
        count = self._plan.entries + self._grown.get(number, 0)
        return [
            {
                **self._pool[(number * self._plan.entries + index) % _POOL],
                "id": f"{number}-{index}",
                "url": f"https://site{number}.example/{index}",
            }
            for index in range(count)
        ]


def _listen(hosts: int) -> list[socket.socket]:
    """Return sockets that listen on one port of all hosts; [] if there are none."""
    for _ in range(_PORTS_TRIED):
        port, made = 0, []
        try:
            for number in range(hosts):
                made.append(socket.create_server((_host(number), port), backlog=128))
                port = made[0].getsockname()[1]
        except OSError:
            for one in made:
                one.close()
        else:
            return made
    return []


def _most_within(moments: Sequence[float], seconds: float) -> int:
    """Return how many of ascending moments lie within any span of `seconds`, at most."""
    most = begin = 0
    for end, moment in enumerate(moments):
        while moment - moments[begin] >= seconds:
            begin += 1
        most = max(most, end - begin + 1)
    return most
