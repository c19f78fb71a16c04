"""Cleaning: the text of an item as it is compared, without markup and boilerplate."""

import re
from html import unescape
from html.entities import html5

from newsdedup.core.text.boilerplate import strip_boilerplate, strip_datelines
from newsdedup.core.text.characters import fold, is_seen, seems_folded

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
# Real text is stable after two passes; only text made to nest deeper needs the last resort.
_PASSES = 5
# Not a tag now, and no later change to the text may make it one: a space keeps it apart.
_less_than = re.compile(r"<(?=[A-Za-z/!?])")


def decode_references(text: str) -> str:
    """Return the text with character references of HTML decoded."""
    return _reference.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    """Return what a matched character reference stands for; a word unknown to HTML stays."""
    name, end = match.groups()
    # HTML reads a few old names without the semicolon ("&nbsp"); any other word is just a word.
    if name[0] != "#" and name + end not in html5:
        return match[0]
    return unescape(f"&{name};")


def strip_html(text: str) -> str:
    """Return the text without HTML: references are decoded, tags, comments and scripts removed."""
    return _strip_tags(decode_references(text))


def _strip_tags(text: str) -> str:
    """Return the text without HTML tags, comments and scripts; blocks of HTML become lines."""
    if "<" not in text:
        return text
    text = _cell.sub(" ", _block.sub("\n", _without_unread(text)))
    return _less_than.sub("< ", _tag.sub("", text))


def _without_unread(text: str) -> str:
    """Return the text with a space for each comment, script, style and other unread element."""
    pieces: list[str] = []
    position = 0
    unclosed: set[str] = set()  # searched once each, or each of many openings would read to the end
    for opening in _opening.finditer(text):
        name = opening[1].lower()
        if opening.start() < position or name in unclosed:
            continue
        closing = _CLOSINGS[name].search(text, opening.end())
        if closing is None:
            unclosed.add(name)
            continue
        pieces.append(text[position : opening.start()])
        position = closing.end()
    pieces.append(text[position:])
    return " ".join(pieces)


def shows_something(text: str) -> bool:
    """Return whether a text has a character to see, apart from HTML, comments and references."""
    for _ in range(_PASSES):
        bare = strip_html(text)
        if bare == text or not is_seen(bare):
            break
        text = bare
    return is_seen(bare)


# An address ends before the punctuation of its sentence. Patterns begin with a
# literal where they can: the search then runs at the speed of finding that literal.
_END = r"[^\s<>\"]*[^\s<>\".,:;!?')\]*_|]"
_http = re.compile(rf"https?://{_END}")
_scheme = re.compile(rf"\b[A-Za-z][A-Za-z0-9+.-]{{1,11}}://{_END}")
_host_end = re.compile(r"\.[A-Za-z]{2,24}/")
_bare = re.compile(
    r"(?<![\w@./-])(?:www\.(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}"
    r"|(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?=/))(?:/[^\s<>\"]*[\w/=-])?/?"
)
_mail = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}")
_mail_at = re.compile(r"@(?<=[\w.+-]@)[\w-]")
_handle = re.compile(r"@(?<![\w@]@)[A-Za-z0-9_]{2,64}")


def _strip_urls(text: str) -> str:
    """Return the text with addresses that name their scheme replaced by a space."""
    if "://" not in text:
        return text
    text = _http.sub(" ", text)
    return _scheme.sub(" ", text) if "://" in text else text


def _strip_addresses(text: str) -> str:
    """Return the text without e-mails, @handles and hosts with a path.

    A bare host stays, because it may be a name: "Lenta.ru".
    """
    if ("/" in text and _host_end.search(text)) or "www." in text:
        text = _bare.sub(" ", text)
    if "@" in text:
        if _mail_at.search(text):
            text = _mail.sub(" ", text)
        text = _handle.sub(" ", text)
    return text


_bullet = re.compile(r"\A(?:[-*+|>•·‣∙]++ |>++)++")
_wordless = re.compile(r"[\W_]++\Z")


def tidy_lines(text: str) -> str:
    """Return the text with single spaces, without bullets and lines without letter or digit."""
    text = text.replace("\t", " ")
    while "  " in text:  # each round halves every run, and text without runs pays one look
        text = text.replace("  ", " ")
    lines = []
    for line in text.split("\n"):
        if line and line[0].isalnum():
            lines.append(line.rstrip(" "))
        elif (bare := _bullet.sub("", line.strip(" "))) and not _wordless.match(bare):
            lines.append(bare)
    return "\n".join(lines)


_link = re.compile(r"\[([^\[\]]*)\]\((?=[^()\s]{0,30}[/:#])(?:[^()\s]++|\([^()\s]*+\))*+\)")
_fence = re.compile(r"```(?:\w{1,20}\n)?")
_code = re.compile(r"`(?<![^\W\d_]`)|`(?![^\W\d_])")
_star = re.compile(r"\*(?<!\d\*)|\*(?!\d)")
_tag_line = re.compile(r"\n[-*+|>•·‣∙ ]*+(?:#\w+[ ,.;|]*+)++(?=\n|\Z)")
_hash = re.compile(r"#(?=\w)|#(?<!\w#)")
_any_delimiter = re.compile(r"[<>&*_`#@|~\[\]]+|://")


def plain_text(text: str) -> str:
    """Return folded text as lines of words, without markup, addresses and hashtag lines."""
    return tidy_lines(strip_markup(text))


def strip_markup(text: str) -> str:
    """Return the text without tags, addresses and the delimiters of Markdown and Telegram.

    The text may become longer by lines where blocks of HTML were. One that still changes after five
    passes has all its delimiters replaced by spaces.
    """
    for _ in range(_PASSES):
        barer = _strip_once(text)
        if barer == text:
            return text
        text = barer
    return _strip_once(_any_delimiter.sub(" ", text))


def _strip_once(text: str) -> str:
    """Return the text without tags, links, addresses, emphasis and #.

    Stripping may join what was apart to new markup, so callers repeat it.
    """
    text = strip_html(text)
    if "](" in text:  # Markdown, [words](address)
        text = _link.sub(lambda link: link[1].replace("\n", " "), text.replace(")[", ") ["))
    text = _strip_addresses(_without_emphasis(_strip_urls(text))).replace("_", " ")
    if "#" in text:
        text = _hash.sub("", _tag_line.sub("", "\n" + text)[1:])
    return text


def _without_emphasis(text: str) -> str:
    """Return the text without the delimiters of code, bold, italic, struck and hidden text."""
    if "`" in text:
        text = _code.sub("", _fence.sub("\n", text))
    if "*" in text:
        text = _star.sub("", text.replace("**", ""))
    if "_" in text:
        text = text.replace("__", "")
    return text.replace("~~", "").replace("||", "") if "~" in text or "|" in text else text


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
