"""Archived pages, of which articles are read: saved files of HTML, and archives of the web (WARC).

A saved file does not tell where its page was. Browsers note that at the beginning: "saved from
url=(0022)https://..." (most of them), or "url: https://..." (SingleFile). Else what the page calls
its canonical address is believed.

warcio cuts a WARC into records. What it leaves open is bounded here: the length of headers, the
size of a page, and a record that ends before its announced length.
"""

import logging
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import Any, BinaryIO, Final

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataReader, DecompressingBufferedReader
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeadersParser, StatusAndHeadersParserException

from newsdedup.feeder.archives.archive_entry import (
    START,
    ArchiveEntry,
    ArchivePosition,
    LeftOut,
    rejected_entry,
)
from newsdedup.feeder.fetching.answers import FetchError
from newsdedup.feeder.fetching.decompression import decompress
from newsdedup.feeder.pages.article import read_article
from newsdedup.feeder.pages.page_tree import PAGE_BOUNDS, PageUnusable
from newsdedup.feeder.parsing.html_text import resolve_html
from newsdedup.ports.errors import InvalidItem, Rejection, SourceUnusable

PAGE_BYTES: Final = PAGE_BOUNDS.body_bytes
"""The largest page that is read, unpacked."""
_NOTE_BYTES = 4_096
_TAGS_BYTES = 2**18
_NAMING_TAG = re.compile(rb"<(?:link|meta)\s[^<>]{1,9000}>", re.IGNORECASE)
_NAMES_ADDRESS = re.compile(
    rb"""\s(?:rel|property)\s{0,3}=\s{0,3}["']?(?:canonical|og:url)["'\s/>]""", re.IGNORECASE
)
_NAMED = re.compile(
    rb"""\s(?:href|content)\s{0,3}=\s{0,3}["']?(https?://[^\s"'<>]{1,8000})""", re.IGNORECASE
)
_NOTED = re.compile(
    rb"<!--[^>]{0,500}?(?:saved from url=\(\d{1,6}\)|\burl:\s{0,3})(https?://[^\s>]{1,8000})"
)

_FEED = re.compile(
    rb"\s*+(?:\xef\xbb\xbf)?\s*+(?:<[?!][^>]{0,500}>\s*+){0,9}"
    rb"<(?:rss|feed|rdf:RDF|urlset|sitemapindex)[\s>]"
)

_HEADER_BYTES: Final = 2**20
"""Of one record, with the blank lines before it and the headers of the response in it."""
_RESPONSE_HEADER_BYTES: Final = 2**19
"""Of a response alone: its site wrote them, so they must not end the file."""
_CHUNK: Final = 2**16
_parse_http: Final = StatusAndHeadersParser(["HTTP/1.0", "HTTP/1.1"]).parse
_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})


def read_saved_page(file: BinaryIO, start: ArchivePosition = START) -> Iterator[ArchiveEntry]:
    """Yield the one record of a page, unless it was read before; a large one is rejected."""
    if start.number:
        return
    html = file.read(PAGE_BYTES + 1)
    if len(html) > PAGE_BYTES:
        too_long = Rejection("too_long", f"the page has more than {PAGE_BYTES:,} bytes")
        yield rejected_entry(1, too_long, html)
        return
    try:
        fields = page_record(html, content_type=None, address=stated_address(html))
    except InvalidItem as error:
        yield rejected_entry(1, error.rejection, html)
    else:
        yield ArchiveEntry(1, 0, 0, fields)


def stated_address(html: bytes) -> str:
    """Return the address that a browser noted, else the canonical one of the page; "" for none."""
    tags = [tag[0] for tag in _NAMING_TAG.finditer(html[:_TAGS_BYTES])]
    named = (_NAMED.search(tag) for tag in tags if _NAMES_ADDRESS.search(tag))
    noted = _NOTED.search(html[:_NOTE_BYTES]) or next(filter(None, named), None)
    return resolve_html(noted[1].decode("utf-8", "replace")) if noted else ""


def page_record(
    html: bytes, *, content_type: str | None, address: str, seen_at: str = ""
) -> dict[str, Any]:
    """Return the fields of the item on a page; raise InvalidItem if it has no article.

    `content_type` is the header of HTTP, None without one; `address` is where the page was, "" if
    that is unknown; `seen_at` when it was fetched, in ISO 8601.
    """
    if _FEED.match(html):
        reason = "it is a feed and no page; `newsdedup import feeds` reads it"
        raise InvalidItem("bad_page", reason)
    try:
        article = read_article(html, content_type=content_type, address=address)
    except PageUnusable as error:
        raise InvalidItem("bad_page", str(error)) from error
    fields: dict[str, Any] = {
        "url": article.address,
        "title": article.title,
        "text": article.text,
        "published_at": None if article.published is None else article.published.isoformat(),
        "updated_at": None if article.updated is None else article.updated.isoformat(),
        "seen_at": seen_at,
        "lang": article.lang,
        "links": list(article.links),
        "authors": list(article.authors),
        "site_name": article.site_name,
    }
    return {name: value for name, value in fields.items() if value not in (None, "", [])}


def read_warc(name: str, file: BinaryIO, start: ArchivePosition = START) -> Iterator[ArchiveEntry]:
    """Yield the records of a WARC from a position on; each gzip member holds one record.

    Raise SourceUnusable where the file is damaged, cut off, or no WARC: the records before it have
    been yielded.
    """
    # It would log parts of foreign headers, which may hold control characters.
    logging.getLogger("warcio").setLevel(logging.CRITICAL)
    number = start.number
    file.seek(start.offset)
    try:
        records = _WarcRecords(file)
        for record in records:
            if record.rec_type == "arc_header":
                raise SourceUnusable(
                    f"{name}: ARC is not read; warcio recompress makes a WARC of it"
                )
            number += 1
            content, received = _content(record)
            records.read_to_end()
            if getattr(record.raw_stream, "limit", 0) > 0:
                raise SourceUnusable(f"{name}: cut off in record {number}")
            offset, end = records.get_record_offset(), records.offset
            if isinstance(content, InvalidItem):
                yield rejected_entry(number, content.rejection, received, offset=offset, end=end)
            else:
                yield ArchiveEntry(number, offset, end, content)
    except (ArchiveLoadFailed, StatusAndHeadersParserException, zlib.error) as error:
        reason = " ".join(str(error).split())[:200]
        raise SourceUnusable(
            f"{name}: no WARC, or damaged before byte {file.tell():,}: {reason}"
        ) from error


class _BoundedReader(DecompressingBufferedReader):  # type: ignore[misc]  # warcio has no types
    """Refuses headers without end; warcio reads only headers by lines."""

    _header_bytes = 0

    def read(self, length: int | None = None) -> bytes:
        """Return at most `length` bytes of a body; b"" at its end."""
        self._header_bytes = 0
        return bytes(super().read(length))

    def readline(self, length: int | None = None) -> bytes:
        """Return a line of a header; raise ArchiveLoadFailed if the header grows too long."""
        room = _HEADER_BYTES - self._header_bytes
        line = bytes(super().readline(room if length is None else min(length, room)))
        self._header_bytes += len(line)
        if self._header_bytes >= _HEADER_BYTES:
            raise ArchiveLoadFailed("the header of a record has no end")
        return line


class _WarcRecords(ArchiveIterator):  # type: ignore[misc]  # warcio has no types
    """The records of a file, in order."""

    INC_RECORD = ""
    """warcio would print this on standard error where the length of a record is wrong."""

    def __init__(self, file: BinaryIO) -> None:
        # Headers of HTTP are parsed below: warcio stumbles where a record lacks its address.
        super().__init__(file, no_record_parse=True)
        self.reader = _BoundedReader(file)


class _ResponseHead:
    """The lines of the headers of a response; an error is raised before too much is read."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._room = _RESPONSE_HEADER_BYTES

    def readline(self, length: int | None = None) -> bytes:
        """Return the next line; raise StatusAndHeadersParserException if they are too long."""
        if self._room <= 0:
            raise StatusAndHeadersParserException("the headers of a response have no end", None)
        most = self._room if length is None else min(length, self._room)
        line = bytes(self._stream.readline(most))
        self._room -= len(line)
        return line


def _content(record: Any) -> tuple[Mapping[str, Any] | LeftOut | InvalidItem, bytes]:
    """Return the fields of the item in a record, or why it is none, and then the body of its page.

    The body is empty for a record that is left out.
    """
    try:
        is_response = record.rec_type == "response"
        headers = _parse_http(_ResponseHead(record.raw_stream)) if is_response else None
    except (StatusAndHeadersParserException, EOFError):
        headers = None
    if headers is None:
        return LeftOut.NO_RESPONSE, b""
    if headers.get_statuscode() != "200":
        return LeftOut.STATUS, b""
    content_type = headers.get_header("Content-Type") or ""
    if content_type.partition(";")[0].strip().lower() not in _HTML:
        return LeftOut.NOT_HTML, b""
    body = _read(record.raw_stream.read)
    try:
        html = _page(body, headers)
        return page_record(
            html,
            content_type=content_type,
            address=record.rec_headers.get_header("WARC-Target-URI") or "",
            seen_at=record.rec_headers.get_header("WARC-Date") or "",
        ), b""
    except FetchError as error:
        return InvalidItem("bad_page", str(error)), body
    except InvalidItem as error:
        return error, html


def _page(body: bytes, headers: Any) -> bytes:
    """Return the HTML in the body of a response; raise FetchError if it is too large or damaged."""
    if len(body) > PAGE_BYTES:
        raise FetchError("size", f"the page has more than {PAGE_BYTES:,} bytes")
    if (headers.get_header("Transfer-Encoding") or "").lower() == "chunked":
        body = _read(ChunkedDataReader(BytesIO(body)).read)
    return decompress(body, headers.get_header("Content-Encoding") or "", limit=PAGE_BYTES)


def _read(read: Callable[[int], bytes]) -> bytes:
    """Return all bytes that `read` gives; of a longer body one more than PAGE_BYTES."""
    parts: list[bytes] = []
    room = PAGE_BYTES + 1
    while room and (part := read(min(_CHUNK, room))):
        parts.append(part)
        room -= len(part)
    return b"".join(parts)
