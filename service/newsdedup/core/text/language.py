"""Language detection: by characters first, by the commonest words second."""

from typing import NamedTuple

from newsdedup.core.model import Language
from newsdedup.data.lang import LANGUAGE_FOLDERS, words

_PREFIX = 1_500
"""Characters looked at: enough to be sure, and a long text costs no more than a short one."""


def _all_but(*ranges: range) -> bytes:
    """Return all bytes outside the ranges, for `translate` to delete."""
    return bytes(byte for byte in range(256) if not any(byte in each for each in ranges))


# Characters are counted in UTF-8, where the first byte gives the script and counting is fast.
_NOT_ASCII_ALPHABET = _all_but(range(0x41, 0x5B), range(0x61, 0x7B))
_NOT_CYRILLIC = _all_but(range(0xD0, 0xD4))
_NOT_OTHER_SCRIPTS = _all_but(range(0xCE, 0xD0), range(0xD4, 0xE2), range(0xE3, 0xEE))
# In lower case, the second bytes of U+0450 to U+045F, and the first of U+0480 to U+04FF.
_ALL_BUT_RARE_CYRILLIC = _all_but(range(0x90, 0xA0), range(0xD2, 0xD4))
_NOT_ACCENTED_LATIN = _all_but(range(0xC3, 0xCB))

# The commonest words that the other language of the pair does not have.
_RUSSIAN = words("language.common", folders=["ru"])
_UKRAINIAN = words("language.common", folders=["uk"])
_ENGLISH = words("language.common", folders=["en"])
_BULGARIAN = words("language.bulgarian")
_FOREIGN_LATIN = words("language.other_latin")


class _Further(NamedTuple):
    """What shows that a text is in a language other than Russian, Ukrainian and English."""

    lang: Language
    alphabet: frozenset[str]
    common: frozenset[str]
    foreign: frozenset[str]
    """The commonest words of languages without tables that it does not share."""


_FURTHER = [
    _Further(
        lang,
        frozenset("".join(words("language.alphabet", folders=[lang]))),
        common := words("language.common", folders=[lang]),
        (_BULGARIAN | _FOREIGN_LATIN) - common,
    )
    for lang in LANGUAGE_FOLDERS
    if lang not in ("ru", "uk", "en")
]
_LEAST_COMMON = 10
"""One in so many words must be a commonest one of a further language: in news a quarter are."""


def detect_language(text: str) -> Language:
    """Return the language of a text, one of LANGUAGES, by its first 1,500 characters.

    A mixed text counts as the language it has most of. Works on text before and after folding, on
    headlines too. Russian is the answer for Cyrillic text without any sign of another language,
    English for such Latin text; a text without letters is "other".
    """
    sample = text[:_PREFIX].lower()
    lang = _of_three(sample)
    if lang != "other" or not _FURTHER:
        return lang
    forms = sample.split()
    best, lang = max([(_count_for(forms, each), each.lang) for each in _FURTHER])
    return lang if best > 0 else "other"


def _count_for(forms: list[str], further: _Further) -> int:
    """Return how many words speak for a language, less those against it, maybe below zero.

    0 if fewer than one in ten is among the commonest words of the language.
    """
    common = _count(forms, further.common)
    if common * _LEAST_COMMON < len(forms):
        return 0
    strange = sum(not set(filter(str.isalpha, form)) <= further.alphabet for form in forms)
    return common - _count(forms, further.foreign) - strange


def _of_three(sample: str) -> Language:
    """Return Russian, Ukrainian, English or "other" for a text in lower case."""
    encoded = sample.encode("utf-8", "surrogatepass")
    cyrillic = len(encoded.translate(None, _NOT_CYRILLIC))
    if 0 < len(sample) <= 2 * cyrillic:  # whatever the other half is, it is not more
        return _of_cyrillic(sample, encoded, cyrillic)
    latin = len(encoded.translate(None, _NOT_ASCII_ALPHABET))
    other = len(encoded.translate(None, _NOT_OTHER_SCRIPTS))
    if other > latin + cyrillic or not latin + cyrillic:
        return "other"
    # Names and code are in Latin letters inside Russian text; the reverse does not happen.
    if 2 * cyrillic >= latin:
        return _of_cyrillic(sample, encoded, cyrillic)
    return _of_latin(sample, latin, len(encoded.translate(None, _NOT_ACCENTED_LATIN)))


def _of_cyrillic(sample: str, encoded: bytes, count: int) -> Language:
    """Return the language of a lower-case, mostly Cyrillic text of `count` Cyrillic letters.

    The letters that only one language has decide; if they are too few, its common words do. It is
    "other" where these speak for a Cyrillic language without a detector of its own.
    """
    russian = sample.count("ы") + sample.count("э")
    ukrainian = foreign = 0
    if encoded.translate(None, _ALL_BUT_RARE_CYRILLIC):
        ukrainian = sum(map(sample.count, "іїєґ"))
        foreign = sum(map(sample.count, "ўјњћ")) - sample.count("ґ")
        foreign += encoded.count(b"\xd2") + encoded.count(b"\xd3")  # U+0480 to U+04FF
    # In 1000 letters Russian has 22 of its own and Ukrainian 75; Bulgarian has 15 of "ъ",
    # Belarusian 15 of "ў"; Kazakh, Serbian and Uzbek have more of theirs.
    if (foreign > 1 or (foreign and ukrainian and russian)) and 80 * foreign > count:
        return "other"
    if sample.count("ъ") > russian and _hard_vowels(sample) > max(russian, count / 150):
        return "other"
    if 5 * (75 * russian + 22 * ukrainian) > 2 * count:  # a quarter of the letters expected
        return "uk" if 22 * ukrainian > 75 * russian else "ru"
    forms = sample.split()
    by_words = russian + _count(forms, _RUSSIAN)
    rival = ukrainian + _count(forms, _UKRAINIAN)
    if _hard_vowels(sample) + _count(forms, _BULGARIAN) > max(by_words, rival):
        return "other"
    return "uk" if rival > by_words else "ru"


def _hard_vowels(sample: str) -> int:
    """Return how often "ъ" is a vowel, as in Bulgarian: Russian puts it only before е, ё, ю, я."""
    return sample.count("ъ") - sum(map(sample.count, ("ъе", "ъя", "ъю", "ъё")))


def _of_latin(sample: str, count: int, accented: int) -> Language:
    """Return "en" or "other" for a lower-case text of `count` Latin letters, by its common words.

    If these are as often English as foreign, it is English with at most 2 % accented letters.
    """
    forms = sample[:600].split()
    english = _count(forms, _ENGLISH)
    foreign = _count(forms, _FOREIGN_LATIN)
    likely = 50 * accented <= count if english == foreign else english > foreign
    return "en" if likely else "other"


def _count(forms: list[str], listed: frozenset[str]) -> int:
    """Return how many of the words are listed, with repetitions."""
    return sum(map(listed.__contains__, forms))
