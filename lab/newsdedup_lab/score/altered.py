"""Copies that were altered on purpose, judged against their texts by rule `verified`.

`python -m newsdedup_lab.score.altered items.jsonl [N]` takes N texts (120) evenly from the items,
and prints for each alteration how many are judged rightly and what they are judged to be. All
digits changed make another bulletin; a text without its beginning, or its second half, is a copy or
a part.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta

from newsdedup import ItemKey, NewsItem
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.bootstrap.runs import line_decoder
from newsdedup.config import Settings
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry
from newsdedup.core.moments import to_micros
from newsdedup.engine.analyzer import ItemAnalyzer, entry_of
from newsdedup_lab.collections.items import load_collection

_MOST = 120
_MANY_NUMBERS = 6
_LONG = 600
"""Characters of a text that is cut."""
_LATER = timedelta(hours=2)
_digit = re.compile(r"[0-9]")
_number = re.compile(r"[0-9]+")
_address = re.compile(r"\S*(?:://|t\.me/|www\.)\S*")


def change_digits(text: str) -> str:
    """Return the text with every digit changed into another one, 9 into 2."""
    return _digit.sub(lambda match: str(int(match[0]) + 1) if match[0] != "9" else "2", text)


def without_beginning(text: str) -> str:
    """Return the text without its first 30 %, from the next word on."""
    return text[len(text) * 3 // 10 :].partition(" ")[2]


def second_half(text: str) -> str:
    """Return the second half of the text, from the next word on."""
    return text[len(text) // 2 :].partition(" ")[2]


ALTERATIONS: dict[str, tuple[Callable[[str], str], frozenset[str]]] = {
    "all digits changed": (change_digits, frozenset(("update", "similar", "part", "none"))),
    "the same, numbers outside addresses": (
        change_digits,
        frozenset(("update", "similar", "part", "none")),
    ),
    "first 30 % removed": (without_beginning, frozenset(("reprint", "rewrite", "part"))),
    "second half": (second_half, frozenset(("reprint", "rewrite", "part"))),
}
"""By name, what is done to a text, and the relations that are right then."""


def is_suited(name: str, text: str) -> bool:
    """Return whether a text can be altered so: it has six numbers, or is long enough to be cut."""
    if name == "all digits changed":
        return len(_number.findall(text)) >= _MANY_NUMBERS
    if name == "the same, numbers outside addresses":
        return len(_number.findall(_address.sub(" ", text))) >= _MANY_NUMBERS
    return len(text) >= _LONG


def judge_altered(
    items: Sequence[NewsItem], name: str, analyzer: ItemAnalyzer, rule: Rule
) -> Counter[str]:
    """Return how often each relation was found between an item and its altered copy.

    The copy is of the same source, two hours later. Of a text that was cut its title is gone, too.
    """
    alter, _ = ALTERATIONS[name]
    found: Counter[str] = Counter()
    for item in items:
        title = alter(item.title) if alter is change_digits else ""
        key = ItemKey(item.key.source, f"{item.key.id} altered")
        at = item.published_at
        later = at and at + _LATER
        copy = NewsItem(key, title, alter(item.text), published_at=later)
        match = rule.match(_entry(item, analyzer), _entry(copy, analyzer))
        found["none" if match is None else match.relation] += 1
    return found


def _entry(item: NewsItem, analyzer: ItemAnalyzer) -> Entry:
    """Return the entry of an item at its time of publication."""
    at = 0 if item.published_at is None else to_micros(item.published_at)
    return entry_of(analyzer.analyze(item, b""), at=at)


def print_judgements(arguments: Sequence[str]) -> None:
    """Print a line for each alteration; the arguments are a file of items and a number of texts."""
    path, most = arguments[0], int(arguments[1]) if len(arguments) > 1 else _MOST
    settings = Settings()
    reader = line_decoder(settings)
    read = load_collection([path], reader.content, line_limit=settings.limits.line_bytes)
    items = list(read.items)
    analyzer, rule = item_analyzer(settings), make_rule(settings)
    for name, (_, right) in ALTERATIONS.items():
        suited = [item for item in items if is_suited(name, item.text)]
        taken = suited[:: max(1, len(suited) // most)][:most]
        found = judge_altered(taken, name, analyzer, rule)
        good = sum(found[relation] for relation in right)
        kinds = ", ".join(f"{relation} {count}" for relation, count in found.most_common())
        sys.stdout.write(f"{name}: {good} of {len(taken)} right; {kinds}\n")


if __name__ == "__main__":
    print_judgements(sys.argv[1:])
