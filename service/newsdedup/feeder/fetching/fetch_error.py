"""Why a fetch failed: one error with a kind that is counted and a sentence that is shown."""

from typing import Literal

from newsdedup.ports.errors import SourceUnusable

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


class FetchError(SourceUnusable):
    """A fetch without a result; the message holds no credentials and no body."""

    def __init__(self, kind: FetchProblem, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
