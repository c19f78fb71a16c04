from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup import InvalidItem
from newsdedup.adapters.formats.json_object import date_field

MOSCOW = timezone(timedelta(hours=3))
TEN = datetime(2025, 1, 6, 10, 0, tzinfo=UTC)


def read(value: object) -> datetime | None:
    return date_field({"at": value}, "at")


def refusal(value: object) -> str:
    with pytest.raises(InvalidItem) as caught:
        read(value)
    return caught.value.code


@pytest.mark.parametrize(
    "written",
    [
        "2025-01-06T10:00:00Z",
        "2025-01-06T10:00:00+00:00",
        "2025-01-06T10:00:00.000Z",
        "2025-01-06T10:00:00.000000000Z",
        "2025-01-06T13:00:00+03:00",
        "2025-01-06T13:00:00+0300",
        "2025-01-06 13:00:00+03",
        "2025-01-06 13:00:00 +0300",
        "2025-01-06T10:00Z",
        "2025-01-06t10:00:00z",
        "2025-01-06 10:00:00 UTC",
        "20250106T100000Z",
        " 2025-01-06T10:00:00Z ",
        "Mon, 06 Jan 2025 10:00:00 GMT",
        "Mon, 06 Jan 2025 13:00:00 +0300",
        "6 Jan 2025 13:00:00 +0300",
        "Mon, 06 Jan 25 05:00:00 EST",
        "Mon, 06 Jan 2025 13:00:00 MSK",
        "Mon, 06 Jan 2025 12:00:00 EET",
        "Mon, 06 Jan 2025 13:00:00 +0300 (MSK)",
        "Mon, 06 Jan 2025 13:00:00 +03:00",
        "Mon, 06 Jan 2025 13:00:00+3:00",
        "Mon, 06 Jan 2025 13:00:00 GMT+0300",
        "Mon, 06 Jan 2025 05:00:00 UTC-5",
        1736157600,
        1736157600.0,
        1736157600000,
        1736157600000000,
        1736157600000000000,
        "1736157600.0",
        "20250106100000",
        "/Date(1736157600000)/",
        "2025-01-06T13:00:00+03:00[Europe/Moscow]",
        "2025-01-06 13:00 MSK",
        "2025/01/06 10:00",
        "2025-Jan-06 10:00",
        "06.01.2025 10:00",
        "10:00, 06.01.2025",
        "Jan 6, 2025, 10:00 a.m.",
        "January 6th, 2025 at 10:00",
        "6-Jan-2025 10:00",
        "Mon Jan 6 10:00:00 2025",
        "Mon Jan 06 13:00:00 +0300 2025",
        "Mon Jan 06 13:00:00 MSK 2025",
        "Mon Jan 06 2025 13:00:00 GMT+0300 (Moscow Standard Time)",
        "понедельник, 6 января 2025 г. в 10:00",
        "6 янв 2025, 13:00 +03:00",
        "6 січня 2025 р. о 10:00",
        "1736157600",
        "1736157600000",
    ],
)
def test_each_way_to_write_ten_in_the_morning_is_read(written):
    assert read(written) == TEN


@pytest.mark.parametrize(
    "written", ["2025-01-06T10:00:00", "2025-01-06 10:00", "Mon, 06 Jan 2025 10:00:00 -0000"]
)
def test_a_moment_without_a_zone_is_utc(written):
    assert read(written) == TEN


@pytest.mark.parametrize(
    "written",
    [
        *("2025-01-06", "20250106", "2025.01.06", "06.01.2025", "Jan 6, 2025", "6 января 2025"),
        *("2025-01-05T24:00:00Z", "January 6, 2025 12:00 AM"),
    ],
)
def test_a_day_is_its_first_moment(written):
    assert read(written) == datetime(2025, 1, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "day"),
    [("25/01/2025", 25), ("1/25/2025", 25), ("25-01-2025", 25), ("1/1/2025", 1)],
)
def test_a_day_in_digits_is_read_where_only_one_number_can_be_the_month(written, day):
    assert read(written) == datetime(2025, 1, day, tzinfo=UTC)


@pytest.mark.parametrize("written", ["03/04/2025", "3-4-2025", "03/04/25", "03.04.25"])
def test_a_day_whose_month_would_be_guessed_is_refused(written):
    assert refusal(written) == "bad_date"


def test_two_digits_of_a_year_are_read_next_to_a_month_in_words_as_in_mail():
    assert [read(f"6 Jan {year}").year for year in ("25", "68", "69", "94")] == [
        *(2025, 2068, 1969, 1994)
    ]


def test_a_second_that_leaps_is_read_as_the_one_before():
    assert read("2016-12-31T23:59:60Z") == datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)


def test_the_zone_is_kept_as_written():
    at = read("2025-01-06T00:00:00+03:00")
    assert at is not None
    assert (at.hour, at.tzinfo) == (0, MOSCOW)


def test_fractions_of_a_second_are_kept_to_the_microsecond():
    assert read("2025-01-06T10:00:00.123456789Z") == TEN + timedelta(microseconds=123_456)
    assert read(1736157600.25) == TEN + timedelta(milliseconds=250)
    assert read(1736157600250) == TEN + timedelta(milliseconds=250)


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_blank_date_is_a_missing_one(value):
    assert read(value) is None


def test_a_missing_field_has_no_moment():
    assert date_field({}, "at") is None


@pytest.mark.parametrize(
    "value",
    [
        "yesterday",
        "2025-13-01",
        "2025-02-30",
        "2025-01-06T25:00:00Z",
        "2025",
        "2025-01",
        "2025-01-06 10.00",
        "31.11.2025",
        "06.01.2025 25:00",
        "06.01.2025 - 08.01.2025",
        "6 Jan 10:00",
        "January 2025",
        "not before January 6, 2025",
        "2025-01-06 10:00 Europe/Moscow",
        "2025-01-06 10:00 XYZ",
        "Mon Jan 6 10:00:00 XYZ 2025",
        "Mon, 32 Jan 2025 10:00:00 GMT",
        "Mon, 06 Jan 2025 10:00:00 +9999999",
        "0",
        ",",
        "\0",
        "2025-01-06T10:00:00Z" + " " * 100,
    ],
)
def test_what_is_no_date_is_refused(value):
    assert refusal(value) == "bad_date"


def test_a_zone_that_nobody_knows_is_not_taken_for_none():
    with pytest.raises(InvalidItem, match="the zone of 'Mon, 06 Jan 2025 10:00:00 XYZ' is unknown"):
        read("Mon, 06 Jan 2025 10:00:00 XYZ")


@pytest.mark.parametrize(
    "value",
    [
        *(10**400, -(10**400), 1e300, -1e300, 5e15, 10**20, "9" * 60, 9999999999999),
        *("1599-12-31T23:59:59Z", "2101-01-01T00:00:00Z", -11_676_096_001),
    ],
)
def test_a_date_out_of_all_proportion_is_absurd(value):
    assert refusal(value) == "absurd_date"


@pytest.mark.parametrize("value", [0, 0.0, -1, 1, 2026, 202603, 20260302, 99_999_999])
def test_a_year_or_a_day_as_a_number_is_not_taken_for_seconds(value):
    assert refusal(value) == "absurd_date"


@pytest.mark.parametrize(
    ("value", "year"),
    [
        ("1600-01-01", 1600),
        ("1650-03-05T10:00:00+03:00", 1650),
        (-11_676_096_000, 1600),
        (-100_000_000, 1966),
        (-11_676_096_000_000, 1600),
        ("Wed, 31 Dec 1969 23:59:59 GMT", 1969),
        ("1970-01-01T00:00:00Z", 1970),
        (100_000_000, 1973),
        ("100000000", 1973),
    ],
)
def test_old_newspapers_are_dated(value, year):
    at = read(value)
    assert at is not None
    assert at.year == year


@given(st.datetimes(datetime(1600, 1, 2), datetime(2100, 12, 30), timezones=st.timezones()))  # noqa: DTZ001  # bounds are naive, values are not
def test_any_moment_of_python_is_read_as_it_was_written(at):
    assert read(at.isoformat()) == datetime.fromisoformat(at.isoformat())


@given(
    st.lists(
        st.sampled_from(
            [
                *("6", "06", "2025", "25", "Jan", "января", ".", "/", "-", ":", ",", "10:00"),
                *("+0300", "MSK", "PM", "T", "Z", "at", "24:00", "г"),
            ]
        ),
        max_size=9,
    ).flatmap(lambda words: st.sampled_from([" ".join(words), "".join(words)]))
)
def test_pieces_of_dates_in_any_order_are_a_moment_or_refused(text):
    try:
        at = read(text)
    except InvalidItem as error:
        assert error.code in {"bad_date", "absurd_date"}  # noqa: PT017  # either is right
    else:
        assert at is None or at.tzinfo is not None


@given(st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_anything_else_is_a_moment_or_refused(value):
    try:
        at = read(value)
    except InvalidItem as error:
        assert error.code in {"bad_date", "absurd_date"}  # noqa: PT017  # either is right
    else:
        assert at is None or at.tzinfo is not None
