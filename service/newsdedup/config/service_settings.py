"""The settings of the services: of the server and of the feeder."""

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from newsdedup.config.addresses import proxy_url, public_url
from newsdedup.config.kinds import (
    SettingKind,
    duration,
    file_path,
    line_of_text,
    setting,
    single_line,
    size,
    whole_number,
)

_HOST_NAME: Final = re.compile(r"[A-Za-z0-9._:-]{1,253}")
_SITE: Final = re.compile(r"https?://[A-Za-z0-9._-]{1,253}(:[0-9]{1,5})?")


def comma_list(form: re.Pattern[str], example: str) -> SettingKind[str]:
    """Return the kind of setting for comma-separated texts that match `form`; may be empty."""
    expected = f"a list with commas, such as {example}, or nothing"

    def parse(raw: object) -> str:
        text = single_line(raw)
        parts = [part.strip() for part in (text or "").split(",") if part.strip()]
        if text is None or not all(form.fullmatch(part) for part in parts):
            raise ValueError(expected)
        return ",".join(parts)

    return SettingKind("list", expected, parse, str)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Where and for whom an archive is served."""

    host: str = setting(
        "127.0.0.1",
        line_of_text(empty=False),
        "The address to serve at; 0.0.0.0 for every one of this machine.",
        flag="--host",
    )
    port: int = setting(
        8080,
        whole_number("port", least=0, most=65_535),
        "The port to serve at; 0 for any free one.",
        flag="--port",
    )
    aliases: str = setting(
        "",
        comma_list(_HOST_NAME, "news.example,www.news.example"),
        "Names that the server answers to; empty: any, at the loopback those of this machine.",
    )
    origins: str = setting(
        "",
        comma_list(_SITE, "https://app.example,http://127.0.0.1:3000"),
        "Sites whose pages may read the API in their visitors' browsers; if empty, none.",
    )
    token: str = setting(
        "",
        line_of_text(),
        "The token for writing, at least 16 characters; without it and its file nothing can be "
        "written; never a flag.",
        secret=True,
    )
    token_file: str = setting(
        "", file_path(), "A file that holds the token for writing, read at the start."
    )
    feedback: str = setting(
        "",
        file_path(),
        "A file for editors' feedback, as commands and labelled pairs; empty: not stored.",
    )
    readers: int = setting(
        4, whole_number("threads", most=64), "Threads that read the archive at the same time."
    )
    requests: int = setting(
        200, whole_number("requests", most=10_000), "Requests that are processed at the same time."
    )
    rate: int = setting(
        100,
        whole_number("requests", least=0, most=100_000),
        "Requests a second of one client, twice as many at once; 0 for no limit.",
    )
    proxies: int = setting(
        0,
        whole_number("proxies", least=0, most=10),
        "Your own proxies before the server, which name the client in X-Forwarded-For.",
    )
    body_bytes: int = setting("2MiB", size(least=2**10), "The largest body of a request.")
    body_timeout: timedelta = setting(
        "20s", duration(), "How long the body of a request may take to arrive."
    )
    batch: int = setting(
        100, whole_number("records", most=10_000), "Items or commands of one request, at most."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FeederSettings:
    """How feeds are fetched."""

    state: str = setting(
        "newsdedup.feeds",
        file_path(),
        "The file of the feeds: when each is visited next, and which entries it had.",
        flag="--feeds",
    )
    contact: str = setting(
        "",
        line_of_text(),
        "Your web or mail address for publishers, in the User-Agent of every request.",
    )
    shortest: timedelta = setting(
        "5m", duration(), "The shortest time between two visits of a feed."
    )
    longest: timedelta = setting(
        "24h",
        duration(),
        "The longest time between two visits of a feed that has no news, or that fails.",
    )
    visits: int = setting(
        32, whole_number("feeds", most=1_000), "Feeds that are fetched at the same time."
    )
    host_visits: int = setting(
        2, whole_number("feeds", most=100), "Feeds of one host that are fetched at the same time."
    )
    host_rate: int = setting(
        5, whole_number("requests", most=1_000), "Requests to one host in a second, at most."
    )
    body_bytes: int = setting(
        "16MiB", size(least=2**10), "The largest feed or page, compressed and decompressed."
    )
    timeout: timedelta = setting("60s", duration(), "How long one request may take as a whole.")
    horizon: timedelta = setting(
        "90d", duration(), "How long an entry is remembered after its feed stopped showing it."
    )
    proxy: str = setting(
        "",
        proxy_url(),
        "The HTTP proxy that requests go through, http://host:port, or with user:password@ before "
        "the host; never shown.",
        secret=True,
    )
    host: str = setting(
        "127.0.0.1",
        line_of_text(),
        "The address at which `newsdedup feed` serves metrics and health.",
    )
    port: int = setting(
        0,
        whole_number("port", least=0, most=65_535),
        "The port of metrics and health of `newsdedup feed`; 0 for none.",
        flag="--port",
    )
    websub: str = setting(
        "",
        public_url(),
        "The public address at which hubs (WebSub) reach `newsdedup feed`; empty: feeds are only "
        "visited. A proxy leads from there to feeder.websub_port.",
        flag="--websub",
    )
    websub_host: str = setting(
        "127.0.0.1", line_of_text(), "The address of this machine at which it listens for hubs."
    )
    websub_port: int = setting(
        8480,
        whole_number("port", most=65_535),
        "The port of this machine at which it listens for hubs.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSettings:
    """Saved searches and their webhooks."""

    state: str = setting(
        "",
        file_path(),
        "The file of saved searches, their hits and what is not sent yet; empty: `serve` has none.",
        flag="--watches",
    )
    file: str = setting(
        "",
        file_path(),
        "A TOML file of saved searches, tables [[watch]], read at the start.",
    )
    secret: str = setting(
        "",
        line_of_text(),
        "The secret that signs webhooks, at least 16 characters, or whsec_ and base64; without it "
        "and its file nothing is sent; never a flag.",
        secret=True,
    )
    secret_file: str = setting("", file_path(), "A file that holds the secret of webhooks.")
    attempts: int = setting(
        12, whole_number("attempts", most=100), "Attempts to send a hit; then it is a dead letter."
    )
    retry: timedelta = setting(
        "30s", duration(), "The wait after the first attempt; twice as long after each other one."
    )
    keep: timedelta = setting(
        "30d", duration(), "How long hits and dead letters are kept, at most 10,000 of a search."
    )
