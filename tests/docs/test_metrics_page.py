"""The page of the metrics, the catalogue and the scrape of a real worker say the same."""

import subprocess

import pytest
from prometheus_client.parser import text_string_to_metric_families

from docs.pages import cells, quoted
from newsdedup.adapters.metrics.catalogue import FEEDER_METRICS, METRICS, SERVER_METRICS
from newsdedup.adapters.metrics.prometheus import Metric
from server.served import judge, serving


def row(metric: Metric) -> list[str]:
    labels = ", ".join(f"`{label}`" for label in metric.labels)
    return [f"`{metric.name}`", metric.kind, metric.unit, labels, metric.cause]


def test_the_page_shows_every_metric_as_it_is():
    assert cells("metrics.md", first="metric") == [row(metric) for metric in METRICS]
    of_feeders = cells("metrics.md", first="metric of a feeder")
    assert of_feeders == [row(metric) for metric in FEEDER_METRICS]
    of_servers = cells("metrics.md", first="metric of a server")
    assert of_servers == [row(metric) for metric in SERVER_METRICS]


def test_every_path_of_the_page_answers_and_no_other_is_named():
    named = [quoted(path)[0] for path, _ in cells("metrics.md", first="path")]
    assert named == ["/metrics", "/livez", "/readyz"]


def test_a_real_worker_shows_its_catalogue_and_nothing_else(scrape):
    assert_shows(scrape.text, METRICS)


def test_a_real_feeder_shows_its_catalogue_and_nothing_else(feeder_scrape):
    assert_shows(feeder_scrape.text, FEEDER_METRICS)


def test_a_real_server_shows_its_catalogue_and_nothing_else(tmp_path):
    judge(tmp_path)
    with serving(tmp_path) as served:
        served.ask("/v1/stats")
        text = served.ask("/metrics").body.decode()
    assert_shows(text, SERVER_METRICS)


def assert_shows(text, catalogue):
    listed = {
        family.name: family
        for family in text_string_to_metric_families(text)
        if not family.name.startswith("process_")
    }
    wanted = {metric.name.removesuffix("_total"): metric for metric in catalogue}
    assert listed.keys() == wanted.keys()
    for name, metric in wanted.items():
        assert (listed[name].type, listed[name].documentation) == (metric.kind, metric.cause)
        for sample in listed[name].samples:
            assert set(sample.labels) - {"le"} == set(metric.labels), sample


@pytest.mark.parametrize(
    "metric", METRICS + FEEDER_METRICS + SERVER_METRICS, ids=lambda metric: metric.name
)
def test_names_follow_the_rules(metric):
    assert metric.name.startswith("newsdedup_")
    assert metric.name.endswith("_total") == (metric.kind == "counter")
    assert (metric.bounds == ()) == (metric.kind != "histogram")
    assert list(metric.bounds) == sorted(set(metric.bounds))
    assert metric.cause.endswith(".")


@pytest.mark.parametrize("of", ["scrape", "feeder_scrape"])
def test_promtool_has_nothing_to_say_about_a_real_scrape(of, request, promtool):
    done = subprocess.run(
        [promtool, "check", "metrics"],
        input=request.getfixturevalue(of).text,
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_a_scrape_adds_up(scrape):
    total = scrape.total
    judged = total("newsdedup_items_total")
    received = total("newsdedup_source_items_total")
    assert received >= scrape.items + 1
    assert judged + total("newsdedup_redeliveries_total") == received
    assert total("newsdedup_retractions_total") == 1
    assert total("newsdedup_corrections_total") > 0
    assert total("newsdedup_original_changes_total") > 0
    assert scrape.samples["newsdedup_dead_letters_total"][(("code", "not_json"),)] > 0
    assert total("newsdedup_event_age_seconds_count") == total("newsdedup_records_total")
    assert total("newsdedup_item_candidates_count") >= received
    assert total("newsdedup_item_postings_sum") >= total("newsdedup_item_candidates_sum") > 0
    duplicates = sum(
        count
        for labels, count in scrape.samples["newsdedup_items_total"].items()
        if ("verdict", "duplicate") in labels
    )
    assert total("newsdedup_match_shared_terms_count") >= duplicates > 0
    assert total("newsdedup_source_duplicates_total") == duplicates
    assert total("newsdedup_copy_delay_seconds_count") == duplicates
    delays = total("newsdedup_source_delay_seconds_total")
    assert delays > 0
    assert delays == pytest.approx(total("newsdedup_copy_delay_seconds_sum"))
    stages = scrape.samples["newsdedup_stage_seconds_count"]
    assert stages.keys() == {(("stage", one),) for one in ("analyze", "judge", "publish")}
    assert len(set(stages.values())) == 1
