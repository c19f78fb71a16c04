"""One way to write each character, so that look-alikes and invisible ones never hide a copy."""

import re
from string import ascii_letters
from unicodedata import combining, is_normalized, normalize

# Shapes that are the same in print. Case matters: "М" looks like "M", "м" does not look like "m".
# The accented letters stand for a stressed vowel or for yo in Cyrillic words ("бóльший", "ещë").
_LATIN_TO_CYRILLIC = str.maketrans(
    "AaBCcEeHIiKkMOoPpTXxYyËëÏïÁáÀàÉéÈèÓóÒòÝý", "АаВСсЕеНІіКкМОоРрТХхУуЕеЇїАаАаЕеЕеОоОоУу"
)
_CYRILLIC_TO_LATIN = str.maketrans("АаВСсЕеНІіЈјКМОоРрЅѕТХхУуЇї", "AaBCcEeHIiJjKMOoPpSsTXxYyÏï")
_LATIN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
_CYRILLIC = "\u0400-\u0481\u048a-\u052f"
_latin = re.compile(f"[{_LATIN}]")
_cyrillic = re.compile(f"[{_CYRILLIC}]")
# A run of letters, so the parts of "IT-компания" or "iPhone-ом" are words of their own.
_mixed_word = re.compile(
    f"(?<![{_LATIN}{_CYRILLIC}])"
    f"(?:[{_LATIN}]++[{_CYRILLIC}]|[{_CYRILLIC}]++[{_LATIN}])"
    f"[{_LATIN}{_CYRILLIC}]*+"
)


def _unify_word(match: re.Match[str]) -> str:
    """Return a word of Latin and Cyrillic letters in the one alphabet that fits all its letters.

    If both fit, that of most of its letters, Cyrillic on a draw. A word with unmistakable letters
    of both ("SMMщик") is a compound and stays unchanged.
    """
    word = match[0]
    cyrillic = word.translate(_LATIN_TO_CYRILLIC)
    latin = word.translate(_CYRILLIC_TO_LATIN)
    cyrillic_fits = not _latin.search(cyrillic)
    latin_fits = not _cyrillic.search(latin)
    if cyrillic_fits and latin_fits:  # "CССР": every letter has a twin, so the majority decides
        return latin if 2 * len(_latin.findall(word)) > len(word) else cyrillic
    return cyrillic if cyrillic_fits else latin if latin_fits else word


_PLAIN = (
    ("\u200b", ""),
    ("…", "..."),
    ("№", "N "),  # NFKC makes it "No", which sticks to the number: "No5"
    *zip("\xa0«»“”„’‘–ёЁ", ' """""\'\'-еЕ', strict=True),
)
# Apart from the table above because they are seldom met.
_RARELY_PLAIN = (
    dict.fromkeys("‚‛´ʹʻʼʽˈˊˋ′‵‹›＇ꞌ\x91\x92", "'")
    | dict.fromkeys("‟″‶〝〞〟＂\x93\x94", '"')
    | dict.fromkeys("‐‑‒―−﹘﹣－\x96\x97", "-")
    | dict.fromkeys("\x0b\x0c\x85\u2028\u2029", "\n")
    | {"ѐ": "е", "Ѐ": "Е", "ѝ": "и", "Ѝ": "И", "⁄": "/", "\u1680": " "}
)
_rarely_plain = re.compile(f"[{''.join(_RARELY_PLAIN)}]")

_PICTOGRAPH = (
    "\u2190-\u21ff\u2300-\u23ff\u2440-\u245f\u2500-\u27bf\u2800\u2900-\u297f\u2b00-\u2bff"
    "\u20d0-\u20ff\u3004\u3020\u3030\u303d\ue000-\uf8ff\ufffc\ufffd\U0001f000-\U0001fbff"
    "\U000f0000-\U0010ffff"
)
_pictographs = re.compile(f"[{_PICTOGRAPH}][{_PICTOGRAPH}\u200d\ufe0f]*+")
_UNSEEN = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x90\x95\x98-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_INVISIBLE = f"{_UNSEEN}\u2120\u2122"
"""Also the signs for trademarks, which can be seen and are not read."""
_invisible = re.compile(f"[{_INVISIBLE}]+")
_COMBINING = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f"
_combining = re.compile(f"[{_COMBINING}]+")
# Blank are also the empty pattern of Braille and what stands for an embedded object.
_seen = re.compile(f"[^\\s{_UNSEEN}{_COMBINING}\u2800\ufffc]")
_rare = re.compile(f"[{_INVISIBLE}{_COMBINING}{''.join(_RARELY_PLAIN)}]")
_MOST_COMBINING = 8
"""Combining marks kept on one character: to order n costs n * n, and no script writes so many."""
# These few are combining marks only once they are normalized.
_BECOME_COMBINING = "\u0f73\u0f75\u0f81\uff9e\uff9f"
_heaped = re.compile(f"(?:[^\\w\\s\\x00-\\x7f]|[{_BECOME_COMBINING}]){{{_MOST_COMBINING + 1},}}+")
_apostrophe = re.compile(r"(?<=[^\W\d_])`(?=[^\W\d_])")
_fraction = re.compile("([\xbc-\xbe\u2150-\u215e])(?<=\\d.)")

# The first byte of a character in UTF-8 gives its script: "L" Latin, "C" Cyrillic, " " other
# ASCII, "?" all that needs a look. One translation of bytes costs less than one search.
_CONTINUATION = bytes(range(0x80, 0xC0))
_SCRIPT_OF_BYTE = (
    dict.fromkeys(b"\t\n" + bytes(range(0x20, 0x7F)), b" ")
    | dict.fromkeys(ascii_letters.encode() + b"\xc3", b"L")
    | dict.fromkeys(b"\xd0\xd1\xd3", b"C")
)
_SCRIPTS = b"".join([_SCRIPT_OF_BYTE.get(byte, b"?") for byte in range(256)])
# Two question marks, so that it begins with a literal, which the engine finds fast.
_unknown = re.compile(rb"\?\?*+")
_GROWS_TO = 100_000
"""NFKC writes some characters as up to 18: a text of a million would become one of 18 million."""
_MUCH = 32
"""A text is searched as a whole if one in so many characters needs a look."""


def fold(text: str) -> str:
    """Return the text in plain characters: NFKC without stress, ё, invisible and look-alike ones.

    Folding twice is folding once. Line ends become newlines, exotic spaces become spaces, quotes,
    apostrophes and dashes their ASCII forms, pictographs a space; й and ї survive.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii():
        text = _without_typography(text)
    scripts = _scripts(text)
    if b"?" in scripts:
        text, rarities = _without_pictographs(text, scripts)
        if rarities:
            text = _without_rarities(text)
            scripts = _scripts(text)
    if "`" in text:
        text = _apostrophe.sub("'", text)
    return _mixed_word.sub(_unify_word, text) if _mixed(scripts) else text


def is_seen(text: str) -> bool:
    """Return whether a text has a character that can be seen: a letter, digit, sign or emoji."""
    return _seen.search(text) is not None


def seems_folded(text: str) -> bool:
    """Return True only if `fold` would change nothing, at a fraction of its cost.

    False does not prove that it would change something.
    """
    if "`" in text or "ё" in text or "Ё" in text:
        return False
    scripts = _scripts(text)
    return b"?" not in scripts and not _mixed(scripts)


def _mixed(scripts: bytes) -> bool:
    """Return whether a Latin and a Cyrillic letter are neighbours in these `_scripts`."""
    return b"L" in scripts and b"C" in scripts and (b"LC" in scripts or b"CL" in scripts)


def _scripts(text: str) -> bytes:
    """Return a byte for each character: L Latin, C Cyrillic, space other ASCII, else "?"."""
    return text.encode("utf-8", "surrogatepass").translate(_SCRIPTS, _CONTINUATION)


def _without_typography(text: str) -> str:
    """Return the text with common typographic quotes, dashes, spaces, "…", "№" and ё made plain."""
    for typographic, plain in _PLAIN:
        text = text.replace(typographic, plain)
    if "—" in text:
        # Without spaces it parts words, as in English print; a hyphen would join them.
        text = text.replace(" — ", " - ").replace("—", " - ")
    return text


def _without_pictographs(text: str, scripts: bytes) -> tuple[str, bool]:
    """Return the text with spaces for pictographs, and whether it has other unusual characters.

    Only runs of "?" in `scripts`, the `_scripts` of the text, are searched, or all of it if they
    are much of it. A run becomes at least a space, so the scripts on both sides of it do not meet.
    """
    if _MUCH * scripts.count(b"?") > len(scripts):
        return _pictographs.sub(" ", text), True
    pieces: list[str] = []
    position = 0
    rarities = False
    for run in _unknown.finditer(scripts):
        start, end = run.span()
        left = _pictographs.sub(" ", text[start:end])
        rarities = rarities or left != " "
        pieces += (text[position:start], left)
        position = end
    pieces.append(text[position:])
    return "".join(pieces), rarities


def _without_rarities(text: str) -> str:
    """Return the text in NFKC without rare typography, invisible characters and stress marks.

    It may grow to 100,000 characters, or else to as many as it had; what is behind is cut off.
    """
    most = max(len(text), _GROWS_TO)
    # Removing one character may join two others ("и", joiner, breve), and NFKC itself yields
    # typographic characters and combining marks: hence the second look.
    while _rare.search(text) or not is_normalized("NFKC", text):
        text = _rarely_plain.sub(lambda match: _RARELY_PLAIN[match[0]], text)
        text = _heaped.sub(_limit_combining, _invisible.sub("", text))
        text = normalize("NFKC", _fraction.sub(r" \1", text))[:most]
        text = _without_typography(_pictographs.sub(" ", _combining.sub("", text)))
    return text


def _limit_combining(match: re.Match[str]) -> str:
    """Return the matched run with at most 8 combining marks in a row; further ones are dropped."""
    plain: list[str] = []
    heap = 0
    for one in match[0]:
        heap = heap + 1 if combining(one) or one in _BECOME_COMBINING else 0
        if heap <= _MOST_COMBINING:
            plain.append(one)
    return "".join(plain)
