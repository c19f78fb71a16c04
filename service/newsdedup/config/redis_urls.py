"""The URL of Redis: what may stand in it, and that no password may."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from newsdedup.config.addresses import ADDRESS, is_place, refusal
from newsdedup.config.kinds import line


@dataclass(frozen=True, slots=True)
class RedisUrl:
    """Where Redis is and how it is spoken to; who speaks to it is told elsewhere."""

    unit: str = "URL"

    @property
    def expected(self) -> str:
        """Show each form, say where a password belongs, and name the options."""
        return (
            "redis://host:port/db, rediss://host:port/db for TLS, or unix:///path?db=0; user and "
            "password have settings of their own: redis.username, redis.password and "
            f"redis.password_file; the options after ? are {', '.join(OPTIONS['rediss'])}"
        )

    def parse(self, raw: object) -> str:
        """Return the URL; of the options only those are taken that change no answer of Redis."""
        text = line(raw) or ""
        found = URL.fullmatch(text)
        if found is None or not is_place(found) or not _has_known_options(found):
            raise refusal(raw, self.expected)
        return text

    def plain(self, value: str) -> str:
        """Return the URL."""
        return value


def may_be_clustered(url: str) -> bool:
    """Return whether a node of a Redis Cluster can be there: it has a host and one database."""
    parts = urlsplit(url)
    database = parse_qs(parts.query).get("db", [parts.path.strip("/") or "0"])[0]
    return parts.scheme != "unix" and int(database) == 0


URL = re.compile(
    rf"(?:(?P<tcp>rediss?)://{ADDRESS.pattern}(?:/[0-9]{{0,5}})?|unix://(?:/[\w.~%-]+)+)"
    r"(?:\?(?P<query>.+))?",
    re.ASCII,
)

NUMBER, SECONDS, FILE = "[0-9]{1,9}", r"[0-9]{1,9}(?:\.[0-9]{1,9})?", r"[\w./~%-]+"
FLAG = "(?:true|false|yes|no|1|0)"
ALWAYS = {
    "db": "[0-9]{1,5}",
    "client_name": r"[\w.-]+",
    "health_check_interval": NUMBER,
    "max_connections": NUMBER,
    "socket_timeout": SECONDS,
    "socket_connect_timeout": SECONDS,
}
OVER_TCP = ALWAYS | {"socket_keepalive": FLAG}
OVER_TLS = OVER_TCP | {
    "ssl_cert_reqs": "(?:none|optional|required)",
    "ssl_check_hostname": FLAG,
    "ssl_certfile": FILE,
    "ssl_keyfile": FILE,
    "ssl_ca_certs": FILE,
}
OPTIONS = {"unix": ALWAYS, "redis": OVER_TCP, "rediss": OVER_TLS}
"""What redis-py may be told in a URL, by the scheme, each with the form of its values."""


def _has_known_options(found: re.Match[str]) -> bool:
    """Return whether each option is known for the scheme and has a value of its form."""
    if found["query"] is None:
        return True
    known = OPTIONS[found["tcp"] or "unix"]
    pairs = [option.partition("=") for option in found["query"].split("&")]
    return all(
        name in known and re.fullmatch(known[name], value, re.ASCII) for name, _, value in pairs
    )
