"""The signature of a push: an HMAC over its body by the secret that the hub was given."""

import hmac
from typing import Final

_ALGORITHMS: Final = frozenset({"sha1", "sha256", "sha384", "sha512"})
"""Those that WebSub names; most hubs use sha1, which is not broken as an HMAC."""


class PushSignature:
    """Checks X-Hub-Signature (method=hex) over a body that comes in parts."""

    def __init__(self, header: str, secret: str) -> None:
        method, _, digest = header.strip().partition("=")
        self._digest = digest.strip().lower()
        known = method.strip().lower() in _ALGORITHMS
        self._mac = hmac.new(secret.encode(), digestmod=method.strip().lower()) if known else None

    def add(self, part: bytes) -> None:
        """Take the next part of the body."""
        if self._mac is not None:
            self._mac.update(part)

    def matches(self) -> bool:
        """Return whether the header is right for the body; False without one or for another method.

        The comparison takes as long for any wrong signature.
        """
        if self._mac is None:
            return False
        expected = self._mac.hexdigest().encode()
        return hmac.compare_digest(expected, self._digest.encode("utf-8", "replace"))
