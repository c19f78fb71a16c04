from datetime import UTC, datetime

import pytest

from newsdedup.core.model import ItemKey
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.pages.links import joined_key
from newsdedup.server.pages.page_query import MOST_KEY_CHARS, PageQuery


def test_an_address_without_values_lets_everything_through() -> None:
    assert PageQuery({}).chosen().is_empty


def test_the_values_of_a_form_make_a_filter() -> None:
    values = {
        "q": " мер ",
        "lang": "uk",
        "source": "visti.example",
        "relation": "rewrite",
        "since": "2026-11-02T14:00",
        "until": "2026-11-03T00:00:00+02:00",
    }
    chosen = PageQuery(values).chosen().item_filter()
    assert (chosen.text, chosen.lang, chosen.source) == ("мер", "uk", "visti.example")
    assert chosen.relation == "rewrite"
    assert chosen.since == datetime(2026, 11, 2, 14, tzinfo=UTC)
    assert chosen.until == datetime(2026, 11, 2, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    "values",
    [
        {"q": "x" * 401},
        {"source": "x" * 2_001},
        {"q": "\udc80"},
        {"lang": "xx"},
        {"relation": "nonsense"},
        {"since": "yesterday"},
        {"since": "0001-01-01T00:00:00+23:00"},
        {"until": "2026-13-01"},
    ],
    ids=str,
)
def test_a_value_that_makes_no_sense_is_refused(values: dict[str, str]) -> None:
    with pytest.raises(RequestRefused, match=next(iter(values))):
        PageQuery(values).chosen()


def test_the_longest_source_and_key_that_items_may_have_are_taken() -> None:
    longest = ItemKey("s" * 2_000, "i" * 2_000)
    chosen = PageQuery({"source": longest.source, "copies_of": longest.source}).chosen()
    assert (chosen.source, chosen.copies_of) == (longest.source, longest.source)
    assert len(joined_key(longest)) == MOST_KEY_CHARS


def test_the_names_that_a_page_reads_are_known() -> None:
    query = PageQuery({"q": "bridge", "text": "bridge"})
    query.chosen()
    assert "q" in query.read
    assert "text" not in query.read


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "x", "٣", "11", "9" * 30])
def test_a_page_number_is_a_whole_number_that_exists(value: str) -> None:
    with pytest.raises(RequestRefused, match="page is no whole number from 1 to 10"):
        PageQuery({"page": value}).number("page", default=1, most=10)
