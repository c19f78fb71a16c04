"""What is stored and sent of hits, and how the file of saved searches holds it."""

from datetime import datetime, timedelta
from typing import Final, Literal

import msgspec
from msgspec import Struct

from newsdedup.adapters.sqlite.file_schema import FileSchema
from newsdedup.archive.views import ItemSummary
from newsdedup.archive.watch_queries import WatchMatch
from newsdedup.core.events import ItemRef
from newsdedup.watches.watch import Watch, hit_id

LONGEST_WAIT: Final = timedelta(hours=6)
"""Between two attempts to send a hit, at most, give or take a quarter."""
WATCH_SCHEMA: Final = FileSchema(
    noun="file of saved searches",
    advice="remove it: searches of watches.file are read again, those made on pages are lost",
    application_id=0x6E645761,  # "ndWa"
    steps=(
        """
        CREATE TABLE watches (
            name TEXT PRIMARY KEY, definition TEXT NOT NULL, listed INTEGER NOT NULL,
            created INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0, failing_since INTEGER,
            problem TEXT NOT NULL DEFAULT ''
        ) WITHOUT ROWID;
        CREATE TABLE position (
            one INTEGER PRIMARY KEY CHECK (one = 1), archive TEXT NOT NULL,
            change INTEGER NOT NULL, again_until INTEGER NOT NULL
        );
        CREATE TABLE hits (
            number INTEGER PRIMARY KEY AUTOINCREMENT, watch TEXT NOT NULL, id TEXT NOT NULL,
            source TEXT NOT NULL, item TEXT NOT NULL, story TEXT NOT NULL,
            sources INTEGER NOT NULL, found INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX hits_by_id ON hits (id);
        CREATE INDEX hits_by_watch ON hits (watch, number);
        CREATE INDEX hits_by_item ON hits (source, item);
        CREATE INDEX hits_by_time ON hits (found);
        CREATE TABLE deliveries (
            id TEXT PRIMARY KEY, watch TEXT NOT NULL, body BLOB NOT NULL, source TEXT NOT NULL,
            item TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL,
            found INTEGER NOT NULL, dead INTEGER NOT NULL DEFAULT 0,
            problem TEXT NOT NULL DEFAULT ''
        ) WITHOUT ROWID;
        CREATE INDEX deliveries_by_due ON deliveries (dead, due);
        CREATE INDEX deliveries_by_item ON deliveries (source, item);
        """,
        """
        CREATE INDEX hits_by_watch_and_time ON hits (watch, found);
        CREATE INDEX deliveries_by_watch ON deliveries (watch, dead, due);
        CREATE INDEX deliveries_by_time ON deliveries (dead, found);
        """,
    ),
)


class HitStory(Struct, frozen=True, kw_only=True):
    """The story of a hit."""

    id: str
    sources: int


class WatchHit(Struct, frozen=True, kw_only=True):
    """A hit as it is sent and printed."""

    type: Literal["hit", "test"] = "hit"
    id: str
    """The same each time that it is sent."""
    watch: str
    hit_at: datetime
    item: ItemSummary | None
    """The item whose coming or judgement was found; None in a test."""
    story: HitStory | None


class StoredHit(Struct, frozen=True, kw_only=True):
    """A hit as it is stored: its texts stay in the archive."""

    id: str
    watch: str
    item: ItemRef
    story: str
    sources: int
    """Of its story, when it was found."""
    hit_at: datetime


class DeadLetter(Struct, frozen=True, kw_only=True):
    """A hit that a webhook has not taken."""

    id: str
    hit_at: datetime
    attempts: int
    problem: str


class UnsentHit(Struct, frozen=True, kw_only=True):
    """A body that is to be sent."""

    id: str
    watch: str
    address: str
    body: bytes
    attempts: int
    """Those before this one."""
    failing: bool = False
    """Whether the last attempt to send to this webhook failed, of whatever hit."""


def make_hit(watch: Watch, match: WatchMatch, hit_at: datetime) -> WatchHit:
    """Return the hit of a match."""
    summary = match.summary
    return WatchHit(
        id=hit_id(watch, summary),
        watch=watch.name,
        hit_at=hit_at,
        item=summary,
        story=HitStory(id=summary.story, sources=match.sources),
    )


def encode_hit(hit: WatchHit) -> bytes:
    """Return a hit as the JSON that is sent and printed."""
    return msgspec.json.encode(hit)
