"""What copying does to a text that no reader sees: markup, look-alike letters, hidden marks."""

from collections.abc import Callable
from random import Random

from newsdedup.synthetic.chance import pick
from newsdedup.synthetic.press import EMOJI

LOOKALIKES = dict(zip("аеорсухАЕОРСХВКМНТ", "aeopcyxAEOPCXBKMHT", strict=True))
FROM_LATIN = {latin: cyrillic for cyrillic, latin in LOOKALIKES.items()}
SOFT_HYPHEN = "\u00ad"
Noise = Callable[[str, Random], str]

HIDDEN = ("\u200b", "\u2060", "\ufeff")


def _change_words(text: str, rng: Random, share: float, change: Callable[[str], str]) -> str:
    """Return the text with `change` applied to a random share of its words of six letters and more.

    Words with a slash stay, so that links are not broken.
    """
    return " ".join(
        [
            change(word) if len(word) > 5 and "/" not in word and rng.random() < share else word
            for word in text.split(" ")
        ]
    )


def homoglyphs(text: str, rng: Random) -> str:
    """Return the text in which some long words have one letter replaced by a look-alike.

    A Cyrillic letter becomes a Latin one; in a text without Cyrillic it is the other way round.
    """
    table = LOOKALIKES if any(letter in text for letter in "оеа") else FROM_LATIN
    return _change_words(text, rng, 0.06, lambda word: word[0] + _swap_one_letter(word[1:], table))


def _swap_one_letter(text: str, table: dict[str, str]) -> str:
    """Return the text with its first letter that the table has replaced, if there is one."""
    for letter in text:
        if letter in table:
            return text.replace(letter, table[letter], 1)
    return text


def soft_hyphens(text: str, rng: Random) -> str:
    """Return the text with a soft hyphen inside some long words."""
    return _change_words(text, rng, 0.3, lambda word: f"{word[:3]}{SOFT_HYPHEN}{word[3:]}")


def hidden(text: str, rng: Random) -> str:
    """Return the text with an invisible mark of no width inside some long words."""
    mark = pick(rng, HIDDEN)
    return _change_words(text, rng, 0.05, lambda word: f"{word[:2]}{mark}{word[2:]}")


def emoji(text: str, rng: Random) -> str:
    """Return the text with two emoji before it and one before its second paragraph."""
    opened = f"{pick(rng, EMOJI)}{pick(rng, EMOJI)} {text}"
    return opened.replace("\n\n", f"\n\n{pick(rng, EMOJI)} ", 1)


def markdown(text: str, rng: Random) -> str:
    """Return the text with some words of six letters and more between Markdown marks.

    The mark, one of **, __ and *, is drawn once for the text; about one such word in twenty gets
    it, none with a slash.
    """
    mark = pick(rng, ("**", "__", "*"))
    return _change_words(text, rng, 0.05, lambda word: f"{mark}{word}{mark}")


def entities(text: str, _: Random) -> str:
    """Return the text with characters written as HTML entities and breaks as tags."""
    text = text.replace("«", "&laquo;").replace("»", "&raquo;").replace("—", "&mdash;")
    return text.replace("\n\n", "<br><br>")


def typewriter(text: str, _: Random) -> str:
    """Return the text with plain quotes and hyphens, and with the letter е for ё."""
    for fancy, plain in (("«", '"'), ("»", '"'), ("“", '"'), ("”", '"'), ("—", "-"), ("ё", "е")):
        text = text.replace(fancy, plain)
    return text.replace("’", "'")


NOISES: tuple[Noise, ...] = (
    homoglyphs,
    soft_hyphens,
    hidden,
    emoji,
    markdown,
    entities,
    typewriter,
)
