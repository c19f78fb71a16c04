"""One feed or page fetched over HTTP: redirects, validators, limits and the guard of addresses."""

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Final

import aiohttp
from aiohttp.abc import AbstractResolver
from yarl import URL

from newsdedup._version import __version__
from newsdedup.feeder.fetching.address_guard import (
    Admits,
    Credentials,
    GuardedResolver,
    check_address,
    host_name,
    is_public,
    may_send,
    ports_of,
)
from newsdedup.feeder.fetching.answers import Answer, FetchError, absolute_location, read_answer
from newsdedup.feeder.fetching.decompression import ACCEPTED_ENCODINGS, decompress

FEED_TYPES: Final = (
    "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, "
    "application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.7, */*;q=0.1"
)
_CHUNK: Final = 64 * 2**10
_DNS_SECONDS: Final = 60
_MOST_LINKS: Final = 20
_FORM_REDIRECTS: Final = frozenset({HTTPStatus.TEMPORARY_REDIRECT, HTTPStatus.PERMANENT_REDIRECT})
"""Those after which a form is sent again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchLimits:
    """What one fetch may take."""

    body: int = 16 * 2**20
    """Bytes of a body, compressed and not."""
    total: timedelta = timedelta(seconds=60)
    """Of one request, until the last byte; each redirect is another request."""
    connect: timedelta = timedelta(seconds=15)
    silence: timedelta = timedelta(seconds=30)
    """Between two parts of a body."""
    redirects: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRequest:
    """What is fetched, and what is stored of it."""

    address: str
    subscribed: str = ""
    """Of a feed the address that the user gave, whose port is admitted and whose host gets the
    credentials; empty for a page."""
    etag: str = ""
    last_modified: str = ""
    accept: str = FEED_TYPES
    credentials: Credentials | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """The response at the end of the redirects."""

    answer: Answer
    status: int
    address: str
    """Where it came from."""
    moved_to: str
    """The address to use from now on; that of the request unless it moved for good."""
    body: bytes = b""
    content_type: str = ""
    etag: str = ""
    last_modified: str = ""
    links: tuple[str, ...] = ()
    """The values of Link headers."""
    sets_cookie: bool = False


def user_agent(contact: str) -> str:
    """Return the User-Agent: program, version, and the address `contact`, if it is not ""."""
    return f"newsdedup/{__version__} (+{contact})" if contact else f"newsdedup/{__version__}"


async def no_pace(_: str) -> None:
    """Wait for nothing before a request."""


@asynccontextmanager
async def open_fetcher(
    limits: FetchLimits,
    *,
    agent: str,
    now: Callable[[], datetime],
    pace: Callable[[str], Awaitable[None]] = no_pace,
    admits: Admits = is_public,
    resolver: AbstractResolver | None = None,
    proxy: str = "",
    tls: ssl.SSLContext | None = None,
    received: Callable[[int], None] = lambda _: None,
) -> AsyncIterator["Fetcher"]:
    """Yield a fetcher with a session of its own.

    `pace` returns when the host of a redirect may get a request; the caller of `fetch` has waited
    for the first host.

    With a proxy the connection goes to the proxy, which resolves names itself: a name that this
    machine knows to lead inside is refused before, one that it does not know is left to the proxy.
    `tls` trusts other authorities than the machine does. `received` gets the size of each body.
    """
    names = resolver or aiohttp.ThreadedResolver()
    guarded = GuardedResolver(names, admits)
    connector = aiohttp.TCPConnector(
        resolver=names if proxy else guarded,
        ttl_dns_cache=_DNS_SECONDS,
        ssl=True if tls is None else tls,
        limit=0,  # the poller limits what is open at once
    )
    timeout = aiohttp.ClientTimeout(
        total=limits.total.total_seconds(),
        sock_connect=limits.connect.total_seconds(),
        sock_read=limits.silence.total_seconds(),
    )
    async with aiohttp.ClientSession(
        connector=connector,
        timeout=timeout,
        auto_decompress=False,
        cookie_jar=aiohttp.DummyCookieJar(),
        headers={"User-Agent": agent, "Accept-Encoding": ACCEPTED_ENCODINGS},
        proxy=proxy or None,
        trust_env=False,  # variables of the environment do not turn off the guard
    ) as session:
        yield Fetcher(
            session,
            limits,
            now=now,
            admits=admits,
            pace=pace,
            checked=guarded if proxy else None,
            received=received,
        )


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Fetches addresses within limits; made by `open_fetcher`."""

    session: aiohttp.ClientSession
    limits: FetchLimits
    now: Callable[[], datetime]
    admits: Admits
    pace: Callable[[str], Awaitable[None]]
    checked: GuardedResolver | None
    """Resolves names before requests through a proxy; None where the connection does it."""
    received: Callable[[int], None]

    async def fetch(self, request: FetchRequest) -> Fetched:
        """Return the response at the end of all redirects, of any status; or raise FetchError."""
        address = moved_to = request.address
        permanent, seen = True, {address}
        for followed in range(self.limits.redirects + 1):
            if followed:
                await self.pace(host_name(address))
            fetched = await self._fetch_one(address, request)
            if fetched.answer.meaning != "moved":
                return replace(fetched, moved_to=moved_to)
            # Behind a temporary redirect nothing is for good.
            permanent = permanent and fetched.answer.permanent
            address = fetched.answer.location
            if address in seen and fetched.sets_cookie:
                host = host_name(address)
                reason = f"{host} sets a cookie and redirects in a circle: it needs that cookie"
                raise FetchError("redirect", f"{reason}, and cookies are not sent")
            seen.add(address)
            if permanent:
                moved_to = address
        raise FetchError("redirect", f"more than {self.limits.redirects} redirects")

    async def post_form(self, address: str, fields: dict[str, str], *, subscribed: str) -> int:
        """Return the status with which a form is answered, whose body is not read.

        `subscribed` is the address whose port is admitted with those of HTTP. Raise FetchError if
        there is no answer.
        """
        for followed in range(self.limits.redirects + 1):
            if followed:
                await self.pace(host_name(address))
            url = await self._checked(address, subscribed)
            with _transfer_errors(url):
                async with self.session.post(url, data=fields, allow_redirects=False) as response:
                    status, headers = response.status, response.headers
            if status not in _FORM_REDIRECTS:
                return status
            address = absolute_location(str(url), headers.get("Location", ""))
            if not address:
                return status
        raise FetchError("redirect", f"more than {self.limits.redirects} redirects")

    async def post(self, address: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Return the status with which a body is answered; a redirect is not followed.

        The answer is not read. Raise FetchError if there is none.
        """
        url = await self._checked(address, address)
        with _transfer_errors(url):
            async with self.session.post(
                url, data=body, headers=headers, allow_redirects=False
            ) as response:
                return response.status

    async def _fetch_one(self, address: str, request: FetchRequest) -> Fetched:
        """Return the response of one address, redirects not followed; raise FetchError without."""
        subscribed = request.subscribed or request.address
        url = await self._checked(address, subscribed)
        with _transfer_errors(url):
            async with self.session.get(
                url, headers=_headers(request, url, subscribed), allow_redirects=False
            ) as response:
                headers = response.headers
                answer = read_answer(
                    response.status,
                    headers,
                    address=str(url),
                    conditional=bool(request.etag or request.last_modified),
                    now=self.now(),
                )
                fetched = Fetched(
                    answer=answer,
                    status=response.status,
                    address=str(url),
                    moved_to=str(url),
                    sets_cookie="Set-Cookie" in headers,
                )
                if answer.meaning != "content":
                    return fetched
                body = await _read_body(response, self.limits.body)
        self.received(len(body))
        encoding = ",".join(headers.getall("Content-Encoding", []))
        return replace(
            fetched,
            body=decompress(body, encoding, limit=self.limits.body),
            content_type=_ascii(headers.get("Content-Type", "")),
            etag=_ascii(headers.get("ETag", "")),
            last_modified=_ascii(headers.get("Last-Modified", "")),
            links=tuple(headers.getall("Link", ())[:_MOST_LINKS]),
        )

    async def _checked(self, address: str, subscribed: str) -> URL:
        """Return an address as a URL; raise FetchError if it must not be fetched.

        With a proxy, which connects by name, the name of the host is looked up here and checked.
        """
        url = check_address(address, ports=ports_of(subscribed), admits=self.admits)
        if self.checked is not None:
            try:
                await self.checked.resolve(url.host or "", url.port or 0)
            except FetchError as error:
                if error.kind != "name":
                    raise
        return url


def _ascii(value: str) -> str:
    """Return the value of a header, empty if it could be neither stored nor sent back."""
    return value if value.isascii() and value.isprintable() else ""


def _headers(request: FetchRequest, target: URL, subscribed: str) -> dict[str, str]:
    """Return the headers of a request, with credentials only if `target` may get them."""
    headers = {"Accept": request.accept}
    if request.subscribed:
        # Its next visit is minutes away: thousands of hosts would take as many open files.
        headers["Connection"] = "close"
    if request.etag:
        headers["If-None-Match"] = request.etag
    if request.last_modified:
        headers["If-Modified-Since"] = request.last_modified
    if request.credentials is not None and may_send(subscribed, target):
        headers["Authorization"] = request.credentials.authorization
    return headers


async def _read_body(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """Return a body as it was sent; raise FetchError as soon as it has more than `limit` bytes."""
    named = response.content_length
    if named is not None and named > limit:
        raise FetchError("size", f"the body has {named} bytes, more than {limit}")
    parts: list[bytes] = []
    size = 0
    async for part in response.content.iter_chunked(_CHUNK):
        size += len(part)
        if size > limit:
            raise FetchError("size", f"the body has more than {limit} bytes")
        parts.append(part)
    return b"".join(parts)


@contextmanager
def _transfer_errors(url: URL) -> Iterator[None]:
    """Turn errors of the transport in a block into FetchError; it names the host of `url`.

    Their own texts are not used: some contain headers, or the address with its query.
    """
    host = url.host or ""
    try:
        yield
    except TimeoutError as error:
        raise FetchError("timeout", f"{host} did not answer in time") from error
    except (aiohttp.ClientSSLError, ssl.SSLError) as error:
        # Why a certificate was refused, else the name of the error.
        inner = getattr(error, "certificate_error", None) or getattr(error, "os_error", None)
        reason = getattr(inner or error, "verify_message", "") or type(inner or error).__name__
        raise FetchError("tls", f"TLS with {host} failed: {reason}") from error
    except aiohttp.ClientPayloadError as error:
        raise FetchError("connection", f"the body of {host} is cut off or malformed") from error
    except aiohttp.InvalidURL as error:
        raise FetchError("address", f"the address at {host} is malformed") from error
    except aiohttp.ClientResponseError as error:
        raise FetchError("connection", f"{host} did not answer in HTTP") from error
    except (aiohttp.ClientError, OSError) as error:
        raise FetchError("connection", f"no connection with {host}") from error
