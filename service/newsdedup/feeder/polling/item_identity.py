"""Which item an entry is a version of: two ids with one page of one source are one item.

An entry that was delivered keeps its item, also where its address changes. A new one becomes a
version of the item that is known by its page, else an item of its own. The home page of a site, and
a page that more than two entries of a feed share, is no page of one item; one that had four ids
over time (a section, a live ticker) takes no others.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, Self
from urllib.parse import urlsplit

import msgspec

from newsdedup.data.lang import words
from newsdedup.feeder.parsing.feed_items import FeedRecord
from newsdedup.feeder.state.feeds_file import StoredPage, entry_name

EntryKind = Literal["item", "page", "retraction"]

_MOMENTS: Final = frozenset({"seen_at", "published_at", "updated_at"})
_COUNTED: Final = frozenset({"title", "text"})
_COUNTED_THINGS: Final = words("feeds.counted")
_NUMBER: Final = re.compile(r"\d[\d.,]{0,12}+")
_WORD_AFTER: Final = re.compile(r"\s?([^\W\d_]{1,20})")
_WORD_BEFORE: Final = re.compile(r"([^\W\d_]{1,20})\s?[:(]?\s?$")
_CONTEXT: Final = 24
"""Characters around a number in which the word is that says what it counts."""
_MOST_ENTRIES: Final = 2
"""Of one feed at one time that have one page and are one item."""
_MOST_NAMES: Final = 4
"""Ids of one item over time and in all feeds: a site has few feeds with ids of their own."""
_SHARED: Final = StoredPage("")


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """One entry of a feed, or the retraction of one, which has the id of that one."""

    record: FeedRecord

    @property
    def id(self) -> str:
        """Return the id, which stays when the entry changes; it is unique within its feed."""
        return str(self.record["id"])

    @property
    def item(self) -> str:
        """Return the key of its item: source and id, in two lines."""
        return f"{self.record['source']}\n{self.record['id']}"

    @property
    def address(self) -> str:
        """Return the canonical address of its page; "" if it has none."""
        return str(self.record.get("url", ""))

    @property
    def kind(self) -> EntryKind:
        """Return what it becomes; a `page` has neither title nor text and becomes nothing alone."""
        if "newsdedup" in self.record:
            return "retraction"
        return "item" if self.record.get("title") or self.record.get("text") else "page"

    @property
    def content(self) -> bytes:
        """Return its record as JSON: other bytes make a new version of the item.

        Without the time of receipt, dates and the counts of comments and the like: what differs in
        them alone is no new version.
        """
        return msgspec.json.encode(
            {
                name: _without_counts(value) if name in _COUNTED else value
                for name, value in self.record.items()
                if name not in _MOMENTS
            }
        )

    def edited(self, since: datetime) -> Self:
        """Return it as a version that the feed did not show at `since`, the visit before.

        It is as new as its receipt, unless the feed states a later change than that visit.
        """
        stated, seen_at = self.record.get("updated_at"), self.record.get("seen_at")
        if seen_at is None or (stated and datetime.fromisoformat(stated) > since):
            return self
        return replace(self, record={**self.record, "updated_at": seen_at})

    def renamed(self, item: str) -> Self:
        """Return it as a version of another item: source and id, in two lines."""
        source, _, identity = item.partition("\n")
        return replace(self, record={**self.record, "source": source, "id": identity})


def _without_counts(text: str) -> str:
    """Return a text without the numbers of comments, views and the like: "12 comments"."""

    def uncounted(match: re.Match[str]) -> str:
        after = _WORD_AFTER.match(text, match.end())
        before = _WORD_BEFORE.search(text[max(0, match.start() - _CONTEXT) : match.start()])
        nearby = (one[1].lower() for one in (after, before) if one is not None)
        return match[0] if _COUNTED_THINGS.isdisjoint(nearby) else ""

    return _NUMBER.sub(uncounted, text)


def item_pages(entry: ListedEntry) -> list[str]:
    """Return the page by which the item of an entry may be known, source and address as one text.

    [] if it has no page, or only the home page of a site.
    """
    source = entry.item.partition("\n")[0]
    parts = urlsplit(entry.address)
    is_home = parts.path in ("", "/") and not parts.query
    return [] if is_home else [f"{source}\n{entry.address}"]


def crowded_pages(listed: Collection[ListedEntry]) -> set[str]:
    """Return the pages that more than two entries of a feed have: they are no page of one item."""
    names: dict[str, set[str]] = {}
    for entry in listed:
        for page in item_pages(entry):
            names.setdefault(page, set()).add(entry.id)
    return {page for page, of_page in names.items() if len(of_page) > _MOST_ENTRIES}


def identify_entries(
    entries: Sequence[tuple[ListedEntry, Sequence[str]]],
    *,
    delivered: Mapping[str, str],
    known: Mapping[str, StoredPage],
    crowded: Collection[str],
) -> tuple[dict[str, str], dict[str, StoredPage]]:
    """Return the item of each entry by its id, and the pages that are to be stored.

    Each entry is given with its pages, an older version before a newer one. `delivered` has the
    items of entries that were delivered before, "" for their own; `known` what is stored of their
    pages and of the crowded ones. Placing entries again after their pages were stored gives the
    same items.
    """
    items: dict[str, str] = {}
    changed = {page: _SHARED for page in crowded if known.get(page) != _SHARED}
    pages = {**known, **changed}
    for entry, own_pages in entries:
        item = items[entry.id] = _item_of(entry, own_pages, delivered, pages)
        for page in own_pages:
            stored = _with_entry(pages.get(page), entry.id, item)
            if stored != pages.get(page):
                pages[page] = changed[page] = stored
    return items, changed


def sendable(
    new: Iterable[ListedEntry], listed: Iterable[ListedEntry], items: Mapping[str, str]
) -> list[ListedEntry]:
    """Return what is sent of new entries, each as a version of its item.

    `items` has the id of the item by the id of the entry. Not sent are an entry without words, and
    the retraction of an item that the feed shows under another id.
    """
    shown = {items.get(one.id) for one in listed if one.kind != "retraction"}
    return [
        entry if items[entry.id] == entry.item else entry.renamed(items[entry.id])
        for entry in new
        if entry.kind == "item" or (entry.kind == "retraction" and items[entry.id] not in shown)
    ]


def uncommon_items(
    items: Mapping[str, str], listed: Mapping[str, ListedEntry], publisher: str
) -> dict[str, str]:
    """Return by entry id the items with another id than their entry, or of another source.

    A retraction of the entry would not name them by itself; `publisher` is the source of the feed.
    """
    return {
        name: item
        for name, item in items.items()
        if item != listed[name].item or item.partition("\n")[0] != publisher
    }


def _item_of(
    entry: ListedEntry,
    own_pages: Sequence[str],
    delivered: Mapping[str, str],
    pages: Mapping[str, StoredPage],
) -> str:
    """Return the key of the item that an entry is a version of: source and id, in two lines.

    `delivered` and `pages` are as in `identify_entries`.
    """
    before = delivered.get(entry.id)
    if before is not None:
        return before or entry.item
    for page in own_pages:
        stored = pages.get(page, _SHARED)
        if stored.item and _takes(stored, entry.id):
            return stored.item
    return entry.item


def _takes(stored: StoredPage, entry: str) -> bool:
    """Return whether a page is of the entry with this id, or of so few that it may join them."""
    return entry_name(entry) in stored.names or len(stored.names) < _MOST_NAMES


def _with_entry(stored: StoredPage | None, entry: str, item: str) -> StoredPage:
    """Return what is stored of a page once the entry with this id is a version of this item."""
    if stored is None:
        return StoredPage(item, frozenset({entry_name(entry)}))
    # A full page stays as it is: placed again after a crash, its entries get the same items.
    if not stored.item or not _takes(stored, entry):
        return stored
    return StoredPage(stored.item, stored.names | {entry_name(entry)})
