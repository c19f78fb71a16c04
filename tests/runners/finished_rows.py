"""Small collections of news in which copies, near copies and ties are common."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from hypothesis import strategies as st

from newsdedup import Result
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.adapters.tables.rows import BadTableRow, TableRow, decode_row
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import Settings
from newsdedup.engine.analyzer import ItemAnalyzer
from newsdedup.engine.arrivals import BatchAnalysis
from newsdedup.runners.files.finished import judge_collection

START = datetime(2025, 1, 6, tzinfo=UTC)
WORDS = ["bridge", "river", "mayor", "opened", "traffic", "repair", "budget", "million", "council"]
WORDS += [
    "vote",
    "storm",
    "damage",
    "school",
    "hospital",
    "airport",
    "railway",
    "strike",
    "harvest",
]
SETTINGS = Settings()


@cache
def analyzer() -> ItemAnalyzer:
    return item_analyzer(SETTINGS)


def result_of(rows: Sequence[TableRow | BadTableRow]) -> Result:
    return judge_collection(
        rows,
        read=lambda row: decode_row(row, limits=LIMITS),
        analysis=BatchAnalysis(analyzer()),
        rule=make_rule(SETTINGS),
    )


def table(*rows: dict[str, Any], name: str = "news.csv") -> list[TableRow | BadTableRow]:
    return [TableRow(name, number, fields) for number, fields in enumerate(rows)]


def at(hours: float) -> str:
    return (START + timedelta(hours=hours)).isoformat()


texts = st.lists(st.sampled_from(WORDS), min_size=6, max_size=14, unique=True).map(" ".join)


@st.composite
def dated(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Return rows with dates and different ids, in any order; few texts, so that many match."""
    known = draw(st.lists(texts, min_size=1, max_size=4))
    rows = st.fixed_dictionaries(
        {
            "source": st.sampled_from("ab"),
            "text": st.sampled_from(known) | texts,
            "published_at": st.integers(0, 100).map(at),
        }
    )
    drawn = draw(st.lists(rows, max_size=12))
    return [{"id": f"i{number}", **row} for number, row in enumerate(drawn)]
