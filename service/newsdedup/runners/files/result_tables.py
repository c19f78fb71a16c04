"""The result of a finished collection as four tables."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from newsdedup.adapters.tables.rows import BadTableRow
from newsdedup.adapters.tables.table_files import ColumnKind, ResultTable
from newsdedup.runners.files.result import DuplicatePair, JudgedRow, Result, StoryOfRows

REF: Mapping[str, ColumnKind] = {"input": "text", "row": "count", "source": "text", "id": "text"}
MATCH: Mapping[str, ColumnKind] = {"relation": "text", "score": "number", "shared_terms": "texts"}


def _ref(prefix: str) -> dict[str, ColumnKind]:
    """Return the columns of a reference to a row, with `prefix` and "_" before their names."""
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

NOBODY = (None,) * len(REF)


def tables(result: Result) -> Iterator[ResultTable]:
    """Yield the four tables: verdicts, pairs, stories, rejected rows."""
    yield ResultTable("items", COLUMNS["items"], map(_item, result.items))
    yield ResultTable("pairs", COLUMNS["pairs"], map(_pair, result.pairs))
    yield ResultTable("stories", COLUMNS["stories"], map(_story, result.stories))
    yield ResultTable("rejected", COLUMNS["rejected"], map(_rejected, result.rejected))


def _rejected(row: BadTableRow) -> Sequence[Any]:
    """Return the cells of a rejected row, in the order of the columns of `rejected`."""
    return (row.input, row.row, row.line, row.code, row.reason)


def _item(row: JudgedRow) -> Sequence[Any]:
    """Return the cells of a judged row, in the order of the columns of `items`."""
    match = (row.relation, row.score, row.shared_terms)
    index = (*row.original, *(row.matched or NOBODY))
    return (*row.ref, row.verdict, *match, row.story, *index, row.at, row.lang, row.repeated_id)


def _pair(pair: DuplicatePair) -> Sequence[Any]:
    """Return the cells of a pair, in the order of the columns of `pairs`."""
    return (*pair.item, *pair.original, pair.relation, pair.score, pair.shared_terms)


def _story(story: StoryOfRows) -> Sequence[Any]:
    """Return the cells of a story, in the order of the columns of `stories`."""
    members = [member._asdict() for member in story.members]
    head = (story.id, story.size, *story.original)
    return (*head, story.first_at, story.last_at, members)
