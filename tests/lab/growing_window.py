"""A synthetic stream that fills one window, and how fast work per item may grow with it."""

from collections.abc import Sequence
from functools import cache

import msgspec

from newsdedup import NewsItem
from newsdedup.adapters.formats import item_json
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import RuleSettings, Settings
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry
from newsdedup.core.stories.window import Watermark, effective_at
from newsdedup.engine.analyzer import Analyzed, entry_of
from newsdedup.synthetic.stream import generate_stream

SIZE = 400
"""Items of the smaller window: the fewest at which rule `verified` meets many candidates."""
TIMES = 4
"""The larger window holds so many times the items of the smaller one."""
LINEAR, SQUARE_ROOT, CONSTANT = 1.1, 0.5, 0.1
"""Powers of the window; what is linear or constant has a tenth of leeway."""
_HOURS = 60
"""The stream is shorter than the window of 72 hours: nothing expires."""


@cache
def analyzed_stream() -> Sequence[Analyzed]:
    """Return the items of a stream that fills the larger window, in order of arrival.

    They are in one language, for the more often keys meet. The analysis for rule `verified` holds
    what rule `terms` needs, too.
    """
    analyzer, number = item_analyzer(Settings()), TIMES * SIZE
    planted = generate_stream(number, languages=("ru",), per_hour=number / _HOURS)
    items = [item_json.decode_item(msgspec.json.encode(one.item)) for one in planted]
    return [analyzer.analyze(item) for item in items if isinstance(item, NewsItem)]


def entries() -> list[Entry]:
    """Return the entries of that stream, each at its own time."""
    nowhere = Watermark()
    return [entry_of(one, at=effective_at(one.item, nowhere)) for one in analyzed_stream()]


def rule_named(name: str) -> Rule:
    """Return a new rule, whose caches are empty."""
    return make_rule(Settings(rule=RuleSettings(name=name)))


def most(exponent: float) -> float:
    """Return the growth over the two windows of what grows with this power of the window."""
    return float(TIMES**exponent)
