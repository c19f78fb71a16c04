"""Areas, volumes and speeds are no lengths."""

import pytest

from newsdedup.core.facts.codes import encode_facts
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION
from newsdedup.core.facts.moves import describe_moves, find_moves
from newsdedup.core.text.words import tokens


def counted(text: str) -> list[tuple[float, str]]:
    facts = extract_facts(text, tokens(text))
    return [(fact.value / MILLION, fact.unit) for fact in facts]


def codes(text: str) -> tuple[int, ...]:
    return encode_facts(extract_facts(text, tokens(text)))


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        ("m2", "90 квадратных метров; 90 кв. м; 90 кв.м; 90 кв.м.; 90 кв м; 90 кв. метров; 90 м2"),
        ("m2", "90 квадратних метрів; 90 square meters; 90 sq m; 90 sq. metres; 90-квадратных м"),
        ("km2", "90 квадратных километров; 90 кв. км; 90 кв.км; 90 км2; 90 square kilometers"),
        ("m3", "90 кубометров; 90 кубометрів; 90 куб. м; 90 куб.м; 90 кубических метров; 90 м3"),
        ("m3", "90 кубічних метрів; 90 cubic metres; 90 cu m"),
        ("km/h", "90 км/ч; 90 км/час; 90 км / ч; 90 км/год; 90 km/h; 90 kph; 90 км в час"),
        ("km/h", "90 километров в час; 90 кілометрів на годину; 90 kilometers per hour"),
        ("km/h", "90 kilometres an hour"),
        ("m/s", "90 м/с; 90 м/сек; 90 m/s; 90 метров в секунду; 90 метрів за секунду"),
        ("km/s", "90 км/с; 90 километров в секунду"),
    ],
)
def test_an_area_a_volume_and_a_speed_have_units_of_their_own(unit: str, said: str) -> None:
    for text in said.split("; "):
        assert counted(text) == [(90, unit)], text


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("12 тыс. кв. метров", 12_000, "m2"),
        ("1,2 млн квадратных метров", 1_200_000, "m2"),
        ("5 млрд кубометров", 5e9, "m3"),
        ("2 млрд куб. м", 2e9, "m3"),
    ],
)
def test_they_may_be_counted_in_thousands(text: str, value: float, unit: str) -> None:
    assert counted(text) == [(value, unit)]


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        *(("90 метров", "m"), ("90 км", "km"), ("90 км в часы пик", "km"), ("90 км. Час", "km")),
        *(("90 м в с. Липцы", "m"), ("90 м к северу", "m"), ("90 новых метров", "m")),
        ("90 кв. в доме", ""),
    ],
)  # fmt: skip
def test_a_length_is_one_still(text: str, unit: str) -> None:
    assert counted(text) == [(90, unit)]


def test_both_ends_of_a_range_are_speeds() -> None:
    assert counted("90-100 км/ч") == [(90, "km/h"), (100, "km/h")]


def test_a_length_is_not_called_the_same_as_an_area_and_no_speed_is_a_way() -> None:
    assert compare_facts(codes("800 кв. м"), codes("800 метров"))[:3] == (0, 1, 1)
    assert compare_facts(codes("90 км/ч"), codes("90 км"))[:3] == (0, 1, 1)
    assert compare_facts(codes("800 кв.м"), codes("800 square metres")) == (1, 0, 0, 0)


def test_what_moved_is_told_by_its_name() -> None:
    found = describe_moves(find_moves(codes("Площадь 800 кв. м"), codes("Площадь 900 кв. м")), ())
    assert [tuple(each) for each in found] == [("square metre", "800", "900")]
