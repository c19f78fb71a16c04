"""Saved pages: files of HTML, each with one article.

A file does not tell where its page was. Browsers note that at the beginning: "saved from
url=(0022)https://..." (most of them), or "url: https://..." (SingleFile). Else what the page calls
its canonical address is believed.
"""

import re
from collections.abc import Iterator
from typing import Any

from newsdedup.feeder.archives.archive_entry import (
    PAGE_BYTES,
    START,
    ArchiveEntry,
    ArchivePosition,
    rejected_entry,
)
from newsdedup.feeder.pages.article import read_article
from newsdedup.feeder.pages.page_tree import PageUnusable
from newsdedup.feeder.parsing.html_text import resolve_html
from newsdedup.ports.errors import InvalidItem, Rejection

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


def read_saved_page(
    html: bytes, start: ArchivePosition = START, *, page_bytes: int = PAGE_BYTES
) -> Iterator[ArchiveEntry]:
    """Yield the one record of a page, unless it was read before.

    A page of more than `page_bytes` is rejected; no more than one byte of the rest need be given.
    """
    if start.number:
        return
    if len(html) > page_bytes:
        too_long = Rejection("too_long", f"the page has more than {page_bytes:,} bytes")
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
    noted = _NOTED.search(html[:_NOTE_BYTES]) or _named_address(html[:_TAGS_BYTES])
    return resolve_html(noted[1].decode("utf-8", "replace")) if noted else ""


def _named_address(html: bytes) -> re.Match[bytes] | None:
    """Return the match of the first address that an element in the head calls canonical."""
    for tag in _NAMING_TAG.finditer(html):
        if _NAMES_ADDRESS.search(tag[0]) and (address := _NAMED.search(tag[0])):
            return address
    return None


def page_record(
    html: bytes, *, content_type: str | None, address: str, seen_at: str = ""
) -> dict[str, Any]:
    """Return the fields of the item on a page; raise InvalidItem if it has no article.

    `address` is where the page was, "" if that is unknown; `seen_at` when it was fetched.
    """
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
