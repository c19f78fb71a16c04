"""XML to a tree: well-formed by expat, broken by a tolerant reader; nothing is ever fetched.

Entities are never declared. The tolerant reader takes tags as they come: an end tag closes what is
open within its element and is ignored if its element is not open; an entry ends the entry before
it, and a field such as a date the field before it; an unknown entity, a bare & and a bare < are
text; what is cut off ends with the body, but an entry that is cut off is left out. Every expression
takes linear time: alternatives exclude each other by their first character, and what was matched is
never given back (tests/feeder/parsing/test_broken_xml.py).
"""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from html.entities import html5
from xml.parsers import expat

from newsdedup.feeder.parsing.element_tree import TreeBuilder, TreeFull, XmlElement, local_name
from newsdedup.feeder.parsing.html_text import replace_references
from newsdedup.feeder.parsing.parsed_feed import FeedUnusable, ParsingBounds, ProblemList

_DOCTYPE = re.compile(
    r"(?P<before>(?:\s++|<!--.*?-->|<\?.*?\?>)*+)<!DOCTYPE\b[^\[>]*", re.IGNORECASE | re.DOTALL
)
_SUBSET_END = re.compile(r"\]\s{0,100}>")
_ENTITY = re.compile(r"<!ENTITY\b([^>]*)", re.IGNORECASE)
_DANGEROUS = re.compile(r"\b(?:SYSTEM|PUBLIC)\b|%|&(?!#)", re.IGNORECASE)
_MOST_ENTITIES = 10_000
_DECLARATION = re.compile(r"<\?xml\b[^>]{0,1000}\?>")
_LONG_TAG_CHARS = 30_000
_LONG_TAG = re.compile(rf"<[^!?<>][^<>]{{{_LONG_TAG_CHARS},}}+")
NO_XML_CHARACTERS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Controls and halves of surrogate pairs, which no item may hold either."""
_FORBIDDEN_BYTES = bytes(set(range(0x20)) - {9, 10, 13})
_FORBIDDEN_ENCODED = (re.compile(rb"\xed[\xa0-\xbf]"), re.compile(rb"\xef\xbf[\xbe\xbf]"))
"""In UTF-8: halves of surrogate pairs and U+FFFE and U+FFFF."""
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
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ENTRY_HOLDERS = {
    **dict.fromkeys(("item", "entry"), frozenset({"rss", "rdf", "channel", "feed", "items"})),
    "url": frozenset({"urlset"}),
    "sitemap": frozenset({"sitemapindex"}),
}
"""What holds entries, by the name of the entry; elements open within it were not closed."""
_FIELDS = frozenset(
    {"title", "link", "guid", "pubdate", "description", "published", "updated", "encoded"}
)
"""None of them is within another one, so one that begins ends one that was not closed."""
_LEAVES = frozenset({"author", "category", "comments", "creator", "keywords", "subject"})
"""None of the fields is within one of them."""
_ENTRY_END = re.compile(
    r"</(?:(?:atom:)?(?:item|entry|feed)|rss|channel|rdf:rdf|urlset|sitemapindex)\b", re.IGNORECASE
)
"""What ends an entry; where it stands after the last one that was begun, the body is not cut."""
_C1 = re.compile("[\x80-\x9f]")
_C1_ENCODED = re.compile(rb"\xc2[\x80-\x9f]")
_C1_REFERENCE = re.compile(r"&#0{0,5}(?:(1[2-5]\d)|[xX]0{0,5}([89][0-9a-fA-F]));")
_REACH = 100
"""Open elements among which an end tag looks for its own: hostile nesting must not cost squares."""
_TOKENS_OF_ELEMENT = 3
"""Tags and other markup that are read for each element of the bounds."""
_EMPTY_IN_HTML = frozenset({"br", "hr", "img", "input", "wbr"})


def read_xml(
    text: str, address: str, bounds: ParsingBounds, problems: ProblemList
) -> list[XmlElement]:
    """Return the outermost elements of a text of XML: one, several in a broken document.

    Raise FeedUnusable if there is no element, or if the document declares entities that refer to
    others or to files: a decompression bomb or an attempt to read what is not the feed's.
    """
    clean, encoded = text, text.encode("utf-8", "surrogatepass")
    if _has_forbidden(encoded):
        clean = NO_XML_CHARACTERS.sub("", text)
        problems.add("Characters that XML forbids were removed")
    clean = _without_doctype(_from_first_tag(clean, problems), problems)
    if "&#" in clean:
        clean = _C1_REFERENCE.sub(_as_windows_1252, clean)
    if _C1_ENCODED.search(encoded):
        clean = _C1.sub(lambda control: _windows_1252(ord(control[0])), clean)
    if _may_have_long_tag(clean):
        for tag in _LONG_TAG.finditer(clean):
            if tag[0].count("=") > bounds.attributes:
                raise FeedUnusable(f"a tag has more than {bounds.attributes} attributes")
    document = _read_strictly(clean, address, bounds, problems)
    if document is None:
        document = read_tolerantly(clean, address, bounds, problems)
    roots = document.children()
    if not roots:
        raise FeedUnusable("the body holds no element of XML, or ends within its only entry")
    return roots


def _has_forbidden(encoded: bytes) -> bool:
    """Return whether a text in UTF-8 has characters that XML forbids; quicker than on the text."""
    controls = len(encoded.translate(None, _FORBIDDEN_BYTES)) < len(encoded)
    return controls or any(pattern.search(encoded) for pattern in _FORBIDDEN_ENCODED)


def _may_have_long_tag(text: str) -> bool:
    """Return whether somewhere no tag begins for so long that a tag may be very long."""
    step = _LONG_TAG_CHARS // 2
    return any(
        text.find("<", begin, begin + step) < 0 for begin in range(0, len(text) - step, step)
    )


def _from_first_tag(text: str, problems: ProblemList) -> str:
    """Return the text from its first tag on, without the XML declaration; or raise FeedUnusable.

    Badly made feeds have warnings of a server and blank lines before it. Here and below line breaks
    stay, so that problems name the lines of the body.
    """
    begin = text.find("<")
    if begin < 0:
        raise FeedUnusable("the body is no feed: it is neither XML nor JSON")
    before = text[:begin].strip("\ufeff \t\r\n")
    if before:
        problems.add("Text stands before the XML", before)
    declaration = _DECLARATION.match(text, begin)
    end = declaration.end() if declaration else begin
    return "\n" * text.count("\n", 0, end) + text[end:]


def _without_doctype(text: str, problems: ProblemList) -> str:
    """Return the text without its document type; raise FeedUnusable for dangerous entities.

    Names of HTML ("&nbsp;") are resolved, other entities that a feed declares are not.
    """
    doctype = _DOCTYPE.match(text)
    if doctype is None:
        return text
    end = doctype.end()
    if text[end : end + 1] == "[":
        closing = _SUBSET_END.search(text, end)
        subset = text[end : closing.start() if closing else len(text)]
        for number, entity in enumerate(_ENTITY.finditer(subset)):
            if number == _MOST_ENTITIES:
                raise FeedUnusable(f"the feed declares more than {_MOST_ENTITIES} entities")
            if _DANGEROUS.search(entity[1]):
                raise FeedUnusable("the feed declares entities that refer to others or to files")
            problems.add("The feed declares entities, which are not read", entity[1].strip())
        end = closing.end() if closing else len(text)
    else:
        end += 1
    lines = "\n" * text.count("\n", doctype.end("before"), end)
    return doctype["before"] + lines + text[end:]


def _read_strictly(
    text: str, address: str, bounds: ParsingBounds, problems: ProblemList
) -> XmlElement | None:
    """Return an element that holds the root; None and a problem if the XML is not well-formed."""
    builder = TreeBuilder(address, bounds, problems)
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.text
    parser.EntityDeclHandler = _refuse_entity
    try:
        with suppress(TreeFull):
            parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        problems.add(f"The XML is broken in line {error.lineno}: {reason}; read tolerantly")
        return None
    return builder.root


def _refuse_entity(*_: object) -> None:
    """Raise FeedUnusable: expat calls this for an entity that is not in the document type."""
    raise FeedUnusable("the feed declares entities outside its document type")


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
    return replace_references(text, _REFERENCE, _resolved)


def _as_windows_1252(reference: re.Match[str]) -> str:
    """Return the character of a reference to a control character: numbers as browsers read them."""
    code = int(reference[1]) if reference[1] else int(reference[2], 16)
    if code not in range(0x80, 0xA0):
        return reference[0]
    return _windows_1252(code)


def _windows_1252(code: int) -> str:
    """Return what a control character from 0x80 to 0x9F is in windows-1252; "" for nothing."""
    return bytes([code]).decode("cp1252", "ignore")


@lru_cache(maxsize=2_000)
def _resolved(reference: str) -> str:
    """Return the character of a reference: itself if unknown, "" if XML forbids it."""
    if reference[1] != "#":
        return html5.get(reference[1:], reference)
    number = reference[2:-1]
    code = int(number[1:], 16) if number[0] in "xX" else int(number)
    allowed = code in (9, 10, 13) or 32 <= code < 0xD800 or 0xE000 <= code < 0x110000
    return chr(code) if allowed else ""


@dataclass(slots=True)
class _TolerantReader:
    """Sends the events of a well-formed document that is near to a broken one."""

    builder: TreeBuilder
    most_tokens: int
    _open: list[str] = field(default_factory=list)
    """Names of the open elements without prefix, in small letters, the innermost last."""
    _entry_at: int = 0
    """Where the last entry begins in the text."""

    def read(self, text: str) -> None:
        """Send the events of a text; raise TreeFull if it has too many elements."""
        position = 0
        for number, token in enumerate(_TOKEN.finditer(text)):
            if number > self.most_tokens:
                self.builder.problems.add(f"Tags after the first {number} were left out")
                raise TreeFull
            self._text(text[position : token.start()])
            if token["start"]:
                if local_name(token["start"].lower()) in _ENTRY_HOLDERS:
                    self._entry_at = token.start()
                self._start(token["start"], token["attributes"])
            elif token["end"]:
                self._end(local_name(token["end"].lower()))
            elif token["cdata"]:
                self.builder.text(token["cdata"])
            position = token.end()
        self._text(text[position:])
        if not _ENTRY_END.search(text, self._entry_at) and self.builder.drop_open_entry():
            problems = self.builder.problems
            problems.add("The body ends within an entry, which is left for the next visit")
            problems.left_out.append("the body ends within an entry")

    def _text(self, text: str) -> None:
        if resolved := resolve_references(text):
            self.builder.text(resolved)

    def _start(self, name: str, attributes: str) -> None:
        """Open an element; an entry or field that was not closed is closed first."""
        local = local_name(name.lower())
        if local in _ENTRY_HOLDERS and ":" not in name.removeprefix("atom:"):
            self._close_to_holder(_ENTRY_HOLDERS[local])
        if local in _FIELDS:
            while self._open and self._open[-1] in _FIELDS | _LEAVES:
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

    def _close_to_holder(self, holders: frozenset[str]) -> None:
        """Close what is open within the innermost of some elements; nothing if none is open."""
        reach = self._open[-_REACH:]
        closed = next((n for n, one in enumerate(reversed(reach)) if one in holders), 0)
        for _ in range(closed):
            self._open.pop()
            self.builder.end()

    def _end(self, local: str) -> None:
        """Close an element and those open within it; ignore an end tag without a start tag."""
        if self._open and self._open[-1] == local:
            self._open.pop()
            self.builder.end()
            return
        if local not in self._open[-_REACH:]:
            return
        closed = ""
        while closed != local:
            closed = self._open.pop()
            self.builder.end()
