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
    "iso8859-15": -2.0,
    "iso8859-5": -3.0,
    "cp866": -3.0,
    "iso8859-6": -2.0,
    "iso8859-7": -2.0,
    "iso8859-8": -2.0,
    "iso8859-13": -4.0,
    "iso8859-4": -6.0,
    "iso8859-16": -4.0,
    "iso8859-3": -7.0,
    "iso8859-14": -7.0,
    "iso8859-10": -8.0,
    "mac-cyrillic": -6.0,
    "mac-roman": -10.0,
}
"""How much rarer than the commonest an encoding is, as the logarithm of its share."""
CYRILLIC: Final = frozenset({"cp1251", "koi8-u", "cp866", "cp855", "iso8859-5", "mac-cyrillic"})
_TRIED_MULTI_BYTE: Final = sorted(MULTI_BYTE - {"iso2022_jp_ext"})
_WRITES: Final = 0.99
"""So much of the letters of a language must an encoding have to be weighed with it."""
_INNER_CAPITAL, _FIRST_CAPITAL, _CAPITALS_TEXT = 0.01, 0.3, 0.97
_CAPITALS_PRIOR: Final = -4.0
_PUNCTUATION, _INNER_PUNCTUATION, _SIGN, _MISPLACED, _UNFIT = -4.5, -6.5, -8.5, -11.0, -14.0
_ASCII_LETTER, _STRANGE_LETTER = -9.0, -11.0
_OPENING: Final = frozenset("\xa0\xad«»‘‚“„‹›–—…·¿¡")
_CLOSING: Final = frozenset("\xa0\xad«»’“”‹›–—…·")
"""Punctuation that is written without a space before a word, and within or after one."""
_TRAILING: Final = frozenset("®™©°ºª¹²³€£")
"""Signs that are written after a word."""
SAMPLE_WORDS: Final = 3_000
"""Of words with bytes outside ASCII: so many tell the encoding."""
_FIRST_WORDS: Final = 150
"""Mostly they tell it already."""
_DECIDED: Final = 50.0
"""If the first words make one encoding so much likelier than the next, no others count."""
_MULTI_BYTE_SAMPLE: Final = 50_000
"""Bytes, from the first one outside ASCII on."""
_MULTI_BYTE_BEGIN: Final = 600
"""Bytes of the sample that are tried first."""
_OUTSIDE_ASCII: Final = re.compile(rb"[\x80-\xff]")
_MOST_ERRORS: Final = 0.01
_MOST_ERRORS_IN_BEGIN: Final = 0.1
"""Of the characters outside ASCII; in Cyrillic that is read so every fifth one is an error."""
_LEAST_COMMON: Final = 0.2
"""Of the characters outside ASCII of a text in an encoding with several bytes; in news it is half,
in another encoding 0.05 at most."""
_LEAST_DISTINCT: Final = 4
"""Different common characters; fewer may be a chance, unless there is little else."""
_MOSTLY_COMMON: Final = 0.6
_LAST_ASCII: Final = 0x7F
_LAST_PLANE: Final = 0xFFFF


def weigh_encodings(words: Iterable[bytes]) -> dict[str, float]:
    """Return how well each single-byte encoding suits words with bytes outside ASCII.

    Only the first 3,000 count, or 150 where these decide, each once: what a feed repeats tells no
    more than once. A word of a single byte ("£") tells nothing. Differences of the weights are
    logarithms of likelihoods.
    """
    waiting = iter(words)
    read = list(islice(waiting, _FIRST_WORDS))
    scores = _scores(read)
    second, first = sorted(scores.values())[-2:]
    if first - second < _DECIDED and (more := list(islice(waiting, SAMPLE_WORDS - len(read)))):
        return _scores(read + more)
    return scores


def _scores(words: Iterable[bytes]) -> dict[str, float]:
    """Return how well each single-byte encoding suits words, of which each counts once."""
    distinct = dict.fromkeys(word for word in words if len(word) > 1)
    # No word has a space in it, so one marks where each begins and ends.
    joined = np.frombuffer(b" ".join((b"", *distinct, b"")), np.uint8)
    ends = np.flatnonzero(joined == ord(" "))
    firsts, lasts = joined[ends[:-1] + 1], joined[ends[1:] - 1]
    whole, first, last = (np.bincount(part, minlength=256) for part in (joined, firsts, lasts))
    inner = whole - first - last
    inner[ord(" ")] = 0
    histogram = np.concatenate([first, inner, last])
    present = np.flatnonzero(histogram)
    table = _models()
    counts = histogram[present].astype(np.float32)
    likelihoods = counts @ table.weights[present] + table.priors
    best = np.maximum.reduceat(likelihoods, table.begins)
    return dict(zip(_PRIORS, best.tolist(), strict=True))


def likely_multi_byte(body: bytes) -> str:
    """Return the encoding with several bytes for a character that a body is in; "" for none."""
    first = _OUTSIDE_ASCII.search(body)
    begin = first.start() if first else 0
    sample = body[begin : begin + _MULTI_BYTE_SAMPLE]
    best, best_share = "", _LEAST_COMMON
    for name in _TRIED_MULTI_BYTE:
        errors, outside = _decoded(sample[:_MULTI_BYTE_BEGIN], name)
        if errors > _MOST_ERRORS_IN_BEGIN * len(outside):
            continue
        errors, outside = _decoded(sample, name)
        if not len(outside) or errors > _MOST_ERRORS * len(outside):
            continue
        seen = outside[_is_common()[np.minimum(outside, _LAST_PLANE)]]
        share = len(seen) / len(outside)
        distinct = np.count_nonzero(np.bincount(seen))
        if share > best_share and (distinct >= _LEAST_DISTINCT or share > _MOSTLY_COMMON):
            best, best_share = name, share
    return best


def _decoded(sample: bytes, name: str) -> tuple[int, npt.NDArray[np.uint32]]:
    """Return how much of a sample does not fit an encoding, and the codes outside ASCII."""
    text = codecs.getincrementaldecoder(name)("replace").decode(sample)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return text.count("\ufffd"), codes[codes > _LAST_ASCII]


@cache
def _is_common() -> npt.NDArray[np.bool_]:
    """Return which codes below 0x10000 are the commonest of Chinese, Japanese and Korean."""
    common = "".join(part for parts in rows("letters.common").values() for part in parts)
    table = np.zeros(_LAST_PLANE + 1, np.bool_)
    table[[ord(character) for character in common]] = True
    return table


class _Models(NamedTuple):
    """A column for each encoding with a language, and once more for texts in capitals."""

    begins: list[int]
    """The first column of each encoding of _PRIORS."""
    weights: npt.NDArray[np.float32]
    """Logarithms of likelihoods in each column: of 256 bytes that begin a word, are within one, or
    end one."""
    priors: npt.NDArray[np.float64]


@cache
def _models() -> _Models:
    begins: list[int] = []
    weights: list[list[float]] = []
    priors: list[float] = []
    shares = {row: _shares("".join(letters)) for row, letters in rows("letters.frequent").items()}
    for name, prior in _PRIORS.items():
        begins.append(len(priors))
        characters = [bytes([code]).decode(name, "replace") for code in range(256)]
        lower = {character.lower()[:1] for character in characters}
        for share in shares.values():
            if sum(part for letter, part in share.items() if letter in lower) < _WRITES:
                continue
            for capitals in (False, True):
                weights.append(_row(characters, share, capitals=capitals))
                priors.append(prior + (_CAPITALS_PRIOR if capitals else 0.0))
    columns = np.ascontiguousarray(np.array(weights, np.float32).T)
    return _Models(begins, columns, np.array(priors))


def _shares(letters: str) -> dict[str, float]:
    """Return the share of each letter, given the commonest first."""
    shares, left = {}, 0.0
    for rank in range(len(letters), 0, -1):
        left += 1 / rank
        shares[letters[rank - 1]] = left / len(letters)
    return shares


def _row(characters: list[str], share: Mapping[str, float], *, capitals: bool) -> list[float]:
    """Return the weights of the characters at the beginning, within and at the end of a word.

    `share` has the frequencies of the letters of the language; `capitals` is whether the text is
    written in capitals.
    """
    first = _CAPITALS_TEXT if capitals else _FIRST_CAPITAL
    inner = _CAPITALS_TEXT if capitals else _INNER_CAPITAL
    return [
        *(_letter_weight(one, share, first) or _first_weight(one) for one in characters),
        *(_letter_weight(one, share, inner) or _inner_weight(one) for one in characters),
        *(_letter_weight(one, share, inner) or _last_weight(one) for one in characters),
    ]


def _letter_weight(character: str, share: Mapping[str, float], capital: float) -> float:
    """Return the logarithm of the likelihood of a letter; 0 for no letter of the language.

    `share` has the frequencies of its letters, `capital` is the part of them that are capitals.
    """
    letter = character.lower()[:1]
    if letter not in share:
        return 0.0
    if letter == character.upper():
        return log(share[letter])  # a script without capitals
    return log(share[letter] * (1 - capital if letter == character else capital))


def _first_weight(character: str) -> float:
    """Return the weight of what is no letter of the language at the beginning of a word."""
    return _PUNCTUATION if character in _OPENING else _other_weight(character, _SIGN)


def _inner_weight(character: str) -> float:
    """Return the weight of what is no letter of the language within a word."""
    return _INNER_PUNCTUATION if character in _CLOSING else _other_weight(character, _MISPLACED)


def _last_weight(character: str) -> float:
    """Return the weight of what is no letter of the language at the end of a word."""
    if character in _CLOSING:
        return _PUNCTUATION
    return _other_weight(character, _SIGN if character in _TRAILING else _MISPLACED)


def _other_weight(character: str, sign: float) -> float:
    """Return the weight of a letter of another language, or `sign` for what is no letter."""
    if character == "\ufffd" or not character.isprintable():
        return _UNFIT
    if not character.isalpha():
        return sign
    return _ASCII_LETTER if character.isascii() else _STRANGE_LETTER
