"""HTML of a stranger to a tree that is bounded: elements, depth, attributes, text.

The tokenizer of libxml2 takes time in proportion to a page, its own tree does not: an element with
many attributes takes the square of their number. So its events build a tree of our own choice. What
is beyond the bounds is left out; nothing is fetched, scripts and styles are dropped at once.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lxml import etree, html

from newsdedup.feeder.parsing.xml_documents import NO_XML_CHARACTERS
from newsdedup.ports.errors import SourceUnusable

_ATTRIBUTE: Final = re.compile(r"[a-z][a-z0-9_-]{0,40}")
"""Names that XML allows as they are; others hold styles and scripts of frameworks."""
_ELEMENT: Final = re.compile(r"[a-z][a-z0-9-]{0,40}")
_DROPPED: Final = frozenset(
    {"style", "svg", "math", "template", "canvas", "object", "iframe"}
    | {"amp-ad", "amp-embed", "amp-sticky-ad", "amp-sidebar", "amp-consent", "amp-lightbox"}
)
_FACTS_AS_JSON: Final = "application/ld+json"


class PageUnusable(SourceUnusable):
    """A page that holds no article, or one that is refused; the message says why."""


@dataclass(frozen=True, slots=True)
class PageBounds:
    """How much of a page is read; a longer body is refused, what else is beyond is left out."""

    body_bytes: int = 8 * 2**20
    elements: int = 20_000
    depth: int = 100
    """Deeper elements count as text of the last one."""
    attributes: int = 40
    """Of one element."""
    value_chars: int = 8_000
    """Of an attribute."""
    text_chars: int = 1_000_000
    """Of the whole page, as of an item."""
    facts_chars: int = 200_000
    """Of one script with JSON-LD."""


PAGE_BOUNDS: Final = PageBounds()


def page_tree(text: str, bounds: PageBounds = PAGE_BOUNDS) -> html.HtmlElement:
    """Return the root of the tree of a page, within bounds; raise PageUnusable without HTML."""
    builder = _BoundedBuilder(bounds)
    parser = etree.HTMLParser(target=builder, encoding="utf-8", no_network=True)
    try:
        # Bytes, since libxml2 refuses texts that declare an encoding.
        parser.feed(text.encode("utf-8", "replace"))
        parser.close()
    except etree.LxmlError:
        pass  # What was read up to there stays: the tokenizer gives up on absurd depth.
    if builder.root is None or not len(builder.root):
        raise PageUnusable("the page holds no HTML")
    return builder.root


class _BoundedBuilder:
    """Builds a tree of the events of the tokenizer."""

    def __init__(self, bounds: PageBounds) -> None:
        self.root: html.HtmlElement | None = None
        self._bounds = bounds
        self._elements = 0
        self._text_left = bounds.text_chars
        self._open: list[html.HtmlElement] = []
        self._too_deep = 0
        """Open elements that are not in the tree, below the last one that is."""
        self._dropped = 0
        """Open elements whose content is dropped."""
        self._script: list[str] | None = None
        """The text of an open script with facts."""
        self._last: html.HtmlElement | None = None
        """The element that was closed last, to which text is appended; None within a new one."""
        self._pieces: list[str] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element, unless it is dropped or beyond the bounds."""
        facts = tag == "script" and attributes.get("type", "").strip().lower() == _FACTS_AS_JSON
        if self._dropped or tag in _DROPPED or (tag == "script" and not facts):
            self._dropped += 1
            return
        full = self._elements >= self._bounds.elements
        if self._too_deep or full or len(self._open) >= self._bounds.depth:
            self._too_deep += 1
            return
        self._flush()
        self._elements += 1
        name = tag if _ELEMENT.fullmatch(tag) else "span"
        kept = self._bounded(attributes)
        parent = self._open[-1] if self._open else self.root
        if parent is None:
            element = self.root = html.html_parser.makeelement(name, kept)
        else:
            element = etree.SubElement(parent, name, kept)
        self._open.append(element)
        self._last = None
        if facts:
            self._script = []

    def end(self, _tag: str) -> None:
        """Close the element that was opened last."""
        if self._dropped:
            self._dropped -= 1
        elif self._too_deep:
            self._too_deep -= 1
        elif self._open:
            self._flush()
            self._last = self._open.pop()

    def data(self, text: str) -> None:
        """Add text to the open element, within the bound of the page."""
        if self._dropped or not self._open:
            return
        if self._script is not None:
            self._script.append(text)
            return
        text = text[: self._text_left]
        self._text_left -= len(text)
        self._pieces.append(text)

    def close(self) -> None:
        """End the tree: write the text that was collected after the last tag."""
        self._flush()

    def _flush(self) -> None:
        """Write the text that was collected since the last tag into the tree."""
        if self._script is not None:
            facts = "".join(self._script)
            if len(facts) <= self._bounds.facts_chars:
                self._open[-1].text = NO_XML_CHARACTERS.sub("", facts)
            self._script = None
            return
        text = NO_XML_CHARACTERS.sub("", "".join(self._pieces))
        self._pieces.clear()
        if not text or not self._open:
            return
        if self._last is not None:
            self._last.tail = (self._last.tail or "") + text
        else:
            self._open[-1].text = text

    def _bounded(self, attributes: Mapping[str, str]) -> dict[str, str]:
        """Return the first attributes with plain names; long values are cut."""
        kept: dict[str, str] = {}
        for name, value in attributes.items():
            if len(kept) >= self._bounds.attributes:
                break
            if _ATTRIBUTE.fullmatch(name):
                kept[name] = NO_XML_CHARACTERS.sub("", (value or "")[: self._bounds.value_chars])
        return kept
