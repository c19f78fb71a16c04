"""Language detection: by characters, by the commonest words, then by a detector."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from newsdedup.core.model import LANGUAGES, Language
from newsdedup.core.text.scripts import has_known_letters, script_of
from newsdedup.data.lang import affixes, rows, words
from newsdedup.data.languages import LANGUAGE_ROWS

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
_OTHER_CYRILLIC = words("language.other_cyrillic")
_BULGARIAN_ENDINGS = affixes("language.bulgarian_endings")
_FOREIGN_LATIN = words("language.other_latin")
_SHARED_ENGLISH = words("language.shared_english")
_DISTINCT_ENGLISH = _ENGLISH - _SHARED_ENGLISH
_LEAST_DISTINCT = 16
"""One in so many words of a text that is English without doubt is a distinctly English one."""

_KINDRED = (frozenset(("bs", "hr", "sr")), frozenset(("id", "ms")))
"""Languages that a detector hardly tells apart in a headline."""
_KIN_WORDS = {
    frozenset(languages.split("_")): frozenset(listed)
    for languages, listed in rows("language.kin").items()
}
"""Words that only these of such languages have."""
_MARKS = ".,:;!?()\"'«»„“”‘’…-–—"
"""Characters around words, which a headline has much of."""

_DETECTED = 400
"""Characters that a detector reads: it tells no more of 1,500 (docs/decisions/0042)."""
_LEAST_CERTAIN = 0.5
"""Probability from which on a detector outweighs that English is the commonest."""
_LEAST_LIKELY, _FAR_MORE = 0.3, 8
"""A probability that does so, too, if no English word is found: so likely at least, and so many
times as likely as English. Similar languages share what they are likely by."""
_TIE = 0.5
"""The claimed language counts if it is so likely at least, relative to the likeliest."""


class LanguageDetector(Protocol):
    """Finds the language of a text by its sequences of characters.

    Law, checked by tests/adapters/test_language_detector.py: the same text gives the same answer
    in every process.
    """

    def rank(self, text: str) -> Sequence[tuple[Language, float]]:
        """Return languages with their probabilities, the likeliest first; a few suffice."""


class _Guess(NamedTuple):
    """What the letters and the commonest words say."""

    lang: Language
    sure: bool
    """Whether nothing but this language is likely."""
    has_word: bool = True
    """Whether a word or a letter says so: a text of names alone is English for want of others."""


def detect_language(
    text: str, *, claimed: str = "", detector: LanguageDetector | None = None
) -> Language:
    """Return the language of a text, one of LANGUAGES, by its first 1,500 characters.

    A mixed text counts as the language it has most of. Works on text before and after folding, on
    headlines too. Letters decide where one language has them. The commonest words tell Russian,
    Ukrainian and English; where they do not suffice the detector is asked, and between languages
    that it finds about as likely, `claimed`, the publisher's code, decides. Without a detector
    Russian is the answer for Cyrillic text without any sign of another language, English for such
    Latin text. What no language is found for, as a text without letters, is "other".
    """
    guess = _of_three(text[:_PREFIX].lower())
    claim = _known_code(claimed)
    if guess.sure and (guess.lang != "ru" or claim not in LANGUAGE_ROWS):
        return guess.lang
    if guess.lang == "other":
        by_letters = _ONE_LANGUAGE.get(script_of(text[:_PREFIX]))
        if by_letters is not None:
            return by_letters
        if not (guess.has_word or has_known_letters(text[:_PREFIX])):
            return "other"  # The detector would take the bytes for those of any language.
    if detector is None:
        return guess.lang
    return _detected(text[:_DETECTED], guess, claim, detector)


def _of_three(sample: str) -> _Guess:
    """Return Russian, Ukrainian, English or "other" for a text in lower case."""
    encoded = sample.encode("utf-8", "surrogatepass")
    cyrillic = len(encoded.translate(None, _NOT_CYRILLIC))
    if 0 < len(sample) <= 2 * cyrillic:  # whatever the other half is, it is not more
        return _of_cyrillic(sample, encoded, cyrillic)
    latin = len(encoded.translate(None, _NOT_ASCII_ALPHABET))
    other = len(encoded.translate(None, _NOT_OTHER_SCRIPTS))
    if other > latin + cyrillic or not latin + cyrillic:
        return _Guess("other", sure=not other, has_word=False)
    # Names and code are in Latin letters inside Russian text; the reverse does not happen.
    if 2 * cyrillic >= latin:
        return _of_cyrillic(sample, encoded, cyrillic)
    accented = len(encoded.translate(None, _NOT_ACCENTED_LATIN))
    return _of_latin(sample, latin, accented, mixed=cyrillic > 0)


def _of_cyrillic(sample: str, encoded: bytes, count: int) -> _Guess:
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
        return _Guess("other", sure=False)
    if sample.count("ъ") > russian and _hard_vowels(sample) > max(russian, count / 150):
        return _Guess("other", sure=False)
    if 5 * (75 * russian + 22 * ukrainian) > 2 * count:  # a quarter of the letters expected
        lang = "uk" if 22 * ukrainian > 75 * russian else "ru"
        # Uzbek has "э", too, but no "ы".
        doubted = lang == "ru" and "ы" not in sample
        return _Guess(lang, sure=not (doubted and _count(sample.split(), _OTHER_CYRILLIC)))
    forms = sample.split()
    by_words = russian + _count(forms, _RUSSIAN)
    rival = ukrainian + _count(forms, _UKRAINIAN)
    others = _hard_vowels(sample) + _count(forms, _OTHER_CYRILLIC)
    others += sum([form.endswith(_BULGARIAN_ENDINGS) for form in forms])
    if others > max(by_words, rival):
        return _Guess("other", sure=False)
    if rival > by_words:
        return _Guess("uk", sure=True)
    # One letter of another language may be in a name, or in a headline.
    return _Guess("ru", sure=not others and (foreign < 1 or russian > 0))


def _hard_vowels(sample: str) -> int:
    """Return how often "ъ" is a vowel, as in Bulgarian: Russian puts it only before е, ё, ю, я."""
    return sample.count("ъ") - sum(map(sample.count, ("ъе", "ъя", "ъю", "ъё")))


def _of_latin(sample: str, count: int, accented: int, *, mixed: bool) -> _Guess:
    """Return "en" or "other" for a lower-case text of `count` Latin letters, by its common words.

    If these are as often English as foreign, it is English with at most 2 % accented letters. It
    is sure to be English if distinctly English words are many, or if it is `mixed` with Cyrillic.
    """
    forms = sample[:600].split()
    english = _count(forms, _ENGLISH)
    foreign = _count(forms, _FOREIGN_LATIN)
    likely = 50 * accented <= count if english == foreign else english > foreign
    if not likely:
        return _Guess("other", sure=False)
    distinct = _LEAST_DISTINCT * _count(forms, _DISTINCT_ENGLISH) >= len(forms)
    return _Guess("en", sure=mixed or (distinct and english > 2 * foreign), has_word=english > 0)


def _count(forms: list[str], listed: frozenset[str]) -> int:
    """Return how many of the words are listed, with repetitions."""
    return sum(map(listed.__contains__, forms))


_ONE_LANGUAGE = {
    script: codes[0]
    for script in {row.script for row in LANGUAGE_ROWS.values()} - {"latin", "cyrillic"}
    if len(codes := [code for code, row in LANGUAGE_ROWS.items() if row.script == script]) == 1
}
"""The language of each script in which no other known language is written."""
_OTHER_NAMES = {"iw": "he", "in": "id", "nb": "no", "nn": "no", "ji": "yi", "sh": "sr"}
"""Codes that are also in use for a language of LANGUAGES."""


def _known_code(claimed: str) -> str:
    """Return the code in LANGUAGES of a language tag such as "pt-BR"; "" for another language."""
    code = claimed.replace("_", "-").partition("-")[0].strip().lower()
    code = _OTHER_NAMES.get(code, code)
    return code if code in LANGUAGES else ""


def _detected(sample: str, guess: _Guess, claim: str, detector: LanguageDetector) -> Language:
    """Return the language that a detector finds, or the guess where it is not certain enough."""
    ranked = detector.rank(sample)
    if not ranked:
        return guess.lang
    lang, probability = ranked[0]
    if dict(ranked).get(claim, 0.0) >= _TIE * probability:
        lang = claim
    else:
        lang = _of_kin(sample, lang, ranked)
    rival = dict(ranked).get(guess.lang, 0.0)
    doubted = not guess.has_word and probability >= max(_LEAST_LIKELY, _FAR_MORE * rival)
    certain = probability >= _LEAST_CERTAIN or doubted
    return lang if certain or guess.lang == "other" or lang == claim else guess.lang


def _of_kin(sample: str, likeliest: Language, ranked: Sequence[tuple[Language, float]]) -> Language:
    """Return the language among the kindred ones of the `likeliest` whose own words a text has.

    Where it has words of several it is the one with most of them; of languages that share these
    words it is the first in `ranked`, what the detector returned. Without such words, or without
    kindred languages, it is the `likeliest`.
    """
    kin = next((kin for kin in _KINDRED if likeliest in kin), None)
    if kin is None:
        return likeliest
    forms = [form.strip(_MARKS) for form in sample.lower().split()]
    counts = {
        languages: _count(forms, listed)
        for languages, listed in _KIN_WORDS.items()
        if languages <= kin
    }
    most = max(counts, key=lambda languages: (counts[languages], likeliest in languages))
    if likeliest in most or not counts[most]:
        return likeliest
    return next((lang for lang, _ in ranked if lang in most), min(most))
