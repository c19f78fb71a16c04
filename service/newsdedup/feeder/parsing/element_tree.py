"""The elements of a feed as a small tree, built from events within bounds.

Both readers of XML, the strict and the tolerant one, send the same events here: what reads the tree
knows nothing of how broken a feed was.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from html import escape

from newsdedup.feeder.parsing.canonical_urls import join_address
from newsdedup.feeder.parsing.parsed_feed import ParsingBounds, ProblemList

_ENTRY_NAMES = frozenset({"item", "entry", "atom:entry", "url", "sitemap", "at:deleted-entry"})
_ENTRIES = frozenset({"item", "entry", "atom:item", "atom:entry"})
_PAGES = frozenset({("urlset", "url"), ("sitemapindex", "sitemap")})
"""Entries of sitemaps: the name of what holds one, and its own."""
_BASE_CHARS = 500
_BASES = 1_000
"""Different values of xml:base in a document."""
_PREFIXES = {
    "www.w3.org/2005/atom": "atom",
    "purl.org/atom/ns": "atom",
    "purl.org/atompub/tombstones/1.0": "at",
    "purl.org/rss/1.0/modules/content": "content",
    "purl.org/rss/1.0/modules/syndication": "sy",
    "purl.org/dc/elements/1.1": "dc",
    "purl.org/dc/elements/1.0": "dc",
    "purl.org/dc/terms": "dcterms",
    "search.yahoo.com/mrss": "media",
    "www.rssboard.org/media-rss": "media",
    "www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "www.google.com/schemas/sitemap-news/0.9": "news",
    "www.google.com/schemas/sitemap-image/1.1": "image",
    "rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "www.w3.org/1999/xhtml": "xhtml",
    "www.w3.org/1999/02/22-rdf-syntax-ns": "rdf",
    # The words of RSS and of sitemaps have no prefix: most feeds give them no namespace.
    **dict.fromkeys(("purl.org/rss/1.0", "purl.org/net/rss1.1", "cyber.law.harvard.edu/rss"), ""),
    **dict.fromkeys(("backend.userland.com/rss2", "backend.userland.com/rss"), ""),
    "blogs.law.harvard.edu/tech/rss": "",
    **dict.fromkeys(("my.netscape.com/rdf/simple/0.9", "channel.netscape.com/rdf/simple/0.9"), ""),
    "www.sitemaps.org/schemas/sitemap/0.9": "",
    "www.google.com/schemas/sitemap/0.84": "",
}
_ESCAPED_TAG = re.compile(r"</[A-Za-z][A-Za-z0-9]{0,15}>|<(?:br|img|hr)\b[^<>]{0,500}>")
_NO_ATTRIBUTES: Mapping[str, str] = {}
"""One for all elements without attributes."""
_PLAIN_NAMES = 200
"""Names of attributes that are remembered."""
_PREFIXES_IN_SCOPE = 200
"""More are ignored: each element that declares one copies them all."""


@dataclass(slots=True, eq=False)
class XmlElement:
    """An element with its attributes, text and children, in their order."""

    name: str
    """Canonical, see NameScope."""
    attributes: Mapping[str, str]
    """By names in small letters, without prefix but for `xml:`."""
    base: str
    """The address to which relative ones within it refer."""
    lang: str
    parts: list["str | XmlElement"] = field(default_factory=list)
    _index: dict[str, list["XmlElement"]] | None = None

    def has_children(self) -> bool:
        """Return whether the element has children, not only text."""
        parts = self.parts
        return (
            bool(parts)
            and (len(parts) > 1 or not isinstance(parts[0], str))
            and any(not isinstance(part, str) for part in parts)
        )

    def children(self, *names: str) -> list["XmlElement"]:
        """Return the children with any of these names in their order, all if none is given."""
        if not names:
            return [part for part in self.parts if not isinstance(part, str)]
        by_name = self._by_name()
        if len(names) == 1:
            return by_name.get(names[0], [])
        present = [by_name[name] for name in names if name in by_name]
        if len(present) < 2:
            return present[0] if present else []
        return [one for one in self.children() if one.name in names]

    def child(self, *names: str) -> "XmlElement | None":
        """Return the first child with the first of these names that occurs; None without one."""
        by_name = self._by_name()
        return next((by_name[name][0] for name in names if name in by_name), None)

    def text_of(self, *names: str) -> str:
        """Return the first text that is not blank of children, one name after the other, or ""."""
        by_name = self._by_name()
        for name in names:
            for one in by_name.get(name, ()):
                if text := one.text():
                    return text
        return ""

    def html_of(self, *names: str) -> str:
        """Return the first HTML that is not blank of children, one name after the other, or ""."""
        by_name = self._by_name()
        htmls = (one.inner_html() for name in names for one in by_name.get(name, ()))
        return next((html for html in htmls if html), "")

    def _by_name(self) -> dict[str, list["XmlElement"]]:
        """Return the children by their names; call it first when the tree is whole."""
        index = self._index
        if index is None:
            index = self._index = {}
            for one in self.parts:
                if isinstance(one, str):
                    continue
                if one.name in index:
                    index[one.name].append(one)
                else:
                    index[one.name] = [one]
        return index

    def stated_base(self, address: str) -> str:
        """Return the base that xml:base states; "" if it is the address of the document."""
        return self.base if self.base != address else ""

    def attribute(self, name: str) -> str:
        """Return the value of an attribute, stripped; "" if it is missing."""
        return self.attributes.get(name, "").strip()

    def text(self) -> str:
        """Return the text of the element without that of its children, stripped."""
        parts = self.parts
        if len(parts) == 1 and isinstance(parts[0], str):
            return parts[0].strip()
        return "".join([part for part in parts if isinstance(part, str)]).strip()

    def inner_html(self, *, xhtml: bool = False) -> str:
        """Return the text if the element has no children, else what it holds as HTML.

        Text with tags next to real elements was escaped for XML and is HTML, too, unless the
        element is `xhtml`, where such tags are to be seen.
        """
        if not self.has_children():
            return self.text()
        return "".join(_html_of(part, xhtml=xhtml) for part in self.parts).strip()

    def descendants(self, *names: str) -> list["XmlElement"]:
        """Return the outermost elements within it that have any of these names, in their order."""
        listed = []
        waiting = self.children()[::-1]
        while waiting:
            one = waiting.pop()
            if one.name in names:
                listed.append(one)
            else:
                waiting.extend(one.children()[::-1])
        return listed

    def with_nested(self) -> list["XmlElement"]:
        """Return the element and, after it, those within it that have its name."""
        return [self, *(one for part in self.children(self.name) for one in part.with_nested())]

    def names(self) -> Collection[str]:
        """Return the names of the children."""
        return self._by_name().keys()


def _html_of(part: "str | XmlElement", *, xhtml: bool) -> str:
    """Return text, escaped unless it is HTML, or an element with all in it without prefixes."""
    if isinstance(part, str):
        return part if not xhtml and _ESCAPED_TAG.search(part) else escape(part, quote=False)
    name = local_name(part.name)
    shown = "".join(
        f' {key}="{escape(value)}"' for key, value in part.attributes.items() if ":" not in key
    )
    inner = "".join(_html_of(one, xhtml=xhtml) for one in part.parts)
    return f"<{name}{shown}>{inner}</{name}>" if inner else f"<{name}{shown}/>"


@dataclass(slots=True, eq=False)
class NameScope:
    """The prefixes that hold within an element, and the names of its descendants by them."""

    _prefixes: Mapping[str, str]
    """Ours by those of the document; "" for its default namespace."""
    names: dict[str, str] = field(default_factory=dict)
    """Those that were asked for before, by the names in the document."""

    def within(self, attributes: Mapping[str, str]) -> "NameScope":
        """Return the scope within an element that may declare namespaces.

        An unknown namespace leaves its prefix as it is: feeds misspell addresses more often.
        """
        declared = {}
        for name, address in attributes.items():
            if name.startswith("xmlns") and name[5:6] in ("", ":"):
                bare = address.strip().lower().rpartition("://")[2].rstrip("/#")
                declared[name[6:].lower()] = _PREFIXES.get(bare, name[6:].lower())
        if not declared or len(self._prefixes) + len(declared) > _PREFIXES_IN_SCOPE:
            return self
        return NameScope({**self._prefixes, **declared})

    def canonical(self, name: str) -> str:
        """Return "prefix:name" in small letters; the prefix is ours if its namespace is known."""
        prefix, _, local = name.lower().rpartition(":")
        prefix = self._prefixes.get(prefix, prefix)
        canonical = self.names[name] = f"{prefix}:{local}" if prefix else local
        return canonical


def local_name(name: str) -> str:
    """Return a name without its prefix."""
    return name.rpartition(":")[2]


class TreeFull(Exception):
    """Raised to the reader of a document that has more entries or elements than are read."""


class TreeBuilder:
    """Builds the tree of one document; what passes a bound is left out with a problem."""

    def __init__(self, address: str, bounds: ParsingBounds, problems: ProblemList) -> None:
        self.root = XmlElement("", {}, address, "")
        """Holds the document as its children."""
        self._open: list[tuple[XmlElement, NameScope]] = [(self.root, NameScope({}))]
        self._bases: dict[tuple[str, str], str] = {}
        self._bounds = bounds
        self._most_elements, self._most_depth = bounds.elements, bounds.depth
        self._plain: set[str] = set()
        """Names of attributes that are in small letters and have no prefix."""
        self.problems = problems
        self._elements = 0
        self._entries = 0
        self._skipped = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element; raise TreeFull if there are too many elements or entries."""
        self._elements += 1
        if self._elements > self._most_elements:
            self.problems.add(f"Elements after the first {self._bounds.elements} were left out")
            raise TreeFull
        if self._skipped or len(self._open) > self._most_depth:
            if not self._skipped:
                depth = self._bounds.depth
                self.problems.add(f"Elements more than {depth} deep were left out")
            self._skipped += 1
            return
        parent, scope = self._open[-1]
        base, lang = parent.base, parent.lang
        if attributes and not self._plain.issuperset(attributes):
            scope = scope.within(attributes)
            attributes = self._plain_names(attributes)
            if "xml:base" in attributes:
                base = self._base_of(base, attributes["xml:base"])
            if "xml:lang" in attributes:
                lang = attributes["xml:lang"].strip()
        canonical = scope.names.get(name) or scope.canonical(name)
        if canonical in _ENTRY_NAMES:
            self._entries += 1
            if self._entries > self._bounds.entries:
                self.problems.add_cut(
                    f"Entries after the first {self._bounds.entries} were left out"
                )
                raise TreeFull
        element = XmlElement(canonical, attributes or _NO_ATTRIBUTES, base, lang, [])
        parent.parts.append(element)
        self._open.append((element, scope))

    def end(self, _name: str = "") -> None:
        """End the innermost open element."""
        if self._skipped:
            self._skipped -= 1
        elif len(self._open) > 1:
            self._open.pop()

    def drop_open_entry(self) -> bool:
        """Remove the innermost entry that is open, with all in it; return whether there was one."""
        for at in range(len(self._open) - 1, 0, -1):
            parent, name = self._open[at - 1][0], self._open[at][0].name
            if name in _ENTRIES or (parent.name, name) in _PAGES:
                parent.parts.pop()
                del self._open[at:]
                return True
        return False

    def text(self, text: str) -> None:
        """Add text to the innermost open element."""
        if not self._skipped:
            self._open[-1][0].parts.append(text)

    def _base_of(self, base: str, stated: str) -> str:
        """Return the base within an element that states one; `base` if that is long or invalid."""
        if len(stated) > _BASE_CHARS:
            return base
        joined = self._bases.get((base, stated))
        if joined is None and len(self._bases) < _BASES:
            joined = join_address(base, stated)
            joined = joined if 0 < len(joined) <= _BASE_CHARS else base
            self._bases[base, stated] = joined
        return joined or base

    def _plain_names(self, attributes: Mapping[str, str]) -> dict[str, str]:
        """Return attributes by names in small letters, without prefix but for `xml:`."""
        plain = {}
        for stated, value in attributes.items():
            name = stated.lower()
            if ":" not in name or name.startswith("xml:"):
                if name != "xmlns":
                    plain[name] = value
                    if ":" not in name and name == stated and len(self._plain) < _PLAIN_NAMES:
                        self._plain.add(name)
            elif not name.startswith("xmlns:"):
                plain[local_name(name)] = value
        return plain
