"""What a feed offers to those who want its news pushed: a topic and its WebSub hubs.

Link headers of HTTP (RFC 8288) come first, the links within the feed where no header names a hub,
as the Recommendation says.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from newsdedup.feeder.parsing.canonical_urls import join_address

_MOST_HUBS: Final = 4
_LONGEST: Final = 2_048
"""Characters of the address of a topic or a hub."""
_LONGEST_HEADER: Final = 8_192
_LINK: Final = re.compile(r"<([^<>]*)>((?:[^<>,\"]|\"[^\"]*\")*)")
_REL: Final = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s;\"]+))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HubOffer:
    """The address by which hubs know a feed, and its hubs, in the order of the publisher."""

    topic: str
    hubs: tuple[str, ...]


def hub_offer(
    headers: Iterable[str], hubs: Sequence[str], self_link: str, *, address: str
) -> HubOffer | None:
    """Return what a feed offers; None if it names no hub.

    `headers` are the values of its Link headers, `hubs` and `self_link` what the feed itself names,
    `address` is where it was fetched from, its topic if it has no link to itself.
    """
    links = list(_links(headers, address))
    named = [target for relation, target in links if relation == "hub"]
    own = [target for relation, target in links if relation == "self"]
    chosen = _usable(named) or _usable(hubs)
    topic = (own[0] if named and own else self_link) or address
    if not chosen or not _usable([topic]):
        return None
    return HubOffer(topic, chosen)


def _links(headers: Iterable[str], address: str) -> Iterable[tuple[str, str]]:
    """Yield the relations of Link headers, in small letters, with their targets."""
    for header in headers:
        for target, parameters in _LINK.findall(header[:_LONGEST_HEADER]):
            relation = _REL.search(parameters)
            absolute = join_address(address, target)
            if relation is not None and absolute:
                names = (relation[1] or relation[2] or "").lower().split()
                yield from ((name, absolute) for name in names)


def _usable(addresses: Sequence[str]) -> tuple[str, ...]:
    """Return the first addresses of HTTP that are not too long, each once."""
    good = (one for one in addresses if 0 < len(one) <= _LONGEST and one.isprintable())
    return tuple(dict.fromkeys(one for one in good if one.startswith(("http://", "https://"))))[
        :_MOST_HUBS
    ]
