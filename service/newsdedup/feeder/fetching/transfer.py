"""A body read up to a limit, and the errors of aiohttp as ours."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import aiohttp

from newsdedup.feeder.fetching.fetch_error import FetchError

_CHUNK: Final = 64 * 2**10


async def read_body(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """Return a body as it was sent; raise FetchError as soon as it has more than `limit` bytes."""
    named = response.content_length
    if named is not None and named > limit:
        raise FetchError("size", f"the body has {named} bytes, more than {limit}")
    parts: list[bytes] = []
    size = 0
    async for part in response.content.iter_chunked(_CHUNK):
        size += len(part)
        if size > limit:
            raise FetchError("size", f"the body has more than {limit} bytes")
        parts.append(part)
    return b"".join(parts)


@contextmanager
def transfer_errors(host: str) -> Iterator[None]:
    """Turn errors of the transport into FetchError.

    The text of some contains headers or the address with its query, so ours is said instead.
    """
    try:
        yield
    except TimeoutError as error:
        raise FetchError("timeout", f"{host} did not answer in time") from error
    except (aiohttp.ClientSSLError, ssl.SSLError) as error:
        raise FetchError("tls", f"TLS with {host} failed: {_tls_reason(error)}") from error
    except aiohttp.ClientPayloadError as error:
        raise FetchError("connection", f"the body of {host} is cut off or malformed") from error
    except aiohttp.InvalidURL as error:
        raise FetchError("address", f"the address at {host} is malformed") from error
    except aiohttp.ClientResponseError as error:
        raise FetchError("connection", f"{host} did not answer in HTTP") from error
    except (aiohttp.ClientError, OSError) as error:
        raise FetchError("connection", f"no connection with {host}") from error


def _tls_reason(error: BaseException) -> str:
    """Return why a certificate was refused, else the name of the error."""
    inner = getattr(error, "certificate_error", None) or getattr(error, "os_error", None) or error
    return str(getattr(inner, "verify_message", "") or type(inner).__name__)
