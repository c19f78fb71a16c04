"""HTML of feeds as far as it is read here: visible text, plain titles, and where links lead.

Nothing is cleaned for display: the text of an item may be HTML, and the engine takes the tags out.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from html import escape, unescape

from newsdedup.data.lang import words

_TAG = re.compile(r"</?[A-Za-z!][^<>]*+>")
_TAG_OR_COMMENT = re.compile(rf"<!--.*?-->|{_TAG.pattern}", re.DOTALL)
_UNSEEN = tuple(
    (f"</{name}", re.compile(rf"<{name}\b.*?</{name}[^<>]*+>?", re.IGNORECASE | re.DOTALL))
    for name in ("script", "style")
)
"""Elements whose content is not shown: the begin of their end tag, and the whole."""
_REFERENCE = re.compile(r"&(?:#[0-9]++;?|#[xX][0-9a-fA-F]++;?|[^\t\n\f <&#;]{1,32};?)")
"""A character reference as `html.unescape` finds them."""
_LONGEST_NUMBER = 22
"""Characters of a reference; Python raises ValueError for numbers of 4,300 digits."""
_HREF = re.compile(
    r"""<a\s(?:[^<>]*?\s)??href\s{0,9}=\s{0,9}(?:"([^"<>]*+)"|'([^'<>]*+)'|([^\s"'<>]++))""",
    re.IGNORECASE,
)
_TEASER_CHARS = 600
_ENDINGS = tuple(sorted(words("feeds.teaser_endings")))
_LONGEST_ENDING = max(map(len, _ENDINGS))
_EDGE_CHARS = 200
"""Of a long text: they hold its ending, tags included."""
_UNSEEN_MARKS = ("script", "SCRIPT", "Script", "style>", "STYLE", "Style", "<style", "<!--")
""""style=" is common and shown."""


def visible_text(html: str) -> str:
    """Return HTML as one line of plain text: without tags, with character references resolved."""
    bare = _without_tags(_without_scripts(html)) if "<" in html else html
    return _one_line(resolve_html(bare) if "&" in bare else bare)


def _without_tags(html: str) -> str:
    """Return HTML with a space for each tag and comment; one that does not end is no comment."""
    # Behind the last end of a comment none is looked for: that would take the square of the time.
    commented, end, rest = html.rpartition("-->")
    return _TAG_OR_COMMENT.sub(" ", commented + end) + _TAG.sub(" ", rest)


def _without_scripts(html: str) -> str:
    """Return HTML without scripts and style sheets; one that does not end is no such element."""
    if "</s" not in html and "</S" not in html:
        return html
    for end, element in _UNSEEN:
        # Behind the last end tag nothing is looked for: that would take the square of the time.
        last = html.lower().rfind(end)
        if last >= 0:
            close = html.find(">", last) + 1 or len(html)
            html = element.sub(" ", html[:close]) + html[close:]
    return html


def resolve_html(text: str) -> str:
    """Return a text with its character references, such as "&amp;", resolved as HTML does."""
    if "&" not in text:
        return text
    return replace_references(text, _REFERENCE, _resolved)


def replace_references(text: str, reference: re.Pattern[str], resolve: Callable[[str], str]) -> str:
    """Return a text with "&amp;" and all that matches `reference` resolved."""

    def resolve_match(match: re.Match[str]) -> str:
        return resolve(match[0])

    # The commonest one at once; the "&" that it leaves cannot join to another reference.
    parts = text.split("&amp;")
    return "&".join([reference.sub(resolve_match, part) if "&" in part else part for part in parts])


@lru_cache(maxsize=2_000)
def _resolved(reference: str) -> str:
    """Return what a character reference means. No character has a number of so many digits."""
    endless = len(reference) > _LONGEST_NUMBER and reference[1] == "#"
    return "\ufffd" if endless else unescape(reference)


def plain_title(title: str) -> str:
    """Return a title as plain text: feeds escape its HTML once too often or not at all.

    What looks like a tag is taken for one, so that a title on the tag <b> loses it.
    """
    return visible_text(visible_text(title)) if "&" in title or "<" in title else _one_line(title)


def as_html(text: str) -> str:
    """Return plain text as HTML; unchanged if it contains neither < nor &."""
    return escape(text, quote=False) if "<" in text or "&" in text else text


def hrefs(html: str) -> Iterator[str]:
    """Yield the addresses of the links of HTML in their order, as they are written."""
    if "href" in html or "HREF" in html:
        for match in _HREF.finditer(html):
            yield resolve_html(match[1] or match[2] or match[3] or "").strip()


def choose_text(texts: Iterable[str]) -> str:
    """Return the best of the texts of an entry as it is written; "" if all are empty.

    That is the first one, unless it is a teaser or shorter than another: then the longest one that
    is no teaser.
    """
    different = [text for text in dict.fromkeys(texts) if text]
    if len(different) < 2:
        return different[0] if different else ""
    if _is_plainly_whole(different[0], max(map(len, different[1:]))):
        return different[0]
    first = visible_text(different[0])
    if not is_teaser(first) and all(len(text) <= len(first) for text in different[1:]):
        return different[0]
    shown = {text: visible_text(text) for text in different}
    return max(different, key=lambda text: (not is_teaser(shown[text]), len(shown[text])))


def _is_plainly_whole(html: str, chars: int) -> bool:
    """Return whether HTML is no teaser and shows so many characters, if its edges tell it.

    That is quicker than to look at all of a long text. False where its edges do not tell.
    """
    edge = 2 * max(chars, _EDGE_CHARS)
    if len(html) < 2 * edge or any(mark in html for mark in _UNSEEN_MARKS):
        return False
    begin = html[: html.rfind("<", 0, edge) if "<" in html else edge]
    end = html[html.find(">", len(html) - _EDGE_CHARS) + 1 :]
    shown = visible_text(end)
    return (
        len(shown) >= _LONGEST_ENDING
        and not shown.lower().endswith(_ENDINGS)
        and len(visible_text(begin)) >= chars
    )


def is_teaser(visible: str) -> bool:
    """Return whether a plain text is short and ends in words such as "read more"."""
    return len(visible) < _TEASER_CHARS and visible[-_EDGE_CHARS:].lower().endswith(_ENDINGS)


def _one_line(text: str) -> str:
    return " ".join(text.split())
