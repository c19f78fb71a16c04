"""Judges a finished collection: rows in; verdicts, pairs and stories out, also as four tables.

All rows are read and analyzed first, then judged in the total order of their items. So no verdict
is ever corrected, and the order of dated rows does not matter.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.tables.rows import BadTableRow, TableRow, bad_row
from newsdedup.adapters.tables.table_files import ColumnKind, ResultTable
from newsdedup.core.events import Judgement
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.statistics_recorder import StatisticsRecorder
from newsdedup.core.model import ItemKey, Language, Micros, NewsItem, Relation, StoryId, Verdict
from newsdedup.core.moments import to_datetime
from newsdedup.core.stories.window import own_time, times_of_rows
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.arrivals import BatchAnalysis
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.ports.errors import InvalidItem

Read = Callable[[TableRow], NewsItem]


class RowRef(NamedTuple):
    """The index of a row in its dataset, and the key of its item."""

    input: str
    row: int
    """Counted from 0 within its input, as data frames count."""
    source: str
    id: str


class JudgedRow(NamedTuple):
    """The final verdict on one row."""

    ref: RowRef
    verdict: Verdict
    relation: Relation
    story: StoryId
    original: RowRef
    """Of its story; an original's is itself."""
    matched: RowRef | None
    """Whom it repeats, or, if it is similar only, whom it resembles."""
    score: float | None
    shared_terms: tuple[str, ...]
    lang: Language
    at: datetime | None
    """When it was published; None if the row has no date."""
    rank: int
    """Its rank in the total order of all rows: earlier rows are originals of later ones."""
    repeated_id: bool
    """Whether a row above has the same source and id: each row is an item of its own."""
    unread_dates: tuple[str, ...] = ()
    """Its dates that could not be read, by field; they count as missing."""


class DuplicatePair(NamedTuple):
    """A duplicate and its original."""

    item: RowRef
    original: RowRef
    relation: Relation
    score: float | None
    shared_terms: tuple[str, ...]


class StoryOfRows(NamedTuple):
    """An original and its duplicates."""

    id: StoryId
    original: RowRef
    members: tuple[RowRef, ...]
    """All rows of the story, the original first, in the total order."""
    first_at: datetime | None
    last_at: datetime | None

    @property
    def size(self) -> int:
        """Return the number of rows of the story."""
        return len(self.members)


@dataclass(frozen=True, slots=True)
class Result:
    """A judged collection; the rows are in the order in which they were read."""

    items: Sequence[JudgedRow]
    rejected: Sequence[BadTableRow]
    """Rows that could not become items."""

    @property
    def pairs(self) -> list[DuplicatePair]:
        """Return every duplicate with its original."""
        return [
            DuplicatePair(row.ref, row.original, row.relation, row.score, row.shared_terms)
            for row in self.items
            if row.verdict == "duplicate"
        ]

    @property
    def stories(self) -> list[StoryOfRows]:
        """Return all stories, those of one row included: the largest first, then the earliest."""
        members: dict[StoryId, list[JudgedRow]] = defaultdict(list)
        for row in sorted(self.items, key=lambda row: row.rank):
            members[row.story].append(row)
        stories = [_story(name, rows) for name, rows in members.items()]
        # The sort is stable: of equal sizes the story that began earlier stays in front.
        return sorted(stories, key=lambda story: -story.size)

    def counts(self) -> Counter[str]:
        """Return counts by name: of rows, rejected rows, stories, and stories with copies.

        Rows are also counted by verdict, relation, language and reason (`relation_X`, `lang_X`,
        `rejected_X`), and those without a date, with an unreadable one, or with a repeated id.
        """
        counts = Counter(rows=len(self.items) + len(self.rejected), rejected=len(self.rejected))
        for row in self.items:
            counts.update((row.verdict, f"relation_{row.relation}", f"lang_{row.lang}"))
            counts.update(undated=row.at is None, repeated_ids=row.repeated_id)
            counts["unread_dates"] += bool(row.unread_dates)
        counts.update(f"rejected_{row.code}" for row in self.rejected)
        sizes = Counter(row.story for row in self.items)
        counts.update(stories=len(sizes), copied=sum(size > 1 for size in sizes.values()))
        return counts


def _story(name: StoryId, rows: Sequence[JudgedRow]) -> StoryOfRows:
    """Return the story of some rows, which are given in the total order."""
    dates = [row.at for row in rows if row.at is not None]
    return StoryOfRows(
        id=name,
        original=rows[0].original,
        members=tuple(row.ref for row in rows),
        first_at=min(dates, default=None),
        last_at=max(dates, default=None),
    )


REF: Mapping[str, ColumnKind] = {"input": "text", "row": "count", "source": "text", "id": "text"}
MATCH: Mapping[str, ColumnKind] = {"relation": "text", "score": "number", "shared_terms": "texts"}


def _ref(prefix: str) -> dict[str, ColumnKind]:
    """Return the columns of a reference to a row, their names with a prefix."""
    return {f"{prefix}_{name}": kind for name, kind in REF.items()}


COLUMNS: Mapping[str, Mapping[str, ColumnKind]] = {
    "items": {
        **REF,
        "verdict": "text",
        **MATCH,
        "story": "text",
        **_ref("original"),
        **_ref("matched"),
        "at": "moment",
        "lang": "text",
        "repeated_id": "flag",
    },
    "pairs": {**REF, **_ref("original"), **MATCH},
    "stories": {
        "story": "text",
        "size": "count",
        **_ref("original"),
        "first_at": "moment",
        "last_at": "moment",
        "members": "rows",
    },
    "rejected": {
        "input": "text",
        "row": "count",
        "line": "count",
        "code": "text",
        "reason": "text",
    },
}
"""Names and kinds of the columns; docs/library.md says what they mean."""

_NO_ROW = (None,) * len(REF)


def tables(result: Result) -> Iterator[ResultTable]:
    """Yield the four tables: verdicts, pairs, stories, rejected rows."""
    yield ResultTable("items", COLUMNS["items"], map(_item_cells, result.items))
    yield ResultTable("pairs", COLUMNS["pairs"], map(_pair_cells, result.pairs))
    yield ResultTable("stories", COLUMNS["stories"], map(_story_cells, result.stories))
    yield ResultTable(
        "rejected", COLUMNS["rejected"], map(attrgetter(*COLUMNS["rejected"]), result.rejected)
    )


def _item_cells(row: JudgedRow) -> Sequence[Any]:
    """Return the cells of a row of the table `items`, in the order of its columns."""
    match = (row.relation, row.score, row.shared_terms)
    others = (*row.original, *(row.matched or _NO_ROW))
    return (*row.ref, row.verdict, *match, row.story, *others, row.at, row.lang, row.repeated_id)


def _pair_cells(pair: DuplicatePair) -> Sequence[Any]:
    """Return the cells of a row of the table `pairs`, in the order of its columns."""
    return (*pair.item, *pair.original, pair.relation, pair.score, pair.shared_terms)


def _story_cells(story: StoryOfRows) -> Sequence[Any]:
    """Return the cells of a row of the table `stories`, in the order of its columns."""
    members = [member._asdict() for member in story.members]
    head = (story.id, story.size, *story.original)
    return (*head, story.first_at, story.last_at, members)


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
