"""The settings of the feeder."""

from dataclasses import dataclass
from datetime import timedelta

from newsdedup.config.addresses import public_url
from newsdedup.config.kinds import duration, file_path, line_of_text, size, whole_number
from newsdedup.config.setting import setting


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
        "10MiB", size(least=2**10), "The largest feed or page, compressed and decompressed."
    )
    timeout: timedelta = setting("60s", duration(), "How long one request may take as a whole.")
    horizon: timedelta = setting(
        "90d", duration(), "How long an entry is remembered after its feed stopped showing it."
    )
    proxy: str = setting(
        "", line_of_text(), "The HTTP proxy that requests go through, http://host:port."
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
