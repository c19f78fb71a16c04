"""Judges a finished collection: rows in, their final verdicts out.

All rows are read and analyzed first, then judged in the total order of their items. So no verdict
is ever corrected, and the order of dated rows does not matter.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.tables.rows import BadTableRow, TableRow, bad_row
from newsdedup.core.events import Judgement
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.stream_statistics import StatisticsRecorder
from newsdedup.core.model import ItemKey, Micros, NewsItem, StoryId
from newsdedup.core.moments import to_datetime
from newsdedup.core.stories.window import own_time, times_of_rows
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.batch_analysis import BatchAnalysis
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.ports.errors import InvalidItem
from newsdedup.runners.files.result import JudgedRow, Result, RowRef

Read = Callable[[TableRow], NewsItem]


class _Admitted(NamedTuple):
    """An analyzed row without its text."""

    ref: RowRef
    analyzed: Analyzed
    at: Micros | None
    repeated_id: bool
    unread_dates: tuple[str, ...]


def judge_collection(
    rows: Iterable[TableRow | BadTableRow],
    *,
    read: Read,
    analysis: BatchAnalysis,
    rule: Rule,
    recorder: StatisticsRecorder | None = None,
) -> Result:
    """Return the final verdicts on all rows; those of which `read` makes no item are rejected."""
    rejected: list[BadTableRow] = []
    taken: set[ItemKey] = set()
    behind: deque[TableRow] = deque()
    items = _items(rows, read, behind, rejected)
    admitted = [
        _admitted(behind.popleft(), analyzed, taken) for analyzed in analysis.analyze_stream(items)
    ]
    return Result(_judged(admitted, rule, recorder), rejected)


def _items(
    rows: Iterable[TableRow | BadTableRow],
    read: Read,
    behind: deque[TableRow],
    rejected: list[BadTableRow],
) -> Iterator[NewsItem]:
    """Yield the items of rows, each after its row was added to `behind`; add others to `rejected`.

    The analysis reads ahead, so several rows wait there.
    """
    for row in rows:
        if isinstance(row, BadTableRow):
            rejected.append(replace(row, received=b""))
            continue
        try:
            item = read(row)
        except InvalidItem as error:
            rejected.append(bad_row(row, error))
            continue
        behind.append(row)
        yield item


def _admitted(row: TableRow, analyzed: Analyzed, taken: set[ItemKey]) -> _Admitted:
    """Return an analyzed row without its text, and add its key to `taken`.

    If a row before it has the same source and id, it gets a key that no other item has.
    """
    item = analyzed.item
    repeated = item.key in taken
    key = ItemKey(item.key.source, f"{item.key.id}\0{len(taken):012}") if repeated else item.key
    taken.add(key)
    return _Admitted(
        ref=RowRef(row.input, row.number, *item.key),
        analyzed=replace(
            analyzed,
            item=NewsItem(key, "", ""),
            document=replace(analyzed.document, title="", text="", terms=()),
        ),
        at=own_time(item),
        repeated_id=repeated,
        unread_dates=item.unread_dates,
    )


def _judged(
    admitted: Sequence[_Admitted], rule: Rule, recorder: StatisticsRecorder | None
) -> list[JudgedRow]:
    """Judge the rows in the total order of their items; return them in the order of rows."""
    deduplicate = Deduplicate(
        rule=rule, store=MemoryStore(rule), ledger=MemoryLedger(), lateness=0, recorder=recorder
    )
    refs = {row.analyzed.item.key: row.ref for row in admitted}
    judged: dict[int, JudgedRow] = {}
    # An undated row counts as published right after the one before it in its file.
    files = groupby(admitted, key=lambda row: row.ref.input)
    times = [at for _, rows in files for at in times_of_rows([row.at for row in rows])]
    order = sorted((at, admitted[n].analyzed.item.key, n) for n, at in enumerate(times))
    for rank, (at, _, number) in enumerate(order):
        row = admitted[number]
        item = replace(row.analyzed.item, published_at=to_datetime(at))
        event = deduplicate.publish(replace(row.analyzed, item=item))[0]
        if isinstance(event.payload, Judgement):
            judged[number] = _final(row, event.payload, refs, rank=rank)
    return [judged[number] for number in range(len(admitted))]


def _final(
    row: _Admitted, judgement: Judgement, refs: dict[ItemKey, RowRef], *, rank: int
) -> JudgedRow:
    """Return a row with its judgement; `refs` has the row of each key."""
    matched = judgement.matched
    evidence = None if matched is None else matched.evidence
    return JudgedRow(
        ref=row.ref,
        verdict=judgement.verdict,
        relation=judgement.relation,
        story=StoryId(judgement.story.id),
        original=refs[ItemKey(judgement.story.original.source, judgement.story.original.id)],
        matched=None if matched is None else refs[ItemKey(matched.source, matched.id)],
        score=None if matched is None else matched.score,
        shared_terms=() if evidence is None else tuple(term.term for term in evidence.shared),
        lang=judgement.lang,
        at=None if row.at is None else to_datetime(row.at),
        rank=rank,
        repeated_id=row.repeated_id,
        unread_dates=row.unread_dates,
    )
