"""The page of volumes: its step, its comparison, and the way to the items of a column."""

import re
from datetime import datetime, timedelta
from http import HTTPStatus
from urllib.parse import urlencode

import pytest

from server.pages.test_pages_over_http import ask


def volumes(site: str, **query: str) -> dict:
    return ask(site, f"/volumes.json?{urlencode(query)}").json()


def test_the_step_follows_from_the_span_unless_one_is_named(site) -> None:
    assert (volumes(site)["series"]["step"], volumes(site)["step"]) == ("hour", None)
    assert volumes(site, step="week")["series"]["step"] == "week"
    long = volumes(site, since="2026-11-02", until="2026-11-03", step="day")
    assert [one["start"] for one in long["series"]["points"]] == ["2026-11-02T00:00:00Z"]


def test_a_column_and_its_row_lead_to_as_many_items(site) -> None:
    html = ask(site, "/volumes?lang=en&step=day").body
    points = volumes(site, lang="en", step="day")["series"]["points"]
    columns = re.findall(r'<a href="([^"]+)" tabindex="-1"><rect', html)
    rows = re.findall(r'<th scope="row"><a href="([^"]+)">', html)
    assert len(columns) == sum(one["total"] > 0 for one in points)
    assert rows == columns[::-1]
    for address, point in zip(columns, points, strict=True):
        table = ask(site, address.replace("&amp;", "&").replace("/items?", "/items.csv?")).body
        assert table.count("\r\n") - 1 == point["total"]


def test_two_sources_stand_beside_each_other_on_one_axis(site) -> None:
    sources = [one["source"] for one in ask(site, "/sources.json?order=items").json()["sources"]]
    shown = volumes(site, source=sources[0], other_source=sources[1])
    alone = [volumes(site, source=one) for one in sources[:2]]
    assert shown["totals"] == alone[0]["totals"]
    assert shown["other"]["totals"] == alone[1]["totals"]
    first, other = shown["series"]["points"], shown["other"]["points"]
    assert [one["start"] for one in first] == [one["start"] for one in other]
    assert sum(one["total"] for one in other) == alone[1]["totals"]["total"]
    page = ask(site, f"/volumes?{urlencode({'source': sources[0], 'other_source': sources[1]})}")
    assert page.body.count('<svg class="volumes"') == 2


def test_two_periods_of_the_same_length_stand_beside_each_other(site) -> None:
    shown = volumes(
        site, step="hour", since="2026-11-02", until="2026-11-03", other_since="2026-11-03"
    )
    first, other = shown["series"]["points"], shown["other"]["points"]
    assert len(first) == len(other) <= 24
    apart = {
        datetime.fromisoformat(two["start"]) - datetime.fromisoformat(one["start"])
        for one, two in zip(first, other, strict=True)
    }
    assert apart == {timedelta(days=1)}
    alone = volumes(site, since="2026-11-03", until="2026-11-04")
    assert shown["other"]["totals"] == alone["totals"]


@pytest.mark.parametrize("other", ["other_since=yesterday", "other_since=9999-12-31"])
def test_a_period_that_cannot_be_is_refused(other: str, site) -> None:
    assert ask(site, f"/volumes?{other}").status == HTTPStatus.BAD_REQUEST


def test_a_comparison_with_nothing_shows_empty_columns(site) -> None:
    shown = volumes(site, other_source="nobody")
    assert shown["other"]["totals"]["share"] is None
    assert {one["total"] for one in shown["other"]["points"]} == {0}
    assert ask(site, "/volumes?other_source=nobody").status == HTTPStatus.OK
