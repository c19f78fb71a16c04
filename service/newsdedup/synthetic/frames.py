"""The kinds of events a language can report: their facts and the sentences about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from newsdedup.synthetic.bundled import bundled
from newsdedup.synthetic.events import Maker, makers
from newsdedup.synthetic.lexicon import Lexicon, read_lexicon
from newsdedup.synthetic.phrasing import Pair, Sentence, pair, sentence, words


@dataclass(frozen=True, slots=True)
class Frame:
    """One kind of event: the sentences of its own, then those common to all reports."""

    name: str
    category: str
    titles: tuple[Pair, ...]
    leads: tuple[Pair, ...]
    later: tuple[Pair, ...]
    """Title and lead of a report about what came after."""
    facts: tuple[Pair, ...]
    remarks: tuple[Pair, ...]
    quotes: tuple[Pair, ...]
    backgrounds: tuple[Sentence, ...]
    makers: Mapping[str, Maker]
    moves: tuple[tuple[str, str], ...]
    """Facts that move later, and how: grow, shift or step."""


@dataclass(frozen=True, slots=True)
class Book:
    """All a newsroom of one language needs to write."""

    lexicon: Lexicon
    frames: tuple[Frame, ...]
    sources: Mapping[str, list[str]]
    series: Mapping[str, list[list[str]]]


def read_book(language: str) -> Book:
    """Return the bundled book of a language."""
    lexicon = read_lexicon(language)
    common, names = bundled(language, "common.toml"), bundled(language, "lexicon.toml")
    return Book(
        lexicon=lexicon,
        frames=tuple(
            _frame(name, topic, bundled(language, f"{name}.toml"), common, lexicon)
            for name, topic in bundled("topics.toml").items()
        ),
        sources=names["sources"],
        series=names["series"],
    )


def _frame(
    name: str, topic: dict[str, Any], own: dict[str, Any], common: dict[str, Any], lexicon: Lexicon
) -> Frame:
    return Frame(
        name=name,
        category=topic["category"],
        titles=_pairs(own["titles"]),
        leads=_pairs(own["leads"]),
        later=tuple((sentence(title), sentence(lead)) for title, lead in own["later"]),
        facts=_pairs(own["facts"]),
        remarks=_pairs(common["facts"]),
        quotes=_pairs(own["quotes"]) + _pairs(common["quotes"]),
        backgrounds=tuple(sentence(t) for t in own["backgrounds"] + common["backgrounds"]),
        makers=makers(
            lexicon,
            tuple(lexicon.body(text) for text in own["bodies"]),
            topic["slots"] | own.get("slots", {}) | common["slots"],
            {
                pool: tuple(words(text) for text in texts)
                for pool, texts in (common["pools"] | own["pools"]).items()
            },
        ),
        moves=tuple(topic["moves"].items()),
    )


def _pairs(texts: list[list[str]]) -> tuple[Pair, ...]:
    return tuple(pair(both) for both in texts)
