"""Archives of the web: their pages become items, whatever else and however broken they are."""

import gzip
import io
import zlib
from contextlib import suppress

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeder.archives.article_pages import article_page
from newsdedup.feeder.archives import archived_pages
from newsdedup.feeder.archives.archive_entry import ArchivePosition, LeftOut
from newsdedup.feeder.archives.archived_pages import read_warc
from newsdedup.ports.errors import Rejection, SourceUnusable

ADDRESS = "https://visti.example/news/7"
DATE = "2026-03-02T12:00:00Z"


class Warc:
    """A WARC that is being written, each record a gzip member where it is packed."""

    def __init__(self, *, packed=True):
        self.data = b""
        self._packed = packed

    def respond(self, body, *, status="200 OK", content_type="text/html; charset=utf-8", **more):
        headers = {"Content-Type": content_type} | {
            name.replace("_", "-"): value for name, value in more.items()
        }
        return self.record("response", http(status, headers) + body)

    def record(self, kind, block=b"software: test\r\n", **more):
        headers = {
            "WARC-Type": kind,
            "WARC-Target-URI": ADDRESS,
            "WARC-Date": DATE,
            "WARC-Record-ID": "<urn:uuid:9cd628e8-a043-4679-884c-ae66bec202f2>",
            "Content-Length": str(len(block)),
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in (headers | more).items())
        record = f"WARC/1.0\r\n{lines}\r\n".encode() + block + b"\r\n\r\n"
        self.data += gzip.compress(record) if self._packed else record
        return self


def http(status, headers):
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode()


def entries(warc, start=None):
    data = warc if isinstance(warc, bytes) else warc.data
    return list(read_warc("news.warc", io.BytesIO(data), start or ArchivePosition()))


def contents(warc):
    return [entry.content for entry in entries(warc)]


@pytest.mark.parametrize("packed", [True, False])
def test_a_page_becomes_an_item(packed):
    warc = Warc(packed=packed).record("warcinfo").respond(article_page())
    info, fields = contents(warc)
    assert info is LeftOut.NO_RESPONSE
    assert fields["url"] == ADDRESS
    assert fields["title"] == "Bridge over the Velna reopens"
    assert "repair of 14 months" in fields["text"]
    assert "Home" not in fields["text"]
    assert fields["seen_at"] == DATE


def test_what_is_no_page_is_left_out():
    warc = Warc().record("warcinfo").respond(b"", status="301 Moved Permanently")
    warc.respond(article_page(), status="404 Not Found")
    warc.respond(b"%PDF", content_type="application/pdf").record("metadata")
    assert contents(warc) == [
        LeftOut.NO_RESPONSE,
        LeftOut.STATUS,
        LeftOut.STATUS,
        LeftOut.NOT_HTML,
        LeftOut.NO_RESPONSE,
    ]


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("long", [{"X": "y" * 3_000_000}, {f"X-{n}": "y" for n in range(300_000)}])
def test_a_response_with_headers_of_megabytes_is_left_out_and_no_other(long, packed):
    warc = Warc(packed=packed).respond(article_page(), **long).respond(article_page())
    unread, fields = contents(warc)
    assert unread is LeftOut.NO_RESPONSE
    assert fields["title"] == "Bridge over the Velna reopens"


def chunked(body):
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


@pytest.mark.parametrize(
    ("pack", "headers"),
    [
        (gzip.compress, {"Content_Encoding": "gzip"}),
        (zlib.compress, {"Content_Encoding": "deflate"}),
        (brotli.compress, {"Content_Encoding": "br"}),
        (chunked, {"Transfer_Encoding": "chunked"}),
        (
            lambda body: chunked(gzip.compress(body)),
            {"Transfer_Encoding": "chunked", "Content_Encoding": "gzip"},
        ),
        (lambda body: body, {"Transfer_Encoding": "chunked"}),
        (lambda body: body, {"X_Crawler_Content_Encoding": "gzip"}),
    ],
)
def test_a_page_is_unpacked_as_its_headers_say(pack, headers):
    (fields,) = contents(Warc().respond(pack(article_page()), **headers))
    assert "repair of 14 months" in fields["text"]


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (article_page() + b" " * 20_000, {}),
        (gzip.compress(article_page() + b" " * 20_000), {"Content_Encoding": "gzip"}),
        (brotli.compress(b" " * 10_000_000), {"Content_Encoding": "br"}),
        (gzip.compress(article_page())[:-30], {"Content_Encoding": "gzip"}),
        (b"no brotli", {"Content_Encoding": "br"}),
        (b"<html></html>", {}),
        (b"", {}),
    ],
)
def test_a_page_that_is_too_large_damaged_or_empty_is_rejected(body, headers, monkeypatch):
    monkeypatch.setattr(archived_pages, "PAGE_BYTES", 10_000)
    warc = Warc().respond(body, **headers).respond(article_page())
    bad, good = entries(warc)
    assert bad.content.code == "bad_page"
    assert bad.received == body[: len(bad.received)]
    assert good.content["url"] == ADDRESS


@pytest.mark.parametrize("packed", [True, False])
def test_reading_goes_on_behind_each_record(packed):
    warc = Warc(packed=packed).record("warcinfo").respond(article_page("One"))
    warc.respond(b"", status="404 Not Found").respond(article_page("Two"))
    whole = entries(warc)
    assert [entry.number for entry in whole] == [1, 2, 3, 4]
    for index, entry in enumerate(whole):
        assert entries(warc, entry.next_position) == whole[index + 1 :]


@pytest.mark.parametrize("packed", [True, False])
def test_an_archive_that_is_cut_off_yields_what_comes_before(packed):
    warc = Warc(packed=packed).respond(article_page("One")).respond(article_page("Two"))
    first, _ = entries(warc)
    reading = read_warc("news.warc", io.BytesIO(warc.data[:-200]))
    assert next(reading) == first
    with pytest.raises(SourceUnusable, match=r"^news\.warc"):
        next(reading)


@pytest.mark.parametrize(
    "data",
    [
        b"<html>no archive</html>",
        b"\x00" * 3_000_000,
        gzip.compress(b"x" * 3_000_000),
        gzip.compress(Warc(packed=False).respond(b"a").respond(b"b").data),
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999999999999\r\n\r\nHTTP/1.1 200 OK",
        b"WARC/1.0\r\n" + b"X-Long: " + b"y" * 2_000_000,
        b"WARC/1.0\r\n" + b"X: y\r\n" * 300_000,
    ],
)
def test_a_file_that_is_no_archive_or_has_headers_without_end_is_refused(data):
    with pytest.raises(SourceUnusable, match=r"^news\.warc"):
        entries(data)


def test_an_empty_file_holds_nothing():
    assert entries(b"") == []


SOUND = Warc(packed=False).record("warcinfo").respond(b"short").respond(b"", status="404 No").data
PACKED = Warc().record("warcinfo").respond(b"short").respond(b"", status="404 No").data


@given(
    st.sampled_from([SOUND, PACKED]),
    st.lists(
        st.tuples(st.integers(0, 2_000), st.binary(max_size=8), st.integers(0, 8)), max_size=4
    ),
)
def test_damage_anywhere_is_a_rejected_record_or_a_clear_error(data, changes):
    for position, new, removed in changes:
        at = position % len(data)
        data = data[:at] + new + data[at + removed :]
    with suppress(SourceUnusable):
        for content in contents(data):
            assert isinstance(content, Rejection | LeftOut | dict)


def test_arc_is_refused_with_what_to_do():
    page = http("200 OK", {"Content-Type": "text/html"}) + article_page()
    about = b"1 0 test\nURL IP-address Archive-date Content-type Archive-length\n"
    arc = (
        f"filedesc://a.arc 0.0.0.0 20260302120000 text/plain {len(about)}\n".encode()
        + about
        + f"\n{ADDRESS} 192.0.2.1 20260302120000 text/html {len(page)}\n".encode()
        + page
        + b"\n"
    )
    with pytest.raises(SourceUnusable, match=r"ARC is not read; warcio recompress"):
        entries(arc)
