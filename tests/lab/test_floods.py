"""A flood of items that are alike leaves the work of other items as it was: counts, not times."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from typer.testing import CliRunner

from newsdedup.cli.app import app
from newsdedup.config import RuleSettings, Settings
from newsdedup.ports.errors import SettingsInvalid
from newsdedup_lab.bench.floods import FLOODS, generate_flood
from newsdedup_lab.bench.hot import measure_hot

pytestmark = pytest.mark.usefixtures("long")

SIZE, BACKGROUND, OTHERS = 300, 200, 60
GROWTH = 1 + SIZE / (BACKGROUND + OTHERS)
BEGIN = datetime(2026, 11, 4, tzinfo=UTC)


@pytest.fixture(scope="module", params=["memory", "redis"])
def measured(request: pytest.FixtureRequest) -> dict[str, Any]:
    settings = Settings(rule=RuleSettings(name="verified"))
    over_redis = request.param == "redis"
    if over_redis:
        server = request.getfixturevalue("redis")
        settings = replace(settings, redis=replace(settings.redis, url=server.url))
    return measure_hot(
        SIZE, settings, redis=over_redis, background=BACKGROUND, others=OTHERS, say=lambda _: None
    )


@pytest.mark.parametrize("name", FLOODS)
def test_other_items_are_compared_with_no_more_during_a_flood(
    measured: dict[str, Any], name: str
) -> None:
    alone, others = measured["alone"], measured["floods"][name]["others"]
    assert others["leaders"]["mean"] <= alone["leaders"]["mean"] + 1
    assert others["comparisons"]["mean"] <= alone["comparisons"]["mean"] + 1
    # Postings grow with the window at most, whatever fills it.
    assert others["postings"]["mean"] <= 1.1 * GROWTH * alone["postings"]["mean"]


def test_near_copies_of_one_event_meet_their_leaders_alone(measured: dict[str, Any]) -> None:
    flood = measured["floods"]["event"]["flood"]
    assert flood["leaders"]["p99"] <= 10
    assert flood["comparisons"]["p99"] <= 10


def test_messages_of_one_template_are_hardly_compared(measured: dict[str, Any]) -> None:
    assert measured["floods"]["templates"]["flood"]["comparisons"]["mean"] < 10


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_has_its_items_within_an_hour_the_same_each_time(name: str) -> None:
    items = list(generate_flood(name, 50, begin=BEGIN))
    assert items == list(generate_flood(name, 50, begin=BEGIN))
    assert len({item.key for item in items}) == 50
    assert len({item.text for item in items}) >= 45
    assert all((item.published_at - BEGIN).total_seconds() < 3600 for item in items)


def test_a_flood_is_what_its_name_says() -> None:
    event, templates, headline = (list(generate_flood(name, 50, begin=BEGIN)) for name in FLOODS)
    assert len({item.title for item in event}) == 1
    assert len({item.key.source for item in templates}) == 1
    assert len({item.title for item in headline}) == 1
    assert len({item.text for item in headline}) == 50


def test_an_unknown_flood_is_refused() -> None:
    with pytest.raises(
        SettingsInvalid, match="no flood rain: there are event, templates, headline"
    ):
        measure_hot(100, Settings(), floods=["rain"], say=lambda _: None)


def test_the_command_measures_one_flood() -> None:
    done = CliRunner().invoke(app, ["bench", "--hot", "100", "--floods", "rain"])
    assert done.exit_code != 0
    assert "there is no flood rain" in done.stderr
