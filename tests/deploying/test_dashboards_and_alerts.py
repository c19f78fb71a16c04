"""The dashboards and the alerts ask for what a real worker, feeder and server show."""

import re
import subprocess
import sys
from itertools import permutations
from typing import get_args

import pytest
import yaml

from deploying.files import (
    DASHBOARDS,
    PROMETHEUS,
    ROOT,
    alert_rules,
    checked,
    expressions,
    panels,
    substituted,
)
from newsdedup.adapters.metrics.catalogue import FEEDER_METRICS, METRICS, SERVER_METRICS
from newsdedup.core.model import Verdict

CATALOGUES = METRICS + FEEDER_METRICS + SERVER_METRICS
LABELS = {label for metric in CATALOGUES for label in metric.labels} | {"le", "job", "instance"}
PROCESS = {"cpu_seconds_total", "resident_memory_bytes", "start_time_seconds"}
"""What is asked of a process, by the names of prometheus-client."""
METRIC = re.compile(r"\b(?:newsdedup|process)_\w+")


@pytest.mark.usefixtures("process")
def test_the_dashboards_are_what_the_script_writes():
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "dashboards", "--check"],
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [dashboard.stem for dashboard in DASHBOARDS] == ["editors", "operators"]


def test_every_metric_that_is_asked_for_is_in_a_catalogue():
    suffixes = ("", "_bucket", "_sum", "_count")
    known = {f"{metric.name}{suffix}" for metric in CATALOGUES for suffix in suffixes}
    asked = {name for query in expressions() for name in METRIC.findall(query)}
    of_processes = {f"process_{name}" for name in PROCESS}
    assert asked
    assert asked - known == of_processes


def test_every_metric_of_ours_is_on_a_dashboard():
    dashboards = "".join(dashboard.read_text("utf-8") for dashboard in DASHBOARDS)
    assert [metric.name for metric in CATALOGUES if metric.name not in dashboards] == []


def test_nothing_is_grouped_or_shown_by_a_label_that_does_not_exist():
    grouped = {
        label.strip()
        for query in expressions()
        for group in re.findall(r"\b(?:by|ignoring) \(([^)]*)\)", query)
        for label in group.split(",")
    }
    dashboards = "".join(dashboard.read_text("utf-8") for dashboard in DASHBOARDS)
    shown = set(re.findall(r"\{\{(\w+)\}\}", dashboards))
    assert grouped
    assert (grouped | shown) - LABELS == set()


def test_every_query_is_one_that_prometheus_understands(tmp_path, promtool):
    queries = map(substituted, expressions())
    rules = [{"record": f"query:{n}", "expr": query} for n, query in enumerate(queries)]
    written = tmp_path / "rules.yml"
    written.write_text(yaml.safe_dump({"groups": [{"name": "all", "rules": rules}]}), "utf-8")
    checked(promtool, "check", "rules", written)


def test_alerts_fire_when_they_should_and_only_then(promtool):
    checked(promtool, "test", "rules", PROMETHEUS / "alerts.test.yml")


def test_every_alert_is_tested_to_fire_and_to_be_silent():
    cases = yaml.safe_load((PROMETHEUS / "alerts.test.yml").read_text("utf-8"))["tests"]
    tried = [case for test in cases for case in test["alert_rule_test"]]
    names = {rule["alert"] for rule in alert_rules()}
    assert {case["alertname"] for case in tried if case.get("exp_alerts")} == names
    assert {case["alertname"] for case in tried if not case.get("exp_alerts")} == names


def test_every_alert_has_its_part_in_the_runbook_and_nothing_else_has():
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")
    part = r"^### (\w+)\n\n\*Means\*: .+?\*Look\*: .+?\*Do\*: "
    parts = re.findall(part, page, re.MULTILINE | re.DOTALL)
    assert parts == [rule["alert"] for rule in alert_rules()]


def test_the_panel_of_the_shadow_shows_where_the_two_rules_differ_and_nothing_else():
    (query,) = [query for query in expressions() if "by (real, shadow)" in query]
    shown, _, whole = query.partition("ignoring (real, shadow)")
    pairs = re.findall(r'real="(\w+)", shadow="(\w+)"', shown)
    assert set(pairs) == set(permutations(get_args(Verdict), 2))
    assert shown.count("newsdedup_shadow_items_total") == len(pairs)
    assert "real=" not in whole


@pytest.mark.parametrize("dashboard", DASHBOARDS, ids=lambda dashboard: dashboard.stem)
def test_panels_neither_overlap_nor_leave_the_dashboard(dashboard):
    cells = [
        (x, y)
        for panel in panels(dashboard)
        for at in [panel["gridPos"]]
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


@pytest.mark.parametrize(
    ("dashboard", "shown"),
    [
        ("operators", "records_total lag_records event_age dead_letters redis_ feeder_ server_"),
        ("editors", 'verdict="duplicate" relation lang corrections source delay'),
    ],
)
def test_a_dashboard_shows_what_its_readers_look_for(dashboard, shown):
    (file,) = (one for one in DASHBOARDS if one.stem == dashboard)
    queries = [target["expr"] for panel in panels(file) for target in panel.get("targets", ())]
    assert [one for one in shown.split() if not any(one in query for query in queries)] == []
