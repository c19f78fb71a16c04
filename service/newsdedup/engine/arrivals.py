"""Arrivals: the records of a batch before any decision, decoded and then analyzed.

    record --decode--> item or command --analyze--> Analyzed --decide--> events --encode--> bytes

Both runners take each batch through these steps, as one list of arrivals. The first two are here:
both are pure, so a prepared batch may be dropped. A run over files (runners/files/embedded.py) then
decides over a store of its own, one arrival after the other (engine/local_decisions.py). A worker
(runners/worker/worker.py) decides a whole batch over the store that it shares with other workers
(engine/shared/engine.py), and its delivery encodes, for it must cut what Kafka would refuse.

Analysis is most of the work, so a batch can be cut into shares, for this process and helpers; the
results are put together in order, and everything that decides stays in one process.

A step that raises a bug for a record sets that record aside (ports/isolation.py).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from newsdedup.core.events import Event
from newsdedup.core.model import NewsItem
from newsdedup.core.stories.commands import Command
from newsdedup.engine.analyzer import Analyzed, ItemAnalyzer
from newsdedup.engine.collector import collector_paused
from newsdedup.engine.deduplicate import Change
from newsdedup.engine.helper_processes import Helper, HelperProcesses
from newsdedup.ports.errors import InvalidItem, Rejection
from newsdedup.ports.isolation import internal_error
from newsdedup.ports.streams import Decoder, Headers

R = TypeVar("R")
WORTH_HELPERS = 2_000
"""Items after which helpers are started, if an input turns out to be long."""
_SMALLEST_SHARE = 16
"""Items below which a share is not worth the way to a helper and back."""
_PARTS = 32
"""Parts of a batch, by which the share of this process shrinks and grows."""
_LARGEST_STEP = 8
"""Parts by which that share changes at once, at most."""
_STREAMED = 512
"""Items of a batch where a stream is analyzed by itself, at most."""
_STREAMED_CHARS = 1 << 24
"""Characters after which such a batch is closed, however few its items are."""


@dataclass(slots=True)
class Arrival(Generic[R]):
    """A record, and what each step has made of it so far."""

    record: R
    content: NewsItem | Command | None = None
    """Set by decoding; None if the record holds nothing, or was rejected."""
    data: bytes = b""
    """The bytes of the item, which are published again with the verdict."""
    traces: Headers = ()
    rejection: Rejection | None = None
    """Set where the record goes to the dead letters."""
    analyzed: Analyzed | None = None
    """Set by analysis, for items."""
    events: tuple[Event, ...] = ()
    """Set by the decision, in the order in which they must be published."""

    def set_aside(self, rejection: Rejection) -> None:
        """Reject the record without a decision; drop its content, analysis and events."""
        self.rejection = rejection
        self.content, self.analyzed, self.events = None, None, ()

    @property
    def change(self) -> Change | None:
        """The analyzed item or the command to decide about.

        None if the record holds neither, was rejected, or its item is not analyzed yet.
        """
        if self.analyzed is not None:
            return self.analyzed
        return None if isinstance(self.content, NewsItem) else self.content


Arrivals = Sequence[Arrival[Any]]
_Task = tuple[Arrival[Any], NewsItem]
"""An arrival whose item must be analyzed, and the item."""


def decode_records(records: Sequence[R], decoder: Decoder[R]) -> list[Arrival[R]]:
    """Return an arrival for each record: with its item or command, or with a rejection."""
    return [decode_arrival(record, decoder) for record in records]


def decode_arrival(record: R, decoder: Decoder[R]) -> Arrival[R]:
    """Return the arrival of one record; what the decoder raises becomes its rejection."""
    try:
        content, data, traces = decoder.decode(record)
    except InvalidItem as error:
        return Arrival(record, rejection=error.rejection)
    except Exception as error:  # noqa: BLE001 - a bug costs the record, not the stream
        return Arrival(record, rejection=internal_error(error, "decode"))
    return Arrival(record, content, data, traces)


class BatchAnalysis:
    """Analyzes batches with some helper processes; `close` ends them.

    The share of this process begins even. It shrinks while the helpers have to wait for it, for it
    has more to do than to analyze, and grows while it has to wait for them: where other programs
    take their processors, helpers get little or nothing.
    """

    def __init__(
        self,
        analyzer: ItemAnalyzer,
        helpers: HelperProcesses | None = None,
        *,
        start_after: int = 0,
    ) -> None:
        """Prepare to analyze; the helpers are started after `start_after` items, at once for 0."""
        self._analyzer = analyzer
        self._helpers = helpers
        self._start_after = start_after
        self._analyzed = 0
        """Items so far, up to `start_after`."""
        self._own_parts: int | None = None
        """Parts of a batch that are analyzed here; None until helpers were ready."""
        self._step = -1
        """By how many parts that was changed last."""
        self._begun: Arrivals | None = None
        """The batch of which the helpers have their shares."""
        self._own: list[_Task] = []
        self._shares: list[tuple[Helper, list[_Task]]] = []
        if helpers is not None and not start_after:
            helpers.start()

    @property
    def shares(self) -> int:
        """Return how many processes analyze a batch at present, this one included."""
        return 1 + len(self._ready())

    def wait_for_helpers(self) -> None:
        """Start the helpers, and return when all can be used: a measurement begins warm."""
        if self._helpers is not None:
            self._helpers.wait()

    def analyze(self, arrivals: Arrivals, *, following: Arrivals = ()) -> None:
        """Set `analyzed` of every arrival that holds an item, in this process and the helpers.

        An item whose analysis raises a bug is set aside with an internal error.

        Then the helpers begin with `following`, the batch that the next call is expected to ask
        for, while this process goes on. If that call has another batch, their work is not used.
        """
        if self._begun is not arrivals:
            self._begin(arrivals)
        with collector_paused():
            self._analyze_here(self._own)
            self._adjust_own_share()
            self._collect()
        if self._helpers is not None and self._analyzed < self._start_after:
            self._analyzed += len(arrivals)
            if self._analyzed >= self._start_after:
                self._helpers.start()
        if following:
            self._begin(following)

    def analyze_stream(self, items: Iterable[NewsItem]) -> Iterator[Analyzed]:
        """Yield items analyzed, in their order; up to two batches of 512 are read ahead.

        Raise RuntimeError for one whose analysis raises a bug: no caller could set it aside.
        """
        source = iter(items)
        batch = _next_arrivals(source)
        while batch:
            following = _next_arrivals(source)
            self.analyze(batch, following=following)
            for one in batch:
                if one.analyzed is None:
                    raise RuntimeError("" if one.rejection is None else one.rejection.reason)
                yield one.analyzed
            batch = following

    def close(self) -> None:
        """End the helper processes."""
        if self._helpers is not None:
            self._helpers.close()

    def _begin(self, arrivals: Arrivals) -> None:
        """Send the helpers their shares of a batch, after they have returned the earlier ones."""
        self._collect()
        self._begun = arrivals
        tasks = [(one, one.content) for one in arrivals if isinstance(one.content, NewsItem)]
        helpers = self._ready()
        if helpers and self._own_parts is None:
            self._own_parts = _PARTS // (1 + len(helpers))
        self._own, shares = _cut(tasks, len(helpers), parts=self._own_parts or 0)
        self._shares = list(zip(helpers, shares, strict=False))
        for helper, share in self._shares:
            helper.send([item for _, item in share])

    def _collect(self) -> None:
        """Receive the results of the helpers and set them in the arrivals of the batch begun."""
        for helper, share in self._shares:
            results = helper.receive([(item, arrival.data) for arrival, item in share])
            if results is None:
                self._analyze_here(share)
                continue
            for (arrival, item), result in zip(share, results, strict=True):
                if result is None:
                    self._analyze_here([(arrival, item)])
                else:
                    arrival.analyzed = result
        self._begun, self._shares = None, []

    def _analyze_here(self, tasks: Iterable[_Task]) -> None:
        """Analyze tasks in this process; set an arrival aside if its analysis raises a bug."""
        for arrival, item in tasks:
            try:
                arrival.analyzed = self._analyzer.analyze(item, arrival.data)
            except Exception as error:  # noqa: BLE001 - a bug costs the item, not the stream
                arrival.set_aside(internal_error(error, "analyze"))

    def _adjust_own_share(self) -> None:
        """Raise this process's share if it must wait for helpers, else lower it.

        By steps that double while they go one way and are halved where they turn.
        """
        if self._own_parts is None:
            return
        behind = any(not helper.has_answered() for helper, _ in self._shares)
        same_way = behind == (self._step > 0)
        size = min(_LARGEST_STEP, 2 * abs(self._step)) if same_way else max(1, abs(self._step) // 2)
        self._step = size if behind else -size
        self._own_parts = min(_PARTS, max(0, self._own_parts + self._step))

    def _ready(self) -> list[Helper]:
        """Return the helpers that can be used now; none if there are no helpers."""
        return [] if self._helpers is None else self._helpers.ready()


def _next_arrivals(items: Iterator[NewsItem]) -> Arrivals:
    """Return the next batch of a stream, bounded in items and characters; empty at its end."""
    batch: list[Arrival[None]] = []
    chars = 0
    for item in items:
        batch.append(Arrival(None, item))
        chars += len(item.title) + len(item.text)
        if len(batch) >= _STREAMED or chars >= _STREAMED_CHARS:
            break
    return batch


def _cut(tasks: list[_Task], helpers: int, *, parts: int) -> tuple[list[_Task], list[list[_Task]]]:
    """Return the tasks of this process, which are `parts` of 32, and those of each helper.

    Where less than a smallest share is left for helpers, all tasks stay in this process.
    """
    own = len(tasks) * parts // _PARTS
    rest = len(tasks) - own
    if not helpers or rest < _SMALLEST_SHARE or len(tasks) < 2 * _SMALLEST_SHARE:
        return tasks, []
    size = max(_SMALLEST_SHARE, -(-rest // helpers))
    return tasks[:own], [tasks[begin : begin + size] for begin in range(own, len(tasks), size)]
