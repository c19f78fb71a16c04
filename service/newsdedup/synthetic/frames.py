"""The kinds of events a language can report: their facts and the sentences about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from newsdedup.synthetic.events import Maker, PhrasePool, fact_makers
from newsdedup.synthetic.lexicon import Lexicon
from newsdedup.synthetic.lexicon_file import lexicon_of, read_bundled
from newsdedup.synthetic.phrasing import (
    PhrasingPair,
    Rings,
    Sentence,
    add_choices,
    parse_pair,
    parse_rings,
    parse_sentence,
    parse_wordings,
    variants,
)


@dataclass(frozen=True, slots=True)
class Frame:
    """One kind of event (topic): the sentences of its own, then those common to all reports."""

    name: str
    category: str
    titles: tuple[PhrasingPair, ...]
    leads: tuple[PhrasingPair, ...]
    later: tuple[PhrasingPair, ...]
    """Title and lead of a report about what came after."""
    facts: tuple[PhrasingPair, ...]
    particulars: tuple[PhrasingPair, ...]
    """Sentences full of names: who, where and with what."""
    remarks: tuple[PhrasingPair, ...]
    quotes: tuple[PhrasingPair, ...]
    backgrounds: tuple[Sentence, ...]
    makers: Mapping[str, Maker]
    moves: tuple[tuple[str, str], ...]
    """Facts that move later, and how: grow, shift or step."""


@dataclass(frozen=True, slots=True)
class Book:
    """All that the newsroom of one language needs for writing, read from the bundled files."""

    lexicon: Lexicon
    frames: tuple[Frame, ...]
    sources: Mapping[str, list[str]]
    series: Mapping[str, list[list[str]]]


@dataclass(frozen=True, slots=True)
class Common:
    """What any report of a language may say, whatever it is about."""

    rings: Rings
    particulars: Mapping[str, tuple[PhrasingPair, ...]]
    remarks: tuple[PhrasingPair, ...]
    quotes: tuple[PhrasingPair, ...]
    backgrounds: tuple[Sentence, ...]
    slots: Mapping[str, str]
    pools: Mapping[str, PhrasePool]


def read_book(language: str) -> Book:
    """Read the bundled book of a language: its lexicon, a frame per topic, and other templates."""
    names, cast = read_bundled(language, "lexicon.toml"), read_bundled("cast.toml")
    lexicon, common = lexicon_of(language, names), _read_common(language, cast["slots"])
    return Book(
        lexicon=lexicon,
        frames=tuple(
            _read_frame(name, topic | {"groups": cast["topics"][name]}, common, lexicon)
            for name, topic in read_bundled("topics.toml").items()
        ),
        sources=names["sources"],
        series=names["series"],
    )


def _read_common(language: str, slots: dict[str, str]) -> Common:
    """Read what any report of a language may say; `slots` are facts that all languages share."""
    raw = read_bundled(language, "common.toml")
    rings = parse_rings(read_bundled(language, "rings.toml")["rings"])
    return Common(
        rings=rings,
        particulars={
            group: _parse_pairs(texts, rings)
            for group, texts in read_bundled(language, "particulars.toml").items()
        },
        remarks=_parse_pairs(raw["facts"], rings),
        quotes=_parse_pairs(raw["quotes"], rings),
        backgrounds=_parse_sentences(raw["backgrounds"], rings),
        slots=raw["slots"] | slots,
        pools=_parse_pools(raw["pools"], rings),
    )


def _read_frame(name: str, topic: dict[str, Any], common: Common, lexicon: Lexicon) -> Frame:
    """Read one topic: its sentences from NAME.toml, followed by the common ones, and its facts."""
    own, rings = read_bundled(lexicon.language, f"{name}.toml"), common.rings
    return Frame(
        name=name,
        category=topic["category"],
        titles=_parse_pairs(own["titles"], rings),
        leads=_parse_pairs(own["leads"], rings),
        later=tuple(
            (parse_sentence(add_choices(title, rings)), parse_sentence(add_choices(lead, rings)))
            for title, lead in own["later"]
        ),
        facts=_parse_pairs(own["facts"], rings),
        particulars=tuple(pair for group in topic["groups"] for pair in common.particulars[group]),
        remarks=common.remarks,
        quotes=_parse_pairs(own["quotes"], rings) + common.quotes,
        backgrounds=_parse_sentences(own["backgrounds"], rings) + common.backgrounds,
        makers=fact_makers(
            lexicon,
            tuple(lexicon.body(text) for text in own["bodies"]),
            {**common.slots, **topic["slots"], **own.get("slots", {})},
            {**common.pools, **_parse_pools(own["pools"], rings)},
        ),
        moves=tuple(topic["moves"].items()),
    )


def _parse_pairs(texts: list[list[str]], rings: Rings) -> tuple[PhrasingPair, ...]:
    """Parse pairs of templates; words that have a ring become free choices."""
    return tuple(parse_pair([add_choices(text, rings) for text in both]) for both in texts)


def _parse_sentences(texts: list[str], rings: Rings) -> tuple[Sentence, ...]:
    """Parse templates; words that have a ring become free choices."""
    return tuple(parse_sentence(add_choices(text, rings)) for text in texts)


def _parse_pools(pools: dict[str, list[str]], rings: Rings) -> dict[str, PhrasePool]:
    """Parse pools of facts in words, by name; each fact gets variants by the rings."""
    return {
        name: tuple(tuple(map(parse_wordings, variants(text, rings))) for text in texts)
        for name, texts in pools.items()
    }
