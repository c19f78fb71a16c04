"""The address of a feed as people write it."""

from typing import Final

from yarl import URL

from newsdedup.feeder.fetching.address_guard import LONGEST_ADDRESS

_NO_HOST: Final = frozenset(" \t<>\"'")


class AddressInvalid(ValueError):
    """A text that is no address of the web; the message says why."""


def feed_address(text: str) -> str:
    """Return the address that a text means; raise AddressInvalid if it means none.

    feed:// and feed:https:// are schemes of old readers; without a scheme it is https.
    """
    text = text.strip()
    for prefix in ("feed://", "feed:"):
        if text.lower().startswith(prefix):
            text = text[len(prefix) :]
    if "://" not in text:
        text = f"https://{text}"
    if len(text) > LONGEST_ADDRESS:
        raise AddressInvalid(f"an address of {len(text)} characters is too long")
    try:
        url = URL(text)
        port = url.port
    except ValueError as error:
        raise AddressInvalid(f"{text[:100]!r} is no address of the web") from error
    host = url.host or ""
    # What can be looked up: localhost, a name, or a number.
    is_host = ("." in host or ":" in host or host == "localhost") and not set(host) & _NO_HOST
    if url.scheme not in ("http", "https") or port == 0 or not is_host:
        raise AddressInvalid(f"{text[:100]!r} is no address of the web")
    if url.user is not None or url.password is not None:
        raise AddressInvalid(
            "an address must not hold a password: name it as secret=env:NAME or secret=file:PATH"
        )
    return str(url.with_fragment(None))
