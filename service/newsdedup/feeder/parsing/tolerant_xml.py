"""Broken XML to a tree: tags are taken as they come, and mended where they do not fit.

An end tag closes what is open within its element and is ignored if its element is not open; an
entry ends the entry before it, and a field such as a date the field before it; an unknown entity, a
bare & and a bare < are text; what is cut off ends with the body. Every expression takes linear
time: alternatives exclude each other by their first character, and what was matched is never given
back (tests/feeder/parsing/test_broken_xml.py).
"""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from html.entities import html5

from newsdedup.feeder.parsing.element_tree import TreeBuilder, TreeFull, XmlElement, local_name
from newsdedup.feeder.parsing.parsed_feed import ParsingBounds, ProblemList

_TOKEN = re.compile(
    r"""<!\[CDATA\[(?P<cdata>.*?)(?:\]\]>|\Z)
    |<!--.*?(?:-->|\Z)
    |<\?.*?(?:\?>|\Z)
    |<![^<>]*+>?
    |</(?P<end>[^\s<>/]++)[^<>]*+>
    |<(?P<start>[A-Za-z_][\w:.-]*+)(?P<attributes>(?:[^<>"']|"[^"<]*+"|'[^'<]*+')*+)>
    """,
    re.VERBOSE | re.DOTALL,
)
_ATTRIBUTE = re.compile(
    r"""(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>/]++))"""
)
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));")
_ENTRIES = frozenset({"item", "entry", "url", "sitemap"})
_FIELDS = frozenset(
    {"title", "link", "guid", "pubdate", "description", "published", "updated", "encoded"}
)
"""None of them is within another one, so one that begins ends one that was not closed."""
_REACH = 100
"""Open elements among which an end tag looks for its own: hostile nesting must not cost squares."""
_TOKENS_OF_ELEMENT = 3
"""Tags and other markup that are read for each element of the bounds."""
_EMPTY_IN_HTML = frozenset({"br", "hr", "img", "input", "wbr"})


def read_tolerantly(
    text: str, address: str, bounds: ParsingBounds, problems: ProblemList
) -> XmlElement:
    """Return an element that holds the document of a text, whatever the text is."""
    builder = TreeBuilder(address, bounds, problems)
    with suppress(TreeFull):
        _TolerantReader(builder, _TOKENS_OF_ELEMENT * bounds.elements).read(text)
    return builder.root


def resolve_references(text: str) -> str:
    """Return a text with its character references resolved: numbers, and all names of HTML."""
    if "&" not in text:
        return text
    # The commonest ones at once; no text that they leave can join to another reference.
    for reference, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"')):
        text = text.replace(reference, character)
    return "&".join(_REFERENCE.sub(_resolved, part) for part in text.split("&amp;"))


def _resolved(reference: re.Match[str]) -> str:
    """Return the character of a reference: itself if unknown, "" if XML forbids it."""
    decimal, hexadecimal, name = reference.groups()
    if name:
        return html5.get(name + ";", reference[0])
    code = int(decimal) if decimal else int(hexadecimal, 16)
    allowed = code in (9, 10, 13) or 32 <= code < 0xD800 or 0xE000 <= code < 0x110000
    return chr(code) if allowed else ""


@dataclass(slots=True)
class _TolerantReader:
    """Sends the events of a well-formed document that is near to a broken one."""

    builder: TreeBuilder
    most_tokens: int
    _open: list[str] = field(default_factory=list)
    """Names of the open elements without prefix, in small letters, the innermost last."""
    _entries: int = 0
    """Open ones."""

    def read(self, text: str) -> None:
        """Send the events of a text; raise TreeFull if it has too many elements."""
        position = 0
        for number, token in enumerate(_TOKEN.finditer(text)):
            if number > self.most_tokens:
                self.builder.problems.add(f"Tags after the first {number} were left out")
                raise TreeFull
            self._text(text[position : token.start()])
            if token["start"]:
                self._start(token["start"], token["attributes"])
            elif token["end"]:
                self._end(local_name(token["end"].lower()))
            elif token["cdata"]:
                self.builder.text(token["cdata"])
            position = token.end()
        self._text(text[position:])

    def _text(self, text: str) -> None:
        """Add text with its references resolved to the open element."""
        if resolved := resolve_references(text):
            self.builder.text(resolved)

    def _start(self, name: str, attributes: str) -> None:
        """Open an element; an entry or field that was not closed is closed first."""
        local = local_name(name.lower())
        if local in _ENTRIES and self._entries:
            self._end(local)
        if local in _FIELDS and self._open and self._open[-1] in _FIELDS:
            self._end(self._open[-1])
        values = {
            key: resolve_references(double or single or bare)
            for key, double, single, bare in _ATTRIBUTE.findall(attributes)
        }
        self.builder.start(name, values)
        if attributes.endswith("/") or local in _EMPTY_IN_HTML:
            self.builder.end()
        else:
            self._open.append(local)
            self._entries += local in _ENTRIES

    def _end(self, local: str) -> None:
        """Close an element and those open within it; ignore an end tag without a start tag."""
        if self._open and self._open[-1] == local:
            self._open.pop()
            self._entries -= local in _ENTRIES
            self.builder.end()
            return
        if local not in self._open[-_REACH:]:
            return
        closed = ""
        while closed != local:
            closed = self._open.pop()
            self._entries -= closed in _ENTRIES
            self.builder.end()
