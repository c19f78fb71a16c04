"""Background tables as files, and the tables, word lists and model of the package."""

from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path

import zstandard

from newsdedup.core.matching.verify.model import Model, parse_model
from newsdedup.core.model import Language
from newsdedup.core.text.scripts import spell_alike
from newsdedup.core.words.background import (
    Background,
    parse_background,
    parse_pivots,
    render_background,
    render_thresholds,
)
from newsdedup.core.words.lemmas import Overrides, StopWords
from newsdedup.core.words.vocabulary import Counterparts
from newsdedup.data.lang import LANGUAGE_FOLDERS, meanings, rows, words
from newsdedup.ports.errors import SinkUnusable, SourceUnusable

_ZSTD_LEVEL = 19
"""Of zstd: the table is written once and read at every start."""


@cache
def shipped_background() -> Background:
    """Return the background table of the package, counted in 30,379 news items.

    26,754 of them are in Russian, Ukrainian and English, 3,625 in other languages. It takes 18 MB,
    once in a process: nothing changes it.
    """
    return unpack_background((files("newsdedup") / "data" / "background.zst").read_bytes())


def pack_background(background: Background) -> bytes:
    """Return the bytes of a table file; equal tables make equal files.

    A frame for the counts and one for the pivots, if there are any: a file of counts alone is a
    table, too, and who reads only counts need not know of the rest.
    """
    parts = [render_background(background), render_thresholds(background.pivots.thresholds)]
    packer = zstandard.ZstdCompressor(level=_ZSTD_LEVEL)
    return b"".join([packer.compress(part.encode()) for part in parts if part])


def unpack_background(data: bytes) -> Background:
    """Return the background table of a file's bytes; raise ValueError if they hold none."""
    try:
        counts, rest = _frame(data)
        chosen, _ = _frame(rest) if rest else ("", b"")
    except zstandard.ZstdError as error:
        raise ValueError(f"not a zstd file: {error}") from error
    return replace(parse_background(counts), pivots=parse_pivots(chosen))


def _frame(data: bytes) -> tuple[str, bytes]:
    """Return the text of the first Zstandard frame, and the bytes behind it; raise ZstdError."""
    unpacker = zstandard.ZstdDecompressor().decompressobj()
    text = unpacker.decompress(data)
    if not unpacker.eof:
        raise zstandard.ZstdError("it ends too early")
    return text.decode(), unpacker.unused_data


def shipped_overrides() -> Overrides:
    """Return the lemmas that the dictionaries get wrong, by language and form."""
    listed = {lang: meanings("lemmas.forms", [lang]) for lang in LANGUAGE_FOLDERS}
    return {lang: lemmas for lang, lemmas in listed.items() if lemmas}


def shipped_counterparts() -> Counterparts:
    """Return Russian lemmas by Ukrainian ones, listed by hand: no rule of spelling finds them."""
    listed = [word for section in rows("counterparts.pairs", ["uk"]).values() for word in section]
    return dict(zip(listed[::2], listed[1::2], strict=True))


def shipped_stop_words() -> StopWords:
    """Return the stop words of each language that has a list."""
    listed = {lang: words("stopwords.words", folders=[lang]) for lang in LANGUAGE_FOLDERS}
    kept = {lang: stop_words for lang, stop_words in listed.items() if stop_words}
    return StopWords(kept, load_stop_words)


@cache
def load_stop_words(lang: Language) -> frozenset[str]:
    """Return the stop words of a language of LANGUAGE_ROWS, in lower case, as `spell_alike` spells.

    A language without a list has none.
    """
    file = files("newsdedup") / "data" / "stopwords" / f"{lang}.txt"
    if not file.is_file():
        return frozenset()
    lines = file.read_text(encoding="utf-8").splitlines()
    listed = " ".join([line for line in lines if not line.startswith("#")])
    return frozenset(spell_alike(listed, lang).lower().split())


def shipped_model() -> Model:
    """Return the model of the verifier, fitted on labelled pairs (lab/fit/logistic.py)."""
    return parse_model((files("newsdedup") / "data" / "verifier.json").read_text(encoding="utf-8"))


def write_background(path: Path, background: Background) -> int:
    """Write a table, replacing the file once complete; return its size or raise SinkUnusable."""
    packed = pack_background(background)
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(packed)
        part.replace(path)
    except OSError as error:
        raise SinkUnusable(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
    return len(packed)


def read_background(path: Path) -> tuple[Background, int]:
    """Return the table of a file, and its size in bytes; raise SourceUnusable for another file."""
    try:
        packed = path.read_bytes()
        return unpack_background(packed), len(packed)
    except (OSError, ValueError) as error:
        raise SourceUnusable(f"{path}: no background table: {error}") from error
