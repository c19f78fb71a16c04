"""Helper processes: each analyzes the items that are sent to it, with an analyzer of its own.

A helper is used once it has loaded its tables; no call waits for that. One that dies, or that the
system refuses to start, is not replaced: the process that sent it items analyzes them itself.
"""

import atexit
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, SIGTERM, pthread_sigmask
from typing import NamedTuple

import msgspec

from newsdedup.core.events import WeightedTerm
from newsdedup.core.model import Document, Fingerprint, ItemKey, NewsItem, Passage
from newsdedup.core.moments import source_time
from newsdedup.engine.analyzer import Analyzed, ItemAnalyzer
from newsdedup.engine.collector import collector_paused

LOG = logging.getLogger("newsdedup.analysis")

MakeAnalyzer = Callable[[], ItemAnalyzer]
"""Makes the analyzer of a helper; it is sent to the helper, so it must be picklable."""

ReceivedItem = tuple[NewsItem, bytes]
"""An item and the bytes in which it was received."""

_READY = b"ready"
"""The first message of a helper."""


class _Request(NamedTuple):
    """What a helper needs of an item."""

    title: str
    text: str
    source: str
    lang: str
    """The language that its publisher claims."""
    at: datetime | None
    """The time of publication as it was written, without its offset."""
    offset: timedelta
    """The offset from UTC with which the time was written."""


_Response = tuple[
    Document,
    tuple[int, ...],
    tuple[WeightedTerm, ...],
    tuple[Fingerprint, ...],
    tuple[Passage, ...],
]
"""What a decision needs of an analyzed item; the document is without its text unless asked for."""

_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE_RESPONSES = msgspec.msgpack.Decoder(list[_Response | None]).decode
_DECODE_REQUESTS = msgspec.msgpack.Decoder(list[_Request]).decode


@dataclass(slots=True, eq=False)
class Helper:
    """One helper process and the pipe to it."""

    process: BaseProcess
    pipe: Connection
    alive: bool = field(default=True, init=False)
    """Whether it may answer; False from the first failure of its pipe on."""
    ready: bool = field(default=False, init=False)
    """Whether it has loaded its tables, as far as `look` has seen."""

    def look(self, *, wait: bool = False) -> None:
        """Set `ready` if the helper has reported it; `wait` until it reports or dies."""
        try:
            if self.alive and not self.ready and (wait or self.pipe.poll()):
                self.ready = self.pipe.recv_bytes() == _READY
        except (EOFError, OSError):
            self.alive = False
            LOG.warning("helper_died: it could not load its tables")

    def has_answered(self) -> bool:
        """Return whether the answer can be received without waiting."""
        try:
            return not self.alive or self.pipe.poll()
        except OSError:
            return True

    def send(self, items: Sequence[NewsItem]) -> None:
        """Request the analysis of items, once earlier answers were received; note a dead helper."""
        try:
            self.pipe.send_bytes(_ENCODE([_request(item) for item in items]))
        except OSError:
            self.alive = False

    def receive(self, sent: Sequence[ReceivedItem]) -> list[Analyzed | None] | None:
        """Return the analysis of the items that were sent last; None if the helper has died.

        The entry of an item is None if its analysis raised an error in the helper.
        """
        try:
            responses = _DECODE_RESPONSES(self.pipe.recv_bytes()) if self.alive else None
        except (EOFError, OSError):
            self.alive, responses = False, None
        if responses is None:
            LOG.warning("helper_died: this process analyzes its items")
            return None
        return [
            None if response is None else Analyzed(item, *response, received=data)
            for (item, data), response in zip(sent, responses, strict=True)
        ]

    def end(self) -> None:
        """End the process; it holds nothing that would be lost."""
        self.alive = False
        self.pipe.close()
        self.process.kill()
        self.process.join()


class HelperProcesses:
    """Some helpers, started when `start` is first called; `close` ends them."""

    def __init__(self, number: int, make: MakeAnalyzer, *, texts: bool = False) -> None:
        """Prepare to start that many; with `texts` they return the texts of documents, too."""
        self.number = number
        self._make = make
        self._texts = texts
        self._started: list[Helper] = []

    def start(self) -> None:
        """Start the helpers unless that was done before; fewer if the system refuses more."""
        if self._started or not self.number:
            return
        atexit.register(self.close)  # before that of multiprocessing, which waits for them
        context = get_context("spawn")
        # The helpers inherit the mask: this process decides when they end. The tracker comes
        # first, for its start unblocks the signals again.
        resource_tracker.ensure_running()
        before = pthread_sigmask(SIG_BLOCK, (SIGINT, SIGTERM))
        try:
            for _ in range(self.number):
                ours, theirs = context.Pipe()
                process = context.Process(
                    target=_help, args=(theirs, self._make, self._texts), daemon=True
                )
                process.start()
                theirs.close()
                self._started.append(Helper(process, ours))
        except OSError as error:
            self.number = len(self._started)
            LOG.warning("helper_refused: %s", error)
        finally:
            pthread_sigmask(SIG_SETMASK, before)

    def ready(self) -> list[Helper]:
        """Return those that have loaded their tables and are alive, without waiting for others."""
        for helper in self._started:
            helper.look()
        return [helper for helper in self._started if helper.ready and helper.alive]

    def wait(self) -> None:
        """Start the helpers, and return when each is ready or has died."""
        self.start()
        for helper in self._started:
            helper.look(wait=True)

    def close(self) -> None:
        """End all helpers; none is started after this."""
        atexit.unregister(self.close)
        self.number = 0
        for helper in self._started:
            helper.end()
        self._started.clear()


def _help(pipe: Connection, make: MakeAnalyzer, texts: bool) -> None:
    """Run a helper: answer requests from the pipe until it is closed or its other end dies.

    Without `texts`, the documents in the answers have no title, text and terms.
    """
    analyzer = make()
    try:
        pipe.send_bytes(_READY)
        while True:
            requests = _DECODE_REQUESTS(pipe.recv_bytes())
            with collector_paused():
                responses = [_response(analyzer, one, texts=texts) for one in requests]
                pipe.send_bytes(_ENCODE(responses))
    except (EOFError, OSError):
        return


def _request(item: NewsItem) -> _Request:
    """Return what a helper needs of an item.

    Offset and local time are sent apart: encoded as one, they would come out in UTC.
    """
    at = source_time(item)
    local = None if at is None else at.replace(tzinfo=None)
    offset = (None if at is None else at.utcoffset()) or timedelta()
    return _Request(item.title, item.text, item.key.source, item.lang, local, offset)


def _response(analyzer: ItemAnalyzer, request: _Request, *, texts: bool) -> _Response | None:
    """Analyze a request; return what the other side needs of the result, None if that raises.

    The process that asked analyzes the item again then, and finds out what is wrong with it.
    Without `texts` the document has no title, text and terms.
    """
    title, text, source, lang, at, offset = request
    if at is not None:
        at = at.replace(tzinfo=timezone(offset))
    # The id stays with the process that asks: nothing is derived from it.
    item = NewsItem(ItemKey(source, ""), title, text, published_at=at, lang=lang)
    try:
        analyzed = analyzer.analyze(item)
    except Exception:  # noqa: BLE001 - one item must not end the helper
        return None
    document = analyzed.document
    if not texts:
        document = replace(document, title="", text="", terms=())
    return document, analyzed.keys, analyzed.terms, analyzed.sketches, analyzed.passages
