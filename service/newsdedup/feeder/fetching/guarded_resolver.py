"""Names resolved under the guard: a connection goes to the very address that was checked.

The check stands where aiohttp takes the addresses of a connection from. Checking a name before the
request would leave a gap: a second look-up may get another answer (DNS rebinding). TLS goes on to
check the certificate of the name.
"""

import socket

from aiohttp.abc import AbstractResolver, ResolveResult

from newsdedup.feeder.fetching.address_guard import Admits, check_ip
from newsdedup.feeder.fetching.fetch_error import FetchError


class GuardedResolver(AbstractResolver):
    """A resolver that returns the admitted addresses of a name."""

    def __init__(self, resolver: AbstractResolver, admits: Admits) -> None:
        self._resolver = resolver
        self._admits = admits

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a host that may be connected to.

        Raise FetchError if it has none: the name does not resolve, or leads inside.
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
