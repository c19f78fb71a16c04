from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict

from newsdedup.feeder.fetching.answers import (
    LONGEST_ASKED,
    max_age,
    read_answer,
    retry_after,
)

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
ADDRESS = "https://news.example/feeds/all.xml"


def answer(status, *, conditional=True, **headers):
    named = CIMultiDict({name.replace("_", "-"): value for name, value in headers.items()})
    return read_answer(status, named, address=ADDRESS, conditional=conditional, now=NOW)


def test_a_feed_comes_with_200_and_stays_with_304():
    assert answer(200, cache_control="public, max-age=600").wait == timedelta(minutes=10)
    assert answer(200).meaning == "content"
    assert answer(304).meaning == "unchanged"


def test_a_304_that_nobody_asked_for_is_a_failure():
    assert answer(304, conditional=False).meaning == "failed"


@pytest.mark.parametrize(("status", "permanent"), [(301, True), (308, True), (302, False)])
def test_a_redirect_is_for_good_or_not(status, permanent):
    moved = answer(status, location="../new.xml")
    assert moved.meaning == "moved"
    assert moved.location == "https://news.example/new.xml"
    assert moved.permanent is permanent


@pytest.mark.parametrize("status", [303, 307])
def test_other_redirects_are_temporary(status):
    assert not answer(status, location="/new").permanent


def test_a_redirect_to_nowhere_is_a_failure():
    assert answer(301).meaning == "failed"
    assert answer(302, location="http://[oops").meaning == "failed"


def test_410_means_gone_and_404_does_not():
    assert answer(410).meaning == "gone"
    assert answer(404).meaning == "failed"
    assert answer(404).problem == "404 Not Found"


def test_a_server_that_is_busy_is_waited_for():
    busy = answer(429, retry_after="120")
    assert (busy.meaning, busy.busy, busy.wait) == ("failed", True, timedelta(minutes=2))
    assert answer(429).busy
    assert answer(503, retry_after="Mon, 23 Nov 2026 13:00:00 GMT").wait == timedelta(hours=1)
    assert not answer(503).busy


def test_an_unknown_status_is_a_failure():
    assert answer(599).problem == "status 599"
    assert answer(204).meaning == "failed"


def test_a_retry_after_of_the_past_or_of_years_is_bounded():
    assert retry_after("Mon, 23 Nov 2020 13:00:00 GMT", NOW) == timedelta()
    assert retry_after("99999999999", NOW) == LONGEST_ASKED
    assert retry_after("soon", NOW) is None


def test_max_age_counts_only_where_caching_is_allowed():
    assert max_age("MAX-AGE=60") == timedelta(minutes=1)
    assert max_age("no-cache, max-age=60") is None
    assert max_age("s-maxage=60") is None
    assert max_age("max-age=-1") is None


@given(status=st.integers(100, 999), value=st.text(max_size=40), conditional=st.booleans())
def test_every_response_has_a_meaning(status, value, conditional):
    headers = {"Location": value, "Retry-After": value, "Cache-Control": value}
    meant = read_answer(status, headers, address=ADDRESS, conditional=conditional, now=NOW)
    assert (meant.meaning == "moved") == bool(meant.location)
    assert meant.wait is None or timedelta() <= meant.wait <= LONGEST_ASKED
    assert (meant.meaning in ("gone", "failed")) == bool(meant.problem)


@given(st.text(max_size=40) | st.datetimes().map(str))
def test_no_text_breaks_retry_after(text):
    wait = retry_after(text, NOW)
    assert wait is None or timedelta() <= wait <= LONGEST_ASKED
