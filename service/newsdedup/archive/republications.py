"""How often each original of a source was republished, as of an agency or of a press office."""

import sqlite3
from datetime import datetime
from typing import Final

from newsdedup.archive.item_tables import number_of_time, time_of_number
from newsdedup.archive.summaries import SUMMARY_COLUMNS, ItemSummaries
from newsdedup.archive.views import Republication
from newsdedup.core.moments import to_datetime, to_micros

MOST_REPUBLISHED: Final = 10
_LAST_NUMBER: Final = 2**63 - 1
_MOST_COPIED: Final = (
    "SELECT original_id, count(*) AS copies FROM items INDEXED BY items_by_original"
    " WHERE original_source = ? AND verdict = 'duplicate' AND number >= ? AND number < ?"
    " GROUP BY original_id ORDER BY copies DESC, original_id LIMIT ?"
)
_COPIES: Final = (
    "SELECT count(*), count(DISTINCT nullif(source, original_source)),"
    " sum(relation = 'reprint'), max(number) FROM items INDEXED BY items_by_original"
    " WHERE original_source = ? AND original_id = ? AND verdict = 'duplicate'"
    " AND number >= ? AND number < ?"
)
_ORIGINAL: Final = (
    f"{SUMMARY_COLUMNS} FROM items i JOIN stories s ON s.story = i.story"
    " WHERE i.source = ? AND i.id = ?"
)


def most_republished(
    connection: sqlite3.Connection,
    summaries: ItemSummaries,
    source: int,
    since: datetime | None,
    until: datetime | None,
) -> tuple[Republication, ...]:
    """Return the originals of a source with most copies between two moments, ten at most.

    Those that the archive no longer holds are left out.
    """
    first = 0 if since is None else number_of_time(to_micros(since))
    last = _LAST_NUMBER if until is None else number_of_time(to_micros(until))
    chosen = connection.execute(_MOST_COPIED, (source, first, last, MOST_REPUBLISHED)).fetchall()
    republished: list[Republication] = []
    for original_id, _ in chosen:
        row = connection.execute(_ORIGINAL, (source, original_id)).fetchone()
        if row is None:
            continue
        copies, sources, reprints, number = connection.execute(
            _COPIES, (source, original_id, first, last)
        ).fetchone()
        republished.append(
            Republication(
                original=summaries.summary(row),
                copies=copies,
                sources=sources,
                reprints=reprints,
                last_at=to_datetime(time_of_number(number)),
            )
        )
    return tuple(republished)
