"""Text made to be slow: every step must stay linear on it."""

from collections.abc import Callable
from time import process_time

import pytest

from newsdedup.core.text.boilerplate import strip_boilerplate, strip_datelines
from newsdedup.core.text.characters import fold
from newsdedup.core.text.clean import clean, plain_text
from newsdedup.core.text.language import detect_language
from newsdedup.core.text.tokens import find_signs, sentences, tokens

SIZE = 40_000
PIECES = (
    *("<", "<a ", "<b<", "</", "<!--", "<script>", "<![CDATA[", "&", "&amp;", "&#1", "&lt;b&gt;"),
    *("[", "](", "[](", "[a](b", "[a](http://(b)", "*", "_", "a_", "~", "|", "`", "```"),
    *("http://", "http://.", "www.", "a.", "a.b/", "@", "a@", "a@b.", "#", "#a", "#a#", "\n#a "),
    *('"', "'", '." ', "«„“", "(", "—", "…", "а.", "А. ", ". ", ".A", "!", "г. ", "ул. А", "5. "),
    *("aа", "\u0301", "и\u0306", "e\u0301", "a\u200b", "\ufe0f", "🔥", "1\ufe0f\u20e3", "½", "1½"),
    *("ᄀ", "\ud800", "中", "ё", "a'", "а-", "-", "\n", "\n-", "\n...", "\t", "  ", " \n"),
    *("МОСКВА, 5 ноября - ", "(AP) - ", "A, ", "МОСКВА ", "By A B, ", "Фото: А\n", "©\n"),
    *("Подписаться\n", "Подписывайтесь на канал. ", ". Фото: А", "x подписаться ", "наш канал "),
    *('Фото: А)"' + ', А)"' * 8 + " ?x\n", "Читайте также ", "Sign up today. ", "Источник: А "),
    "newsletter sign up for ",
)
STEPS: tuple[Callable[[str], object], ...] = (
    lambda text: clean(text[:-1], text),
    lambda text: clean("", f"Слово\n{text}x"),
    fold,
    plain_text,
    strip_boilerplate,
    strip_datelines,
    detect_language,
    lambda text: list(sentences(text)),
    tokens,
    find_signs,
)


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_a_long_hostile_text_is_read_to_its_end(piece: str) -> None:
    text = piece * (SIZE // len(piece))
    for step in STEPS:
        step(text)


def seconds(text: str) -> float:
    """Return the processor time of the quickest of three readings."""
    times = []
    for _ in range(3):
        start = process_time()
        for step in STEPS:
            step(text)
        times.append(process_time() - start)
    return min(times)


HEAPS = ("\u0301\u0316", "\u05b0\u05bc", "\uff9e\u0316", "\u0f73\u200b")


@pytest.mark.parametrize(
    "piece", ["<a ", "[](", "*", "&amp;", "а.", "aа", "e\u0301", ". Фото: А", *HEAPS]
)
def test_eight_times_the_text_is_far_from_sixty_four_times_the_work(piece: str) -> None:
    few = seconds(piece * (SIZE // len(piece) // 8))
    assert seconds(piece * (SIZE // len(piece))) < 32 * max(few, 0.001)


def test_a_credit_of_many_names_that_is_none_is_as_quick_as_one_that_is() -> None:
    names = ', А)"' * 8
    credit, none = (seconds(f'Фото: А)"{names}{end}\n' * 200) for end in ("", " ?x"))
    assert none < 32 * max(credit, 0.001)
