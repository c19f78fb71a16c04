"""What a feeder shows to anyone who watches it: metrics, and whether it is ready."""

import signal
import socket
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest
from prometheus_client.parser import text_string_to_metric_families

from cli.in_process import run
from cli.own_topics import OwnTopics
from feeder.scraped_feeder import HERALD, running_feeder, total
from newsdedup.adapters.files.paths import free_by_name
from newsdedup.adapters.metrics import catalogue
from newsdedup.adapters.metrics.feeder_telemetry import (
    MEASURED_AFTER,
    FeedStats,
    PrometheusFeederTelemetry,
)
from newsdedup.adapters.metrics.prometheus import Metrics
from newsdedup.cli.errors import ExitCode
from newsdedup.feeder.polling.feed_visitor import VisitOutcome
from newsdedup.feeder.scheduling.hub_lease import LeaseCondition
from newsdedup.feeder.scheduling.stored_feed import StoredFeed
from newsdedup.feeder.watching.feed_health import FeedCondition, count_conditions, longest_wait
from newsdedup.feeder.websub.callbacks import PushResult
from servers.ports import HOST, free_ports

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def stored(**fields):
    return StoredFeed(number=1, subscribed="a", address="a", **fields)


def watched(stats=None):
    """Return a telemetry, a list with its time in seconds, and the numbers of its feeds."""
    seconds = [0.0]
    stats = stats or [FeedStats({"fine": 2, "dead": 1}, 7.0, {"active": 2})]
    telemetry = PrometheusFeederTelemetry(
        Metrics(catalogue.FEEDER_METRICS),
        lambda: stats[-1],
        clock=lambda: seconds[0],
    )
    return telemetry, seconds, stats


def value(telemetry, name, **labels):
    return total(telemetry.scrape().decode(), f"newsdedup_feeder_{name}", **labels)


def test_the_catalogue_has_every_outcome_and_every_condition():
    assert set(catalogue.VISIT_OUTCOMES) == set(get_args(VisitOutcome))
    assert set(catalogue.FEED_CONDITIONS) == set(get_args(FeedCondition))
    assert set(catalogue.LEASE_CONDITIONS) == set(get_args(LeaseCondition))
    assert set(catalogue.PUSH_RESULTS) == set(get_args(PushResult))


def test_visits_are_counted_with_their_items_and_their_time():
    telemetry, _, _ = watched()
    telemetry.visited("content", 0.2, 5)
    telemetry.visited("failed", 3.0, 0)
    telemetry.visited("paused", 0.0, 0)
    telemetry.received(1_000)
    assert value(telemetry, "visits_total") == 3
    assert value(telemetry, "visits_total", outcome="gone") == 0
    assert value(telemetry, "written_items_total") == 5
    assert value(telemetry, "received_bytes_total") == 1_000
    assert value(telemetry, "visit_seconds_count") == 2


def test_the_list_is_measured_again_after_half_a_minute_only():
    telemetry, seconds, stats = watched()
    assert value(telemetry, "feeds", condition="dead") == 1
    assert value(telemetry, "feeds", condition="silent") == 0
    stats.append(FeedStats({"fine": 3}, 0.0, {}))
    seconds[0] = MEASURED_AFTER - 1
    assert value(telemetry, "feeds", condition="dead") == 1
    seconds[0] = MEASURED_AFTER
    assert value(telemetry, "feeds", condition="dead") == 0
    assert value(telemetry, "behind_seconds") == 0
    assert value(telemetry, "hub_leases", condition="active") == 0


def test_pushes_are_counted_by_what_became_of_them():
    telemetry, _, _ = watched()
    telemetry.pushed("accepted")
    telemetry.pushed("bad_signature")
    assert value(telemetry, "pushes_total") == 2
    assert value(telemetry, "pushes_total", result="bad_signature") == 1
    assert value(telemetry, "hub_leases", condition="active") == 2


def test_a_feeder_is_ready_while_it_visits_and_its_output_answers():
    telemetry, _, _ = watched()
    assert telemetry.missing() == ["starting"]
    assert value(telemetry, "ready") == 0
    telemetry.running()
    assert value(telemetry, "ready") == 1
    telemetry.output_failed()
    telemetry.output_failed()
    assert telemetry.missing() == ["waiting for the output"]
    telemetry.output_answers()
    assert telemetry.missing() == []
    telemetry.stopping()
    assert telemetry.missing() == ["draining"]
    assert value(telemetry, "output_retries_total") == 2


def test_feeds_are_counted_by_condition():
    feeds = [
        stored(succeeded_at=NOW, news_at=NOW),
        stored(status="gone"),
        stored(failures=9, succeeded_at=NOW - 99 * HOUR),
    ]
    assert count_conditions(feeds, at=NOW) == {"fine": 1, "gone": 1, "dead": 1}


@pytest.mark.parametrize(
    ("feeds", "wait"),
    [
        ([], 0 * HOUR),
        ([stored(next_at=NOW + HOUR)], 0 * HOUR),
        ([stored(next_at=NOW - HOUR), stored(next_at=NOW - 3 * HOUR)], 3 * HOUR),
        ([stored(next_at=NOW - HOUR, status="gone")], 0 * HOUR),
        ([stored(added_at=NOW - HOUR)], HOUR),
        ([stored(added_at=NOW - 99 * HOUR)], 2 * HOUR),
    ],
    ids=["none", "not due", "the longest", "not visited", "new", "all new since the start"],
)
def test_a_feeder_is_behind_by_the_feed_that_waits_longest(feeds, wait):
    assert longest_wait(feeds, at=NOW, started_at=NOW - 2 * HOUR) == wait


def test_a_real_feeder_shows_how_its_visits_went(feeder_scrape):
    def shown(name, **labels):
        return total(feeder_scrape.text, f"newsdedup_feeder_{name}", **labels)

    assert shown("visits_total", outcome="content") == 1
    assert shown("visits_total", outcome="failed") == 1
    assert shown("written_items_total") == 2
    assert shown("received_bytes_total") == len(HERALD.encode())
    assert shown("visit_seconds_count") == 2
    assert shown("ready") == 1
    names = {family.name for family in text_string_to_metric_families(feeder_scrape.text)}
    assert "process_resident_memory_bytes" in names


@pytest.mark.usefixtures("process")
def test_a_feeder_without_its_kafka_is_alive_and_not_ready_and_stops_in_order(tmp_path):
    (broker,) = free_ports(1)
    (tmp_path / "feeds.txt").write_text("https://herald.example/feed", "utf-8")
    with running_feeder(tmp_path, "--to", f"kafka://{HOST}:{broker}/news.raw") as feeder:
        away = feeder.until("/readyz", lambda it: "waiting for the output\n" in it.text)
        assert away.status == 503
        assert feeder.probe.ask("/livez").status == 200
        assert feeder.total("newsdedup_feeder_output_retries_total") > 0
        assert feeder.total("newsdedup_feeder_written_items_total") == 0
    assert "0 feeds visited" in feeder.logs()


def test_a_port_that_is_taken_is_named_with_its_setting(tmp_path):
    (tmp_path / "feeds.txt").write_text("https://herald.example/feed", "utf-8")
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        arguments = ("feed", "feeds.txt", "--to", "items.jsonl", "--port", port)
        done = run(*map(str, arguments), cwd=tmp_path)
    assert done.returncode == ExitCode.USAGE
    assert f"feeder.port {port}" in done.stderr.decode()


def test_a_feeder_that_writes_nothing_notices_that_its_kafka_hangs(kafka, tmp_path):
    topics = OwnTopics(kafka.address)
    assert topics.command("topics", "create", "--partitions", "1").exit_code == 0
    (silent,) = free_ports(1)
    (tmp_path / "feeds.txt").write_text(f"http://{HOST}:{silent}/news\n", "utf-8")
    with running_feeder(tmp_path, "--to", f"kafka://{kafka.address}/{topics.input}") as feeder:
        feeder.until("/readyz", lambda answer: answer.status == 200)
        kafka.process.signal(signal.SIGSTOP)
        try:
            away = feeder.until("/readyz", lambda answer: answer.status == 503)
            assert away.text == "waiting for the output\n"
        finally:
            kafka.process.signal(signal.SIGCONT)
        feeder.until("/readyz", lambda answer: answer.status == 200)
    assert "no_answer server=kafka" in feeder.logs()


def test_the_free_space_of_every_volume_that_is_written_to_is_reported(tmp_path):
    files = {"feeds": tmp_path / "newsdedup.feeds", "output": tmp_path / "none" / "items.jsonl"}
    found = free_by_name(files)
    assert set(found) == {"feeds"}
    telemetry, _, _ = watched([FeedStats({}, 0.0, {}, found)])
    assert value(telemetry, "disk_free_bytes", holds="feeds") == found["feeds"] > 0
