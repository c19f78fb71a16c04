"""The language of a text, told by its letters first and its small words second."""

from newsdedup.core.model import Language

_PREFIX = 1_500
"""Characters looked at: enough to be sure, and a long text costs no more than a short one."""
_LATIN_PREFIX = 600

# Letters are counted in UTF-8, where the first byte tells the script and counting is fast.
_NOT_ENGLISH_LETTERS = bytes(
    byte for byte in range(256) if not (byte < 0x80 and chr(byte).isalpha())
)
_NOT_CYRILLIC = bytes(byte for byte in range(256) if not 0xD0 <= byte <= 0xD3)
_NOT_OTHER_SCRIPTS = bytes(
    byte
    for byte in range(256)
    if not (0xCE <= byte <= 0xCF or 0xD4 <= byte <= 0xE1 or 0xE3 <= byte <= 0xED)
)
# In lower case, the second bytes of U+0450 to U+045F, and the first of U+0480 to U+04FF.
_ALL_BUT_RARE_CYRILLIC = bytes(
    byte for byte in range(256) if not (0x90 <= byte <= 0x9F or 0xD2 <= byte <= 0xD3)
)
_NOT_ACCENTED_LATIN = bytes(byte for byte in range(256) if not 0xC3 <= byte <= 0xCA)


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# The commonest words that the other language of the pair does not have.
_RUSSIAN = _words("и с из от что как к или его это был была были со ко об ее их")
_UKRAINIAN = _words("та й що із від як або його це був була були зі є і його під їх")
_BULGARIAN = _words("се ще са че като със във един една този тази това му")
_ENGLISH = _words(
    "the of and to in is that for it with as was are be at by this have from or had not but what"
    " they which you were has his her will their its would about after over who new says"
)
_FOREIGN_LATIN = _words(
    "de la el los las y que en un una por con para del se su es al lo como más sus fue"
    " le les des et du une est dans pour au aux sur qui ce pas par avec sont ne cette"
    " der und das den von zu mit für auf im dem nicht ein eine sich auch ist wird bei nach"
    " di che il per è della non sono si nel dei alla gli da uma um em os ao dos das com não na mais"
    " w z się nie że jest od jak po przez oraz ve bir bu için ile olarak daha çok"
    " het een van dat op te zijn voor met niet och att det som på är av för med den og til er"
    " je v že za és hogy nem egy az în cu pe din care yang dan untuk dengan ini va bilan uchun"
    " ir kas un ja ei että të në dhe për një của và là có bu ham"
)


def detect_language(text: str) -> Language:
    """Return the language of the text; what is mixed counts as what there is most of.

    Works on text before and after folding, on headlines too. Russian is the answer for Cyrillic
    text without any mark of another language, English for such Latin text.
    """
    sample = text[:_PREFIX].lower()
    encoded = sample.encode("utf-8", "surrogatepass")
    cyrillic = len(encoded.translate(None, _NOT_CYRILLIC))
    if 0 < len(sample) <= 2 * cyrillic:  # whatever the other half is, it is not more
        return _of_cyrillic(sample, encoded, cyrillic)
    latin = len(encoded.translate(None, _NOT_ENGLISH_LETTERS))
    other = len(encoded.translate(None, _NOT_OTHER_SCRIPTS))
    if other > latin + cyrillic or not latin + cyrillic:
        return "other"
    # Names and code stand in Latin letters inside Russian text; the reverse does not happen.
    if 2 * cyrillic >= latin:
        return _of_cyrillic(sample, encoded, cyrillic)
    return _of_latin(sample, latin, len(encoded.translate(None, _NOT_ACCENTED_LATIN)))


def _of_cyrillic(sample: str, encoded: bytes, letters: int) -> Language:
    russian = sample.count("ы") + sample.count("э")
    ukrainian = foreign = 0
    if encoded.translate(None, _ALL_BUT_RARE_CYRILLIC):
        ukrainian = sum(map(sample.count, "іїєґ"))
        foreign = sum(map(sample.count, "ўјњћ")) - sample.count("ґ")
        foreign += encoded.count(b"\xd2") + encoded.count(b"\xd3")  # U+0480 to U+04FF
    # In 1000 letters Russian has 22 of its own and Ukrainian 75; Bulgarian has 15 of "ъ",
    # Belarusian 15 of "ў"; Kazakh, Serbian and Uzbek have more of theirs.
    if (foreign > 1 or (foreign and ukrainian and russian)) and 80 * foreign > letters:
        return "other"
    if sample.count("ъ") > russian and _hard_vowels(sample) > max(russian, letters / 150):
        return "other"
    if 5 * (75 * russian + 22 * ukrainian) > 2 * letters:  # a quarter of the letters expected
        return "uk" if 22 * ukrainian > 75 * russian else "ru"
    words = sample.split()
    by_words = russian + _count(words, _RUSSIAN)
    rival = ukrainian + _count(words, _UKRAINIAN)
    if _hard_vowels(sample) + _count(words, _BULGARIAN) > max(by_words, rival):
        return "other"
    return "uk" if rival > by_words else "ru"


def _hard_vowels(sample: str) -> int:
    """Return how often "ъ" is a vowel, as in Bulgarian: Russian puts it only before е, ё, ю, я."""
    return sample.count("ъ") - sum(map(sample.count, ("ъе", "ъя", "ъю", "ъё")))


def _of_latin(sample: str, letters: int, accented: int) -> Language:
    words = sample[:_LATIN_PREFIX].split()
    english = _count(words, _ENGLISH)
    foreign = _count(words, _FOREIGN_LATIN)
    if english == foreign:
        return "en" if 50 * accented <= letters else "other"
    return "en" if english > foreign else "other"


def _count(words: list[str], listed: frozenset[str]) -> int:
    return sum(map(listed.__contains__, words))
