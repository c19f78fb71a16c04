"""The leases at hubs in the file of feeds, with their secrets, so that a restart keeps them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import astuple, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from newsdedup.core.moments import to_datetime, to_micros
from newsdedup.feeder.scheduling.hub_lease import HubLease
from newsdedup.feeder.state.feeds_file import FEEDS_SCHEMA, open_feeds_for_reading

_NAMES: Final = tuple(field.name for field in fields(HubLease))
_TIMES: Final = frozenset({"begun_at", "next_at", "expires_at", "pushed_at", "missed_at"})
_COLUMNS: Final = ", ".join(f"leases.{name}" for name in _NAMES)


class HubLeases:
    """The table of leases; each method is one transaction and raises StateUnusable if it fails."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def all(self) -> list[HubLease]:
        """Return the leases of the feeds that are visited."""
        return [lease for lease, _ in self._select("")]

    def of_feed(self, feed: int) -> HubLease | None:
        """Return the lease of a feed that is visited; None if it has none."""
        return next((lease for lease, _ in self._select("AND feed = ?", feed)), None)

    def of_token(self, token: str) -> HubLease | None:
        """Return the lease of a feed that is visited by the token of its callback; None if none."""
        return next((lease for lease, _ in self._select("AND token = ?", token)), None)

    def due(self, at: datetime) -> list[tuple[HubLease, str]]:
        """Return the leases whose hub is to be asked, with the addresses as subscribed."""
        where = "AND leases.next_at <= ? ORDER BY leases.next_at, feed"
        return list(self._select(where, to_micros(at)))

    def store(self, lease: HubLease) -> None:
        """Store a lease in the place of the one that its feed has; not for a removed feed."""
        marks = ", ".join("?" * len(_NAMES))
        with FEEDS_SCHEMA.transaction(self._connection, self._path):
            self._connection.execute(
                f"INSERT OR REPLACE INTO leases ({', '.join(_NAMES)}) SELECT {marks}"  # noqa: S608 - names of fields
                " WHERE EXISTS (SELECT 1 FROM feeds WHERE number = ?)",
                [*_row(lease), lease.feed],
            )

    def remove(self, feed: int) -> None:
        """Forget the lease of a feed: pushes to its callback are answered 410."""
        with FEEDS_SCHEMA.transaction(self._connection, self._path):
            self._connection.execute("DELETE FROM leases WHERE feed = ?", (feed,))

    def keep_only(self, base: str) -> int:
        """Forget the leases below other public addresses, and return how many.

        Nobody listens there any more: their feeds are visited by their interval again.
        """
        with FEEDS_SCHEMA.transaction(self._connection, self._path):
            self._connection.execute(
                "UPDATE feeds SET next_at = min(next_at, tried_at + interval)"
                " WHERE number IN (SELECT feed FROM leases WHERE base <> ?) AND failures = 0",
                (base,),
            )
            return self._connection.execute("DELETE FROM leases WHERE base <> ?", (base,)).rowcount

    def visit_at(self, feed: int, at: datetime) -> None:
        """Set when a feed is visited next."""
        with FEEDS_SCHEMA.transaction(self._connection, self._path):
            self._connection.execute(
                "UPDATE feeds SET next_at = ? WHERE number = ?", (to_micros(at), feed)
            )

    def _select(self, which: str, *parameters: str | int) -> Iterator[tuple[HubLease, str]]:
        """Yield leases of active feeds with the subscribed addresses of these."""
        with FEEDS_SCHEMA.errors(self._path, "reading"):
            rows = self._connection.execute(
                f"SELECT {_COLUMNS}, feeds.subscribed FROM leases"  # noqa: S608 - constants of ours
                f" JOIN feeds ON feeds.number = leases.feed WHERE feeds.status = 'active' {which}",
                parameters,
            ).fetchall()
        for *row, subscribed in rows:
            yield _lease(row), subscribed


def read_leases(path: Path) -> list[HubLease]:
    """Return the leases of a file of feeds; none of one that is older than this version.

    Nothing is changed. Raise SourceUnusable if there is no such file, StateUnusable if it cannot be
    read.
    """
    with closing(open_feeds_for_reading(path)) as connection:
        # The first files had no leases.
        return [] if FEEDS_SCHEMA.is_older(connection) else HubLeases(connection, path).all()


def _row(lease: HubLease) -> list[Any]:
    """Return the values of a lease as SQLite stores them: times in microseconds, hubs by lines."""
    values: list[Any] = []
    for value in astuple(lease):
        if isinstance(value, datetime):
            values.append(to_micros(value))
        else:
            values.append("\n".join(value) if isinstance(value, tuple) else value)
    return values


def _lease(row: list[Any]) -> HubLease:
    """Return the lease of a row."""
    values = dict(zip(_NAMES, row, strict=True))
    for name in _TIMES:
        values[name] = to_datetime(values[name])
    values["hubs"] = tuple(values["hubs"].split("\n"))
    return HubLease(**values)
