"""What the status and the headers of a response mean, and the error of a fetch without one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final, Literal

from yarl import URL

from newsdedup.ports.errors import SourceUnusable

Meaning = Literal["content", "unchanged", "moved", "gone", "failed"]
FetchProblem = Literal[
    "address",  # must not be fetched: scheme, port or network
    "name",  # the host's name does not resolve
    "connection",
    "tls",
    "timeout",
    "size",
    "encoding",  # Content-Encoding that is unknown or does not decode
    "redirect",
    "status",
    "busy",  # the host refuses all requests for a time
    "robots",
    "credentials",
]

LONGEST_ASKED: Final = timedelta(days=7)
"""What a server may ask for at most, by Retry-After or max-age: longer ones are mistakes."""

_PERMANENT: Final = frozenset({HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.PERMANENT_REDIRECT})
_TEMPORARY: Final = frozenset(
    {HTTPStatus.FOUND, HTTPStatus.SEE_OTHER, HTTPStatus.TEMPORARY_REDIRECT}
)
_CONTENT: Final = frozenset({HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION})
# The repeat is bounded: an endless number is refused, not read.
_SECONDS: Final = re.compile(r"[0-9]{1,12}")
_MAX_AGE: Final = re.compile(r'max-age\s*=\s*"?([0-9]{1,12})"?')
_UNCACHED: Final = re.compile(r"\b(?:no-cache|no-store)\b")


class FetchError(SourceUnusable):
    """A fetch without a result; the message holds no credentials and no body."""

    def __init__(self, kind: FetchProblem, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Answer:
    """The meaning of one response, before its body is read."""

    meaning: Meaning
    location: str = ""
    """Where a moved feed is, absolute; empty otherwise."""
    permanent: bool = False
    """Whether it moved for good."""
    wait: timedelta | None = None
    """How long the server asks not to be asked again: Retry-After, else max-age; None if not."""
    busy: bool = False
    """Whether the server refuses all our requests for a time: 429, or 503 with Retry-After."""
    problem: str = ""


def read_answer(
    status: int, headers: Mapping[str, str], *, address: str, conditional: bool, now: datetime
) -> Answer:
    """Return what a response of `address` means; `headers` finds names in any case.

    `conditional` says whether validators were sent: without them a 304 answers nothing.
    """
    if status in _CONTENT or (status == HTTPStatus.NOT_MODIFIED and conditional):
        meaning: Meaning = "content" if status in _CONTENT else "unchanged"
        return Answer(meaning, wait=max_age(headers.get("Cache-Control", "")))
    if status == HTTPStatus.NOT_MODIFIED:
        return Answer("failed", problem="304 Not Modified, although nothing was stored")
    wait = retry_after(headers.get("Retry-After", ""), now)
    if status in _PERMANENT or status in _TEMPORARY:
        location = absolute_location(address, headers.get("Location", ""))
        if not location:
            return Answer("failed", problem=f"{_name(status)} without a valid Location")
        return Answer("moved", location=location, permanent=status in _PERMANENT)
    if status == HTTPStatus.GONE:
        return Answer("gone", problem=_name(status))
    busy = status == HTTPStatus.TOO_MANY_REQUESTS or (
        status == HTTPStatus.SERVICE_UNAVAILABLE and wait is not None
    )
    return Answer("failed", wait=wait, busy=busy, problem=_name(status))


def max_age(cache_control: str) -> timedelta | None:
    """Return the max-age of Cache-Control, a week at most; None without one or if not cacheable."""
    directives = cache_control.lower()
    match = _MAX_AGE.search(directives.replace("s-maxage", ""))
    if match is None or _UNCACHED.search(directives):
        return None
    return _bounded(int(match[1]))


def retry_after(value: str, now: datetime) -> timedelta | None:
    """Return how long Retry-After asks to wait: seconds or a date; None without a valid one."""
    value = value.strip()
    if _SECONDS.fullmatch(value):
        return _bounded(int(value))
    try:
        moment = parsedate_to_datetime(value)
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
    return _bounded((moment - now).total_seconds())


def _bounded(seconds: float) -> timedelta:
    """Return some seconds as a duration, at least 0 and at most LONGEST_ASKED."""
    return timedelta(seconds=min(max(seconds, 0), LONGEST_ASKED.total_seconds()))


def absolute_location(address: str, location: str) -> str:
    """Return the header Location of a response of `address`, absolute; "" without a valid one."""
    if not location.strip():
        return ""
    try:
        return str(URL(address).join(URL(location.strip())))
    except ValueError:
        return ""


def _name(status: int) -> str:
    """Return a status with its phrase, which is ours: that of the server may be anything."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"status {status}"
