import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.archive.views import SourceStats, VolumePoint
from newsdedup.server.pages.charts import (
    heat,
    link_rank_chart,
    round_ticks,
    spark_line,
)
from newsdedup.server.pages.volume_charts import volume_chart

START = datetime(2026, 11, 2, tzinfo=UTC)


def volumes(*counts: tuple[int, int]) -> list[VolumePoint]:
    return [
        VolumePoint(
            start=START + timedelta(hours=at), total=one + two, originals=one, duplicates=two
        )
        for at, (one, two) in enumerate(counts)
    ]


def stats(source: str, *, items: int, duplicates: int, links: int) -> SourceStats:
    return SourceStats(
        source=source,
        items=items,
        originals=items - duplicates,
        duplicates=duplicates,
        originality=1 - duplicates / items,
        originality_low=0.0,
        originality_high=1.0,
        own_repeats=0,
        copies_of_others=duplicates,
        copied_by_others=0,
        copied_sources=1,
        copying_sources=0,
        median_delay_seconds=None,
        links=links,
    )


@given(most=st.integers(min_value=0, max_value=10**12))
def test_ticks_are_round_numbers_that_reach_the_largest_value(most: int) -> None:
    ticks = round_ticks(most)
    assert ticks[0] == 0
    assert ticks[-1] >= most
    assert 2 <= len(ticks) <= 6
    assert len({after - before for before, after in pairwise(ticks)}) == 1


def test_steps_are_of_one_two_or_five() -> None:
    assert round_ticks(3) == [0, 1, 2, 3]
    assert round_ticks(859) == [0, 500, 1_000]


def test_a_spark_line_begins_with_the_first_item_and_rises_with_each_later_one() -> None:
    line = spark_line([0, 1, 0, 3])
    assert (line.width, line.height) == (120, 24)
    assert line.area == "M30 24V18H90V0H120V24z"


def test_a_spark_line_begins_at_the_height_of_what_was_there_before() -> None:
    assert spark_line([0, 1], before=1).area == "M0 24V12H60V0H120V24z"


def test_a_story_without_items_in_the_day_has_no_area() -> None:
    assert spark_line([0, 0, 0]).area == ""


def test_duplicates_stand_upon_originals() -> None:
    chart = volume_chart(volumes((3, 1), (0, 0)), width=100, height=80)
    assert chart.originals == "M5 20h40v60h-40z"
    assert chart.duplicates == "M5 0h40v20h-40z"


def test_a_chart_of_many_spans_has_few_labels_and_stays_within_its_width() -> None:
    chart = volume_chart(volumes(*[(1, 1)] * 744))
    assert len(chart.labels) <= 6
    begins = [float(x) for x in re.findall(r"M([\d.]+)", chart.duplicates)]
    assert len(begins) == 744
    assert max(begins) < chart.width
    assert len(chart.originals + chart.duplicates) < 60_000


def test_few_links_and_many_duplicates_make_the_zone_of_mass_plagiarism() -> None:
    honest = [stats(f"s{at}", items=10, duplicates=1, links=100 - at) for at in range(13)]
    copier = stats("copier", items=10, duplicates=9, links=0)
    chart = link_rank_chart([copier, *honest])
    assert chart is not None
    assert [dot.stats.source for dot in chart.dots if dot.in_zone] == ["copier"]
    assert chart.dots[-1].x >= chart.zone.x
    assert chart.dots[-1].y <= chart.mean


def test_sources_without_links_have_no_rank() -> None:
    assert link_rank_chart([stats("a", items=2, duplicates=1, links=0)]) is None


@pytest.mark.parametrize(
    ("items", "most", "shade"), [(0, 9, 0), (1, 1, 6), (1, 100, 1), (10, 100, 3), (100, 100, 6)]
)
def test_a_cell_is_shaded_by_the_logarithm_of_its_items(items: int, most: int, shade: int) -> None:
    assert heat(items, most) == shade


def test_the_line_of_the_share_is_interrupted_where_a_column_has_few_items() -> None:
    chart = volume_chart(volumes((5, 5), (9, 1), (1, 1), (5, 0)), width=100, height=80)
    assert chart.share == "M12.5 40h0L37.5 72M87.5 80h0"


def test_two_charts_may_have_one_scale() -> None:
    chart = volume_chart(volumes((3, 1)), most=100)
    assert chart.scale[-1].value == 100
    assert [one.value for one in chart.shares] == [0, 0.25, 0.5, 0.75, 1]


def test_only_columns_that_can_be_told_apart_lead_to_their_items() -> None:
    assert len(volume_chart(volumes(*[(1, 0)] * 150)).columns) == 150
    assert volume_chart(volumes(*[(1, 0)] * 300)).columns == ()
