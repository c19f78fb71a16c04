"""The word tables of each language, which docs/word-tables.md explains, as values for the core.

A table is named after its file and its key: "days.months" is the table `months` in the file
`days.toml` of every language folder that has one. The words of all languages count in any text,
because news quotes across languages.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import cast

_FILES = files(__package__)
FOLDERS = tuple(
    sorted(entry.name for entry in _FILES.iterdir() if entry.name[0] not in "_." and entry.is_dir())
)
"""The folders with tables, one for each language; `any` holds what all write alike."""
LANGUAGE_FOLDERS = tuple(folder for folder in FOLDERS if folder != "any")
"""The languages that the engine distinguishes: a folder of tables adds one."""
DAY_FIRST = tuple(folder for folder in FOLDERS if folder != "en")
"""The folders of languages that write "14 мая" and "в 10 часов"; English has "May 14"."""
_BEGIN, _END = r"(?<![^\W\d_])", r"(?!\w)"


class WordTable:
    """What the words of a table with rows mean, whole (`dead`) or by their beginning (`kill*`)."""

    __slots__ = ("_beginnings", "_lengths", "whole")

    def __init__(self, table: str) -> None:
        listed = meanings(table)
        self.whole = {word: row for word, row in listed.items() if not word.endswith("*")}
        self._beginnings = {word[:-1]: row for word, row in listed.items() if word.endswith("*")}
        self._lengths = sorted({len(beginning) for beginning in self._beginnings})

    def row_of(self, word: str) -> str:
        """Return the key of the row that lists a word, whole or by a beginning; "" if none does."""
        row = self.whole.get(word)
        if row is not None:
            return row
        for length in self._lengths:
            row = self._beginnings.get(word[:length])
            if row is not None:
                return row
        return ""

    @property
    def rows(self) -> frozenset[str]:
        """Return the keys of all rows."""
        return frozenset((*self.whole.values(), *self._beginnings.values()))


def words(*tables: str, folders: Sequence[str] = FOLDERS) -> frozenset[str]:
    """Return the words of tables without rows, as all or some folders have them."""
    parts = [part for table in tables for part in _parts(table, folders)]
    return frozenset(word for part in parts for word in _split(part))


def affixes(table: str) -> tuple[str, ...]:
    """Return the beginnings or endings of a table as `str.startswith` and `endswith` take them."""
    return tuple(sorted([word.strip("*") for word in words(table)]))


def rows(table: str, folders: Sequence[str] = FOLDERS) -> dict[str, list[str]]:
    """Return the words of each row of a table by its key; raise TypeError if it has no rows."""
    listed: dict[str, list[str]] = {}
    for part in _parts(table, folders):
        if not isinstance(part, Mapping):
            raise TypeError(f"the word table {table} has no rows")
        for row, row_words in part.items():
            listed.setdefault(row, []).extend(_split(row_words))
    return listed


def meanings(table: str, folders: Sequence[str] = FOLDERS) -> dict[str, str]:
    """Return for each word of a table the key of its row; ValueError if two rows share a word."""
    found: dict[str, str] = {}
    for row, row_words in rows(table, folders).items():
        for word in row_words:
            if found.setdefault(word, row) != row:
                raise ValueError(f"{table}: {word!r} stands for {found[word]} and for {row}")
    return found


def numbered(table: str, folders: Sequence[str] = FOLDERS) -> dict[str, int]:
    """Return the number of the row to which each word of a table belongs."""
    return {word: int(row) for word, row in meanings(table, folders).items()}


def pattern(*tables: str) -> str:
    """Return a regular expression, one group without a name, for any word of the tables."""
    return any_of(words(*tables))


def any_of(entries: Iterable[str]) -> str:
    """Return a regular expression for any of some words, the longest first.

    A match neither begins behind a letter nor ends before one, but where the word has a `*`.
    """
    by_edges: dict[tuple[bool, bool], list[str]] = {}
    for word in sorted(set(entries), key=lambda word: (-len(word), word)):
        edges = word.startswith("*"), word.endswith("*")
        escaped = re.escape(word.strip("*")).replace("\\ ", " ").replace("\\*", r"\w*")
        by_edges.setdefault(edges, []).append(escaped)
    groups = [
        ("" if opened else _BEGIN) + f"(?:{'|'.join(group)})" + (r"\w*" if ended else _END)
        for (opened, ended), group in by_edges.items()
    ]
    return f"(?:{'|'.join(groups)})"


def _parts(table: str, folders: Sequence[str]) -> list[object]:
    """Return the table as each of these languages has it; KeyError if no language has."""
    file, _, key = table.partition(".")
    parts = {folder: tables[key] for folder in FOLDERS if key in (tables := _load(folder, file))}
    if not parts:
        raise KeyError(f"no word table {table}")
    return [parts[folder] for folder in folders if folder in parts]


@cache
def _load(folder: str, file: str) -> dict[str, object]:
    """Return the table in a TOML file of a language folder, an empty one if it is missing."""
    path = _FILES / folder / f"{file}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _split(listed: object) -> list[str]:
    """Return the words of a string that separates them by white space, or of a list."""
    return listed.split() if isinstance(listed, str) else list(cast(Iterable[str], listed))
