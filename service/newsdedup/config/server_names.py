"""Names that servers would refuse, or take for something else."""

import re
from dataclasses import dataclass

from newsdedup.config.kinds import line


@dataclass(frozen=True, slots=True)
class Topic:
    """The name of a topic, as Kafka allows them."""

    unit: str = "topic"
    expected: str = "a name of 1 to 249 letters a-z and A-Z, digits, dots, underscores and hyphens"

    def parse(self, raw: object) -> str:
        """Return the name."""
        name = line(raw) or ""
        if not TOPIC.fullmatch(name) or name in PATHS:
            raise ValueError(self.expected)
        return name

    def plain(self, value: str) -> str:
        """Return the name."""
        return value


@dataclass(frozen=True, slots=True)
class Namespace:
    """What keys in Redis begin with, within braces: they keep the keys in one hash slot."""

    unit: str = "name"
    expected: str = "a name of 1 to 100 characters in one line, without { and }"

    def parse(self, raw: object) -> str:
        """Return the name without the white space around it."""
        name = line(raw) or ""
        if not 1 <= len(name) <= LONGEST_NAMESPACE or BRACES & set(name):
            raise ValueError(self.expected)
        return name

    def plain(self, value: str) -> str:
        """Return the name."""
        return value


TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")
PATHS = (".", "..")
"""The only other names that Kafka refuses: topics are folders there."""
BRACES = frozenset("{}")
LONGEST_NAMESPACE = 100
"""It stands in each key and, percent-encoded, in each event: 1200 bytes of it at most."""
