"""Feeds as tables: how each is, and what a feed would give."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from newsdedup.cli.output import plain_table, printable_line
from newsdedup.config.problems import shorten_value
from newsdedup.feeder.scheduling.stored_feed import NEVER
from newsdedup.feeder.watching.feed_health import FeedHealth

if TYPE_CHECKING:
    from rich.table import Table

    from newsdedup.feeder.parsing.feed_items import FeedRecord

_TITLE_CHARS: Final = 60
_UNITS: Final = (("d", 86_400), ("h", 3_600), ("m", 60))


def health_table(health: Sequence[FeedHealth], *, at: datetime) -> "Table":
    """Return the table of feeds at a time; duplicates have columns if any feed has a share."""
    shared = any(one.share is not None for one in health)
    more = (">originals", ">delay") if shared else ()
    headings = ("feed", "condition", ">success", ">news", ">every", ">items", *more)
    table = plain_table(*headings, folding="feed")
    for one in health:
        feed = one.feed
        cells = [
            feed.subscribed,
            one.condition,
            _ago(feed.succeeded_at, at),
            _ago(feed.news_at, at),
            _span(feed.interval) if feed.interval else "",
            f"{feed.entries:,}",
        ]
        if shared and one.share is not None:
            share = one.share
            cells.append(f"{share.originals / share.items:.0%} of {share.items:,}")
            cells.append("" if share.delay is None else _span(share.delay))
        table.add_row(*cells)
        if feed.problem:
            table.add_row(f"  {printable_line(feed.problem)}", style="dim")
    return table


def entries_table(records: "Sequence[FeedRecord]") -> "Table":
    """Return the table of records that a feed gives: time, length of text, and title or command."""
    table = plain_table("published, UTC", ">text", "title or command")
    table.columns[0].no_wrap = True
    for record in records:
        command = record.get("newsdedup")
        title = record.get("title") or record.get("text", "")
        line = printable_line(f"{command} {record['id']}" if command else title)
        table.add_row(
            str(record.get("published_at", ""))[:16].replace("T", " "),
            "" if command else f"{len(record.get('text', '')):,}",
            shorten_value(line, _TITLE_CHARS),
        )
    return table


def _ago(moment: datetime, now: datetime) -> str:
    """Return how long before `now` a moment is, as "3h"; "never" for NEVER."""
    return "never" if moment == NEVER else _span(now - moment)


def _span(span: timedelta) -> str:
    """Return a duration in its largest unit (d, h, m, s), rounded, as 3h."""
    seconds = span.total_seconds()
    for unit, size in _UNITS:
        if seconds >= size:
            return f"{seconds / size:.0f}{unit}"
    return f"{max(seconds, 0):.0f}s"
