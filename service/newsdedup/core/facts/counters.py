"""Counters of a page: how many have seen a text is no part of its message."""

import re

_LONGEST = 48
"""Characters of a line that holds nothing but counters."""
_counter = (
    r"просмотр\w*+|перегляд\w*+|комментари\w*+|коментар\w*+|лайк\w*+|репост\w*+|подписчик\w*+"
    r"|підписник\w*+|голос\w*+|рейтинг|чтени[ея]|читання|views?|comments?|likes?|shares?|tweets?"
    r"|followers?|subscribers?|votes?|rating|read"
)
_line = re.compile(
    rf"(?:[\W\d_]++|(?:{_counter}|время|час|мин|минут\w?|хв|хвилин\w?|min|из|із|з|of|тыс|тис|[kкmм])"
    r"(?!\w))++"
)
_counters = re.compile(rf"(?<!\w)(?:{_counter})(?!\w)")


def of_page(lower: str, start: int) -> bool:
    """Return whether a number stands in a line of counters: "Просмотров: 125", "3 min read".

    The first line is a headline, and none.
    """
    first = lower.rfind("\n", max(0, start - _LONGEST), start) + 1
    if not first:
        return False
    last = lower.find("\n", start, first + _LONGEST)
    end = last if last >= 0 else len(lower)
    if end - first > _LONGEST or _line.fullmatch(lower, first, end) is None:
        return False
    return _counters.search(lower, first, end) is not None
