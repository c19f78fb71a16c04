"""The leases at hubs in the file of feeds, with their secrets, so that a restart keeps them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from newsdedup.core.moments import to_micros
from newsdedup.feeder.scheduling.hub_lease import HubLease
from newsdedup.feeder.state.feeds_file import (
    FEEDS_SCHEMA,
    FeedsFile,
    column_names,
    reading_feeds,
    record_of,
    row_of,
)

_COLUMNS: Final = column_names(HubLease)
_SELECTED: Final = ", ".join(f"leases.{name}" for name in _COLUMNS)


@dataclass(frozen=True, slots=True)
class HubLeases:
    """The table of leases; each method is one transaction and raises StateUnusable if it fails."""

    file: FeedsFile

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
        """Store the lease of a feed, which replaces its former one; not for a removed feed."""
        parameters = ", ".join("?" * len(_COLUMNS))
        self.file.write(
            f"INSERT OR REPLACE INTO leases ({', '.join(_COLUMNS)}) SELECT {parameters}"  # noqa: S608 - names of fields
            " WHERE EXISTS (SELECT 1 FROM feeds WHERE number = ?)",
            *row_of(lease),
            lease.feed,
        )

    def remove(self, feed: int) -> None:
        """Forget the lease of a feed: pushes to its callback are answered 410."""
        self.file.write("DELETE FROM leases WHERE feed = ?", feed)

    def keep_only(self, base: str) -> int:
        """Forget the leases below other public addresses, and return how many.

        Nobody listens there any more: their feeds are visited by their interval again.
        """
        with self.file.transaction():
            self.file.connection.execute(
                "UPDATE feeds SET next_at = min(next_at, tried_at + interval)"
                " WHERE number IN (SELECT feed FROM leases WHERE base <> ?) AND failures = 0",
                (base,),
            )
            forgotten = self.file.connection.execute("DELETE FROM leases WHERE base <> ?", (base,))
            return forgotten.rowcount

    def visit_at(self, feed: int, at: datetime) -> None:
        """Set when a feed is visited next."""
        self.file.write("UPDATE feeds SET next_at = ? WHERE number = ?", to_micros(at), feed)

    def _select(self, which: str, *parameters: str | int) -> Iterator[tuple[HubLease, str]]:
        """Yield leases of active feeds with the subscribed addresses of these."""
        for *row, subscribed in self.file.read(
            f"SELECT {_SELECTED}, feeds.subscribed FROM leases"  # noqa: S608 - constants of ours
            f" JOIN feeds ON feeds.number = leases.feed WHERE feeds.status = 'active' {which}",
            *parameters,
        ):
            yield record_of(HubLease, row), subscribed


def read_leases(path: Path) -> list[HubLease]:
    """Return the leases of a file of feeds; none of one that is older than this version.

    Nothing is changed. Raise SourceUnusable if there is no such file, StateUnusable if it cannot be
    read.
    """
    with reading_feeds(path) as file:
        # The first files had no leases.
        return [] if FEEDS_SCHEMA.is_older(file.connection) else HubLeases(file).all()
