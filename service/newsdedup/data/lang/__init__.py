"""The word tables of each language, which docs/word-tables.md explains, as values for the core.

A table is named after its file and its key: "days.months" is the table `months` in the file
`days.toml` of every language folder that has one. The words of all languages count in any text,
because news quotes across languages.

In an entry, `*` at the end stands for any further letters and `*` at the beginning for any letters
before; words that hold a space are written as a list.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import cast

LANGUAGES = ("ru", "uk", "en")
"""The folders with tables, in the order in which their words are listed."""
_NO_LETTER, _END = r"(?<![^\W\d_])", r"(?!\w)"


def words(table: str, *languages: str) -> tuple[str, ...]:
    """Return the distinct words of a table without rows, of the named languages or of all."""
    return tuple(dict.fromkeys(word for part in _parts(table, languages) for word in _split(part)))


def meanings(table: str, *languages: str) -> dict[str, str]:
    """Return the row to which each word of a table belongs: its unit, its month, its number.

    ValueError if two rows share a word.
    """
    rows: dict[str, str] = {}
    for part in _parts(table, languages):
        if not isinstance(part, Mapping):
            raise TypeError(f"the word table {table} has no rows")
        for row, listed in part.items():
            for word in _split(listed):
                if rows.setdefault(word, row) != row:
                    raise ValueError(f"{table}: {word!r} stands for {rows[word]} and for {row}")
    return rows


def numbered(table: str, *languages: str) -> dict[str, int]:
    """Return the number of the row to which each word of a table belongs."""
    return {word: int(row) for word, row in meanings(table, *languages).items()}


def pattern(table: str, *languages: str) -> str:
    """Return a regular expression, a group without a name, that matches any word of a table.

    A match neither begins behind a letter nor ends before one, but where the word has a `*`.
    """
    return any_of(words(table, *languages))


def any_of(listed: Iterable[str]) -> str:
    """Return what `pattern` does for words that stand in no table by themselves."""
    by_edges: dict[tuple[bool, bool], list[str]] = {}
    for word in sorted(listed, key=lambda word: (-len(word), word)):
        edges = word.startswith("*"), word.endswith("*")
        by_edges.setdefault(edges, []).append(re.escape(word.strip("*")).replace("\\ ", " "))
    groups = [
        ("" if opened else _NO_LETTER) + f"(?:{'|'.join(group)})" + (r"\w*" if ended else _END)
        for (opened, ended), group in by_edges.items()
    ]
    return f"(?:{'|'.join(groups)})"


def _parts(table: str, languages: tuple[str, ...]) -> list[object]:
    """Return the table as each language has it; KeyError if none has."""
    file, _, key = table.partition(".")
    loaded = [_load(language, file) for language in languages or LANGUAGES]
    parts = [tables[key] for tables in loaded if key in tables]
    if not parts:
        raise KeyError(f"no word table {table}")
    return parts


@cache
def _load(language: str, file: str) -> dict[str, object]:
    path = files(__package__) / language / f"{file}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _split(listed: object) -> list[str]:
    return listed.split() if isinstance(listed, str) else list(cast(Iterable[str], listed))
