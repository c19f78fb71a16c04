"""Moments of pages and of the API: days and times in addresses, and where the future begins."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

_MOMENT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?"
    r"([Zz]|[+ -][0-9]{2}:[0-9]{2})?)?"
)


def begin_of_future() -> datetime:
    """Return the moment from which on items are dated in the future: an hour from now."""
    return datetime.now(UTC) + timedelta(hours=1)


def read_moment(value: str) -> datetime:
    """Return a day (its beginning) or a moment in ISO 8601, in UTC; without a zone it is UTC.

    A space for the plus sign of a zone, which was not quoted in an address, is one. Raise
    ValueError for any other text.
    """
    if _MOMENT.fullmatch(value) is None:
        raise ValueError("is no date, such as 2026-11-02 or 2026-11-02T14:00")
    day, rest = value[:10], value[11:].replace(" ", "+")
    try:
        moment = datetime.fromisoformat(f"{day}T{rest.upper()}" if rest else day)
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return aware.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError("is no date of the calendar") from error
