"""The dashboard and the alerts ask for what a real worker and a real feeder show."""

import json
import re
from itertools import permutations
from typing import get_args

import pytest
import yaml

from deploying.files import ALERTS, DASHBOARD, PROMETHEUS, checked, expressions
from newsdedup.adapters.metrics.catalogue import METRICS
from newsdedup.adapters.metrics.feeder_catalogue import FEEDER_METRICS
from newsdedup.core.model import Verdict

CATALOGUES = METRICS + FEEDER_METRICS
LABELS = {label for metric in CATALOGUES for label in metric.labels} | {"le", "job", "instance"}
METRIC = re.compile(r"\b(?:newsdedup|process)_\w+")


def test_every_metric_that_is_asked_for_is_told_by_a_real_process(scrape, feeder_scrape):
    text = scrape.text + feeder_scrape.text
    declared = set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))
    asked = {name for query in expressions() for name in METRIC.findall(query)}
    assert asked
    assert asked - scrape.samples.keys() - feeder_scrape.samples.keys() - declared == set()


def test_every_metric_of_ours_is_on_the_dashboard():
    board = DASHBOARD.read_text("utf-8")
    assert [metric.name for metric in CATALOGUES if metric.name not in board] == []


def test_nothing_is_grouped_or_shown_by_a_label_that_does_not_exist():
    grouped = {
        label.strip()
        for query in expressions()
        for group in re.findall(r"\b(?:by|ignoring) \(([^)]*)\)", query)
        for label in group.split(",")
    }
    shown = set(re.findall(r"\{\{(\w+)\}\}", DASHBOARD.read_text("utf-8")))
    assert grouped
    assert (grouped | shown) - LABELS == set()


def test_every_query_is_one_that_prometheus_understands(tmp_path, promtool):
    queries = [
        query.replace("$__rate_interval", "5m").replace("$job", "newsdedup")
        for query in expressions()
    ]
    rules = [{"record": f"query:{n}", "expr": query} for n, query in enumerate(queries)]
    written = tmp_path / "rules.yml"
    written.write_text(yaml.safe_dump({"groups": [{"name": "all", "rules": rules}]}), "utf-8")
    checked(promtool, "check", "rules", written)


def test_alerts_fire_when_they_should_and_only_then(promtool):
    checked(promtool, "test", "rules", PROMETHEUS / "alerts.test.yml")


def test_every_alert_is_tested_to_fire_and_to_be_silent():
    groups = yaml.safe_load(ALERTS.read_text("utf-8"))["groups"]
    cases = yaml.safe_load((PROMETHEUS / "alerts.test.yml").read_text("utf-8"))["tests"]
    tried = [case for test in cases for case in test["alert_rule_test"]]
    names = {rule["alert"] for group in groups for rule in group["rules"]}
    assert {case["alertname"] for case in tried if case.get("exp_alerts")} == names
    assert {case["alertname"] for case in tried if not case.get("exp_alerts")} == names


def test_the_panel_of_the_shadow_shows_where_the_two_rules_differ_and_nothing_else():
    (query,) = [query for query in expressions() if "by (real, shadow)" in query]
    shown, _, whole = query.partition("ignoring (real, shadow)")
    pairs = re.findall(r'real="(\w+)", shadow="(\w+)"', shown)
    assert set(pairs) == set(permutations(get_args(Verdict), 2))
    assert shown.count("newsdedup_shadow_items_total") == len(pairs)
    assert "real=" not in whole


def test_panels_neither_overlap_nor_leave_the_board():
    board = json.loads(DASHBOARD.read_text("utf-8"))
    cells = [
        (x, y)
        for panel in board["panels"]
        for at in [panel["gridPos"]]
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


@pytest.mark.parametrize(
    "asked", ["duplicate", "relation", "lag_records", "event_age", "corrections", "dead_letters"]
)
def test_the_board_shows_what_a_stream_is_judged_by(asked):
    assert any(asked in query for query in expressions())
