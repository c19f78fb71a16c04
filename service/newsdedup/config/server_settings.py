"""The settings of the server."""

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from newsdedup.config.kinds import (
    Duration,
    FilePath,
    LineOfText,
    Size,
    TextKind,
    WholeNumber,
    single_line,
)
from newsdedup.config.setting import setting

_HOST_NAME: Final = re.compile(r"[A-Za-z0-9._:-]{1,253}")
_SITE: Final = re.compile(r"https?://[A-Za-z0-9._-]{1,253}(:[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class CommaList(TextKind):
    """Texts of one form, with commas between them; may be empty."""

    form: re.Pattern[str]
    example: str
    unit: str = "list"

    @property
    def expected(self) -> str:
        """Return an example, the text of `parse`'s error."""
        return f"a list with commas, such as {self.example}, or nothing"

    def parse(self, raw: object) -> str:
        """Return the list with a comma between each two; raise ValueError for another form."""
        text = single_line(raw)
        if text is None:
            raise ValueError(self.expected)
        parts = [part.strip() for part in text.split(",") if part.strip()]
        if not all(self.form.fullmatch(part) for part in parts):
            raise ValueError(self.expected)
        return ",".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Where and for whom an archive is served."""

    host: str = setting(
        "127.0.0.1",
        LineOfText(empty=False),
        "The address that is served; 0.0.0.0 for every one of this machine.",
        flag="--host",
    )
    port: int = setting(
        8080,
        WholeNumber("port", least=0, most=65_535),
        "The port that is served; 0 for any that is free.",
        flag="--port",
    )
    aliases: str = setting(
        "",
        CommaList(_HOST_NAME, "news.example,www.news.example"),
        "Names that the server answers to; if empty, at the loopback those of this machine, else "
        "any.",
    )
    origins: str = setting(
        "",
        CommaList(_SITE, "https://app.example,http://127.0.0.1:3000"),
        "Sites whose pages may read the API in their visitors' browsers; if empty, none.",
    )
    token: str = setting(
        "",
        LineOfText(),
        "The token for writing; if empty, and without a file, nothing can be written. Never a "
        "flag.",
        secret=True,
    )
    token_file: str = setting(
        "", FilePath(), "A file that holds the token for writing, read at the start."
    )
    feedback: str = setting(
        "",
        FilePath(),
        "A file to which the feedback of editors is appended, as commands and labelled pairs; if "
        "empty, feedback acts but is not stored.",
    )
    readers: int = setting(
        4, WholeNumber("threads", most=64), "Threads that read the archive at the same time."
    )
    requests: int = setting(
        200, WholeNumber("requests", most=10_000), "Requests that are worked on at the same time."
    )
    rate: int = setting(
        100,
        WholeNumber("requests", least=0, most=100_000),
        "Requests a second of one client, twice as many at once; 0 for no limit.",
    )
    proxies: int = setting(
        0,
        WholeNumber("proxies", least=0, most=10),
        "Proxies of your own before the server, which name the client in X-Forwarded-For.",
    )
    body_bytes: int = setting(2 * 2**20, Size(least=2**10), "The largest body of a request.")
    body_timeout: timedelta = setting(
        timedelta(seconds=20), Duration(), "How long the body of a request may take to come."
    )
    batch: int = setting(
        100, WholeNumber("records", most=10_000), "Items or commands of one request, at most."
    )
