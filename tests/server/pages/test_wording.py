from datetime import UTC, datetime

import pytest

from newsdedup.server.pages.languages import InterfaceTexts, interface_texts
from newsdedup.server.pages.wording import Wording, isolated, plain_line, unmarked

ENGLISH, RUSSIAN = (Wording(interface_texts(lang)) for lang in ("en", "ru"))
MOMENT = datetime(2026, 11, 2, 14, 5, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (None, "–"),
        (0, "0 s"),
        (59.9, "59 s"),
        (60, "1 min"),
        (3_599, "59 min"),
        (3_600, "1 h"),
        (6_660, "1 h 51 min"),
        (86_399, "23 h 59 min"),
        (86_400, "1 d"),
        (90_061, "1 d 1 h"),
        (-180, "−3 min"),
        (8_640_000_000, "100,000 d"),
    ],
)
def test_a_span_is_written_in_its_two_largest_units(seconds: float | None, written: str) -> None:
    assert ENGLISH.span(seconds).replace("\u00a0", " ") == written


def test_numbers_are_written_as_the_language_does() -> None:
    assert ENGLISH.number(1_234_567.891, 2) == "1,234,567.89"
    assert RUSSIAN.number(1_234_567.891, 2) == "1\u202f234\u202f567,89"
    assert (ENGLISH.share(0.125, 1), RUSSIAN.share(0.125, 1)) == ("12.5%", "12,5\u00a0%")


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("**Bridge** ****reopens", "Bridge reopens"),
        ("The** bridge **reopens, **which", "The bridge reopens, which"),
        ("# Bridge [reopens](https://a.example/1?x=2)", "Bridge reopens"),
        ("It [reopens](https://a.example/(x)/very-lo", "It reopens"),
        ("It [reopens](htt", "It reopens"),
        ("It reopens, __the mayor__", "It reopens, the mayor"),
        ("D**n the 2 * 3 [sic] in snake__case #1", "D**n the 2 * 3 [sic] in snake__case #1"),
        ("*** stars ***", "*** stars ***"),
    ],
)  # fmt: skip
def test_a_title_is_shown_without_the_marks_of_markdown(title: str, shown: str) -> None:
    assert unmarked(title) == shown


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("A &amp; <b>b</b>: the &quot;line&#8217;s&quot; end", 'A & b: the "line’s" end'),
        ("AT&T: 3 < 5 & 7 > 2", "AT&T: 3 < 5 & 7 > 2"),
        ("<br>", "<br>"),
    ],
)  # fmt: skip
def test_a_title_is_shown_without_html(title: str, shown: str) -> None:
    assert unmarked(title) == shown


def test_a_day_of_another_year_has_its_year() -> None:
    now = Wording(interface_texts("en"), this_year=2026)
    later = Wording(interface_texts("en"), this_year=2027)
    assert now.moment(MOMENT).replace("\u00a0", " ") == "2 Nov, 14:05"
    assert later.moment(MOMENT).replace("\u00a0", " ") == "2 Nov 2026, 14:05"
    assert later.short_date(MOMENT).replace("\u00a0", " ") == "2 Nov 2026"


def test_a_day_is_written_in_words() -> None:
    assert ENGLISH.day(MOMENT).replace("\u00a0", " ") == "Monday, 2 November 2026"
    assert RUSSIAN.day(MOMENT).replace("\u00a0", " ") == "понедельник, 2 ноября 2026"
    assert ENGLISH.moment(MOMENT).replace("\u00a0", " ") == "2 Nov, 14:05"
    assert ENGLISH.exact(MOMENT) == "2026-11-02 14:05:09 UTC"


def test_a_size_is_written_in_the_unit_that_suits_it() -> None:
    sizes = [ENGLISH.size(size).replace("\u00a0", " ") for size in (0, 999, 12_345, 2_500_000_000)]
    assert sizes == ["0 B", "999 B", "12.3 kB", "2.5 GB"]


def test_characters_that_reverse_a_text_are_left_out() -> None:
    assert plain_line("\u202emoc.live\u202c \u2067a\u200fb") == "moc.live ab"
    assert isolated("\u202emoc.live \u2066x") == "<bdi>moc.live x</bdi>"


def test_foreign_text_is_escaped_on_one_line_and_shortened() -> None:
    assert isolated("<script>\n\x1b[31m\x00</script>") == (
        "<bdi>&lt;script&gt; [31m &lt;/script&gt;</bdi>"
    )
    assert plain_line("word " * 1_000_000, 12) == "word word w…"


def test_a_feature_without_words_of_ours_is_described_in_those_of_the_engine() -> None:
    bare = Wording(InterfaceTexts("uk", {}))
    assert bare.reason("head", speaks_for=True) == "their first sentences say the same"
    assert bare.reason("of a later model", speaks_for=False) == "of a later model"
    assert RUSSIAN.reason("head", speaks_for=True) == "Первые предложения говорят одно и то же"
