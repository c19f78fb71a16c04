"""The order of stories by size or by speed, in which the older ones sink.

A rank is a moment, as the number of an item is: that of the last item of a story, moved later by a
day for each doubling of its weight. So a story of twice the weight ranks as high as one whose last
item is a day newer. Ranks do not depend on the time of a query: they are stored,
and indexes have them in order.
"""

from math import log2
from typing import Final, Literal, get_args

from newsdedup.archive.pending_rows import number_of_time
from newsdedup.core.moments import HOUR

StorySort = Literal["new", "size", "speed"]
STORY_SORTS: Final[tuple[StorySort, ...]] = get_args(StorySort)
_HOUR: Final = number_of_time(HOUR)
_DOUBLING: Final = 24 * _HOUR
"""How much newer a story with half the weight has to be for the same rank."""

_LONGEST: Final = 16 * _DOUBLING
"""How far `speed_rank` may lie below the last item: by log2 of the 65,536 hours of seven years."""


def lowest_rank(sort: StorySort, last: int) -> int:
    """Return the lowest rank of a story whose last item has the number `last`, or a higher one."""
    return last - _LONGEST if sort == "speed" else last


def size_rank(items: int, sources: int, last: int) -> int:
    """Return the rank of a story by the number of its sources, among equals by its items.

    `last` is the number of its last item. A story of one item has the rank `last`.
    """
    weight = sources + 1 - 1 / max(items, 1)
    return last + round(_DOUBLING * log2(max(weight, 1)))


def speed_rank(sources: int, first: int, last: int) -> int:
    """Return the rank of a story by its sources in an hour, between its first and last items.

    Both are numbers of items. An hour is added to the span: two sources in a minute are slower than
    ten in half an hour.
    """
    return last + round(_DOUBLING * log2(sources_an_hour(max(sources, 1), (last - first) / _HOUR)))


def sources_an_hour(sources: int, hours: float) -> float:
    """Return the speed of a story whose items lie this many hours apart."""
    return sources / (hours + 1)
