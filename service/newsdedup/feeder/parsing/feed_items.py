"""Entries of a feed to input records: items, and retractions of what was withdrawn.

The id of an item is its guid, else its canonical address, else a hash of its title and text. A guid
that a feed gives to several articles at once names none of them. The source is the host of the
site, without "www.", unless the subscription names one: titles of feeds change, and several feeds
of one site are one source.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import xxhash

from newsdedup.adapters.formats.item_json import shows_nothing, site_host
from newsdedup.feeder.parsing.canonical_urls import canonical_url
from newsdedup.feeder.parsing.parsed_feed import BOUNDS, FeedEntry, ParsedFeed

FeedRecord = dict[str, Any]
"""A record of docs/items.md: an item, or the command that withdraws one."""


def feed_items(feed: ParsedFeed, *, source: str = "", wordless: bool = False) -> list[FeedRecord]:
    """Return the records of a feed, oldest version first, retractions last.

    Entries whose title and text show nothing, pages whose text must be fetched, are records only
    with `wordless`, and no items yet. `source` is the name that the subscription gives, "" for the
    host of the site. Delivering the records again changes nothing: an entry has the same id in
    every fetch.
    """
    source = (source or feed_source(feed))[: BOUNDS.name_chars]
    unusable = shared_guids(feed)
    worded = [
        entry
        for entry in feed.entries
        if not shows_nothing(entry.title, entry.text) or (wordless and entry.url)
    ]
    # Feeds list the newest entry first; versions of one entry must come in the order of time.
    worded.reverse()
    worded.sort(key=lambda entry: entry.updated or entry.published or feed.received_at)
    items = [_item(entry, feed, source, unusable) for entry in worded]
    return [*items, *_retractions(feed, source)]


def shared_guids(feed: ParsedFeed) -> frozenset[str]:
    """Return the guids that a feed gives to several articles, which name none of them."""
    by_guid: dict[str, list[FeedEntry]] = defaultdict(list)
    for entry in feed.entries:
        if entry.guid and (entry.title or entry.text or entry.url):
            by_guid[entry.guid].append(entry)
    has_versions = feed.format == "atom"
    return frozenset(
        guid
        for guid, entries in by_guid.items()
        if len(entries) > 1 and not _are_one(entries, has_versions=has_versions)
    )


def _are_one(entries: Sequence[FeedEntry], *, has_versions: bool) -> bool:
    """Return whether entries with one guid are one article: of one page, or in the same words.

    With `has_versions` they are also one if each states another time of change (RFC 4287, 4.1.1).
    """
    urls = {entry.url for entry in entries}
    if len(urls - {""}) > 1:
        return False
    if "" not in urls or len({(entry.title, entry.text) for entry in entries}) == 1:
        return True
    updates = {entry.updated for entry in entries}
    versions = {(entry.updated, entry.title, entry.text) for entry in entries}
    return has_versions and None not in updates and len(versions) == len(updates)


def feed_source(feed: ParsedFeed) -> str:
    """Return the host of the site of a feed, else of its own address; "" if neither has one."""
    addresses = (feed.site, feed.self_link, feed.address)
    return next((host for address in addresses if address and (host := _host(address))), "")


@lru_cache(maxsize=2_000)
def _host(address: str) -> str:
    """Return the host of an address; feeds name the same ones at each visit."""
    return site_host(canonical_url("", address))


def entry_id(entry: FeedEntry, unusable_guids: frozenset[str] = frozenset()) -> str:
    """Return the id of an entry: guid, else address, else a hash of title and text.

    Guids among `unusable_guids` count as missing; a long guid or address is hashed, too.
    """
    stated = "" if entry.guid in unusable_guids else entry.guid
    name = stated or entry.url
    if name and len(name) <= BOUNDS.name_chars:
        return name
    hashed = name or f"{entry.title}\n{entry.text}"
    return xxhash.xxh3_128_hexdigest(hashed.encode("utf-8", "surrogatepass"))


def _item(
    entry: FeedEntry, feed: ParsedFeed, source: str, unusable_guids: frozenset[str]
) -> FeedRecord:
    """Return an entry as the record of an item, without empty fields; `source` is the feed's."""
    shown = not shows_nothing(entry.title, entry.text)
    fields: FeedRecord = {
        "id": entry_id(entry, unusable_guids),
        "source": _origin(entry) or source,
        "url": entry.url,
        "title": entry.title if shown else "",
        "text": entry.text if shown else "",
        "published_at": _written(entry.published),
        "updated_at": _written(entry.updated),
        "seen_at": _written(feed.received_at),
        "lang": entry.lang,
        "links": list(entry.links),
        "authors": list(entry.authors),
        "categories": list(entry.categories),
        "enclosures": [
            {
                "url": one.url,
                **({"type": one.type} if one.type else {}),
                **({"length": one.length} if one.length else {}),
            }
            for one in entry.enclosures
        ],
        "feed": feed.address,
        "feed_title": entry.origin_name or feed.title,
    }
    return {name: value for name, value in fields.items() if value}


def _origin(entry: FeedEntry) -> str:
    """Return the host from which an entry was taken; "" if it does not say."""
    host = _host(entry.origin_url) if entry.origin_url else ""
    return host[: BOUNDS.name_chars]


def _retractions(feed: ParsedFeed, source: str) -> Iterator[FeedRecord]:
    """Yield the records that withdraw deleted entries, unless updated since (RFC 6721, 3)."""
    updated = {entry.guid: entry.updated for entry in feed.entries if entry.updated is not None}
    for one in feed.deleted:
        shown = updated.get(one.guid)
        if shown is not None and one.deleted is not None and shown >= one.deleted:
            continue
        guid = one.guid if len(one.guid) <= BOUNDS.name_chars else entry_id(FeedEntry(one.guid))
        yield {"newsdedup": "retract", "source": source, "id": guid}


def _written(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
