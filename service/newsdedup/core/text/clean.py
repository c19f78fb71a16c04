"""Cleaning: the text of an item as it is compared, without markup and boilerplate."""

from newsdedup.core.text.boilerplate import strip_boilerplate, strip_datelines
from newsdedup.core.text.characters import fold, seems_folded
from newsdedup.core.text.markup import decode_references, plain_text, strip_markup, tidy_lines

# Real text is stable after one round; only markup made to hide other markup needs more.
_ROUNDS = 8


def clean(title: str, text: str) -> tuple[str, str]:
    """Return the clean title and the clean whole text: title, newline, body.

    The title comes once, also when the body begins with it or goes on where it was cut short
    ("..."). Without a title the first line is the title. Cleaning what is clean changes nothing.
    The first line is never taken for boilerplate, so that an item with words keeps some.
    """
    apart = bool(title) and not f"{text}\n".startswith(f"{title}\n")
    whole = strip_datelines(_tidy(f"{title}\n{text}" if apart else text))
    first_line, _, rest = whole.partition("\n")
    first = first_line
    if apart:
        rest = strip_datelines(rest)
        if rest.startswith(first_line.rstrip(" .:;,")):
            first, _, rest = rest.partition("\n")
    body = strip_boilerplate(rest) if rest else ""
    return first_line, f"{first}\n{body}" if body else first


def _tidy(text: str) -> str:
    """Return the text folded, without references, markup and bullets, until it is stable."""
    text = fold(decode_references(text))
    for _ in range(_ROUNDS):
        bare = strip_markup(text)
        if bare is text or seems_folded(bare):
            return tidy_lines(bare)
        text = fold(bare)
        if text == bare:
            return tidy_lines(bare)
    return plain_text(text)
