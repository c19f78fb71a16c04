"""Fields of entries as they are read here and by feedparser from the same bytes.

Where both differ on purpose, as docs/feeder.md says, the reason is found by a rule; what is left is
to be read by a person.
"""

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from importlib import import_module
from io import BytesIO
from typing import Any, Final, NamedTuple

from newsdedup.feeder.parsing.canonical_urls import canonical_url, join_address
from newsdedup.feeder.parsing.feed import parse_feed
from newsdedup.feeder.parsing.html_text import visible_text
from newsdedup.feeder.parsing.parsed_feed import FeedEntry, FeedUnusable, ParsedFeed

_ADDRESS: Final = "https://feeds.example/news/feed.xml"
_RECEIVED: Final = datetime(2026, 11, 27, tzinfo=UTC)
_DATES: Final = ("published", "updated", "created")
_YEARS: Final = ("1971", "2100")
_NAMED_TIME: Final = re.compile(r"[ap]\.?m\b| (?!GMT|UTC)[A-Z]{2,5}\)?$", re.IGNORECASE)
_ISO_DATE: Final = re.compile(r"\d{4}-\d\d-\d\dT?\d*")
_NOT_ASCII: Final = re.compile("[\xa0-\xac\xae-\xff]+")
_NO_NAME: Final = re.compile(r"\A(?:https?:.*|mailto:.*|\S+@\S+|)\Z")


class FieldDifference(NamedTuple):
    """A field of an entry that feedparser reads otherwise."""

    field: str
    entry: int
    ours: str
    theirs: str
    reason: str = ""
    """Why it differs on purpose; "" if no rule says so."""


class FeedComparison(NamedTuple):
    """What two readers find in one body."""

    entries: int
    differences: tuple[FieldDifference, ...]


def compare_feed(body: bytes) -> FeedComparison:
    """Return how the entries of a body differ; feedparser must be installed, and fetches nothing.

    An error that feedparser raises counts as a feed without entries.
    """
    parse = import_module("feedparser").parse
    headers = {"content-location": _ADDRESS}
    try:
        # Bytes alone would be opened or fetched if they are the name of a file or an address.
        theirs = parse(BytesIO(body), sanitize_html=False, response_headers=headers).entries
    except Exception:  # noqa: BLE001 - of another library, for a date that it does not expect
        theirs = []
    try:
        ours = parse_feed(body, content_type=None, address=_ADDRESS, received_at=_RECEIVED)
    except FeedUnusable as error:
        reason = "no feed" if "no feed" in str(error) else ""
        refused = FieldDifference("refused", 0, str(error), f"{len(theirs)} entries", reason)
        return FeedComparison(0, (refused,) if theirs else ())
    if len(ours.entries) != len(theirs):
        reason = "" if theirs else "read here alone"
        counts = str(len(ours.entries)), str(len(theirs))
        return FeedComparison(0, (FieldDifference("entries", 0, *counts, reason),))
    return FeedComparison(len(theirs), tuple(_differences(ours, theirs, body)))


def _differences(
    feed: ParsedFeed, theirs: list[dict[str, Any]], body: bytes
) -> Iterator[FieldDifference]:
    """Yield the fields of two readings of the same entries that differ."""
    for number, (entry, other) in enumerate(zip(feed.entries, theirs, strict=True)):
        title = other.get("title", "")
        if _bare(entry.title) != _bare(title):
            reason = _misread(feed, title, body)
            yield FieldDifference("title", number, entry.title, title, reason)
        url = canonical_url(_ADDRESS, other["link"]) if other.get("link") else ""
        if entry.url != url:
            reason = _url_reason(entry.url, url, other)
            yield FieldDifference("url", number, entry.url, url, reason)
        guid = other.get("id", "")
        if entry.guid != guid:
            yield FieldDifference(
                "guid", number, entry.guid, guid, _guid_reason(entry.guid, guid, other)
            )
        yield from _different_dates(number, entry, other)
        yield from _different_lists(number, feed, other, body)
        yield from _different_text(number, feed, other, body)


def _url_reason(ours: str, theirs: str, other: dict[str, Any]) -> str:
    """Return why the address of an entry differs on purpose; "" if no rule says so."""
    if any(name.endswith("_origlink") for name in other):
        return "the page behind a counter of clicks"
    links = [canonical_url(_ADDRESS, one.get("href", "")) for one in other.get("links", ())]
    if ours in links and theirs in links:
        return "another of several links"
    if ours and not theirs:
        return "about, src or a link of Atom is an address, too"
    if theirs == canonical_url(_ADDRESS, other.get("id", "")):
        return "a guid is an address only if it looks like one"
    return ""


def _guid_reason(ours: str, theirs: str, other: dict[str, Any]) -> str:
    """Return why an id differs on purpose; "" if no rule says so."""
    if theirs.endswith(ours.lstrip("./")) or join_address(_ADDRESS, ours) == theirs:
        return "ids are not resolved"
    if ours == other.get("dc_identifier") or not theirs:
        return "dc:identifier and about are ids, too"
    return ""


def _different_dates(
    number: int, entry: FeedEntry, other: dict[str, Any]
) -> Iterator[FieldDifference]:
    """Yield dates that differ, unless each reader has the one of the other under another name."""
    ours_of = {"published": _written(entry.published), "updated": _written(entry.updated)}
    of_them = {_their_date(other, field) for field in _DATES}
    for field, ours in ours_of.items():
        theirs = _their_date(other, field)
        # The method of its own dictionary takes one date for another, with a warning.
        stated = next(filter(None, (dict.get(other, one) for one in (field, *_DATES))), "")
        if ours == theirs or (ours in of_them and (not theirs or theirs in ours_of.values())):
            continue
        yield FieldDifference(
            field, number, ours, theirs, _date_reason(entry, ours, theirs, stated)
        )


def _date_reason(entry: FeedEntry, ours: str, theirs: str, stated: str) -> str:
    """Return why a date differs on purpose; "" if no rule says so. `stated` is as it is written."""
    written = _written(entry.published)
    reasons = (
        ("read here alone", not theirs),
        ("read under another name", not ours and theirs == written),
        ("a date that is to come", ours == _written(_RECEIVED) and theirs > ours),
        ("a date that stands for none", not _YEARS[0] <= theirs[:4] < _YEARS[1]),
        ("an update before the publication", not ours and theirs < written),
        ("names of zones, hours of the afternoon", bool(_NAMED_TIME.search(stated))),
        ("no such day or time", bool(_ISO_DATE.match(stated)) and not _is_date(stated)),
    )
    return next((reason for reason, holds in reasons if holds), "")


def _different_lists(
    number: int, feed: ParsedFeed, other: dict[str, Any], body: bytes
) -> Iterator[FieldDifference]:
    """Yield authors and categories that differ; order and repetitions do not count."""
    entry = feed.entries[number]
    authors = [one.get("name") or one.get("email") or "" for one in other.get("authors", ())]
    tags = [one.get("label") or one.get("term") or "" for one in other.get("tags", ())]
    for field, ours, theirs in (
        ("authors", entry.authors, [one for one in authors if not _NO_NAME.match(one)]),
        ("categories", entry.categories, tags),
    ):
        left, right = set(map(_bare, ours)) - {""}, set(map(_bare, theirs)) - {""}
        if not right <= left:
            named = "; ".join(theirs)
            yield FieldDifference(
                field, number, "; ".join(ours), named, _misread(feed, named, body)
            )
        elif left != right and not all(_NO_NAME.match(one) for one in left - right):
            yield FieldDifference(field, number, str(ours), str(theirs), "more names are read here")


def _different_text(
    number: int, feed: ParsedFeed, other: dict[str, Any], body: bytes
) -> Iterator[FieldDifference]:
    """Yield the text if it is none of those that feedparser finds."""
    texts = [one.get("value", "") for one in other.get("content", ())]
    texts += [other.get("summary", ""), other.get("subtitle", "")]
    entry = feed.entries[number]
    ours = _bare(entry.text)
    if ours in map(_bare, texts):
        return
    theirs = max(texts, key=lambda text: len(_bare(text)))
    longer = "a longer text is read here" if len(ours) > len(_bare(theirs)) else ""
    yield FieldDifference(
        "text", number, entry.text, theirs, _misread(feed, theirs, body) or longer
    )


def _misread(feed: ParsedFeed, theirs: str, body: bytes) -> str:
    """Return a reason if feedparser takes bytes for windows-1252 that are not."""
    if any("encoded once more" in problem for problem in feed.problems):
        return "UTF-8 that was encoded twice"
    try:
        body.decode()
    except UnicodeDecodeError:
        words = [word.encode("cp1252", "ignore") for word in _NOT_ASCII.findall(theirs)]
        return "the encoding" if words and all(word in body for word in words) else ""
    return ""


def _bare(text: str) -> str:
    """Return the visible text without spaces and with all references resolved."""
    return "".join(unescape(visible_text(visible_text(text))).split())


def _written(at: datetime | None) -> str:
    """Return a moment to the second in UTC; "" for None."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S") if at else ""


def _their_date(other: dict[str, Any], field: str) -> str:
    """Return a date of feedparser; its publication is the creation where none is stated."""
    parsed = dict.get(other, f"{field}_parsed")
    if parsed is None and field == "published" and not dict.get(other, "published"):
        parsed = dict.get(other, "created_parsed") or dict.get(other, "updated_parsed")
    return time.strftime("%Y-%m-%dT%H:%M:%S", parsed) if parsed else ""


def _is_date(stated: str) -> bool:
    """Return whether a date in ISO 8601 exists."""
    try:
        datetime.fromisoformat(stated)
    except ValueError:
        return False
    return True
