"""The analysis of a batch: in this process alone, or shared with helper processes.

Analysis is pure and most of the work, so a batch can be cut into shares; the results are put
together in order, and everything that decides stays in one process.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from signal import SIG_IGN, SIGINT, SIGTERM, signal
from typing import Any, NamedTuple

import msgspec

from newsdedup.core.model import (
    Document,
    Fingerprint,
    ItemKey,
    Language,
    NewsItem,
    Passage,
    Signature,
    Term,
    Version,
)
from newsdedup.core.moments import source_time
from newsdedup.engine.analyzer import Analyzed, ItemAnalyzer
from newsdedup.engine.arrivals import Arrival
from newsdedup.engine.collector import collector_paused

LOG = logging.getLogger("newsdedup.analysis")
_NO_KEY = ItemKey("", "")
"""The key of an item in a helper: only its text matters there."""
_SMALLEST_SHARE = 16
"""Items below which a share is not worth the way to a helper and back."""
_EIGHTHS = 8
"""Parts of an even share, by which the share of this process shrinks and grows."""


class _Request(NamedTuple):
    """What a helper needs of an item."""

    title: str
    text: str
    at: datetime | None
    """The time of publication by the clock of the source, whatever its zone."""


class _Response(NamedTuple):
    """What a decision needs of an analyzed item; the text itself is not sent back."""

    lang: Language
    version: Version
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    marks: tuple[Fingerprint, ...]
    passages: tuple[Passage, ...]


_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE_RESPONSES = msgspec.msgpack.Decoder(list[_Response]).decode
_DECODE_REQUESTS = msgspec.msgpack.Decoder(list[_Request]).decode

Arrivals = Sequence[Arrival[Any]]
_Task = tuple[Arrival[Any], NewsItem]
"""An arrival whose item must be analyzed, and the item."""


class BatchAnalysis:
    """Analyzes batches with some helper processes; `close` ends them.

    A helper that dies is logged and not replaced; this process analyzes its share.
    This process has more to do than to analyze, so its share shrinks while the helpers have to
    wait for it, and grows back to an even one while it has to wait for them.
    """

    def __init__(
        self,
        analyzer: ItemAnalyzer,
        *,
        helpers: int = 0,
        make: Callable[[], ItemAnalyzer] | None = None,
    ) -> None:
        self._analyzer = analyzer
        self._helpers: list[Connection] = []
        context = get_context("spawn")
        for _ in range(helpers if make is not None else 0):
            ours, theirs = context.Pipe()
            process = context.Process(target=_help, args=(theirs, make), daemon=True)
            process.start()
            theirs.close()
            self._helpers.append(ours)
        self._eighths = _EIGHTHS
        self._begun: Arrivals | None = None
        """The batch of which the helpers have their shares."""
        self._own: list[_Task] = []
        self._shares: list[list[_Task]] = []

    @property
    def shares(self) -> int:
        """Return how many processes share a batch, this one included; dead helpers do not."""
        return 1 + len(self._helpers)

    def analyze(self, arrivals: Arrivals, *, following: Arrivals = ()) -> None:
        """Set `analyzed` of every arrival that holds an item, in this process and the helpers.

        Then the helpers begin with `following`, the batch that the next call is expected to ask
        for, while this process goes on. If that call has another batch, their work is not used.
        """
        if self._begun is not arrivals:
            self._begin(arrivals)
        with collector_paused():
            self._analyze_here(self._own)
            self._adjust_own_share()
            self._collect()
        if following:
            self._begin(following)

    def analyze_items(self, items: Sequence[NewsItem]) -> list[Analyzed]:
        """Return items analyzed, in their order."""
        arrivals = [Arrival(None, item) for item in items]
        self.analyze(arrivals)
        return [one.analyzed for one in arrivals if one.analyzed is not None]

    def close(self) -> None:
        """End the helper processes, by closing their pipes."""
        for helper in self._helpers:
            helper.close()
        self._helpers.clear()

    def _begin(self, arrivals: Arrivals) -> None:
        """Send the helpers their shares of a batch, after they have returned those before."""
        self._collect()
        self._begun = arrivals
        tasks = [(one, one.content) for one in arrivals if isinstance(one.content, NewsItem)]
        self._own, self._shares = _cut(tasks, len(self._helpers), eighths=self._eighths)
        for helper, share in zip(self._helpers, self._shares, strict=False):
            with suppress(OSError):  # of a dead helper, which `_collect` notices
                helper.send_bytes(_ENCODE([_request(item) for _, item in share]))

    def _collect(self) -> None:
        """Receive the results of the helpers and set them in the arrivals of the batch begun.

        If a helper has died, analyze its share here, and give it no other.
        """
        for helper, share in zip(tuple(self._helpers), self._shares, strict=False):
            try:
                responses = _DECODE_RESPONSES(helper.recv_bytes())
            except (EOFError, OSError):
                LOG.warning("helper_died: this process analyzes its items")
                self._helpers.remove(helper)
                helper.close()
                self._analyze_here(share)
                continue
            for (arrival, item), response in zip(share, responses, strict=True):
                arrival.analyzed = _put_together(item, arrival.data, response)
        self._begun, self._shares = None, []

    def _analyze_here(self, tasks: Iterable[_Task]) -> None:
        """Analyze items in this process and set the results in their arrivals."""
        for arrival, item in tasks:
            arrival.analyzed = self._analyzer.analyze(item, arrival.data)

    def _adjust_own_share(self) -> None:
        """Lower this process's share by an eighth if all helpers are done, else raise it."""
        if self._shares:
            waiting = all(helper.poll() for helper in self._helpers[: len(self._shares)])
            self._eighths = min(_EIGHTHS, max(0, self._eighths + (-1 if waiting else 1)))


def _cut(
    tasks: list[_Task], helpers: int, *, eighths: int
) -> tuple[list[_Task], list[list[_Task]]]:
    """Return the tasks of this process, `eighths` of an even share, and those of each helper.

    Few tasks stay in this process; then there are no shares of helpers.
    """
    even = max(_SMALLEST_SHARE, -(-len(tasks) // (1 + helpers)))
    if len(tasks) <= even:
        return tasks, []
    own = even * eighths // _EIGHTHS
    size = max(_SMALLEST_SHARE, -(-(len(tasks) - own) // helpers))
    return tasks[:own], [tasks[begin : begin + size] for begin in range(own, len(tasks), size)]


def _help(pipe: Connection, make: Callable[[], ItemAnalyzer]) -> None:
    """Run a helper: answer the requests in the pipe until it is closed, or the other side dies."""
    for interrupt in (SIGINT, SIGTERM):
        signal(interrupt, SIG_IGN)  # the process that leads the run decides when it ends
    analyzer = make()
    while True:
        try:
            requests = _DECODE_REQUESTS(pipe.recv_bytes())
            with collector_paused():
                pipe.send_bytes(_ENCODE([_response(analyzer, one) for one in requests]))
        except (EOFError, OSError):
            return


def _request(item: NewsItem) -> _Request:
    """Return what a helper needs of an item; its time loses the zone, not the local hour."""
    at = source_time(item)
    return _Request(item.title, item.text, None if at is None else at.replace(tzinfo=None))


def _response(analyzer: ItemAnalyzer, request: _Request) -> _Response:
    """Analyze a request in a helper; return what the decision needs of the result."""
    at = None if request.at is None else request.at.replace(tzinfo=UTC)
    analyzed = analyzer.analyze(NewsItem(_NO_KEY, request.title, request.text, published_at=at))
    document, signature = analyzed.document, analyzed.signature
    return _Response(
        document.lang,
        document.version,
        document.numbers,
        document.names,
        signature.terms,
        signature.weights,
        analyzed.marks,
        analyzed.passages,
    )


def _put_together(item: NewsItem, received: bytes, response: _Response) -> Analyzed:
    """Return the analysis of an item from a helper's response; its document has no text."""
    document = Document(
        lang=response.lang,
        title="",
        text="",
        terms=(),
        numbers=response.numbers,
        names=response.names,
        version=response.version,
    )
    signed = Signature(response.terms, response.weights)
    return Analyzed(item, document, signed, response.marks, received, response.passages)
