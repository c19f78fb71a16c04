"""Invented news, judged once, as the base of made items."""

from functools import cache

import msgspec

from newsdedup import NewsItem
from newsdedup.adapters.formats import item_json
from newsdedup.config import RuleSettings, Settings
from newsdedup.synthetic.stream import generate_stream
from newsdedup_lab.bench.base_items import Base
from newsdedup_lab.collections.items import Collection

VERIFIED = Settings(rule=RuleSettings(name="verified"))
_HOURS = 60


@cache
def invented_collection(size: int) -> Collection:
    """Return the distinct items of a stream in one language, in which many meet."""
    planted = generate_stream(size, languages=("ru",), per_hour=size / _HOURS)
    lines = [msgspec.json.encode(one.item) for one in planted]
    decoded = [item_json.decode_item(line) for line in lines]
    items = {one.key: one for one in decoded if isinstance(one, NewsItem)}
    return Collection(tuple(items.values()), tuple(lines), 0)


@cache
def invented_base() -> Base:
    """Return the base of 900 items of that stream."""
    return Base(invented_collection(900).items, VERIFIED)
