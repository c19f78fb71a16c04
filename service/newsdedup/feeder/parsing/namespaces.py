"""One name for each element of a feed, whatever prefix and spelling of its namespace it has."""

from collections.abc import Mapping

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
    "purl.org/rss/1.0": "",
    "purl.org/net/rss1.1": "",
    "backend.userland.com/rss2": "",
    "backend.userland.com/rss": "",
    "blogs.law.harvard.edu/tech/rss": "",
    "cyber.law.harvard.edu/rss": "",
    "my.netscape.com/rdf/simple/0.9": "",
    "channel.netscape.com/rdf/simple/0.9": "",
    "www.sitemaps.org/schemas/sitemap/0.9": "",
    "www.google.com/schemas/sitemap/0.84": "",
}

_PREFIXES_IN_SCOPE = 200
"""More are ignored: each element that declares one copies them all."""


class NameScope:
    """The prefixes that hold within an element, and the names of its descendants by them."""

    __slots__ = ("_names", "_prefixes")

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._prefixes = prefixes
        """Ours by those of the document; "" for its default namespace."""
        self._names: dict[str, str] = {}

    def within(self, attributes: Mapping[str, str]) -> "NameScope":
        """Return the scope within an element that may declare namespaces.

        An unknown namespace leaves its prefix as it is: feeds misspell addresses more often.
        """
        declared = {
            name[6:].lower(): _prefix_of(address, name[6:].lower())
            for name, address in attributes.items()
            if name.startswith("xmlns") and name[5:6] in ("", ":")
        }
        if not declared or len(self._prefixes) + len(declared) > _PREFIXES_IN_SCOPE:
            return self
        return NameScope({**self._prefixes, **declared})

    def canonical(self, name: str) -> str:
        """Return "prefix:name" in small letters; the prefix is ours if its namespace is known."""
        canonical = self._names.get(name)
        if canonical is None:
            prefix, _, local = name.lower().rpartition(":")
            prefix = self._prefixes.get(prefix, prefix)
            canonical = self._names[name] = f"{prefix}:{local}" if prefix else local
        return canonical


def local_name(name: str) -> str:
    """Return a name without its prefix."""
    return name.rpartition(":")[2]


def _prefix_of(address: str, prefix: str) -> str:
    _, _, bare = address.strip().lower().rpartition("://")
    return _PREFIXES.get(bare.rstrip("/#"), prefix)
