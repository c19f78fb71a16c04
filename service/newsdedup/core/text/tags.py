"""What is left of text when HTML is taken out of it."""

import re
from html import unescape
from html.entities import html5

# "&amp;amp;lt;" is "<" escaped by three programs in turn: one look decodes it.
_reference = re.compile(
    "&(?:amp;)*(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31})(;?)"
)

_UNREAD = ("script", "style", "noscript", "template", "iframe", "svg")
_opening = re.compile(rf"<(!--|(?:{'|'.join(_UNREAD)})\b(?=[^<>]*>))", re.IGNORECASE)
_CLOSINGS = {"!--": re.compile("-->")} | {
    name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in _UNREAD
}
_block = re.compile(
    r"</?(?:p|div|br|hr|li|ul|ol|dl|dt|dd|h[1-6]|tr|table|blockquote|pre|section|article|aside"
    r"|header|footer|main|nav|figure|figcaption|form|title)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_cell = re.compile(r"</?(?:td|th|option|button)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_tag = re.compile(r"<[/!?]?[A-Za-z][A-Za-z0-9:-]{0,40}(?:\s[^<>]*)?/?>|<!\[CDATA\[|\]\]>")
# Not a tag now, and no later change to the text may make it one: a space keeps it apart.
_less_than = re.compile(r"<(?=[A-Za-z/!?])")


def decode_references(text: str) -> str:
    """Return the text with character references of HTML decoded."""
    return _reference.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    name, end = match.groups()
    # HTML reads a few old names without the semicolon ("&nbsp"); any other word is just a word.
    if name[0] != "#" and name + end not in html5:
        return match[0]
    return unescape(f"&{name};")


def strip_tags(text: str) -> str:
    """Return the text without tags, comments and scripts; blocks of HTML become lines."""
    if "<" not in text:
        return text
    text = _cell.sub(" ", _block.sub("\n", _without_unread(text)))
    return _less_than.sub("< ", _tag.sub("", text))


def _without_unread(text: str) -> str:
    kept: list[str] = []
    position = 0
    unclosed: set[str] = set()  # asked once each, or many openings would each read to the end
    for opening in _opening.finditer(text):
        name = opening[1].lower()
        if opening.start() < position or name in unclosed:
            continue
        closing = _CLOSINGS[name].search(text, opening.end())
        if closing is None:
            unclosed.add(name)
            continue
        kept.append(text[position : opening.start()])
        position = closing.end()
    kept.append(text[position:])
    return " ".join(kept)
