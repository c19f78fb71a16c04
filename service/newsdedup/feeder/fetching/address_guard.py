"""Which addresses may be fetched, and which get credentials: nothing inside the own network.

A feed or a redirect of it is written by strangers. Without these rules it could make the fetcher
read http://169.254.169.254/ (the credentials of a cloud machine) or a router's page, and publish
it as news.
"""

import base64
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from pathlib import Path
from typing import Final

from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from newsdedup.feeder.fetching.answers import FetchError
from newsdedup.feeder.scheduling.stored_feed import NEEDS_PRIVATE

IPAddress = IPv4Address | IPv6Address
Admits = Callable[[IPAddress], bool]
"""Whether a connection to an address may be opened."""

_BEARER: Final = "bearer "
DEFAULT_PORTS: Final = frozenset({80, 443})
LONGEST_ADDRESS: Final = 2_048
"""Characters of an address; longer ones are refused by many servers and proxies."""

# IANA IPv4 Special-Purpose Address Registry, multicast and the former class E (2026-11). A table of
# ours, since that of `ipaddress` differs between releases of Python.
_SPECIAL_IPV4: Final = tuple(
    IPv4Network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
        *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    )
)
# Only 2000::/3 is handed out for the Internet: loopback, link-local, unique local, multicast and
# 64:ff9b:1::/48 lie outside. These parts of it are special, among them Teredo (2001::/32) and 6to4
# (2002::/16), which are no longer routed.
_INTERNET_IPV6: Final = IPv6Network("2000::/3")
_SPECIAL_IPV6: Final = tuple(
    IPv6Network(network) for network in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)
_NAT64: Final = IPv6Network("64:ff9b::/96")


def is_public(address: IPAddress) -> bool:
    """Return whether an address lies in the Internet.

    A form of IPv6 that contains an IPv4 address, mapped or of NAT64, is judged by that address:
    with DNS64 every host without IPv6 has such a form.
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _SPECIAL_IPV4)
    embedded = address.ipv4_mapped
    if address in _NAT64:
        embedded = IPv4Address(int(address) & 0xFFFF_FFFF)
    if embedded is not None:
        return is_public(embedded)
    return address in _INTERNET_IPV6 and not any(address in network for network in _SPECIAL_IPV6)


def admits_all(_: IPAddress) -> bool:
    """Return True: the rule of `--allow-private`."""
    return True


def check_ip(address: str, host: str, admits: Admits) -> None:
    """Raise FetchError if an IP address must not be connected to; its message names the `host`."""
    try:
        admitted = admits(ip_address(address))
    except ValueError:
        admitted = False
    if not admitted:
        raise FetchError(
            "address", f"{host} leads to {address}, which is not in the Internet; {NEEDS_PRIVATE}"
        )


def check_address(address: str, *, ports: frozenset[int], admits: Admits) -> URL:
    """Return an address as a URL, without its fragment.

    Raise FetchError if it must not be fetched: it is no HTTP address, contains a password, names
    another port than `ports`, or an IP address that is not admitted. A name is checked when it is
    resolved.
    """
    if len(address) > LONGEST_ADDRESS:
        raise FetchError("address", f"an address of {len(address)} characters is too long")
    try:
        url = URL(address).with_fragment(None)
        host, port = url.host, url.port
    except ValueError as error:
        raise FetchError("address", "the address is malformed") from error
    if url.scheme not in ("http", "https") or not host:
        raise FetchError("address", "only addresses with http:// or https:// are fetched")
    if url.user is not None or url.password is not None:
        raise FetchError(
            "address", f"the address at {host} contains a user or a password; name a secret instead"
        )
    if port not in ports:
        raise FetchError("address", f"port {port} of {host} is not one that the feed names")
    with suppress(ValueError):  # of a name
        check_ip(str(ip_address(host)), host, admits)
    return url


def ports_of(address: str) -> frozenset[int]:
    """Return the ports that a feed may lead to: those of HTTP, and the one in its address."""
    try:
        port = URL(address).port
    except ValueError:
        port = None
    return DEFAULT_PORTS if port is None else DEFAULT_PORTS | {port}


def host_name(address: str) -> str:
    """Return the host of an address in lower case, "" if it is malformed; for limits by host."""
    try:
        return (URL(address).host or "").lower()
    except ValueError:
        return ""


@dataclass(frozen=True, slots=True)
class Credentials:
    """The value of an Authorization header; its representation does not show it."""

    authorization: str = field(repr=False)


def read_credentials(secret: str) -> Credentials:
    """Return the credentials that a secret leads to, which is named `env:NAME` or `file:PATH`.

    Its content is `user:password` or `Bearer TOKEN`, and is read where it is used.
    Raise FetchError, which shows the name and never the content, if there are none.
    """
    kind, _, name = secret.partition(":")
    match kind:
        case "env":
            content = os.environ.get(name, "")
        case "file":
            try:
                content = Path(name).read_text("utf-8")
            except (OSError, ValueError) as error:
                raise FetchError("credentials", f"secret {secret}: cannot be read") from error
        case _:
            raise FetchError("credentials", "a secret is named env:NAME or file:PATH")
    content = content.strip()
    if content.isprintable() and content.isascii() and content.lower().startswith(_BEARER):
        return Credentials(f"Bearer {content[len(_BEARER) :].strip()}")
    if not content.isprintable() or ":" not in content:
        raise FetchError("credentials", f"secret {secret}: is no user:password and no Bearer token")
    return Credentials("Basic " + base64.b64encode(content.encode()).decode())


def may_send(subscribed: str, target: URL) -> bool:
    """Return whether the credentials of a feed may go to an address, perhaps after a redirect.

    Only to the host and port of the `subscribed` address, and without TLS only if that has none:
    anyone who writes the feed may redirect it.
    """
    own = URL(subscribed)
    if target.host != own.host:
        return False
    same_port = target.port == own.port or (own.is_default_port() and target.is_default_port())
    return same_port and (target.scheme == "https" or own.scheme == "http")


class GuardedResolver(AbstractResolver):
    """A resolver that returns the admitted addresses of a name.

    It stands where aiohttp takes the addresses of a connection from, so that a connection goes to
    the very address that was checked. Checking a name before the request would leave a gap: a
    second look-up may get another answer (DNS rebinding). TLS goes on to check the certificate of
    the name.
    """

    def __init__(self, resolver: AbstractResolver, admits: Admits) -> None:
        self._resolver = resolver
        self._admits = admits

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a host that may be connected to.

        Raise FetchError if it has none: the name does not resolve, or only to private addresses.
        """
        try:
            results = await self._resolver.resolve(host, port, family)
        except (OSError, UnicodeError) as error:
            raise FetchError("name", f"the name {host} does not resolve") from error
        refusal = FetchError("name", f"the name {host} has no address")
        admitted: list[ResolveResult] = []
        for result in results:
            try:
                check_ip(result["host"], host, self._admits)
            except FetchError as error:
                refusal = error
            else:
                admitted.append(result)
        if not admitted:
            raise refusal
        return admitted

    async def close(self) -> None:
        """Close the resolver below."""
        await self._resolver.close()
