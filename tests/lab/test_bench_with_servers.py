"""Measurements alongside real servers: what they tell, and that nothing of them is left."""

import asyncio
import json
import signal
from pathlib import Path

import pytest
from aiokafka.admin import AIOKafkaAdminClient

from newsdedup.config import read_settings
from newsdedup.ports.errors import SettingsInvalid
from newsdedup.synthetic.stream import demo_stream
from newsdedup_lab.bench.own_servers import open_servers, servers_to_start
from runners.processes import run, started
from servers.process import wait_until

pytestmark = pytest.mark.usefixtures("process")

ITEMS = 120


@pytest.fixture
def items(tmp_path) -> Path:
    file = tmp_path / "items.jsonl"
    lines = [json.dumps(dict(planted.item)) for planted in demo_stream()][:ITEMS]
    file.write_text("\n".join(lines))
    return file


def measured(items: Path, *arguments: str) -> dict:
    done = run("bench", items, *arguments, "--json", cwd=items.parent)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


async def topics(address: str) -> list[str]:
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        return await admin.list_topics()
    finally:
        await admin.close()


def test_a_worker_is_measured_against_its_own_empty_runner(kafka, redis, items):
    measurements = measured(
        items, "--kafka", "--kafka-servers", kafka.address, "--redis-url", redis.url
    )
    for runner in ("faust", "aiokafka"):
        assert measurements["runners"][runner] > 0
        ratio = measurements["runners"][runner] / measurements["empty"][runner]
        assert measurements["ratios"][runner] == pytest.approx(ratio, rel=0.01, abs=0.0006)
        share = measurements["share"][runner]
        assert set(share) == {"engine", "redis", "kafka"}
        assert sum(share.values()) == pytest.approx(1, abs=0.01)
    # The broker tells of deleted topics until it has heard of it.
    wait_until(
        lambda: not any("bench" in name for name in asyncio.run(topics(kafka.address))),
        what="the topics of the measurement are gone",
    )


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize(
    ("ended_by", "status"), [(signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_a_measurement_that_is_ended_leaves_no_worker_behind(kafka, redis, items, ended_by, status):
    servers = ["--kafka-servers", kafka.address, "--redis-url", redis.url]
    log = items.parent / "log"
    with (
        log.open("wb") as output,
        started(
            *("bench", items, "--kafka", *servers), cwd=items.parent, output=output, warm=False
        ) as bench,
    ):
        wait_until(lambda: len(children(bench.pid)) > 0, what="a worker is started")
        workers = children(bench.pid)
        bench.send_signal(ended_by)
        assert bench.wait(60) == status, log.read_text()
    wait_until(
        lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers),
        what="the worker is gone",
    )
    if ended_by == signal.SIGTERM:
        wait_until(
            lambda: not any("bench" in name for name in asyncio.run(topics(kafka.address))),
            what="the topics of the measurement are gone",
        )
        assert redis.ask("KEYS", "*bench*") == []


def test_the_latency_of_a_worker_is_measured_at_each_rate(kafka, redis, items):
    servers = ["--kafka-servers", kafka.address, "--redis-url", redis.url]
    rates = ["--rate", "20,40", "--seconds", "0.5"]
    bench = measured(items, "--kafka", *servers, *rates)
    for runner in ("faust", "aiokafka"):
        for kind in ("whole", "empty"):
            measurements = bench["latency"][runner][kind]
            assert [measurements[rate]["records"] for rate in ("20", "40")] == [10, 20]
            for one in measurements.values():
                assert 0 < one["p50_ms"] <= one["p90_ms"] <= one["p99_ms"] <= one["max_ms"]
    assert redis.ask("KEYS", "*bench*") == []


def test_two_workers_give_every_item_one_verdict_and_say_what_it_cost(kafka, redis, items):
    servers = ["--kafka-servers", kafka.address, "--redis-url", redis.url]
    measurements = measured(items, "--kafka", *servers, "--workers", "1,2")
    count = measurements["items"]
    assert measurements["partitions"] == 12
    assert [one["workers"] for one in measurements["runs"]] == [1, 2]
    for one in measurements["runs"]:
        assert one["verdicts"] == count
        # A rebalance while they begin may let a worker publish what another one has published.
        assert one["events"] - one["again"] >= count
        assert one["rate"] > 0
        assert one["per_core_second"] > 0
        seconds = one["processor_seconds"]
        assert seconds["workers"] > 0
        assert seconds["redis"] == seconds["redis_busiest"] >= 0
        assert seconds["broker"] >= 0
        assert one["redis_calls"] > 0
        assert min(*one["redis_bytes"].values(), *one["kafka_bytes"].values()) > 0
    alone, both = measurements["runs"]
    assert alone["conflicts"] == 0 <= both["conflicts"]
    assert alone["efficiency"] == 1
    assert redis.ask("KEYS", "*bench*") == []


def test_workers_are_measured_over_the_shards_of_a_cluster(kafka, redis_cluster, items):
    servers = ["--kafka-servers", kafka.address, "--redis-url", redis_cluster.url]
    clustered = {"NEWSDEDUP_REDIS__CLUSTER": "true"}
    done = run(
        *("bench", items, "--kafka", *servers, "--workers", "1", "--shards", "3", "--json"),
        cwd=items.parent,
        **clustered,
    )
    assert done.returncode == 0, done.stderr
    (measurements,) = json.loads(done.stdout)["runs"]
    assert measurements["verdicts"] == json.loads(done.stdout)["items"]
    seconds = measurements["processor_seconds"]
    assert seconds["redis"] >= seconds["redis_busiest"]
    assert all(node.ask("KEYS", "*bench*") == [] for node in redis_cluster.masters())


def test_a_latency_needs_as_many_items_as_its_rates_take(kafka, redis, items):
    servers = ["--kafka-servers", kafka.address, "--redis-url", redis.url]
    done = run("bench", items, "--kafka", *servers, "--rate", "200", cwd=items.parent)
    assert done.returncode != 0
    assert b"2,050 items are needed" in done.stderr


def test_the_index_is_measured_against_its_peer_in_the_same_server(redis, items):
    measurements = measured(items, "--redis", "--redis-url", redis.url)
    ratio = measurements["redis"] / measurements["peers"]["datasketch_redis"]
    assert measurements["ratios"]["redis_vs_datasketch_redis"] == pytest.approx(ratio, rel=0.01)
    assert measurements["p99_ms"] >= measurements["p50_ms"] > 0
    assert measurements["bytes_per_item"] == pytest.approx(
        sum(measurements["bytes"].values()), abs=0.2
    )
    assert redis.ask("KEYS", "{~*") + redis.ask("KEYS", "~*") == []


def test_the_index_is_measured_at_a_larger_size_made_of_the_same_items(redis, items):
    sized = ["--growth", "600", "--growth", "300"]
    bench = measured(items, "--redis", "--redis-url", redis.url, *sized)
    small, _, large = bench["growth"]
    given = bench["items"]
    assert [measurements["items"] for measurements in bench["growth"]] == [given, 300, 600]
    # As many more are looked up and judged at each size.
    kept = [2 * given, 300 + given, 600 + given]
    assert [measurements["kept"] for measurements in bench["growth"]] == kept
    for measurements in bench["growth"]:
        assert measurements["p99_ms"] >= measurements["p50_ms"] > 0
        assert measurements["redis"] > 0
        assert measurements["postings"] > 0
        assert measurements["p99_ms_of_tries"] >= measurements["p50_ms_of_tries"] > 0
    assert large["lists"]["p99"] > small["lists"]["p99"]
    assert redis.ask("KEYS", "{~*") == []


def test_items_are_judged_in_windows_of_made_ones_in_redis(redis, items):
    options = ["--rule", "verified", "--redis", "--redis-url", redis.url, "--made", "150,60"]
    windows = measured(items, *options)["windows"]
    assert [one["items"] for one in windows] == [60, 150]
    for one in windows:
        assert one["worker_us"] > 0
        assert one["held"] == one["items"] + one["judged"], "nothing has expired"
        assert one["records"] <= one["found"]
        assert one["bytes"]["postings"] > 0
    assert windows[1]["postings"]["mean"] > windows[0]["postings"]["mean"] > 0
    assert redis.ask("KEYS", "{~*") == []


def test_parts_of_the_suite_are_measured_and_say_how(redis, items):
    suite = ["--suite", "--parts", "redis,dense", "--rule", "terms", "--repeat", "1"]
    measurements = measured(items, *suite, "--redis-url", redis.url)
    assert list(measurements) == ["dense", "redis"]
    assert measurements["redis"]["measurements"]["rules"]["terms"]["redis"] > 0
    steps = measurements["redis"]["measurements"]["dense"]["steps"]
    size = steps[0]["items"]
    assert [step["items"] for step in steps][:8] == [size * number for number in range(1, 9)]
    for step in steps:
        assert step["judged"] >= step["rate"] > 0
        assert step["look_up_ms"]["p99"] >= step["look_up_ms"]["p50"] > 0
        assert step["bytes_per_item"] > 0
    assert steps[-1]["postings"]["mean"] > steps[0]["postings"]["mean"]
    assert redis.ask("KEYS", "{~*") == []
    made = measurements["dense"]["made"]
    last_two = "/".join(items.parts[-2:])
    assert made["command"] == (
        f"newsdedup bench {last_two} --rule terms --repeat 1 --suite --parts redis,dense"
    )
    assert made["machine"]["processors"] >= 1
    assert str(items.parent) not in json.dumps(measurements)


def test_a_checkout_has_the_script_that_starts_servers():
    configuration = read_settings({}, {}, None)
    assert servers_to_start(configuration, "kafka", "redis") == ["kafka", "redis"]


def test_where_no_servers_can_be_started_it_is_said_how_to_name_some(tmp_path):
    configuration = read_settings({"kafka.servers": "somewhere:9092"}, {}, None)
    with (
        pytest.raises(SettingsInvalid, match=r"redis\.url: not set.*--redis-url"),
        open_servers(configuration, "kafka", "redis", script=tmp_path / "scripts" / "servers"),
    ):
        pass


def test_servers_that_are_named_are_used_as_they_are(tmp_path):
    named = {"kafka.servers": "somewhere:9092", "redis.url": "redis://elsewhere:6379/0"}
    configuration = read_settings(named, {}, None)
    script = tmp_path / "scripts" / "servers"
    with open_servers(configuration, "kafka", "redis", script=script) as settings:
        assert settings == configuration.settings
