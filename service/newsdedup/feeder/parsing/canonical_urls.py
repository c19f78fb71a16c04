"""Canonical addresses: one spelling for the pages that a feed points to.

Host and scheme in small letters, without the default port, the fragment, and the parameters that
only tell where a reader came from: the table `feeds.tracking`, and `feeds.referrers` where the
value says so ("?from=rss"). The order of the other parameters is left: some sites heed it. All is
in ASCII, as browsers send it: other letters of the path are percent-encoded, those of the host are
in Punycode.
"""

import re
from urllib.parse import SplitResult, quote, urljoin, urlsplit, urlunsplit

from newsdedup.data.lang import words

_PORTS = {"http": ":80", "https": ":443"}
_LONGEST = 8_000
"""Characters of an address, as of an item."""
_MOST_PARAMETERS = 200
"""Of an address; one with more of them keeps them all."""
_LONGEST_SIMPLE = 2_000
"""Characters of an address that is looked at for being simple."""
_ENDLESS = tuple(word for word in words("feeds.tracking") if word.endswith("*"))
_TRACKING = words("feeds.tracking") - frozenset(_ENDLESS)
_TRACKING_BEGINS = tuple(sorted(word[:-1] for word in _ENDLESS))
_REFERRERS = words("feeds.referrers")
_REFERRED_BY = frozenset(one for one in words("feeds.referred_by") if not one.endswith("*"))
_REFERRED_BEGINS = tuple(
    sorted(one[:-1] for one in words("feeds.referred_by") if one.endswith("*"))
)
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")
_ASCII = "".join(map(chr, range(0x21, 0x7F)))
_UNRESERVED = frozenset("-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
"""Characters that mean the same whether they are percent-encoded or not (RFC 3986, 2.3)."""
_SIMPLE = re.compile(r"https?://[a-z0-9-]++(?:\.[a-z0-9-]++)*+/[A-Za-z0-9._~/-]*+")
"""Most addresses: absolute, canonical, and the same when they are joined to a base."""
_ROOTED = re.compile(r"/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*+/?)*+")
"""An address within a site that is canonical, too: without empty segments and those of dots."""
_HOST = re.compile(r"[a-z0-9._-]+(?::[0-9]+)?")
_LONGEST_HOST = 253
"""Characters (RFC 1035)."""


def join_address(base: str, address: str) -> str:
    """Return the absolute form of an address; "" if it is not one of http or https.

    `base` is the address of the document that names it; an empty address means the document.
    """
    if simple := _simply_joined(base, address):
        return simple
    parts = _split(base, address)
    return "" if parts is None else urlunsplit(parts)


def canonical_url(base: str, address: str) -> str:
    """Return the canonical form of an address that may be relative to a base; "" if it has none.

    A canonical address is canonical again. A fragment that names a page ("#!/news/1") stays.
    """
    if simple := _simply_joined(base, address):
        return simple
    parts = _split(base, address)
    if parts is None:
        return ""
    host = parts.netloc.lower().rpartition("@")[2].removesuffix(_PORTS[parts.scheme])
    fragment = parts.fragment if parts.fragment.startswith("!") else ""
    query = parts.query.replace("&amp;", "&")
    if query and query.count("&") < _MOST_PARAMETERS:
        query = "&".join([one for one in query.split("&") if one and not _tracks(one)])
    path, query = _ascii(parts.path) or "/", _ascii(query)
    address = urlunsplit((parts.scheme, _ascii_host(host), path, query, fragment))
    return address if len(address) <= _LONGEST else ""


def _simply_joined(base: str, address: str) -> str:
    """Return an address that is canonical as it is, but for the site of its base; "" for others."""
    if len(address) > _LONGEST_SIMPLE:
        return ""
    if _SIMPLE.fullmatch(address):
        return address
    if _ROOTED.fullmatch(address) and len(base) <= _LONGEST_SIMPLE and _SIMPLE.fullmatch(base):
        return base[: base.index("/", len("https://"))] + address
    return ""


def _ascii(part: str) -> str:
    """Return a path or a query with what is not ASCII percent-encoded, and what need not be not."""
    if not part.isascii():
        part = quote(part, safe=_ASCII)
    return _ESCAPE.sub(_normal_escape, part) if "%" in part else part


def _normal_escape(escape: re.Match[str]) -> str:
    """Return the character of an escape if it needs none, else the escape in capitals."""
    character = chr(int(escape[1], 16))
    return character if character in _UNRESERVED else escape[0].upper()


def _ascii_host(host: str) -> str:
    """Return a host, perhaps with a port, in Punycode; as it is if it has no such form."""
    if host.isascii() or len(host) > _LONGEST_HOST:
        return host
    try:
        encoded = host.encode("idna").decode("ascii")
    except UnicodeError:
        return host
    return encoded if _HOST.fullmatch(encoded) else host


def _split(base: str, address: str) -> SplitResult | None:
    """Return the parts of the absolute form of an address; None if not of http or https."""
    address = "".join(address.split())
    if len(address) > _LONGEST:
        return None
    try:
        if not address.startswith(("https://", "http://")):
            address = urljoin(base, address)
        parts = urlsplit(address)
        if parts.scheme not in _PORTS or not parts.hostname or len(address) > _LONGEST:
            return None
    except ValueError:
        return None
    return parts


def _tracks(parameter: str) -> bool:
    """Return whether NAME=VALUE of a query tells only how a reader came to the page."""
    name, _, value = parameter.partition("=")
    name = name.lower()
    if name in _TRACKING or name.startswith(_TRACKING_BEGINS):
        return True
    value = value.lower()
    return name in _REFERRERS and (value in _REFERRED_BY or value.startswith(_REFERRED_BEGINS))
