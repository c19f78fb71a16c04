import asyncio
import gzip
import ssl
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

import brotli
import pytest
import zstandard

from feeder.bad_site import NAMES, Names, SteppingClock, admits_site, bad_site, reply
from newsdedup.feeder.fetching.address_guard import Credentials
from newsdedup.feeder.fetching.answers import FetchError
from newsdedup.feeder.fetching.fetcher import (
    FetchLimits,
    FetchRequest,
    no_pace,
    open_fetcher,
    user_agent,
)

FEED = b"<rss version='2.0'><channel/></rss>"
LIMITS = FetchLimits(body=100_000)
IMPATIENT = FetchLimits(silence=timedelta(milliseconds=50))

CODINGS = [("gzip", gzip.compress), ("br", brotli.compress), ("zstd", zstandard.compress)]


@asynccontextmanager
async def fetching(limits=LIMITS, *, resolver=None, proxy="", pace=no_pace):
    async with (
        bad_site() as site,
        open_fetcher(
            limits,
            agent=user_agent("https://news.example/bot"),
            now=SteppingClock().now,
            admits=admits_site,
            resolver=resolver or Names(),
            proxy=proxy and f"http://127.0.0.1:{site.port}",
            pace=pace,
        ) as fetcher,
    ):
        yield site, fetcher


def fetched(routes, path="/feed", *, host="news.example", limits=LIMITS, **request):
    """Return what fetching a path of a site with routes brings, and the site."""

    async def run():
        async with fetching(limits) as (site, fetcher):
            site.routes.update(routes(site) if callable(routes) else routes)
            return await fetcher.fetch(FetchRequest(address=site.at(path, host), **request)), site

    return asyncio.run(run())


def problem(routes, path="/feed", **options):
    """Return the kind of the error of a fetch, and its message."""
    with pytest.raises(FetchError) as caught:
        fetched(routes, path, **options)
    return caught.value.kind, str(caught.value)


def test_a_feed_comes_with_its_validators_and_says_who_asks():
    result, site = fetched(
        {"/feed": reply(200, FEED, ETag='"1"', Last_Modified="then", Content_Type="text/xml")}
    )
    assert (result.body, result.etag, result.last_modified) == (FEED, '"1"', "then")
    assert result.content_type == "text/xml"
    headers = site.requests[0][1]
    assert headers["user-agent"].startswith("newsdedup/")
    assert headers["user-agent"].endswith("(+https://news.example/bot)")
    assert "if-none-match" not in headers


def test_validators_are_sent_and_304_brings_nothing():
    result, site = fetched({"/feed": reply(304)}, etag='W/"1"', last_modified="then")
    assert (result.answer.meaning, result.body) == ("unchanged", b"")
    headers = site.requests[0][1]
    assert (headers["if-none-match"], headers["if-modified-since"]) == ('w/"1"', "then")


@pytest.mark.parametrize(("name", "encode"), CODINGS)
def test_a_compressed_feed_is_decompressed(name, encode):
    result, site = fetched({"/feed": reply(200, encode(FEED), Content_Encoding=name)})
    assert result.body == FEED
    assert name in site.requests[0][1]["accept-encoding"]


@pytest.mark.parametrize("status", [301, 308])
def test_a_permanent_redirect_gives_the_new_address(status):
    result, site = fetched({"/feed": reply(status, Location="/new"), "/new": reply(200, FEED)})
    assert result.moved_to == site.at("/new")


@pytest.mark.parametrize("status", [302, 303, 307])
def test_a_temporary_redirect_leaves_the_address(status):
    result, site = fetched({"/feed": reply(status, Location="/new"), "/new": reply(200, FEED)})
    assert (result.moved_to, result.address) == (site.at("/feed"), site.at("/new"))


def test_behind_a_temporary_redirect_nothing_is_for_good():
    routes = {
        "/feed": reply(301, Location="/a"),
        "/a": reply(302, Location="/b"),
        "/b": reply(301, Location="/c"),
        "/c": reply(200, FEED),
    }
    result, site = fetched(routes)
    assert (result.moved_to, result.address) == (site.at("/a"), site.at("/c"))


def test_redirects_in_a_circle_end():
    kind, _ = problem({"/feed": reply(301, Location="/b"), "/b": reply(301, Location="/feed")})
    assert kind == "redirect"


def test_a_site_that_needs_a_cookie_is_named_so():
    kind, message = problem({"/feed": reply(302, Location="/feed", Set_Cookie="seen=1")})
    assert kind == "redirect"
    assert message == (
        "news.example sets a cookie and redirects in a circle: it needs that cookie,"
        " and cookies are not sent"
    )


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.2/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.2]/",
        "http://2130706434/",
        "http://0x7f.2/",
        "http://169.254.169.254/latest/meta-data/",
        "http://inside.example/",
        "http://six.example/",
        "http://cloud.example/",
        "http://news.example:6379/",
        "file:///etc/passwd",
        "ftp://news.example/feed",
        "http://user:password@news.example/",
    ],
)
def test_a_redirect_never_leads_inside(target):
    kind, message = problem({"/feed": reply(302, Location=target)})
    assert kind in ("address", "name")
    assert "password@" not in message


@pytest.mark.parametrize(
    "target",
    [
        b"http://\xff\xfe/",
        b"/\xff\xfe",
        b"http://" + b"a" * 300 + b".example/",
        b"http://a..b/",
        b"http://xn--/",
        b"http://[fe80::1%25eth0]/",
        b"http://[::1",
        b"http://news.example:0/",
        b"http://news.example:x/",
        b"http:///feed",
        b"\\\\127.0.0.2\\x",
        b"javascript:alert(1)",
        b"?" * 5_000,
    ],
)
def test_no_redirect_breaks_the_fetcher(target):
    header = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + target + b"\r\n\r\n"
    try:
        result, _ = fetched({"/feed": header})
    except FetchError:
        return
    assert result.answer.meaning == "failed"


def test_a_header_that_could_not_be_sent_back_is_left_out():
    header = b'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag: "\xff"\r\nLast-Modified: \xd0\r\n\r\n'
    result, _ = fetched({"/feed": header})
    assert (result.etag, result.last_modified) == ("", "")


def test_a_name_that_leads_inside_is_refused_and_another_that_does_not_is_unknown():
    assert problem({}, host="inside.example")[0] == "address"
    assert problem({}, host="nowhere.example")[0] == "name"


def test_of_several_addresses_only_admitted_ones_are_connected_to():
    result, _ = fetched({"/feed": reply(200, FEED)}, host="both.example")
    assert result.body == FEED


def test_a_name_is_looked_up_once_so_that_a_second_answer_cannot_lead_inside():
    class Rebinding(Names):
        async def resolve(self, host, port=0, family=0):
            results = await super().resolve(host, port, family)
            return [one | {"host": "127.0.0.2"} for one in results] if self.asked[1:] else results

    async def run():
        names = Rebinding()
        async with fetching(resolver=names) as (site, fetcher):
            site.routes["/feed"] = reply(200, FEED)
            request = FetchRequest(address=site.at("/feed"))
            return [(await fetcher.fetch(request)).body for _ in range(2)], names.asked

    assert asyncio.run(run()) == ([FEED, FEED], ["news.example"])


@pytest.mark.parametrize(("name", "encode"), CODINGS)
def test_a_bomb_is_refused(name, encode):
    bomb = encode(bytes(20 * 2**20))
    assert problem({"/feed": reply(200, bomb, Content_Encoding=name)})[0] == "size"


def test_a_body_that_says_to_be_huge_is_not_read():
    assert problem({"/feed": reply(200, b"<rss", Content_Length="999999999999")})[0] == "size"


def test_an_endless_body_is_cut():
    assert problem(lambda site: {"/feed": site.endless})[0] == "size"


@pytest.mark.parametrize(
    "response",
    [
        b"",
        b"HTTP/1.1 200",
        b"SSH-2.0-OpenSSH_9.9\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<rss>",
        reply(200, FEED + b"more than it named", Content_Length=str(len(FEED))),
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n<rss>",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n<rss>",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n<rss>",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
    ],
)
def test_a_broken_response_is_an_error(response):
    assert problem({"/feed": response})[0] == "connection"


def test_a_server_that_falls_silent_is_left():
    assert problem(lambda site: {"/feed": site.hang}, limits=IMPATIENT)[0] == "timeout"


def test_a_port_where_nobody_listens_is_no_connection():
    async def run():
        async with fetching() as (_, fetcher):
            await fetcher.fetch(FetchRequest(address="http://news.example:1/feed"))

    with pytest.raises(FetchError) as caught:
        asyncio.run(run())
    assert caught.value.kind == "connection"


def test_tls_checks_the_name_of_the_feed_not_the_address_that_was_resolved(certificates):
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(certificates.certificate, certificates.key)
    trusting = ssl.create_default_context(cafile=certificates.ca)

    async def run(host, tls):
        async with (
            bad_site(serving) as site,
            open_fetcher(
                LIMITS,
                agent="test",
                now=SteppingClock().now,
                admits=admits_site,
                resolver=Names(),
                tls=tls,
            ) as fetcher,
        ):
            site.routes["/feed"] = reply(200, FEED)
            return await fetcher.fetch(FetchRequest(address=f"https://{host}:{site.port}/feed"))

    assert asyncio.run(run("localhost", trusting)).body == FEED
    for host, tls in (("news.example", trusting), ("localhost", None)):
        with pytest.raises(FetchError) as caught:
            asyncio.run(run(host, tls))
        assert caught.value.kind == "tls"


def test_a_status_is_a_response():
    assert fetched({"/feed": reply(410)})[0].answer.meaning == "gone"
    busy = fetched({"/feed": reply(429, Retry_After="60")})[0].answer
    assert (busy.busy, busy.wait) == (True, timedelta(minutes=1))


def test_credentials_go_to_the_host_of_the_feed_only():
    secret = Credentials("Basic c2VjcmV0")
    routes = {
        "/feed": lambda headers: reply(
            302, Location="http://other.example:" + port(headers) + "/x"
        ),
        "/x": reply(200, FEED),
    }
    _, site = fetched(routes, credentials=secret)
    sent = [headers.get("authorization") for _, headers in site.requests]
    assert sent == ["basic c2vjcmv0", None]
    assert "c2VjcmV0" not in repr(secret)


def port(headers):
    return headers["host"].partition(":")[2]


def test_a_host_that_is_redirected_to_has_its_pace():
    asked = []

    async def pace(host):
        asked.append(host)

    async def run():
        async with fetching(pace=pace) as (site, fetcher):
            site.routes["/feed"] = reply(302, Location=site.at("/x", "other.example"))
            site.routes["/x"] = reply(200, FEED)
            await fetcher.fetch(FetchRequest(address=site.at("/feed")))

    asyncio.run(run())
    assert asked == ["other.example"]


def test_a_proxy_gets_the_whole_address_but_none_that_leads_inside():
    async def run():
        async with fetching(proxy="yes") as (site, fetcher):
            for host in ("news.example", "unknown.example"):
                site.routes[f"http://{host}/feed"] = reply(200, FEED)
                result = await fetcher.fetch(FetchRequest(address=f"http://{host}/feed"))
                assert result.body == FEED
            for host in ("inside.example", "127.0.0.2"):
                with pytest.raises(FetchError):
                    await fetcher.fetch(FetchRequest(address=f"http://{host}/feed"))
            return site.paths()

    assert "unknown.example" not in NAMES
    assert asyncio.run(run()) == ["http://news.example/feed", "http://unknown.example/feed"]


def test_a_feed_leaves_no_connection_open_and_the_pages_of_a_site_share_one():
    async def run():
        opened, closed = 0, asyncio.Event()

        async def answer(reader, writer):
            nonlocal opened
            opened += 1
            with suppress(asyncio.IncompleteReadError):
                while header := await reader.readuntil(b"\r\n\r\n"):
                    writer.write(reply(200, FEED, Connection=""))
                    if b"Connection: close" in header:
                        break
            writer.close()
            closed.set()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        address = f"http://news.example:{server.sockets[0].getsockname()[1]}/"
        async with fetching() as (_, fetcher), server:
            await fetcher.fetch(FetchRequest(address=address, subscribed=address))
            await asyncio.wait_for(closed.wait(), 10)
            await fetcher.fetch(FetchRequest(address=address))
            await fetcher.fetch(FetchRequest(address=address))
            assert opened == 2

    asyncio.run(run())
