"""Ukrainian and Russian spellings of one word, by rule.

Half of the words of Ukrainian news are Russian words, too, spelled by other rules. A skeleton has
one character for each sound that the alphabets spell differently; a respelling replaces Ukrainian
endings, prefixes and vowels by Russian ones. Both guess: core/words/vocabulary.py believes a
respelling only where it leads to a word of Russian news.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, product

# One sound, two spellings: мис and мыс, Європа and Европа, ґрунт and грунт. What parts a consonant
# from a vowel goes: об'єкт and объект.
_ONE_SPELLING = str.maketrans("іїыєэёґ", "иииееег", "'ъ")
# Харків and Харьков; but брат and брать are two words, so -ть stays.
_SOFT = re.compile("ь(?!$|ся$)|(?<!т)ь", re.MULTILINE)
# програма and программа, Росія and Россия.
_DOUBLED = re.compile(r"(.)\1+")
# обласний and областной, чужий and чужой.
_ADJECTIVE = re.compile("[ои]+й$", re.MULTILINE)
# чорний and черный, шостий and шестой.
_HUSHED = re.compile("(?<=[жчшщ])[ое]+")


def skeleton(lemma: str) -> str:
    """Return a spelling that a Ukrainian and a Russian lemma share: мис and мыс.

    Laws, checked by tests/core/test_cognates.py: a skeleton is its own skeleton and not empty.
    """
    return skeletons([lemma])[0]


def skeletons(lemmas: Sequence[str]) -> list[str]:
    """Return the `skeleton` of each lemma, all in one pass; no lemma may contain a line break."""
    if not lemmas:
        return []
    lines = "\n".join(lemmas).translate(_ONE_SPELLING)
    lines = _ADJECTIVE.sub("ий", _DOUBLED.sub(r"\1", _SOFT.sub("", lines)))
    bare = _HUSHED.sub("е", lines).split("\n")
    return [left or lemma for left, lemma in zip(bare, lemmas, strict=True)]


# Ukrainian characters, and those that Russian may have instead.
_ENDINGS = {
    # Verbs: in -ти, not in -ть; the suffix -ува- is -ова-, -ирова- or -ыва-.
    "овувати": ("овывать",),
    "овуватися": ("овываться",),
    "увати": ("овать", "ировать", "ывать"),
    "уватися": ("оваться", "ироваться", "ываться"),
    "ювати": ("евать", "ировать", "ивать", "ять"),
    "юватися": ("еваться", "ироваться", "иваться", "яться"),
    "ти": ("ть",),
    "тися": ("ться",),
    # What is done: in -ння and -ття, not in -ние and -тие.
    "ування": ("ование", "ирование", "ывание"),
    "ювання": ("евание", "ирование", "ивание"),
    "іння": ("ение",),
    "ння": ("ние",),
    "ття": ("тие",),
    # Qualities: the о of a closed syllable became і.
    "ість": ("ость", "есть"),
    # ц stayed soft: вулиця and улица.
    "ця": ("ца",),
    # Adjectives of Latin and Greek words: інформаційний, політичний; запорізький, грецький.
    "ійний": ("ионный", "ийный"),
    "ичний": ("ический", "ичный"),
    "ічний": ("ический", "ичный", "ечный", "очный"),
    "зький": ("зский", "жский", "зкий"),
    "цький": ("цкий", "ческий"),
}
_BY_LENGTH = sorted(_ENDINGS.items(), key=lambda spelled: -len(spelled[0]))
"""The longest ending that fits is replaced."""
_INSIDE = {
    # Old ѣ became і here and е there; о and е of a closed syllable became і: ліс, ніч, радіо.
    "і": ("и", "е", "о"),
    "ї": ("и", "е"),
    # мільйон and миллион, бульйон and бульон, серйозний and серьезный; льотчик and летчик.
    "ьйо": ("ио", "ьо"),
    "йо": ("йо", "е"),
    "ьо": ("е",),
    # Between с and н Russian writes the т that nobody says: учасник and участник.
    "сн": ("сн", "стн"),
}

_PREFIXES = {
    "роз": ("раз", "рас"),
    "без": ("бес",),
    "зі": ("со",),
    "з": ("с", "со", "из", "ис"),
    "ви": ("из", "ис"),
    "в": ("у",),
    "у": ("в",),
    "й": ("и",),
}
"""Розмір and размер, зібрати and собрать, вчений and ученый."""
_FROM = "від"
"""The prefix that Russian hardly ever keeps: відкрити is открыть, and only відео is видео."""
_PIECES = re.compile(f"({'|'.join(_INSIDE)})")
_MOST_RESPELLINGS = 100
"""Respellings of a word with one prefix: a word with seven і has no right to two thousand."""


def respellings(lemma: str) -> Iterator[tuple[str, ...]]:
    """Yield groups of skeletons that a Ukrainian lemma may have in Russian, the likeliest first.

    If the lemma begins with від, those with от come first; then those with its own prefix; then
    those with the Russian prefixes that may replace it.
    """
    without = lemma.removeprefix(_FROM)
    if without not in ("", lemma):
        yield _respelled("от", without)
    yield _respelled("", lemma)
    for start, instead in _PREFIXES.items():
        rest = lemma.removeprefix(start)
        if rest not in ("", lemma):
            yield tuple([spelled for other in instead for spelled in _respelled(other, rest)])
            return


def _respelled(start: str, rest: str) -> tuple[str, ...]:
    """Return the skeletons of the Russian prefix `start` before up to 100 respellings of `rest`."""
    body = rest
    endings: tuple[str, ...] = ("",)
    for ending, instead in _BY_LENGTH:
        if len(rest) > len(ending) + 1 and rest.endswith(ending):
            body, endings = rest.removesuffix(ending), instead
            break
    pieces = [_INSIDE.get(piece, (piece,)) for piece in _PIECES.split(body)]
    spelled = islice(product(*pieces, endings), _MOST_RESPELLINGS)
    return tuple(skeletons([start + "".join(chosen) for chosen in spelled]))
