from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction

import pytest

from newsdedup import InvalidItem, ItemKey
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.adapters.tables.rows import TableRow, decode_row, plain_value


def read(number=7, name="folder/news.csv", **fields):
    return decode_row(TableRow(name, number, fields), limits=LIMITS)


def test_a_row_without_an_id_is_called_by_its_number_and_its_file():
    assert read(title="Bridge opened").key == ItemKey("news", "7")


def test_a_row_with_an_id_and_a_source_keeps_them():
    assert read(title="a", id="x", source="ria.ru").key == ItemKey("ria.ru", "x")


def test_an_id_that_a_table_keeps_as_a_fraction_is_whole():
    assert read(title="a", id=17.0, source=3.0).key == ItemKey("3", "17")


def test_dates_of_a_table_are_moments():
    row = read(title="a", published_at=datetime(2025, 1, 6, 10, tzinfo=UTC))
    assert row.published_at == datetime(2025, 1, 6, 10, tzinfo=UTC)


def test_a_row_without_words_is_refused():
    with pytest.raises(InvalidItem) as refused:
        read(title=" ", text=None)
    assert refused.value.code == "no_text"


def test_half_of_a_surrogate_pair_is_refused():
    with pytest.raises(InvalidItem) as refused:
        read(title="a\ud800")
    assert refused.value.code == "not_utf8"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        ("a", "a"),
        (17, 17),
        (2**63, str(2**63)),
        (1.5, 1.5),
        (float("nan"), None),
        (Decimal("NaN"), None),
        (Decimal("1.10"), "1.10"),
        (Fraction(1, 2), 0.5),
        (date(2025, 1, 6), "2025-01-06"),
        (datetime(2025, 1, 6, 10, tzinfo=UTC), "2025-01-06T10:00:00+00:00"),
        ([1], [1]),
        (1j, "1j"),
    ],
)
def test_values_of_tables_become_values_of_json(value, expected):
    assert plain_value(value) == expected


class Unknown:
    """Behaves as the missing value of pandas: nobody knows whether it differs from itself."""

    __hash__ = None

    def __ne__(self, other):
        return self

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")


def test_what_is_not_known_to_be_itself_is_missing():
    assert plain_value(Unknown()) is None
