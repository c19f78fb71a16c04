"""Ukrainian and Russian spellings of one word, by rule.

Half of the words of Ukrainian news are Russian words, too, spelled by other rules. A skeleton is
what is left when the letters that spell one sound are made one; a respelling puts Russian endings,
prefixes and vowels in the place of Ukrainian ones. Both guess: core/words/folding.py believes a
respelling only where it leads to a word of Russian news.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, product

_LETTERS = str.maketrans(
    {
        # One sound, two letters: мис and мыс, Європа and Европа, ґрунт and грунт.
        "і": "и",
        "ї": "и",
        "ы": "и",
        "є": "е",
        "э": "е",
        "ё": "е",
        "ґ": "г",
        # What parts a consonant from a vowel: об'єкт and объект.
        "'": None,
        "ъ": None,
    }
)
# Харків and Харьков; but брат and брать are two words, so -ть stays.
_SOFT = re.compile("ь(?!$|ся$)|(?<!т)ь", re.MULTILINE)
# програма and программа, Росія and Россия.
_DOUBLED = re.compile(r"(.)\1+")
# обласний and областной, чужий and чужой.
_ADJECTIVE = re.compile("[ои]+й$", re.MULTILINE)
# чорний and черный, шостий and шестой.
_HUSHED = re.compile("(?<=[жчшщ])[ое]+")


def skeleton(lemma: str) -> str:
    """Return a lemma so spelled that Ukrainian and Russian forms become equal: мис and мыс.

    Laws, checked by tests/core/test_cognates.py: a skeleton is its own skeleton, and something is
    left of every word.
    """
    return _bare(lemma) or lemma


def skeletons(lemmas: Sequence[str]) -> list[str]:
    """Return the `skeleton` of each lemma, of all in one pass: no lemma holds a line break."""
    bare = _bare("\n".join(lemmas)).split("\n") if lemmas else []
    return [left or lemma for left, lemma in zip(bare, lemmas, strict=True)]


def _bare(lines: str) -> str:
    """Return a text of a lemma a line as skeletons, of which nothing may be left."""
    bare = _DOUBLED.sub(r"\1", _SOFT.sub("", lines.translate(_LETTERS)))
    return _HUSHED.sub("е", _ADJECTIVE.sub("ий", bare))


Spellings = tuple[tuple[str, tuple[str, ...]], ...]
"""Ukrainian letters, and what stands for them in Russian."""

ENDINGS: Spellings = (
    # Verbs: in -ти, not in -ть; the suffix -ува- is -ова-, -ирова- or -ыва-.
    ("овувати", ("овывать",)),
    ("овуватися", ("овываться",)),
    ("увати", ("овать", "ировать", "ывать")),
    ("уватися", ("оваться", "ироваться", "ываться")),
    ("ювати", ("евать", "ировать", "ивать", "ять")),
    ("юватися", ("еваться", "ироваться", "иваться", "яться")),
    ("ти", ("ть",)),
    ("тися", ("ться",)),
    # What is done: in -ння and -ття, not in -ние and -тие.
    ("ування", ("ование", "ирование", "ывание")),
    ("ювання", ("евание", "ирование", "ивание")),
    ("іння", ("ение",)),
    ("ння", ("ние",)),
    ("ття", ("тие",)),
    # Qualities: the о of a closed syllable became і.
    ("ість", ("ость", "есть")),
    # ц stayed soft: вулиця and улица.
    ("ця", ("ца",)),
    # Adjectives of Latin and Greek words: інформаційний, політичний; запорізький, грецький.
    ("ійний", ("ионный", "ийный")),
    ("ичний", ("ический", "ичный")),
    ("ічний", ("ический", "ичный", "ечный", "очный")),
    ("зький", ("зский", "жский", "зкий")),
    ("цький", ("цкий", "ческий")),
)
"""The longest that fits is taken."""

INSIDE: Spellings = (
    # Old ѣ became і here and е there; о and е of a closed syllable became і: ліс, ніч, радіо.
    ("і", ("и", "е", "о")),
    ("ї", ("и", "е")),
    # мільйон and миллион, бульйон and бульон, серйозний and серьезный; льотчик and летчик.
    ("ьйо", ("ио", "ьо")),
    ("йо", ("йо", "е")),
    ("ьо", ("е",)),
    # Between с and н Russian writes the т that nobody says: учасник and участник.
    ("сн", ("сн", "стн")),
)

PREFIXES: Spellings = (
    ("роз", ("раз", "рас")),
    ("без", ("бес",)),
    ("зі", ("со",)),
    ("з", ("с", "со", "из", "ис")),
    ("ви", ("из", "ис")),
    ("в", ("у",)),
    ("у", ("в",)),
    ("й", ("и",)),
)
"""Prefixes: розмір and размер, зібрати and собрать, вчений and ученый."""

FROM = "від"
"""The prefix that hardly ever stays: відкрити is открыть, and only відео is видео."""

_INSIDE = dict(INSIDE)
_PIECES = re.compile(f"({'|'.join(_INSIDE)})")
_BY_LENGTH = sorted(ENDINGS, key=lambda spelled: -len(spelled[0]))

_MOST_RESPELLINGS = 100
"""Respellings of a word with one prefix: a word with seven і has no right to two thousand."""


def respellings(lemma: str) -> Iterator[tuple[str, ...]]:
    """Yield groups of skeletons that a Ukrainian lemma may have in Russian, the likeliest first.

    First, if the lemma begins with від, those with от; then those with its prefix as it is; then
    those with the prefixes that Russian has for it.
    """
    without = lemma.removeprefix(FROM)
    if without not in ("", lemma):
        yield _respelled("от", without)
    yield _respelled("", lemma)
    for start, instead in PREFIXES:
        rest = lemma.removeprefix(start)
        if rest not in ("", lemma):
            yield tuple([spelled for other in instead for spelled in _respelled(other, rest)])
            return


def _respelled(start: str, rest: str) -> tuple[str, ...]:
    """Return the skeletons of the Russian prefix `start` before up to 100 respellings of `rest`."""
    body, endings = _cut(rest)
    pieces = [_INSIDE.get(piece, (piece,)) for piece in _PIECES.split(body)]
    spelled = islice(product(*pieces, endings), _MOST_RESPELLINGS)
    return tuple(skeletons([start + "".join(chosen) for chosen in spelled]))


def _cut(word: str) -> tuple[str, tuple[str, ...]]:
    """Return a word without its Ukrainian ending, and the Russian endings that may replace it.

    A word with no listed ending comes back whole, with ("",).
    """
    for ending, instead in _BY_LENGTH:
        if len(word) > len(ending) + 1 and word.endswith(ending):
            return word.removesuffix(ending), instead
    return word, ("",)
