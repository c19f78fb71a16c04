"""Copies that were altered on purpose, put into the stream of their items and judged there.

`python -m newsdedup_lab.score.altered items.jsonl [RULE]` alters a third of the items, each in one
of the ways below, in turns. The copy comes from another source, 40 minutes later. It prints for
each alteration how many copies join the story of their item, and what the others are judged to be.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from html import escape
from itertools import cycle
from operator import itemgetter
from random import Random
from typing import NamedTuple

from newsdedup import Deduplicator, ItemKey, NewsItem
from newsdedup.bootstrap.runs import line_decoder
from newsdedup.config import Settings
from newsdedup_lab.collections.items import load_collection

_ONE_IN = 3
"""One of so many items is altered."""
_LATER = timedelta(minutes=40)
_MANY_NUMBERS = 6
_LONG = 25
"""Words of a text that is altered."""
_digit = re.compile(r"[0-9]")
_number = re.compile(r"[0-9]+")
_address = re.compile(r"\S*(?:://|t\.me/|www\.)\S*")
_word = re.compile(r"\S+")
_sentence = re.compile(r"(?<=[.!?…。؟।])\s+|\n+")
_TYPOGRAPHY = str.maketrans({'"': "“", "«": '"', "»": '"', "—": "-", "ё": "е", "'": "’"})


def change_digits(text: str) -> str:
    """Return the text with every digit changed into another one, 9 into 2."""
    return _digit.sub(lambda match: str(int(match[0]) + 1) if match[0] != "9" else "2", text)


def cut_words(text: str, begin: float, end: float = 1.0) -> str:
    """Return the words of a text between two shares of their number, with what is between them."""
    words = list(_word.finditer(text))
    taken = words[int(begin * len(words)) : int(end * len(words))]
    return text[taken[0].start() : taken[-1].end()] if taken else ""


def drop_every_third(text: str) -> str:
    """Return the text without its second, fifth, eighth sentence and so on."""
    return " ".join([one for at, one in enumerate(_sentences(text)) if at % 3 != 1])


def _sentences(text: str) -> list[str]:
    """Return the sentences and lines of a text."""
    return [one for one in _sentence.split(text) if one.strip()]


def _shuffle(text: str, chance: Random) -> str:
    """Return the sentences of a text in another order."""
    sentences = _sentences(text)
    chance.shuffle(sentences)
    return " ".join(sentences)


def _replace_words(text: str, chance: Random) -> str:
    """Return the text with a tenth of its words replaced by other words of it."""
    words = _word.findall(text)
    return " ".join([chance.choice(words) if chance.random() < 0.1 else one for one in words])


def _as_html(text: str) -> str:
    """Return the lines of a text as paragraphs of HTML."""
    return "".join([f"<p>{escape(line)}</p>" for line in text.split("\n") if line.strip()])


class Alteration(NamedTuple):
    """What is done to an item."""

    alter: Callable[[NewsItem, Random], tuple[str, str]]
    """Returns another title and text."""
    is_copy: bool = True
    """Whether the result is a duplicate of the item."""


ALTERATIONS: dict[str, Alteration] = {
    "other quotes, dashes, ё": Alteration(
        lambda item, _: (item.title.translate(_TYPOGRAPHY), item.text.translate(_TYPOGRAPHY))
    ),
    "HTML": Alteration(lambda item, _: (escape(item.title), _as_html(item.text))),
    "capital letters": Alteration(lambda item, _: (item.title.upper(), item.text.upper())),
    "no title": Alteration(lambda item, _: ("", item.text)),
    "first two fifths": Alteration(lambda item, _: (item.title, cut_words(item.text, 0, 0.4))),
    "first 30 % removed": Alteration(lambda item, _: ("", cut_words(item.text, 0.3))),
    "second half": Alteration(lambda item, _: ("", cut_words(item.text, 0.5))),
    "sentences in another order": Alteration(
        lambda item, chance: (item.title, _shuffle(item.text, chance))
    ),
    "a third of the sentences removed": Alteration(
        lambda item, _: (item.title, drop_every_third(item.text))
    ),
    "a tenth of the words replaced": Alteration(
        lambda item, chance: (item.title, _replace_words(item.text, chance))
    ),
    "all digits changed": Alteration(
        lambda item, _: (change_digits(item.title), change_digits(item.text)), is_copy=False
    ),
}


def is_suited(name: str, text: str) -> bool:
    """Return whether a text can be altered so: it has 25 words, and six numbers to be changed.

    Numbers in addresses do not count.
    """
    numbers = _number.findall(_address.sub(" ", text))
    has_enough = name != "all digits changed" or len(numbers) >= _MANY_NUMBERS
    return has_enough and len(_word.findall(text)) >= _LONG


class AlteredCopy(NamedTuple):
    """A copy as it comes in the stream."""

    item: NewsItem
    alteration: str
    original: ItemKey


def alter_items(items: Sequence[NewsItem], *, one_in: int = _ONE_IN) -> Iterator[AlteredCopy]:
    """Yield altered copies of one of so many dated items; the same ones in each run."""
    chance = Random(1)  # noqa: S311 - copies must repeat
    sources = sorted({item.key.source for item in items})
    if len(sources) < 2:
        sources.append("other.example")
    names = cycle(ALTERATIONS)
    for item in items[::one_in]:
        name = next(names)
        if item.published_at is None or not is_suited(name, item.text):
            continue
        title, text = ALTERATIONS[name].alter(item, chance)
        source = chance.choice([one for one in sources if one != item.key.source])
        key = ItemKey(source, f"{item.key.id} altered")
        copy = NewsItem(key, title, text, published_at=item.published_at + _LATER)
        yield AlteredCopy(copy, name, item.key)


def judge_altered(
    items: Sequence[NewsItem], copies: Sequence[AlteredCopy], *, rule: str = "verified"
) -> dict[str, Counter[str]]:
    """Return for each alteration how often a copy was judged to be what.

    "found" is a duplicate in the story of its item, "elsewhere" one in another story, anything else
    the relation of an original to what it resembles most.
    """
    deduplicator = Deduplicator(rule=rule)
    stream: list[tuple[NewsItem, AlteredCopy | None]] = [(item, None) for item in items]
    stream += [(copy.item, copy) for copy in copies]
    dated = [(item.published_at, item, copy) for item, copy in stream if item.published_at]
    stories: dict[ItemKey, str] = {}
    judged: dict[str, Counter[str]] = defaultdict(Counter)
    for _, item, copy in sorted(dated, key=itemgetter(0)):
        verdict = deduplicator.judge(item)
        stories[item.key] = verdict.story
        if copy is None:
            continue
        if not verdict.is_duplicate:
            judged[copy.alteration][verdict.relation] += 1
        else:
            own = verdict.story == stories.get(copy.original)
            judged[copy.alteration]["found" if own else "elsewhere"] += 1
    return judged


def print_judgements(path: str, rule: str) -> None:
    """Print a line for each alteration of the items of a file."""
    settings = Settings()
    reader = line_decoder(settings)
    read = load_collection([path], reader.content, line_limit=settings.limits.line_bytes)
    items = list(read.items)
    judged = judge_altered(items, list(alter_items(items)), rule=rule)
    for name, (_, is_copy) in ALTERATIONS.items():
        kinds = judged.get(name, Counter())
        right = kinds["found"] if is_copy else kinds.total() - kinds["found"] - kinds["elsewhere"]
        others = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
        sys.stdout.write(f"{name}: {right} of {kinds.total()} right; {others}\n")


if __name__ == "__main__":
    print_judgements(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "verified")
