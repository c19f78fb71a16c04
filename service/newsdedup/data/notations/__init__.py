"""How languages without word tables write numbers and dates: files that scripts/notations writes.

docs/word-tables.md explains each table. A file is read when a text of its language is met.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Notation(NamedTuple):
    """What a language writes around numbers, all words as in a clean text in lower case."""

    decimal: str
    """The decimal sign, a comma or a dot; the other one parts thousands."""
    month_first: bool
    """Whether the month is written before the day."""
    ordinal_dot: bool
    """Whether a dot behind a number makes it an ordinal: "14. Mai"."""
    clock_before: list[str]
    """Words before a time of day, with or without minutes."""
    clock_at: list[str]
    """Words that are before a time of day only if it has minutes: "alle 14.30"."""
    clock_behind: list[str]
    afternoon: list[str]
    """Words before an hour that is after midday."""
    percent_before: list[str]
    counters: list[str]
    """Words behind a number that a page counts by: comments, pictures."""
    ages: list[str]
    """What is written around how long ago something was published, # for the number."""
    months: dict[str, int]
    weekdays: dict[str, int]
    """By word the number of the day, 0 for Monday."""
    days_ago: dict[str, int]
    scales: dict[str, int]
    """By word the factor."""
    units: dict[str, str]
    """By word the unit, a currency by its code."""


@cache
def notation_of(lang: str) -> Notation | None:
    """Return the tables of a language, or None if it has none."""
    file = files(__package__) / f"{lang}.toml"
    if not (lang.isalpha() and file.is_file()):
        return None
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    return Notation(
        decimal=read["decimal"],
        month_first=read["month_first"],
        ordinal_dot=read["ordinal_dot"],
        clock_before=read.get("clock_before", []),
        clock_at=read.get("clock_at", []),
        clock_behind=read.get("clock_behind", []),
        afternoon=read.get("afternoon", []),
        percent_before=read.get("percent_before", []),
        counters=read.get("counters", []),
        ages=read["ages"],
        months=_numbers(read, "months"),
        weekdays={word: number - 1 for word, number in _numbers(read, "weekdays").items()},
        days_ago=_numbers(read, "days_ago"),
        scales={word: 10**zeros for word, zeros in _numbers(read, "scales").items()},
        units={word: unit for unit, words in read.get("units", {}).items() for word in words},
    )


def _numbers(read: Mapping[str, Mapping[str, list[str]]], table: str) -> dict[str, int]:
    """Return the number of its row by word, for a table of numbered rows of words."""
    rows = read.get(table, {})
    return {word: int(row) for row, words in rows.items() for word in words}
