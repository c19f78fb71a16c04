"""Entries of made-up reports, analyzed as a run does."""

import msgspec

from newsdedup.adapters.formats import item_json
from newsdedup.bootstrap.rules import item_analyzer
from newsdedup.config import Settings
from newsdedup.core.model import Entry
from newsdedup.engine.analyzer import entry_of
from newsdedup.synthetic.stream import generate_stream


def made_up_entries(count: int) -> list[Entry]:
    """Return the entries of so many items, a microsecond apart."""
    analyzer = item_analyzer(Settings())
    planted = [msgspec.json.encode(one.item) for one in generate_stream(count)]
    items = [item_json.decode_item(line) for line in planted]
    return [entry_of(analyzer.analyze(item, b""), at=at) for at, item in enumerate(items)]
