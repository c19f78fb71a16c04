"""Dictionaries of synonyms in the format of MyThes, which office programs share."""

from collections.abc import Callable, Iterator
from pathlib import Path

from newsdedup.core.fingerprints.synonym_jaccard import Synonyms, build_synonyms
from newsdedup.ports.errors import SourceUnusable

_ANTONYM = "(антоним)"
"""Begins a line that names opposites."""


def read_synonyms(path: Path, lemma: Callable[[str], str]) -> Synonyms:
    """Return the synonyms of a dictionary as lemmas; phrases and opposites are left out.

    The first line names the encoding. A line `word|count` is followed by so many lines
    `(label)|synonym|synonym...`, each of which is a row with the word. Raise SourceUnusable if it
    cannot be read.
    """
    try:
        data = path.read_bytes()
        encoding, _, rest = data.partition(b"\n")
        text = rest.decode(encoding.decode("ascii").strip())
        return build_synonyms(list(_rows(text.splitlines(), lemma)))
    except OSError as error:
        raise SourceUnusable(f"{path}: cannot be read: {error.strerror or error}") from error
    except (LookupError, ValueError) as error:
        raise SourceUnusable(f"{path}: no dictionary of MyThes: {error}") from error


def _rows(lines: list[str], lemma: Callable[[str], str]) -> Iterator[set[str]]:
    """Yield the lemmas of each row: a word and its synonyms in one meaning."""
    entry_word = ""
    for line in lines:
        first, *rest = line.lower().split("|")
        if not first.startswith("("):
            entry_word = first
        elif first != _ANTONYM:
            yield {lemma(word) for word in (entry_word, *rest) if word and " " not in word}
