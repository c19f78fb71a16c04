"""The languages without word tables: how each is recognized and what becomes of its words.

A line here makes a language known. Those with a folder in `data/lang` need none: their tables say
more. docs/languages.md has what each column does, and how to improve a language.
"""

from typing import NamedTuple

from newsdedup.data.lang import LANGUAGE_FOLDERS


class LanguageRow(NamedTuple):
    """What is known about a language."""

    code: str
    """Its shortest code in BCP 47."""
    script: str
    """The script of its texts, one of SCRIPTS of `core/text/scripts.py`."""
    stemmer: str = ""
    """The algorithm of Snowball that stems its words; without one they keep their beginnings."""
    beginning: int = 0
    """Letters that are kept of a stem, 0 for all."""
    names: bool = True
    """Whether words with a capital are names that copies share: not in German, where each noun has
    one, and not where names are declined and stems do not bring their forms together."""


_ROWS = (
    LanguageRow("am", "ethiopic", beginning=5),
    LanguageRow("ar", "arabic", "arabic"),
    LanguageRow("az", "latin", beginning=6, names=False),
    LanguageRow("be", "cyrillic", beginning=5, names=False),
    LanguageRow("bg", "cyrillic", beginning=6),
    LanguageRow("bn", "bengali", beginning=5),
    LanguageRow("bs", "latin", "serbian", names=False),
    LanguageRow("ca", "latin", "catalan"),
    LanguageRow("cs", "latin", "czech", names=False),
    LanguageRow("da", "latin", "danish"),
    LanguageRow("de", "latin", "german", beginning=8, names=False),
    LanguageRow("el", "greek", "greek"),
    LanguageRow("es", "latin", "spanish"),
    LanguageRow("et", "latin", "estonian", names=False),
    LanguageRow("eu", "latin", beginning=5, names=False),
    LanguageRow("fa", "arabic", "persian"),
    LanguageRow("fi", "latin", "finnish", names=False),
    LanguageRow("fr", "latin", "french"),
    LanguageRow("gu", "gujarati", beginning=5),
    LanguageRow("he", "hebrew"),
    LanguageRow("hi", "devanagari", "hindi"),
    LanguageRow("hr", "latin", "serbian", names=False),
    LanguageRow("hu", "latin", "hungarian", names=False),
    LanguageRow("hy", "armenian", "armenian", names=False),
    LanguageRow("id", "latin", "indonesian"),
    LanguageRow("is", "latin", beginning=5, names=False),
    LanguageRow("it", "latin", "italian"),
    LanguageRow("ja", "kana"),
    LanguageRow("ka", "georgian", beginning=5),
    LanguageRow("kk", "cyrillic", beginning=6, names=False),
    LanguageRow("km", "khmer"),
    LanguageRow("kn", "kannada", beginning=5),
    LanguageRow("ko", "hangul"),
    LanguageRow("lo", "lao"),
    LanguageRow("lt", "latin", "lithuanian", names=False),
    LanguageRow("lv", "latin", beginning=5, names=False),
    LanguageRow("mk", "cyrillic", beginning=6),
    LanguageRow("ml", "malayalam", beginning=5),
    LanguageRow("mr", "devanagari", beginning=4),
    LanguageRow("ms", "latin", "indonesian"),
    LanguageRow("my", "myanmar"),
    LanguageRow("ne", "devanagari", "nepali"),
    LanguageRow("nl", "latin", "dutch"),
    LanguageRow("no", "latin", "norwegian"),
    LanguageRow("pa", "gurmukhi", beginning=5),
    LanguageRow("pl", "latin", "polish", beginning=5, names=False),
    LanguageRow("pt", "latin", "portuguese"),
    LanguageRow("ro", "latin", "romanian"),
    LanguageRow("si", "sinhala", beginning=5),
    LanguageRow("sk", "latin", beginning=5, names=False),
    LanguageRow("sl", "latin", beginning=5, names=False),
    LanguageRow("sq", "latin", beginning=5, names=False),
    LanguageRow("sr", "cyrillic", "serbian", names=False),
    LanguageRow("sv", "latin", "swedish"),
    LanguageRow("sw", "latin", beginning=6),
    LanguageRow("ta", "tamil", "tamil"),
    LanguageRow("te", "telugu", beginning=5),
    LanguageRow("th", "thai"),
    LanguageRow("tr", "latin", "turkish", names=False),
    LanguageRow("ur", "arabic", beginning=5),
    LanguageRow("uz", "cyrillic", beginning=6, names=False),
    LanguageRow("vi", "latin"),
    LanguageRow("zh", "han"),
)
LANGUAGE_ROWS = {row.code: row for row in _ROWS if row.code not in LANGUAGE_FOLDERS}
"""By code, in alphabetical order."""
