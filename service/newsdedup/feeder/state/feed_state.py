"""The feeds of a list and the entries that were delivered, so that a restart continues."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import xxhash

from newsdedup.adapters.sqlite.file_schema import MEMORY, OpenFiles
from newsdedup.adapters.sqlite.state_file import lock_state
from newsdedup.core.moments import MICROSECOND, to_datetime, to_micros
from newsdedup.feeder.scheduling.stored_feed import NEEDS_PRIVATE, NEVER, StoredFeed
from newsdedup.feeder.state.feeds_file import (
    FEEDS_SCHEMA,
    FORGOTTEN_PER_COMMIT,
    FeedsFile,
    HubLeases,
    PageTable,
    column_names,
    reading_feeds,
    record_of,
    row_of,
    text_hash,
)

_COLUMNS: Final = column_names(StoredFeed)
_OF_THE_USER: Final = frozenset(
    {"number", "category", "source", "full_text", "secret", "allow_private", "added_at"}
)
_REFRESHED_AFTER: Final = timedelta(days=1)
"""How old `listed_at` may grow before it is written anew: not at every visit."""

_RETRY_REFUSED: Final = (
    "UPDATE feeds SET next_at = 0, failures = 0, problem = '' WHERE problem LIKE '%' || ?"
)

EntryContents = Mapping[str, bytes]
"""Ids of entries with digests of their contents, which differ if an entry was changed."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A feed as the user's list names it."""

    address: str
    category: str = ""
    source: str = ""
    """The source that its items get; empty for the host of its site."""
    full_text: bool = False
    """Whether the texts of its items are completed from their pages."""
    secret: str = ""
    """env:NAME or file:PATH"""
    allow_private: bool = False
    """Whether it may lead inside from now on; False leaves a known feed as it is."""
    title: str = ""
    """What the list calls it, until the feed is visited and says its own."""


class FeedState(OpenFiles):
    """The stored feeds; each method is one transaction and raises StateUnusable if it fails.

    The process that visits the feeds opens it with `locked`, so that no second one does; others
    may read and change the list meanwhile. A missing file is created. Raise StateBusy if it is
    locked, StateUnusable for another database, or one of a later version of newsdedup.
    """

    def __init__(self, path: Path, *, locked: bool) -> None:
        with ExitStack() as opened:
            if locked and path != MEMORY:
                opened.callback(os.close, lock_state(path))
            # Visits that a power cut undoes are repeated under the same ids.
            connection = FEEDS_SCHEMA.open(path)
            opened.callback(connection.close)
            connection.execute("PRAGMA foreign_keys = ON")
            self._file = FeedsFile(path, connection)
            self.path = path
            self.pages = PageTable(self._file)
            self.leases = HubLeases(self._file)
            self._unchanged_at: dict[int, datetime] = {}
            """When the entries of a feed were last kept by a visit that was answered 304."""
            self._opened = opened.pop_all()

    def subscribe(self, subscriptions: Iterable[Subscription], *, at: datetime = NEVER) -> int:
        """Add feeds and return how many are new; known ones get what the user says of them anew.

        One that has ended is visited again; one refused for a private address is due at once.
        """
        subscriptions = list(subscriptions)
        with self._file.transaction():
            added = self._subscribe(subscriptions, at)
            self._file.connection.executemany(
                "UPDATE feeds SET status = 'active', etag = '', last_modified = '',"
                " next_at = 0, failures = 0, problem = ''"
                " WHERE subscribed = ? AND status = 'gone'",
                [(one.address,) for one in subscriptions],
            )
            self._file.connection.executemany(
                f"{_RETRY_REFUSED} AND subscribed = ?",
                [(NEEDS_PRIVATE, one.address) for one in subscriptions if one.allow_private],
            )
            return added

    def retry_refused(self) -> None:
        """Make those feeds due at once that were refused because their address is not public."""
        self._file.write(_RETRY_REFUSED, NEEDS_PRIVATE)

    def follow(self, subscriptions: Collection[Subscription], *, at: datetime) -> int:
        """Make the feeds of a list those that are visited, and return how many are new.

        The others become `unlisted`: what is stored of them stays until the list names them again.
        """
        with self._file.transaction():
            added = self._subscribe(subscriptions, at)
            listed = {one.address for one in subscriptions}
            active = self._file.connection.execute(
                "SELECT subscribed FROM feeds WHERE status = 'active'"
            ).fetchall()
            self._file.connection.executemany(
                "UPDATE feeds SET status = 'unlisted' WHERE subscribed = ?",
                [row for row in active if row[0] not in listed],
            )
            return added

    def deliver_to(
        self, target: str, *, empty: bool, name: Callable[[str], str] = lambda target: target
    ) -> bool:
        """Store the target to which entries are delivered; return whether all are new there.

        They are if the last target was another one, or if this one is `empty` by now: then every
        feed is due, and what it shows is delivered again. `name` gives the name of a target that
        an earlier release has stored.
        """
        with self._file.transaction():
            row = self._file.connection.execute("SELECT place FROM output").fetchone()
            before = "" if row is None else name(row[0])
            if before == target and not empty:
                return False
            self._file.connection.execute("DELETE FROM output")
            self._file.connection.execute("INSERT INTO output VALUES (?)", (target,))
            self._file.connection.execute("DELETE FROM entries")
            self._file.connection.execute(
                "UPDATE feeds SET etag = '', last_modified = '', next_at = 0"
            )
            return bool(before)

    def unsubscribe(self, address: str) -> bool:
        """Remove the feed with an address, as subscribed or as it is now; return if there was one.

        Its entries are forgotten.
        """
        removed = self._file.write("DELETE FROM feeds WHERE ? IN (subscribed, address)", address)
        return removed > 0

    def feeds(self) -> list[StoredFeed]:
        """Return all feeds in the order in which they were added."""
        return list(_select(self._file, "ORDER BY number"))

    def feed(self, number: int) -> StoredFeed | None:
        """Return the feed with a number; None if it was removed."""
        return next(_select(self._file, "WHERE number = ?", number), None)

    def active(self) -> list[StoredFeed]:
        """Return the feeds that are visited, the longest waiting first."""
        return list(_select(self._file, "WHERE status = 'active' ORDER BY next_at, number"))

    def due(self, at: datetime) -> list[StoredFeed]:
        """Return the active feeds whose time has come, the longest waiting first.

        So has that of a feed whose last visit is ahead by more than a minute: the clock was set
        back since, and its next visit may be days ahead.
        """
        where = (
            "WHERE status = 'active' AND (next_at <= ? OR tried_at > ?) ORDER BY next_at, number"
        )
        ahead = at + timedelta(minutes=1)
        return list(_select(self._file, where, to_micros(at), to_micros(ahead)))

    def next_due(self) -> datetime | None:
        """Return when the next active feed is due; None if there is none."""
        ((at,),) = self._file.read("SELECT min(next_at) FROM feeds WHERE status = 'active'")
        return None if at is None else to_datetime(at)

    def at_address(self, address: str) -> StoredFeed | None:
        """Return the first active feed that is fetched from an address; None if there is none."""
        where = "WHERE address = ? AND status = 'active' ORDER BY number LIMIT 1"
        return next(_select(self._file, where, address), None)

    def unseen(self, feed: int, entries: EntryContents) -> set[str]:
        """Return the ids of those entries of a feed that are new or changed."""
        stored = self._stored("content", feed, entries)
        return {
            name
            for name, content in entries.items()
            if stored.get(name) != xxhash.xxh3_64_digest(content)
        }

    def items_of(self, feed: int, names: Iterable[str]) -> dict[str, str]:
        """Return by id the items of delivered entries with the ids `names`, "" for their own."""
        return self._stored("item", feed, names)

    def commit(
        self,
        feed: StoredFeed,
        *,
        delivered: EntryContents,
        listed: Collection[str],
        at: datetime,
        items: Mapping[str, str] | None = None,
        pages: Collection[str] = (),
    ) -> None:
        """Store how a visit went, after its entries were acknowledged.

        `delivered` are the new and changed entries, `listed` the ids of all that the feed showed:
        an entry is not forgotten while its feed shows it. `items` are those of delivered entries
        that became versions of an item other than their own, `pages` those of all listed entries.
        A feed that was removed meanwhile stays removed.
        """
        items = items or {}
        moment, refreshed_before = to_micros(at), at - _REFRESHED_AFTER
        with self._file.transaction():
            if not self._update(feed):
                return
            self._file.connection.executemany(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?) ON CONFLICT (feed, entry) DO UPDATE"
                " SET content = excluded.content, item = excluded.item,"
                " listed_at = excluded.listed_at",
                [
                    (
                        *(feed.number, text_hash(name)),
                        *(xxhash.xxh3_64_digest(content), items.get(name, ""), moment),
                    )
                    for name, content in delivered.items()
                ],
            )
            self._file.connection.executemany(
                "UPDATE entries SET listed_at = ? WHERE feed = ? AND entry = ? AND listed_at < ?",
                [
                    (moment, feed.number, text_hash(name), to_micros(refreshed_before))
                    for name in listed
                ],
            )
            self.pages.refresh(pages, at=at, older_than=refreshed_before)

    def unchanged(self, feed: StoredFeed, *, at: datetime) -> None:
        """Store a visit that was answered 304: the entries of the visit before are still listed."""
        moment, last = to_micros(at), self._unchanged_at.get(feed.number, NEVER)
        with self._file.transaction():
            self._update(feed)
            # All entries of the feed are read, so not at every visit.
            if at - last < _REFRESHED_AFTER:
                return
            # Those that the last full visit listed are no older than it, but for _REFRESHED_AFTER.
            self._file.connection.execute(
                "UPDATE entries SET listed_at = :at WHERE feed = :feed AND listed_at < :at - :step"
                " AND listed_at >="
                " (SELECT max(listed_at) FROM entries WHERE feed = :feed) - :step",
                {"feed": feed.number, "at": moment, "step": _REFRESHED_AFTER // MICROSECOND},
            )
        self._unchanged_at[feed.number] = at

    def forget(self, before: datetime) -> int:
        """Delete some entries and pages not listed since `before`; return how many entries."""
        self.pages.forget(before)
        return self._file.write(
            "DELETE FROM entries WHERE (feed, entry) IN"
            " (SELECT feed, entry FROM entries WHERE listed_at < ? LIMIT ?)",
            to_micros(before),
            FORGOTTEN_PER_COMMIT,
        )

    def _stored(self, column: str, feed: int, names: Iterable[str]) -> dict[str, Any]:
        """Return a column of those entries of a feed that are stored, by their ids `names`.

        Others are not read: a feed that changes its ids at each visit has a million of them.
        """
        hashes = {text_hash(name): name for name in names}
        rows = self._file.read(
            f"SELECT entry, {column} FROM entries WHERE feed = ?"  # noqa: S608 - names of columns
            f" AND entry IN ({', '.join('?' * len(hashes))})",
            feed,
            *hashes,
        )
        return {hashes[entry]: value for entry, value in rows}

    def _subscribe(self, subscriptions: Iterable[Subscription], at: datetime) -> int:
        """Add feeds within a transaction and return how many are new."""
        count = "SELECT count(*) FROM feeds"
        (before,) = self._file.connection.execute(count).fetchone()
        self._file.connection.executemany(
            "INSERT INTO feeds (subscribed, address, category, source, secret, title, publisher,"
            " status, etag, last_modified, interval, next_at, tried_at, succeeded_at, failures,"
            " problem, added_at, news_at, entries, full_text, allow_private)"
            " VALUES (?, ?, ?, ?, ?, ?, '', 'active', '', '', 0, 0, 0, 0, 0, '', ?, 0, 0, ?, ?)"
            " ON CONFLICT (subscribed) DO UPDATE SET category = excluded.category,"
            " source = excluded.source,"
            " title = CASE title WHEN '' THEN excluded.title ELSE title END,"
            " secret = excluded.secret, full_text = excluded.full_text,"
            " allow_private = max(allow_private, excluded.allow_private),"
            " status = CASE status WHEN 'unlisted' THEN 'active' ELSE status END",
            [
                (
                    *(one.address, one.address, one.category, one.source, one.secret, one.title),
                    *(to_micros(at), one.full_text, one.allow_private),
                )
                for one in subscriptions
            ],
        )
        (after,) = self._file.connection.execute(count).fetchone()
        return int(after - before)

    def _update(self, feed: StoredFeed) -> bool:
        """Write the record of a feed, within a transaction; return whether it is in the list.

        What the user says of it may have changed during the visit, and stays.
        """
        names = [name for name in _COLUMNS if name not in _OF_THE_USER]
        row = dict(zip(_COLUMNS, row_of(feed), strict=True))
        changed = self._file.connection.execute(
            f"UPDATE feeds SET {', '.join(f'{name} = ?' for name in names)} WHERE number = ?",  # noqa: S608 - names of fields
            [*(row[name] for name in names), feed.number],
        )
        return changed.rowcount > 0


def read_feeds(path: Path) -> list[StoredFeed]:
    """Return the feeds of a file in the order in which they were added; change nothing.

    Raise SourceUnusable if there is no such file, StateUnusable if it cannot be read.
    """
    with reading_feeds(path) as file:
        return list(_select(file, "ORDER BY number"))


def _select(file: FeedsFile, which: str, *parameters: str | int) -> Iterator[StoredFeed]:
    """Yield stored feeds; `which` is the SQL after "FROM feeds", `parameters` are its values."""
    # A file that is only read may be of a release that lacked some.
    known = {name for _, name, *_ in file.read("PRAGMA table_info(feeds)")}
    columns = ", ".join(name if name in known else f"0 AS {name}" for name in _COLUMNS)
    for row in file.read(f"SELECT {columns} FROM feeds {which}", *parameters):  # noqa: S608 - constants of ours
        yield record_of(StoredFeed, row)
