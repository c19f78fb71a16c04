"""Archives of the web (WARC): their pages, of which articles are read.

warcio cuts the file into records. What it leaves open is bounded here: the length of headers, the
size of a page, and a record that ends before its announced length.
"""

import logging
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import Any, BinaryIO, Final

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataReader, DecompressingBufferedReader
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeadersParser, StatusAndHeadersParserException

from newsdedup.feeder.archives.archive_entry import (
    PAGE_BYTES,
    START,
    ArchiveEntry,
    ArchivePosition,
    LeftOut,
    rejected_entry,
)
from newsdedup.feeder.archives.saved_pages import page_record
from newsdedup.feeder.fetching.decompression import decompress
from newsdedup.feeder.fetching.fetch_error import FetchError
from newsdedup.ports.errors import InvalidItem, SourceUnusable

_HEADER_BYTES: Final = 2**20
"""Of one record, with the blank lines before it."""
_CHUNK: Final = 2**16
_parse_http: Final = StatusAndHeadersParser(["HTTP/1.0", "HTTP/1.1"]).parse
_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})


def read_warc(
    name: str, file: BinaryIO, start: ArchivePosition = START, *, page_bytes: int = PAGE_BYTES
) -> Iterator[ArchiveEntry]:
    """Yield the records of a WARC from a position on; each gzip member holds one record.

    Raise SourceUnusable where the file is damaged, cut off, or no WARC: the records before it have
    been yielded.
    """
    # It would log parts of foreign headers, which may hold control characters.
    logging.getLogger("warcio").setLevel(logging.CRITICAL)
    number = start.number
    file.seek(start.offset)
    with _warc_errors(name, file):
        records = _WarcRecords(file)
        for record in records:
            number += 1
            content, received = _content(record, page_bytes)
            records.read_to_end()
            if getattr(record.raw_stream, "limit", 0) > 0:
                raise SourceUnusable(f"{name}: cut off in record {number}")
            offset, end = records.get_record_offset(), records.offset
            if isinstance(content, InvalidItem):
                yield rejected_entry(number, content.rejection, received, offset=offset, end=end)
            else:
                yield ArchiveEntry(number, offset, end, content)


class _BoundedReader(DecompressingBufferedReader):  # type: ignore[misc]  # warcio has no types
    """Refuses headers without end; warcio reads only headers by lines."""

    _header_bytes = 0

    def read(self, length: int | None = None) -> bytes:
        """Return bytes of a body."""
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


@contextmanager
def _warc_errors(name: str, file: BinaryIO) -> Iterator[None]:
    """Turn what warcio raises about damaged files into SourceUnusable."""
    try:
        yield
    except (ArchiveLoadFailed, StatusAndHeadersParserException, zlib.error) as error:
        reason = " ".join(str(error).split())[:200]
        raise SourceUnusable(
            f"{name}: no WARC, or damaged before byte {file.tell():,}: {reason}"
        ) from error


def _content(
    record: Any, page_bytes: int
) -> tuple[Mapping[str, Any] | LeftOut | InvalidItem, bytes]:
    """Return what a record holds, and of a page that cannot be an item the body."""
    headers = _http_headers(record)
    if headers is None:
        return LeftOut.NO_RESPONSE, b""
    if headers.get_statuscode() != "200":
        return LeftOut.STATUS, b""
    content_type = headers.get_header("Content-Type") or ""
    if content_type.partition(";")[0].strip().lower() not in _HTML:
        return LeftOut.NOT_HTML, b""
    body = _read(record.raw_stream.read, page_bytes)
    try:
        html = _page(body, headers, page_bytes)
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


def _http_headers(record: Any) -> Any:
    """Return status and headers of a response, None for a record of another kind."""
    if record.rec_type != "response":
        return None
    try:
        return _parse_http(record.raw_stream)
    except (StatusAndHeadersParserException, EOFError):
        return None


def _page(body: bytes, headers: Any, page_bytes: int) -> bytes:
    """Return the HTML in the body of a response; raise InvalidItem or FetchError without it."""
    if len(body) > page_bytes:
        raise FetchError("size", f"the page has more than {page_bytes:,} bytes")
    if (headers.get_header("Transfer-Encoding") or "").lower() == "chunked":
        body = _read(ChunkedDataReader(BytesIO(body)).read, page_bytes)
    return decompress(body, headers.get_header("Content-Encoding") or "", limit=page_bytes)


def _read(read: Callable[[int], bytes], limit: int) -> bytes:
    """Return bytes up to the end, or one more than the limit."""
    parts: list[bytes] = []
    room = limit + 1
    while room and (part := read(min(_CHUNK, room))):
        parts.append(part)
        room -= len(part)
    return b"".join(parts)
