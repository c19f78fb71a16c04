"""Marks of HTML, Markdown and Telegram around the words, and lines that hold no words at all."""

import re

from newsdedup.core.text.addresses import strip_addresses, strip_urls
from newsdedup.core.text.spacing import tidy_lines
from newsdedup.core.text.tags import decode_references, strip_tags

# Real text is stable after two passes; only text made to nest deeper needs the last resort.
_PASSES = 5

_link = re.compile(r"\[([^\[\]]*)\]\((?=[^()\s]{0,30}[/:#])(?:[^()\s]++|\([^()\s]*+\))*+\)")
_fence = re.compile(r"```(?:\w{1,20}\n)?")
_code = re.compile(r"`(?<![^\W\d_]`)|`(?![^\W\d_])")
_star = re.compile(r"\*(?<!\d\*)|\*(?!\d)")
_tag_line = re.compile(r"\n[-*+|>•·‣∙ ]*+(?:#\w+[ ,.;|]*+)++(?=\n|\Z)")
_hash = re.compile(r"#(?=\w)|#(?<!\w#)")
_any_mark = re.compile(r"[<>&*_`#@|~\[\]]+|://")


def plain_text(text: str) -> str:
    """Return the words of the text: paragraphs as lines, no markup, addresses or hashtag lines.

    Expects folded characters. A hashtag inside a line keeps its word, a link its text; what is
    plain stays as it is.
    """
    return tidy_lines(strip_markup(text))


def strip_markup(text: str) -> str:
    """Return the text, lines as they are, without what is markup rather than words."""
    for _ in range(_PASSES):
        barer = _without_marks(text)
        if barer == text:
            return text
        text = barer
    return _without_marks(_any_mark.sub(" ", text))


def _without_marks(text: str) -> str:
    text = strip_urls(_without_links(strip_tags(decode_references(text))))
    text = strip_addresses(_without_emphasis(text)).replace("_", " ")
    if "#" in text:
        text = _hash.sub("", _tag_line.sub("", "\n" + text)[1:])
    return text


def _without_links(text: str) -> str:
    if "](" not in text:
        return text
    return _link.sub(_link_text, text.replace(")[", ") ["))


def _link_text(match: re.Match[str]) -> str:
    return match[1].replace("\n", " ")


def _without_emphasis(text: str) -> str:
    if "`" in text:
        text = _code.sub("", _fence.sub("\n", text))
    if "*" in text:
        text = text.replace("**", "")
        text = _star.sub("", text) if "*" in text else text
    if "_" in text:
        text = text.replace("__", "")
    if "~" in text or "|" in text:
        text = text.replace("~~", "").replace("||", "")
    return text
