"""A web server that misbehaves as its routes say, and a resolver that knows its names."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

from aiohttp.abc import AbstractResolver

NAMES = {
    "news.example": ["127.0.0.1"],
    "other.example": ["127.0.0.1"],
    "inside.example": ["127.0.0.2"],
    "localhost": ["127.0.0.1"],
    "both.example": ["127.0.0.2", "127.0.0.1"],
    "cloud.example": ["169.254.169.254"],
    "six.example": ["::1"],
}
Route = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]] | Callable[[dict], bytes]


def admits_site(address):
    """Admit 127.0.0.1, as if it were the Internet; 127.0.0.2 stands for the inside."""
    return address == ip_address("127.0.0.1")


class Names(AbstractResolver):
    """Knows NAMES, and counts how often each was looked up."""

    def __init__(self):
        self.asked = []

    async def resolve(self, host, port=0, family=socket.AF_UNSPEC):
        self.asked.append(host)
        assert family in (socket.AF_UNSPEC, socket.AF_INET, socket.AF_INET6)
        if host not in NAMES:
            raise OSError("no such name")
        return [
            {
                "hostname": host,
                "host": one,
                "port": port,
                "family": socket.AF_INET6 if ":" in one else socket.AF_INET,
                "proto": 0,
                "flags": 0,
            }
            for one in NAMES[host]
        ]

    async def close(self):
        pass


def reply(status, body=b"", **headers):
    lines = [f"HTTP/1.1 {status} Whatever"]
    named = {"Content_Length": str(len(body)), "Connection": "close", **headers}
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in named.items() if value]
    return "\r\n".join([*lines, "", ""]).encode() + body


class Site:
    """The routes of a server by path, and the requests that it got."""

    def __init__(self):
        self.routes: dict[str, Route] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.port = 0
        self.open = self.most_open = 0
        self.ended = asyncio.Event()

    def at(self, path, host="news.example"):
        return f"http://{host}:{self.port}{path}"

    def paths(self):
        return [path for path, _ in self.requests]

    async def answer(self, reader, writer):
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            header = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = header.strip().split("\r\n")
            headers = dict(line.lower().split(": ", 1) for line in lines)
            path = first.split(" ")[1]
            self.requests.append((path, headers))
            route = self.routes.get(path, reply(404))
            if asyncio.iscoroutinefunction(route):
                await route(writer)
            else:
                writer.write(route if isinstance(route, bytes) else route(headers))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self.open -= 1
            writer.close()

    async def hang(self, writer):
        """Send the beginning of a body, and nothing more until the test ends."""
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<rss>")
        await writer.drain()
        await self.ended.wait()

    async def endless(self, writer):
        """Send a body without a length and without an end."""
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"<item/>" * 1_000)
            await writer.drain()


@asynccontextmanager
async def bad_site(tls=None) -> AsyncIterator[Site]:
    site = Site()
    server = await asyncio.start_server(site.answer, "127.0.0.1", 0, ssl=tls)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        site.ended.set()
        server.close()
        await server.wait_closed()


class SteppingClock:
    """A clock that stands still but while somebody sleeps: then it is that much later."""

    def __init__(self):
        self.at = datetime(2026, 11, 23, 12, tzinfo=UTC)
        self.slept = []
        self._lost = timedelta()

    def now(self):
        return self.at

    def elapsed(self):
        return (self.at + self._lost).timestamp()

    def set_back(self, by):
        """Be earlier, as a clock that somebody sets."""
        self.at -= by
        self._lost += by

    async def sleep(self, seconds):
        self.slept.append(seconds)
        wake = self.at + timedelta(seconds=seconds)
        await asyncio.sleep(0)
        self.at = max(self.at, wake)
