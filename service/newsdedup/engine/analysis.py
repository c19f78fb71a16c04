"""The analysis of batches: alone, or shared with helper processes.

Analysis is pure and most of the work, so a batch can be cut into shares; the answers are put
together in order, and everything that decides stays in one process.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from signal import SIG_IGN, SIGINT, SIGTERM, signal
from typing import NamedTuple

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
from newsdedup.engine.deduplicate import Analyzed
from newsdedup.engine.long_lived import undisturbed

Analyze = Callable[[NewsItem, bytes], Analyzed]
Received = tuple[NewsItem, bytes]

ENCODE = msgspec.msgpack.Encoder().encode

NOBODY = ItemKey("", "")
"""The key of an item of which only the text matters."""
LEAST_SHARE = 16
"""Items below which a share is not worth the way to a helper and back."""
EIGHTHS = 8
"""Parts of an even share, by which the share of this process shrinks and grows."""


class Sent(NamedTuple):
    """What a helper needs of an item."""

    title: str
    text: str
    at: datetime | None
    """When it came out, by the clock of its source, whatever its zone."""


class Answer(NamedTuple):
    """What a decision needs of an analyzed item: the text itself stays behind."""

    lang: Language
    version: Version
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    marks: tuple[Fingerprint, ...]
    passages: tuple[Passage, ...]


DECODE_ANSWERS = msgspec.msgpack.Decoder(list[Answer]).decode
DECODE_TEXTS = msgspec.msgpack.Decoder(list[Sent]).decode


class Analysis:
    """Analyzes batches; `close` lets the helpers go.

    This process has more to do than to analyze, so its share shrinks while the helpers have to
    wait for it, and grows back to an even one while it has to wait for them.
    """

    def __init__(
        self, analyze: Analyze, *, helpers: int = 0, make: Callable[[], Analyze] | None = None
    ) -> None:
        self._analyze = analyze
        self._helpers: list[Connection] = []
        context = get_context("spawn")
        for _ in range(helpers if make is not None else 0):
            ours, theirs = context.Pipe()
            process = context.Process(target=_help, args=(theirs, make), daemon=True)
            process.start()
            theirs.close()
            self._helpers.append(ours)
        self._eighths = EIGHTHS
        self._begun: Sequence[Received] | None = None
        self._own: Sequence[Received] = ()
        self._sent: list[Sequence[Received]] = []

    @property
    def shares(self) -> int:
        """Return how many processes share a batch."""
        return 1 + len(self._helpers)

    def many(self, batch: Sequence[Received], *, then: Sequence[Received] = ()) -> list[Analyzed]:
        """Return the items analyzed, in their order; this process takes its share.

        The helpers go on with `then`, the batch that will be asked for next: they are at it while
        others work on the answer. If another one is asked for, their work was in vain.
        """
        if self._begun is not batch:
            self._begin(batch)
        with undisturbed():
            analyzed = [self._analyze(item, received) for item, received in self._own]
            self._divide_anew()
            analyzed += self._answers()
        if then:
            self._begin(then)
        return analyzed

    def _begin(self, batch: Sequence[Received]) -> None:
        """Let the helpers begin with their shares; none of them is at another batch then."""
        self._answers()
        self._begun = batch
        self._own, self._sent = _cut(batch, len(self._helpers), eighths=self._eighths)
        for helper, share in zip(self._helpers, self._sent, strict=False):
            helper.send_bytes(ENCODE([_sent(item) for item, _ in share]))

    def _answers(self) -> list[Analyzed]:
        analyzed = []
        for helper, share in zip(self._helpers, self._sent, strict=False):
            answers = DECODE_ANSWERS(helper.recv_bytes())
            for (item, received), answer in zip(share, answers, strict=True):
                analyzed.append(_put_together(item, answer, received))
        self._begun, self._sent = None, []
        return analyzed

    def _divide_anew(self) -> None:
        """Take less of the next batch if the helpers are done before this process, else more."""
        if self._sent:
            waiting = all(helper.poll() for helper in self._helpers[: len(self._sent)])
            self._eighths = min(EIGHTHS, max(0, self._eighths + (-1 if waiting else 1)))

    def close(self) -> None:
        """Let the helpers go: a closed pipe is their end."""
        for helper in self._helpers:
            helper.close()
        self._helpers.clear()


def _cut(
    batch: Sequence[Received], helpers: int, *, eighths: int
) -> tuple[Sequence[Received], list[Sequence[Received]]]:
    """Return our own share of a batch, eighths of an even one, and those of the helpers."""
    even = max(LEAST_SHARE, -(-len(batch) // (1 + helpers)))
    if len(batch) <= even:
        return batch, []
    own = even * eighths // EIGHTHS
    size = max(LEAST_SHARE, -(-(len(batch) - own) // helpers))
    return batch[:own], [batch[begin : begin + size] for begin in range(own, len(batch), size)]


def _help(pipe: Connection, make: Callable[[], Analyze]) -> None:
    """Analyze shares until the pipe is closed, also by the death of the other side."""
    for interrupt in (SIGINT, SIGTERM):
        signal(interrupt, SIG_IGN)  # whoever leads the run decides when it ends
    analyze = make()
    while True:
        try:
            texts = DECODE_TEXTS(pipe.recv_bytes())
            with undisturbed():
                pipe.send_bytes(ENCODE([_answer(analyze, sent) for sent in texts]))
        except (EOFError, OSError):
            return


def _sent(item: NewsItem) -> Sent:
    at = source_time(item)
    return Sent(item.title, item.text, None if at is None else at.replace(tzinfo=None))


def _answer(analyze: Analyze, sent: Sent) -> Answer:
    at = None if sent.at is None else sent.at.replace(tzinfo=UTC)
    analyzed = analyze(NewsItem(NOBODY, sent.title, sent.text, published_at=at), b"")
    document, signature = analyzed.document, analyzed.signature
    return Answer(
        document.lang,
        document.version,
        document.numbers,
        document.names,
        signature.terms,
        signature.weights,
        analyzed.marks,
        analyzed.passages,
    )


def _put_together(item: NewsItem, answer: Answer, received: bytes) -> Analyzed:
    document = Document(
        lang=answer.lang,
        title="",
        text="",
        terms=(),
        numbers=answer.numbers,
        names=answer.names,
        version=answer.version,
    )
    signed = Signature(answer.terms, answer.weights)
    return Analyzed(item, document, signed, answer.marks, received, answer.passages)
