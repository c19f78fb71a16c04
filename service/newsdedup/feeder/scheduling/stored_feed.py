"""What is stored of a feed between two visits."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

FeedStatus = Literal["active", "gone", "merged", "unlisted"]
"""`gone` after 410, `merged` after a move to the address of another feed, `unlisted` while the list
that is followed does not name it: none of these is visited."""

NEEDS_PRIVATE: Final = "--allow-private admits it"
"""The end of the problem of a feed that leads inside without being allowed to."""
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of what has not happened; a feed with this `next_at` is due at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFeed:
    """A feed of the list, how it is fetched, and how it went."""

    number: int
    """Its key in the state, which stays when the address changes."""
    subscribed: str
    """The address in the user's list."""
    address: str
    """Where it is now: differs from `subscribed` after a permanent redirect."""
    category: str = ""
    source: str = ""
    """The source that its items get; empty for the host of its site."""
    full_text: bool = False
    """Whether the texts of its items are completed from their pages."""
    secret: str = ""
    """The name of its credentials (env:NAME or file:PATH), never their content."""
    allow_private: bool = False
    """Whether it may lead to addresses of this machine and of private networks."""
    title: str = ""
    """As the feed calls itself; empty before the first success."""
    publisher: str = ""
    """The source that its own items had at the last visit with content; empty before it."""
    status: FeedStatus = "active"
    etag: str = ""
    last_modified: str = ""
    interval: timedelta = timedelta()
    """The adapted interval; zero before the first success."""
    next_at: datetime = NEVER
    tried_at: datetime = NEVER
    succeeded_at: datetime = NEVER
    failures: int = 0
    """Failed visits since the last success."""
    problem: str = ""
    """What went wrong at the last visit; empty if nothing."""
    added_at: datetime = NEVER
    news_at: datetime = NEVER
    """When it last showed a new or changed entry."""
    entries: int = 0
    """New and changed entries so far."""

    @property
    def logged_address(self) -> str:
        """Return `subscribed` without its query, which may hold a key, for logs and traces."""
        address, has_query, _ = self.subscribed.partition("?")
        return f"{address}?..." if has_query else address


def one_line(problem: str, *, longest: int = 300) -> str:
    """Return a problem as one printable line; one of more than `longest` characters ends in "…".

    It may quote what strangers have written: a feed, or the answer of a hub.
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in problem).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
