"""Whether a page may name another address as its own: on its site, or where it is a copy.

Copies are pages for telephones (m.site.example) and of AMP, on the site or in a cache. Anyone who
could name any address would take the place of the pages of others.
"""

import re
from typing import Final
from urllib.parse import urlsplit

_VARIANT: Final = re.compile(r"^(?:(?:www\d?|m|mobile|amp|wap|touch|lite|beta)\.)+(?=[^.]+\.)")
_AMP_CACHES: Final = (".cdn.ampproject.org", ".ampproject.net")
_AMP_VIEWERS: Final = re.compile(r"^/amp/(?:s/)?([^/]+)")
_SEARCH_HOST: Final = re.compile(r"^(?:www\.)?google\.[a-z.]{2,6}$")


def is_address_of_page(named: str, own: str) -> bool:
    """Return whether a page may name a canonical address; both are absolute.

    A page that names the home page, and is not it, names no address of its own: a common mistake.
    """
    theirs, ours = urlsplit(named), urlsplit(own)
    if theirs.path in ("", "/") and not theirs.query and ours.path not in ("", "/"):
        return False
    return _site(theirs.hostname or "") == _site(_publisher(ours.hostname or "", ours.path))


def _site(host: str) -> str:
    """Return a host without the parts that mark variants of one site."""
    return _VARIANT.sub("", host)


def _publisher(host: str, path: str) -> str:
    """Return the host whose page a host shows: itself, but for caches of AMP."""
    for cache in _AMP_CACHES:
        if host.endswith(cache):
            # The cache writes "-" for a dot and "--" for a hyphen.
            name = host.removesuffix(cache)
            return name.replace("--", "\0").replace("-", ".").replace("\0", "-")
    viewed = _AMP_VIEWERS.match(path)
    return viewed[1] if viewed and _SEARCH_HOST.match(host) else host
