"""Credentials of a feed: named in the list, read where they are used, shown nowhere.

A list of feeds names a secret as `env:NAME` or `file:PATH`. The secret is `user:password`, or
`Bearer TOKEN`.
"""

import base64
import os
from dataclasses import dataclass, field
from pathlib import Path

from yarl import URL

from newsdedup.feeder.fetching.answers import FetchError

_BEARER = "bearer "


@dataclass(frozen=True, slots=True)
class Credentials:
    """The value of an Authorization header; its representation does not show it."""

    authorization: str = field(repr=False)


def read_credentials(secret: str) -> Credentials:
    """Return the credentials that a secret leads to, which is named env:NAME or file:PATH.

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
