"""Dates as feeds write them: those of items, and the same among words that say nothing.

What the codec of items reads is read by it (adapters/formats/dates.py). Beyond that a word that
nobody knows is ignored next to a day, and an unknown zone counts as UTC.
"""

from datetime import datetime

from newsdedup.adapters.formats.dates import date_field
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.adapters.formats.worded_dates import read_worded_date
from newsdedup.ports.errors import InvalidItem

_LONGEST = 100
_YEARS = range(1900, 2101)


def parse_feed_date(text: str) -> datetime | None:
    """Return the moment that a text of a feed states, with its zone; None if it states none."""
    text = " ".join(text[: _LONGEST + 1].split())
    if not text or len(text) > _LONGEST:
        return None
    try:
        at = date_field({"date": text}, "date", LIMITS)
    except InvalidItem:
        at = read_worded_date(text, strict=False)
    # Feeds write 0001-01-01 and 1970-01-01 for a date that they do not know.
    return at if at is not None and at.year in _YEARS and at.timestamp() > 0 else None
