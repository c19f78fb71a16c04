"""Kinds of settings that name servers and what is on them: hosts, topics, namespaces, URLs.

A wrong one is refused when the settings are read; a client would fail on it only later, and with
an error that looks like a bug of newsdedup.
"""

import re
from urllib.parse import parse_qs, urlsplit

from newsdedup.config.kinds import Confidential, SettingKind, single_line

_LABEL = "[A-Za-z0-9_-]{1,63}"
_HOST = rf"(?:{_LABEL}(?:\.{_LABEL})*\.?|\[(?P<ipv6>[0-9A-Fa-f:.]{{2,45}})\])"
_ADDRESS = re.compile(rf"{_HOST}(?::(?P<port>[0-9]{{1,5}}))?")
_LAST_PORT = 65_535
_SECRET_SIGNS = frozenset("@?%")
"""A wrong address with one of these characters may hold a password, misspelt or misplaced."""

_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")
_TOPIC_PATHS = (".", "..")
"""The only other names that Kafka refuses: topics are folders there."""
_LONGEST_NAMESPACE = 100
"""Each key contains it, and each event percent-encoded: at most 1200 bytes."""

_REDIS_URL = re.compile(
    rf"(?:(?P<tcp>rediss?)://{_ADDRESS.pattern}(?:/[0-9]{{0,5}})?|unix://(?:/[\w.~%-]+)+)"
    r"(?:\?(?P<query>.+))?",
    re.ASCII,
)
_PUBLIC_URL = re.compile(rf"https?://{_ADDRESS.pattern}(?:/[\w./~-]*)?", re.ASCII)
_PROXY_URL = re.compile(rf"https?://(?:[^\s@/?#]+@)?{_ADDRESS.pattern}/?", re.ASCII)
_NUMBER, _SECONDS, _FILE = "[0-9]{1,9}", r"[0-9]{1,9}(?:\.[0-9]{1,9})?", r"[\w./~%-]+"
_BOOLEAN = "(?:true|false|yes|no|1|0)"
_ALWAYS = {
    "db": "[0-9]{1,5}",
    "client_name": r"[\w.-]+",
    "health_check_interval": _NUMBER,
    "max_connections": _NUMBER,
    "socket_timeout": _SECONDS,
    "socket_connect_timeout": _SECONDS,
}
_OVER_TCP = _ALWAYS | {"socket_keepalive": _BOOLEAN}
_OVER_TLS = _OVER_TCP | {
    "ssl_cert_reqs": "(?:none|optional|required)",
    "ssl_check_hostname": _BOOLEAN,
    "ssl_certfile": _FILE,
    "ssl_keyfile": _FILE,
    "ssl_ca_certs": _FILE,
}
REDIS_OPTIONS = {"unix": _ALWAYS, "redis": _OVER_TCP, "rediss": _OVER_TLS}
"""The options of redis-py that a URL may hold, by its scheme, each with the form of its values;
none of them changes an answer of Redis."""


def kafka_addresses() -> SettingKind[str]:
    """Return the kind of setting for Kafka servers: host:port, with commas; port 9092 by default.

    The error is Confidential if the text may contain a password.
    """
    expected = "host:port, several with commas between them, such as a:9092,[::1]:9092"

    def parse(raw: object) -> str:
        parts = [part.strip() for part in (single_line(raw) or "").split(",")]
        if not all(_is_possible(_ADDRESS.fullmatch(part)) for part in parts):
            raise _address_error(raw, expected)
        return ",".join(parts)

    return SettingKind("addresses", expected, parse, str)


def topic_name() -> SettingKind[str]:
    """Return the kind of setting for names of topics that Kafka allows."""
    expected = "a name of 1 to 249 letters a-z and A-Z, digits, dots, underscores and hyphens"

    def parse(raw: object) -> str:
        name = single_line(raw) or ""
        if not _TOPIC.fullmatch(name) or name in _TOPIC_PATHS:
            raise ValueError(expected)
        return name

    return SettingKind("topic", expected, parse, str)


def namespace_name() -> SettingKind[str]:
    """Return the kind of setting for names of namespaces, the first part of all keys in Redis.

    Braces are excluded, since keys have the name in braces, which keep them in one hash slot.
    """
    expected = "a name of 1 to 100 characters in one line, without { and }"

    def parse(raw: object) -> str:
        name = single_line(raw) or ""
        if not 1 <= len(name) <= _LONGEST_NAMESPACE or set("{}") & set(name):
            raise ValueError(expected)
        return name

    return SettingKind("name", expected, parse, str)


def redis_url() -> SettingKind[str]:
    """Return the kind of setting for URLs of Redis without password; options as in REDIS_OPTIONS.

    The error is Confidential if the text may contain a password.
    """
    expected = (
        "redis://host:port/db, rediss://host:port/db for TLS, or unix:///path?db=0; user and "
        "password have settings of their own: redis.username, redis.password and "
        f"redis.password_file; the options after ? are {', '.join(REDIS_OPTIONS['rediss'])}"
    )

    def parse(raw: object) -> str:
        text = single_line(raw) or ""
        match = _REDIS_URL.fullmatch(text)
        if match is None or not _is_possible(match) or not _has_known_options(match):
            raise _address_error(raw, expected)
        return text

    return SettingKind("URL", expected, parse, str)


def public_url() -> SettingKind[str]:
    """Return the kind of setting for public HTTP addresses of this machine; may be empty.

    A slash at the end is removed. The error is Confidential if the text may contain a password.
    """
    expected = "https://host/path or http://host:port/path, without user, ? and #; or nothing"

    def parse(raw: object) -> str:
        text = single_line(raw) or ""
        if text and _PUBLIC_URL.fullmatch(text) is None:
            raise _address_error(raw, expected)
        return text.rstrip("/")

    return SettingKind("URL", expected, parse, str)


def proxy_url() -> SettingKind[str]:
    """Return the kind of setting for HTTP proxies, with user and password if need be; or empty."""
    expected = "http://host:port, or http://user:password@host:port; or nothing"

    def parse(raw: object) -> str:
        text = single_line(raw)
        if text is None or (text and not _is_possible(_PROXY_URL.fullmatch(text))):
            raise Confidential(expected)
        return text

    return SettingKind("URL", expected, parse, str)


def may_be_clustered(url: str) -> bool:
    """Return whether a valid Redis URL can be that of a cluster's node: a host, and database 0."""
    parts = urlsplit(url)
    database = parse_qs(parts.query).get("db", [parts.path.strip("/") or "0"])[0]
    return parts.scheme != "unix" and int(database) == 0


def _is_possible(match: re.Match[str] | None) -> bool:
    """Return whether an address matched, and has a valid port and IPv6 address, if any."""
    if match is None:
        return False
    port, ipv6 = match["port"], match["ipv6"]
    if port is not None and not 1 <= int(port) <= _LAST_PORT:
        return False
    if ipv6 is None:
        return True
    from ipaddress import IPv6Address  # noqa: PLC0415 - rarely needed, and start-up is not to wait

    try:
        IPv6Address(ipv6)
    except ValueError:
        return False
    return True


def _has_known_options(match: re.Match[str]) -> bool:
    """Return whether each option in a URL is known for its scheme and has a valid value."""
    if match["query"] is None:
        return True
    known = REDIS_OPTIONS[match["tcp"] or "unix"]
    pairs = [option.partition("=") for option in match["query"].split("&")]
    return all(
        name in known and re.fullmatch(known[name], value, re.ASCII) for name, _, value in pairs
    )


def _address_error(raw: object, expected: str) -> ValueError:
    """Return the error about an invalid address: Confidential if it may contain a password."""
    return Confidential(expected) if _SECRET_SIGNS & set(str(raw)) else ValueError(expected)
