"""Where servers are: a slip of the pen would else be told late, by a client, as a bug of ours."""

import re
from dataclasses import dataclass

from newsdedup.config.kinds import Confidential, line


@dataclass(frozen=True, slots=True)
class Addresses:
    """Hosts of Kafka, each with its port; without one it is Kafka's own, 9092."""

    unit: str = "addresses"
    expected: str = "host:port, several with commas between them, such as a:9092,[::1]:9092"

    def parse(self, raw: object) -> str:
        """Return the addresses with commas between them."""
        parts = [part.strip() for part in (line(raw) or "").split(",")]
        found = [ADDRESS.fullmatch(part) for part in parts]
        if not all(one is not None and is_place(one) for one in found):
            raise refusal(raw, self.expected)
        return ",".join(parts)

    def plain(self, value: str) -> str:
        """Return the addresses."""
        return value


LABEL = "[A-Za-z0-9_-]{1,63}"
HOST = rf"(?:{LABEL}(?:\.{LABEL})*\.?|\[(?P<ipv6>[0-9A-Fa-f:.]{{2,45}})\])"
ADDRESS = re.compile(rf"{HOST}(?::(?P<port>[0-9]{{1,5}}))?")
LAST_PORT = 65_535

MARKS_OF_SECRETS = frozenset("@?%")
"""Where one of them is in a wrong address, there may be a password, misspelt or misplaced."""


def is_place(found: re.Match[str]) -> bool:
    """Return whether port and IPv6 address are possible, where there are any."""
    port, ipv6 = found["port"], found["ipv6"]
    if port is not None and not 1 <= int(port) <= LAST_PORT:
        return False
    return ipv6 is None or _is_ipv6(ipv6)


def _is_ipv6(text: str) -> bool:
    from ipaddress import IPv6Address  # noqa: PLC0415 - rarely needed, and start-up is not to wait

    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True


def refusal(raw: object, expected: str) -> ValueError:
    """Return the error about an address; what may hold a password is not to be shown."""
    return Confidential(expected) if MARKS_OF_SECRETS & set(str(raw)) else ValueError(expected)
