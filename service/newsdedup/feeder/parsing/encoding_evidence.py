"""Which encoding the words of a text speak for, where bytes alone cannot tell.

Each single-byte encoding is weighed together with each language that it can write: the likelier
the letters that the bytes become in that language, the better. How often a letter occurs follows
from its rank among the letters of the language (I. J. Good: of n letters the one of rank r has the
share 1/n * (1/r + ... + 1/n)). Capitals are rare within a word, unless the whole text is written in
them. An encoding with several bytes for a character needs no languages: few texts in another one
decode by it at all, and none to common characters.
"""

import codecs
import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from math import log
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from newsdedup.data.lang import rows
from newsdedup.feeder.parsing.encoding_labels import MULTI_BYTE

_PRIORS: Final[Mapping[str, float]] = {
    "cp1252": 0.0,
    "cp1251": 0.0,
    "koi8-u": -1.0,
    "cp1250": -2.0,
    "cp1254": -2.0,
    "cp1253": -1.0,
    "cp1255": -1.0,
    "cp1256": -1.0,
    "cp1257": -3.0,
    "cp1258": -3.0,
    "cp874": -1.0,
    "iso8859-2": -3.0,
    "iso8859-15": -3.0,
    "iso8859-5": -3.0,
    "cp866": -3.0,
    "iso8859-6": -2.0,
    "iso8859-7": -2.0,
    "iso8859-8": -2.0,
    "iso8859-13": -5.0,
    "iso8859-4": -6.0,
    "iso8859-16": -6.0,
    "iso8859-3": -7.0,
    "iso8859-14": -7.0,
    "iso8859-10": -8.0,
    "mac-cyrillic": -6.0,
    "mac-roman": -8.0,
}
"""How much rarer than the commonest an encoding is, as the logarithm of its share."""
CYRILLIC: Final = frozenset({"cp1251", "koi8-u", "cp866", "cp855", "iso8859-5", "mac-cyrillic"})
_TRIED_MULTI_BYTE: Final = sorted(MULTI_BYTE - {"iso2022_jp_ext"})
_WRITES: Final = 0.99
"""So much of the letters of a language must an encoding have to be weighed with it."""
_INNER_CAPITAL, _FIRST_CAPITAL, _CAPITALS_TEXT = 0.01, 0.3, 0.97
_CAPITALS_PRIOR: Final = -4.0
_PUNCTUATION, _SIGN, _UNFIT = -4.5, -8.5, -14.0
_ASCII_LETTER, _STRANGE_LETTER = -9.0, -11.0
_QUOTES: Final = frozenset("\xa0\xad«»‘’‚“”„‹›–—…·")
_ASCII_LETTERS: Final = re.compile(rb"[A-Za-z]")
_SAMPLE_WORDS: Final = 3_000
_MULTI_BYTE_SAMPLE: Final = 200_000
"""Bytes."""
_MOST_ERRORS: Final = 0.01
_LEAST_COMMON: Final = 0.2
"""Of the characters outside ASCII of a text in an encoding with several bytes; in news it is half,
in another encoding 0.05 at most."""


class WordEvidence(NamedTuple):
    """How well encodings suit a sample of words: differences are logarithms of likelihoods."""

    scores: Mapping[str, float]
    letters: int
    """Bytes outside ASCII in the sample."""

    @property
    def best(self) -> str:
        """Return the codec that suits best."""
        return max(self.scores, key=lambda name: self.scores[name])


def weigh_words(words: Iterable[bytes]) -> WordEvidence:
    """Return how well each single-byte encoding suits words with bytes outside ASCII.

    Only the first 3,000 count, each once: what a feed repeats tells no more than once. A word of a
    single byte ("£") tells nothing.
    """
    distinct = dict.fromkeys(word for word in islice(words, _SAMPLE_WORDS) if len(word) > 1)
    histogram = np.zeros(512)
    first = np.frombuffer(b"".join(word[:1] for word in distinct), np.uint8)
    inner = np.frombuffer(b"".join(word[1:] for word in distinct), np.uint8)
    histogram[:256] = np.bincount(first, minlength=256)
    histogram[256:] = np.bincount(inner, minlength=256)
    table = _models()
    likelihoods = table.weights @ histogram + table.priors
    scores: dict[str, float] = {}
    for name, value in zip(table.names, likelihoods.tolist(), strict=True):
        scores[name] = max(scores.get(name, value), value)
    letters = int(histogram[128:256].sum() + histogram[384:].sum())
    return WordEvidence(scores, letters)


def likely_multi_byte(body: bytes) -> str:
    """Return the encoding with several bytes for a character that a body is in; "" for none."""
    sample = body[:_MULTI_BYTE_SAMPLE]
    best, best_share = "", _LEAST_COMMON
    for name in _TRIED_MULTI_BYTE:
        text = codecs.getincrementaldecoder(name)("replace").decode(sample)
        outside = [character for character in text if character > "\x7f"]
        if not outside or text.count("\ufffd") > _MOST_ERRORS * len(outside):
            continue
        common = _common_characters()
        share = sum(character in common for character in outside) / len(outside)
        if share > best_share:
            best, best_share = name, share
    return best


@cache
def _common_characters() -> frozenset[str]:
    """Return the commonest characters of Chinese, Japanese and Korean."""
    return frozenset("".join(part for parts in rows("letters.common").values() for part in parts))


class _Models(NamedTuple):
    """A row for each encoding with a language, and once more for texts in capitals."""

    names: list[str]
    weights: npt.NDArray[np.float32]
    """Logarithms of likelihoods, of bytes that begin a word and then of those within one."""
    priors: npt.NDArray[np.float32]


@cache
def _models() -> _Models:
    """Return the models; they take 1 MB and are made when the first text needs them."""
    names, weights, priors = [], [], []
    shares = {row: _shares("".join(letters)) for row, letters in rows("letters.frequent").items()}
    for name, prior in _PRIORS.items():
        characters = [bytes([code]).decode(name, "replace") for code in range(256)]
        lower = {character.lower()[:1] for character in characters}
        for share in shares.values():
            if sum(part for letter, part in share.items() if letter in lower) < _WRITES:
                continue
            for capitals in (False, True):
                names.append(name)
                weights.append(_row(characters, share, capitals=capitals))
                priors.append(prior + (_CAPITALS_PRIOR if capitals else 0.0))
    return _Models(names, np.array(weights, np.float32), np.array(priors, np.float32))


def _shares(letters: str) -> dict[str, float]:
    """Return the share of each letter, given the commonest first."""
    shares, left = {}, 0.0
    for rank in range(len(letters), 0, -1):
        left += 1 / rank
        shares[letters[rank - 1]] = left / len(letters)
    return shares


def _row(characters: list[str], share: Mapping[str, float], *, capitals: bool) -> list[float]:
    """Return the weights of the characters at the beginning of a word, then of those within it."""
    first = _CAPITALS_TEXT if capitals else _FIRST_CAPITAL
    inner = _CAPITALS_TEXT if capitals else _INNER_CAPITAL
    return [_weight(one, share, first) for one in characters] + [
        _weight(one, share, inner) for one in characters
    ]


def _weight(character: str, share: Mapping[str, float], capital: float) -> float:
    """Return the logarithm of the likelihood of a character, where so many are capitals."""
    letter = character.lower()[:1]
    if letter in share:
        is_capital = letter != character
        if letter == character and character.upper() == character:
            return log(share[letter])  # a script without capitals
        return log(share[letter] * (capital if is_capital else 1 - capital))
    if character in _QUOTES:
        return _PUNCTUATION
    if character == "\ufffd" or not character.isprintable():
        return _UNFIT
    if not character.isalpha():
        return _SIGN
    return _ASCII_LETTER if character.isascii() else _STRANGE_LETTER
