"""Words whose letters come from two alphabets by disguise or by a slip of the keyboard."""

import re

# Shapes that are the same in print. Case matters: "М" looks like "M", "м" does not look like "m".
# The accented letters stand for a stressed vowel or for yo in Cyrillic words ("бóльший", "ещë").
_LATIN_TO_CYRILLIC = str.maketrans(
    "AaBCcEeHIiKkMOoPpTXxYyËëÏïÁáÀàÉéÈèÓóÒòÝý",
    "АаВСсЕеНІіКкМОоРрТХхУуЕеЇїАаАаЕеЕеОоОоУу",
)
_CYRILLIC_TO_LATIN = str.maketrans("АаВСсЕеНІіЈјКМОоРрЅѕТХхУуЇї", "AaBCcEeHIiJjKMOoPpSsTXxYyÏï")

_LATIN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
_CYRILLIC = "\u0400-\u0481\u048a-\u052f"
_latin_letter = re.compile(f"[{_LATIN}]")
_cyrillic_letter = re.compile(f"[{_CYRILLIC}]")
_mixed_word = re.compile(
    f"(?<![{_LATIN}{_CYRILLIC}])"
    f"(?:[{_LATIN}]++[{_CYRILLIC}]|[{_CYRILLIC}]++[{_LATIN}])"
    f"[{_LATIN}{_CYRILLIC}]*+"
)


def unify_scripts(text: str) -> str:
    """Return the text with each disguised word written in one alphabet.

    A word is a run of letters, so the parts of "IT-компания" or "iPhone-ом" are words of their
    own and stay. A word changes only if all its letters then belong to one alphabet; a word with
    unmistakable letters of both ("SMMщик") is a compound and stays as it is.
    """
    return _mixed_word.sub(_unmasked, text)


def _unmasked(match: re.Match[str]) -> str:
    word = match[0]
    cyrillic = word.translate(_LATIN_TO_CYRILLIC)
    latin = word.translate(_CYRILLIC_TO_LATIN)
    cyrillic_fits = not _latin_letter.search(cyrillic)
    latin_fits = not _cyrillic_letter.search(latin)
    if cyrillic_fits and latin_fits:  # "CССР": every letter has a twin, so the majority decides
        return latin if 2 * len(_latin_letter.findall(word)) > len(word) else cyrillic
    if cyrillic_fits:
        return cyrillic
    return latin if latin_fits else word
