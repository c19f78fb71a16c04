import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from newsdedup.ports.errors import SinkUnusable
from newsdedup_lab.report.html import render_html
from newsdedup_lab.report.plot import COLOUR_VARIABLES, SERIES_COLOURS, render_svg
from newsdedup_lab.report.report_content import (
    AxisLabel,
    BulletList,
    HeatMap,
    Paragraph,
    Plot,
    Provenance,
    ReportTable,
    Section,
    Series,
    StudyReport,
    Zone,
)
from newsdedup_lab.report.study_stages import prepare_report_folder, write_report

MADE = Provenance("newsdedup lab try <items>", "2026-11-21T12:00:00+00:00", {"newsdedup": "0.1"})
LINE = Series(
    "recall & $more$", ((1, 0.25), (2, 0.5), (3, 0.75)), band=((1, 0.2, 0.3), (2, 0.4, 0.6))
)
CLOUD = Series("measured", ((1, 0.3), (2, 0.4)), kind="points")
STEPS = Series("predicted", ((1, 0.3), (2, 0.4)), kind="steps")
PLOT = Plot(
    "Recall by terms",
    "t",
    "recall",
    (LINE, CLOUD, STEPS),
    x_scale="whole",
    x_labels=(AxisLabel(2, "t = 2"),),
    zones=(Zone(2, 3, "the zone"),),
)
REPORT = StudyReport(
    "try",
    "A report <b>of</b> nothing",
    "What it is about.",
    (
        Section("Plots", (Paragraph("Two & two."), PLOT, PLOT)),
        Section(
            "Tables",
            (
                ReportTable(
                    "Scores",
                    ("method", "pairs", "F"),
                    (("a <method>", 12_345, 0.5), ("b", 2, None), ("c", 1, 0.75)),
                    best=("F",),
                ),
                HeatMap("Correlation", ("a", "b"), ((1.0, 0.25), (None, 1.0))),
                BulletList(("One.", "Two.")),
            ),
        ),
    ),
    {"f": [0.5, None, 0.75]},
)


class Page(HTMLParser):
    """What a browser would make of a page: its elements and the addresses it would fetch."""

    VOID = frozenset({"meta", "link", "br", "img", "path", "use", "rect"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.fetched: list[str] = []
        self.targets: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)
        self.handle_startendtag(tag, attrs)

    def handle_startendtag(self, tag, attrs):
        del tag
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            elif name in ("src", "href", "xlink:href"):
                kind = self.targets if value.startswith("#") else self.fetched
                kind.append(value)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_every_element_that_is_opened_is_closed():
    assert Page(render_html(REPORT, MADE)).open == []


def test_a_page_fetches_nothing():
    page = render_html(REPORT, MADE)
    assert set(Page(page).fetched) == {"data:,"}
    assert "@import" not in page
    assert re.findall(r"url\((?!#)", page) == []


def test_no_two_elements_of_a_page_have_one_name_and_every_reference_leads_to_one():
    page = Page(render_html(REPORT, MADE))
    assert len(set(page.ids)) == len(page.ids)
    named = {f"#{name}" for name in page.ids}
    clipped = set(re.findall(r"url\((#[^)]+)\)", render_html(REPORT, MADE)))
    assert set(page.targets) | clipped <= named


def test_equal_reports_give_equal_bytes_and_the_date_comes_from_the_caller():
    assert render_html(REPORT, MADE) == render_html(REPORT, MADE)
    later = render_html(REPORT, replace(MADE, date="2027-01-01"))
    assert later.replace("2027-01-01", MADE.date) == render_html(REPORT, MADE)


def test_words_from_outside_stay_words():
    page = render_html(REPORT, MADE)
    assert "A report &lt;b&gt;of&lt;/b&gt; nothing" in page
    assert "<code>newsdedup lab try &lt;items&gt;</code>" in page
    assert "a &lt;method&gt;" in page


def test_numbers_are_formatted_as_a_reader_expects_them():
    page = render_html(REPORT, MADE)
    assert '<th scope="row">a &lt;method&gt;</th><td>12,345</td><td>0.500</td>' in page
    assert '<th scope="row">b</th><td>2</td><td>–</td>' in page
    assert "<td><strong>0.750</strong></td>" in page
    assert '<td style="--share:0.250">0.25</td>' in page


def test_a_plot_takes_every_colour_from_the_page():
    drawing = render_svg(PLOT, prefix="p")
    assert re.findall(r"#[0-9a-f]{6}\b", drawing) == []
    assert not [stand_in for stand_in in COLOUR_VARIABLES if stand_in in drawing]
    page = render_html(REPORT, MADE)
    used = set(re.findall(r"var\((--[\w-]+)\)", page)) - {"--share"}
    light, dark = page.split("@media (prefers-color-scheme: dark)")[:2]
    for name in used:
        assert f"{name}:" in light
        assert f"{name}:" in dark[: dark.index("body")]


def test_lines_differ_by_dash_and_marker_too():
    several = replace(
        PLOT, series=tuple(Series(str(n), ((0, n), (1, n))) for n in range(len(SERIES_COLOURS)))
    )
    drawing = render_svg(several, prefix="p")
    dashes = set(re.findall(r"stroke-dasharray: ([\d., ]+);", drawing))
    assert len(dashes) >= len(SERIES_COLOURS) - 1
    assert len(set(re.findall(r'<path id="(p-m\w+)"', drawing))) >= len(SERIES_COLOURS)


def test_steps_have_no_markers():
    steps = render_svg(replace(PLOT, series=(STEPS,), zones=(), x_labels=()), prefix="p")
    line = render_svg(
        replace(PLOT, series=(replace(STEPS, kind="line"),), zones=(), x_labels=()), prefix="p"
    )
    assert steps.count("<use ") == line.count("<use ") - len(STEPS.points)


def labelled_points(*points: tuple[float, float]) -> list[str]:
    labels = tuple(f"point {number}" for number in range(len(points)))
    series = Series("cloud", points, kind="points", labels=labels)
    drawing = render_svg(replace(PLOT, series=(series,), x_labels=(), zones=()), prefix="p")
    return [label for label in labels if f">{label}</text>" in drawing]


def test_points_apart_from_each_other_all_get_their_labels():
    assert len(labelled_points((1, 0.1), (2, 0.5), (3, 0.9))) == 3


def test_of_points_in_one_place_only_those_with_room_get_labels_the_first_first():
    written = labelled_points(*[(1 + n / 1_000, 0.5) for n in range(20)], (3, 0.9))
    assert written[0] == "point 0"
    assert written[-1] == "point 20"
    assert len(written) < 9


@pytest.mark.parametrize("scale", ["linear", "log", "whole", "time"])
def test_every_scale_can_be_drawn(scale):
    plot = replace(PLOT, x_scale=scale, y_scale="log", zones=(), x_labels=())
    assert render_svg(plot, prefix="p").startswith("<svg ")


@pytest.mark.parametrize(
    "hours", [0, 0.05, 1, 4, 11, 30, 72, 100, 250, 1_500, 5_000, 20_000, 90_000]
)
def test_time_can_be_drawn_over_any_span(hours):
    begin = 1_731_888_000
    line = Series("total", ((begin, 1), (begin + 3_600 * hours, 2)))
    assert render_svg(
        replace(PLOT, x_scale="time", series=(line,), zones=(), x_labels=()), prefix="p"
    )


def test_a_row_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="does not fit"):
        ReportTable("Scores", ("a", "b"), ((1,),))
    with pytest.raises(ValueError, match="no square"):
        HeatMap("Correlation", ("a", "b"), ((1.0,), (1.0, 0.5)))


def test_page_and_measurements_are_written_together(tmp_path):
    page, measurements = write_report(
        REPORT, MADE, prepare_report_folder(tmp_path / "new" / "folder")
    )
    assert page.read_text("utf-8") == render_html(REPORT, MADE)
    report = json.loads(measurements.read_text("utf-8"))
    assert report["measurements"] == REPORT.measurements
    assert report["made"]["date"] == MADE.date
    assert sorted(path.name for path in page.parent.iterdir()) == ["try.html", "try.json"]


def test_a_folder_that_cannot_be_written_is_refused_by_name(tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("a file")
    with pytest.raises(SinkUnusable, match="taken: cannot be written"):
        prepare_report_folder(taken)
