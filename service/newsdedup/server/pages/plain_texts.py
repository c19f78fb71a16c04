"""Foreign texts as lines without markup, bounded, as pages show and compare them."""

from typing import Final

from newsdedup.core.text.clean import strip_markup
from newsdedup.server.pages.wording import unmarked, without_overrides

MOST_TEXT_CHARS: Final = 40_000
"""Characters of a text that a page shows; its JSON has all."""


def plain_paragraphs(text: str) -> list[str]:
    """Return the lines of a text without markup, of its first 40,000 characters."""
    lines = without_overrides(strip_markup(text[:MOST_TEXT_CHARS])).split("\n")
    return [line.strip() for line in lines if line.strip()]


def titled_text(title: str, text: str) -> str:
    """Return title and text of an item as lines; a text that begins with the title has it once."""
    lines = plain_paragraphs(text)
    title = without_overrides(unmarked(title)).strip()
    if not lines or unmarked(lines[0]).strip() != title:
        lines = [title, *lines]
    return "\n".join(lines)
