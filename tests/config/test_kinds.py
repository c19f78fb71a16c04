import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.config import settings_by_key
from newsdedup.config.kinds import (
    BYTES,
    LARGEST,
    LONGEST_DURATION,
    MILLISECONDS,
    SettingKind,
    duration,
    file_path,
    line_of_text,
    named_number,
    one_of,
    size,
    some_of,
    whole_number,
    yes_or_no,
)

KINDS: tuple[SettingKind[Any], ...] = (
    named_number({"auto": None}, "processes", least=0, most=64),
    whole_number("items", least=0),
    whole_number("terms", least=2, most=64),
    one_of("terms", "verified"),
    named_number({"few": 70, "any": 0}, "percent", most=99),
    file_path(),
    some_of("md5", "tf"),
    line_of_text(),
    yes_or_no(),
    duration(),
    duration(zero=True),
    duration(least=1_000, most=1_800_000),
    size(),
    size(least=8192),
    *(setting.kind for setting in settings_by_key().values()),
)
raws = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.from_regex(r"\A[0-9]{1,20} ?[A-Za-z]{0,3}\Z"),
    st.sampled_from(["terms", "72h", "16MiB", "0s", "12", "auto", "any", "md5", "tf, md5"]),
    st.sampled_from(["a:1 , b", "[::1]:2", "a:x", "redis://h/1", "redis://:p@h", "a{b", "News.1"]),
    st.from_regex(r"\A(rediss?|unix)://[ah:@/?&=.\[\]0-9%-]{0,20}\Z"),
    st.lists(st.sampled_from(["md5", "tf"])),
    st.lists(st.integers()),
    st.dictionaries(st.text(), st.integers()),
)


@given(st.sampled_from(KINDS), raws)
def test_a_kind_refuses_with_what_it_expects_or_reads_back_what_it_writes(
    kind: SettingKind[Any], raw: object
) -> None:
    value, refusal = None, None
    try:
        value = kind.parse(raw)
    except ValueError as error:
        refusal = str(error)
    if refusal is None:
        assert kind.parse(kind.plain(value)) == value
        assert kind.parse(str(kind.plain(value))) == value
    assert refusal in (None, kind.expected)


@pytest.mark.parametrize("setting", settings_by_key().values(), ids=lambda setting: setting.key)
def test_every_default_is_a_value_of_its_kind(setting: Any) -> None:
    assert setting.kind.parse(setting.kind.plain(setting.default)) == setting.default


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("72h", timedelta(hours=72)),
        ("90m", timedelta(minutes=90)),
        ("3d", timedelta(days=3)),
        ("200ms", timedelta(milliseconds=200)),
        ("10 s", timedelta(seconds=10)),
        ("36500d", timedelta(days=36500)),
    ],
)
def test_a_duration_is_read_with_its_unit(written: str, meant: timedelta) -> None:
    assert duration().parse(written) == meant


@pytest.mark.parametrize(
    "written",
    ["72", 72, 72.0, "h", "72H", "1.5h", "-1h", "1h30m", "", "72 hours", " 72h", "36501d", "0h"],
)
def test_a_duration_without_a_known_unit_or_out_of_bounds_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match="72h, 90m, 3d, 10s or 200ms"):
        duration().parse(written)


def test_a_duration_may_have_bounds() -> None:
    kind = duration(least=1_000, most=1_800_000)
    assert (kind.parse("1s"), kind.parse("30m")) == (timedelta(seconds=1), timedelta(minutes=30))
    for written in ("999ms", "1801s"):
        with pytest.raises(ValueError, match=r"200ms, from 1s up to 30m$"):
            kind.parse(written)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("16MiB", 2**24), ("4096B", 4096), ("10 MB", 10_000_000), ("1TiB", 2**40), ("5kB", 5000)],
)
def test_a_size_is_read_with_its_unit(written: str, meant: int) -> None:
    assert size().parse(written) == meant


@pytest.mark.parametrize("written", ["16", 16, "16M", "16mib", "0B", "2TiB", "MiB", True, None])
def test_a_size_without_a_known_unit_or_out_of_bounds_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match="16MiB"):
        size().parse(written)


def test_a_size_may_have_a_lower_bound() -> None:
    kind = size(least=8192)
    assert (kind.parse("8KiB"), kind.parse("9kB")) == (8192, 9000)
    with pytest.raises(ValueError, match=r"4096B, from 8KiB up to 1TiB$"):
        kind.parse("8191B")


@pytest.mark.parametrize("written", [True, "6.0", 6.0, "٦", "+6", "", "6 ", 1, 65, "9" * 5000])
def test_a_number_of_terms_is_a_whole_number_within_its_bounds(written: object) -> None:
    with pytest.raises(ValueError, match="a whole number from 2 to 64"):
        whole_number("terms", least=2, most=64).parse(written)


def test_a_path_may_be_a_path_or_a_text() -> None:
    assert file_path().parse(Path("a/b.state")) == file_path().parse("a/b.state") == "a/b.state"


@pytest.mark.parametrize("written", ["a\0b", b"a", Path, 3])
def test_what_cannot_be_a_path_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match="path of a file"):
        file_path().parse(written)


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        *((one_of("terms", "verified"), written) for written in ("Terms", "", "terms ", None, 1)),
        *((some_of("md5", "tf"), written) for written in ("md5,tg", ",", ["md5", 1], 1, None)),
        *((yes_or_no(), written) for written in ("yes", "", "TRUE", 1, None)),
        *((line_of_text(), written) for written in ("two\nlines", "x" * 1_001, "bell \a", 1, None)),
    ],
)
def test_what_is_none_of_the_known_values_is_refused(
    kind: SettingKind[Any], written: object
) -> None:
    with pytest.raises(ValueError, match=re.escape(kind.expected)):
        kind.parse(written)


def test_a_list_of_names_keeps_their_order_and_loses_repeats() -> None:
    assert some_of("md5", "tf").parse("tf, md5,tf") == ("tf", "md5")
    assert some_of("md5", "tf").parse(["md5"]) == ("md5",)
    assert some_of("md5", "tf").parse(" ") == ()


def test_the_longest_line_of_text_is_read() -> None:
    assert line_of_text().parse("x" * 1_000) == "x" * 1_000


@pytest.mark.parametrize(
    "kind", [whole_number("items"), duration(), size()], ids=lambda kind: kind.unit
)
@pytest.mark.parametrize("text", ["9", "9 ", "h", "9h", "\n", " "])
def test_a_value_of_100_kilobytes_is_refused(kind: SettingKind[Any], text: str) -> None:
    # The patterns are anchored and read 22 characters at most, so length cannot cost anything.
    with pytest.raises(ValueError, match=re.escape(kind.expected)):
        kind.parse((text * 100_000)[:100_000])


def test_no_value_leaves_64_bits() -> None:
    assert LONGEST_DURATION * 1000 < 2**62
    assert LARGEST < 2**62
    assert max(MILLISECONDS.values()) < max(BYTES.values())
