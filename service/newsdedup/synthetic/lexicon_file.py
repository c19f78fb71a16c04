"""How a lexicon is read from the file that comes with the package."""

import tomllib
from dataclasses import replace
from importlib.resources import files
from typing import Any

from newsdedup.synthetic.lexicon import Forms, Lexicon, NameList, compose_names
from newsdedup.synthetic.named import Town
from newsdedup.synthetic.numerals import Numerals, Units


def read_bundled(*path: str) -> dict[str, Any]:
    """Return the content of one TOML file under data/; `path` are the parts of its path."""
    folder = files("newsdedup.synthetic") / "data"
    for part in path:
        folder = folder / part
    return tomllib.loads(folder.read_text(encoding="utf-8"))


_MOST_TENTHS = {"percent": 999, "money": 9_999_999}
"""No share and no sum has more tenths."""


def read_lexicon(language: str) -> Lexicon:
    """Return the bundled lexicon of a language."""
    return lexicon_of(language, read_bundled(language, "lexicon.toml"))


def lexicon_of(language: str, raw: dict[str, Any]) -> Lexicon:
    """Return the lexicon that the content of a language's lexicon.toml describes."""
    surnames, indexes, firms = raw["surnames"], raw["places"], raw["firms"]
    things, works = raw["things"], raw["works"]
    lexicon = Lexicon(
        language=language,
        prepositions=(raw["prepositions"][0], raw["prepositions"][1]),
        months=tuple(raw["months"]),
        weekdays=tuple(raw["weekdays"]),
        date=raw["date"],
        numerals=Numerals(tuple(raw["small"]), raw["thousands"]),
        percent=_units(raw["amounts"], "percent"),
        money=_units(raw["amounts"], "money"),
        firsts=_first_names(raw["first"]),
        surnames=_name_list(surnames, len(surnames["endings"])),
        surname_endings=tuple(
            (tuple(pair["male"]), tuple(pair["female"])) for pair in surnames["endings"]
        ),
        cities=(),
        villages=_name_list(indexes, len(indexes["endings"])),
        village_endings=tuple(map(tuple, indexes["endings"])),
        region_pattern=indexes["region"],
        street_patterns=tuple(indexes["streets"]),
        firms=_name_list(firms, len(firms["patterns"])),
        firm_patterns=tuple(firms["patterns"]),
        things=_name_list(things, len(things["endings"]), capital=False),
        thing_endings=tuple(map(tuple, things["endings"])),
        agencies=_name_list(raw["agencies"], 1, capital=False),
        brands=_name_list(raw["brands"], 1),
        medicines=_name_list(raw["medicines"], 1, capital=False),
        adjectives=tuple(works["adjectives"]),
        nouns=tuple((group[0], noun) for group in works["nouns"] for noun in group[1:]),
        work_patterns=tuple(works["patterns"]),
        teams=tuple(raw["teams"]["names"]),
        team_pattern=raw["teams"]["pattern"],
    )
    cities = tuple(
        Town("", tuple(forms.split("|")), lexicon.prepositions) for forms in indexes["cities"]
    )
    return replace(lexicon, cities=cities)


def _first_names(groups: list[dict[str, Any]]) -> tuple[tuple[Forms, bool], ...]:
    """Return the forms of first names, each with whether it is a woman's, common ones first.

    Each group has its common names first: the result has the first of every group, then the second
    of every group, and so on.
    """
    ranked = sorted(
        (rank, number) for number, group in enumerate(groups) for rank in range(len(group["stems"]))
    )
    return tuple(
        (tuple(groups[n]["stems"][rank] + e for e in groups[n]["endings"]), groups[n]["female"])
        for rank, n in ranked
    )


def _name_list(raw: dict[str, Any], variants: int, *, capital: bool = True) -> NameList:
    return compose_names(raw.get("common", ()), raw["columns"], variants, capital=capital)


def _units(raw: dict[str, Any], name: str) -> Units:
    """Return how the language writes "percent" or "money", from the table `amounts` of its file."""
    short, long, large_short, large_long = raw[name]
    return Units(raw["mark"], short, long, large_short, large_long, raw["over"], _MOST_TENTHS[name])
