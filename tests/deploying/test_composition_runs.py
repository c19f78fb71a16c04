"""The commands and health checks of the compositions do their work on real servers."""

import json
import re
import shutil
import socket
import subprocess
from contextlib import ExitStack
from uuid import uuid4

import pytest
import yaml

from deploying.composition import (
    NODE_PASSWORD,
    PASSWORD,
    Composition,
    archived,
    list_feeds,
    redis_node,
)
from deploying.files import CLUSTER, DOCKER, PROMETHEUS, compose
from feeder.feed_site import feed_site
from feeder.scraped_feeder import HERALD
from servers.kafka_broker import HEAP, LOGGING
from servers.ports import HOST, free_ports, is_free
from servers.process import ServerProcess, wait_until
from servers.prometheus_server import PrometheusServer

pytestmark = pytest.mark.usefixtures("redis_program")

TOPICS = ("INPUT", "OUTPUT", "DEAD")
CHECKED = {"source": "late.example", "id": "c1", "title": "Bridge", "text": "The bridge is open."}


def own_composition(services, folder, kafka, replaced, ports):
    """Return services with topics, passwords and feeds of the test."""
    name = f"t{uuid4().hex[:12]}"
    topics = {f"NEWSDEDUP_KAFKA__{one}": f"{name}.{one.lower()}" for one in TOPICS}
    settings = {**topics, "NEWSDEDUP_KAFKA__GROUP": name, "NEWSDEDUP_REDIS__ITEMS": "1000"}
    own = {
        one: {**described, "environment": {**described["environment"], **settings}}
        for one, described in services.items()
        if described.get("image", "").startswith("newsdedup:")
    }
    secrets, feeds = folder / "secrets", folder / "feeds"
    for made in (secrets, feeds):
        made.mkdir()
    (secrets / "redis_password").write_text(PASSWORD, "utf-8")
    (secrets / "redis_node_password").write_text(NODE_PASSWORD, "utf-8")
    texts = {
        "kafka:9092": kafka.address,
        "/run/secrets": str(secrets),
        "/etc/newsdedup/feeds": str(feeds),
        **replaced,
    }
    composition = Composition(own, folder, texts)
    composition.ports = dict(zip(("worker", "feeder", "server"), ports, strict=True))
    return composition


def test_news_of_a_feed_reach_the_pages_through_the_services(kafka, prometheus, tmp_path):
    port, *own = free_ports(4)
    replaced = {"redis://redis:6379/0": f"redis://{HOST}:{port}/0"}
    composition = own_composition(compose()["services"], tmp_path, kafka, replaced, own)
    pages = composition.pages()
    with ExitStack() as stack:
        site = stack.enter_context(feed_site(herald=HERALD))
        list_feeds(tmp_path, site)
        stack.enter_context(redis_node(tmp_path / "redis", port))
        check = compose()["services"]["redis"]["healthcheck"]["test"][1]
        asked = check.replace("redis-cli", f"redis-cli -p {port}")
        assert subprocess.run(asked, shell=True, check=False).returncode == 0  # noqa: S602
        composition.run("topics")
        with ExitStack() as running:
            running.enter_context(composition.running("worker"))
            running.enter_context(composition.running("feeder", "--allow-private"))
            running.enter_context(composition.running("server"))
            wait_until(lambda: archived(pages) == 2, what="two items are in the archive")
            assert post(pages, "/v1/check", CHECKED) == 200
            assert [composition.health(name) for name in composition.ports] == [0, 0, 0]
            assert_watched(composition, prometheus, tmp_path)
        assert [composition.health(name) for name in composition.ports] == [1, 1, 1]


def post(pages, path, body) -> int:
    """Return the status of a request whose Host the server of the composition takes."""
    encoded = json.dumps(body).encode()
    header = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with socket.create_connection((HOST, pages.port), timeout=60) as connection:
        connection.sendall(f"{header}Content-Length: {len(encoded)}\r\n\r\n".encode() + encoded)
        return int(connection.recv(64).split()[1])


def assert_watched(composition, prometheus, folder) -> None:
    """Let the Prometheus of the composition scrape the services, and see that it evaluates."""
    described = yaml.safe_load((PROMETHEUS / "prometheus.yml").read_text("utf-8"))
    jobs = {"newsdedup": "worker"}
    jobs |= {f"newsdedup-{name}": name for name in ("feeder", "server")}
    for job in described["scrape_configs"]:
        for found in ("dns_sd_configs", "static_configs"):
            job.pop(found, None)
        port = composition.ports[jobs[job["job_name"]]]
        job["static_configs"] = [{"targets": [f"{HOST}:{port}"]}]
    described["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    described["rule_files"] = [str(PROMETHEUS / name) for name in described["rule_files"]]
    scraper = PrometheusServer(prometheus, folder, described)
    scraper.start()
    try:
        wait_until(lambda: scraper.query("sum(up)") == [3], what="all three jobs are scraped")
        wait_until(
            lambda: scraper.query("sum(ALERTS{alertname='NewsdedupDown'})") == [],
            what="nothing is down",
        )
        check = compose()["services"]["prometheus"]["healthcheck"]["test"][1:]
        here = [one.replace("9090", str(scraper.port)) for one in check]
        assert subprocess.run(here, check=False).returncode == 0
    finally:
        scraper.stop()


def test_three_workers_share_the_redis_cluster_of_the_composition(kafka, tmp_path):
    described = compose(CLUSTER)["services"]
    nodes = [name for name in described if name.startswith("redis-") and name[-1].isdigit()]
    # All at once: ports chosen one by one could be the same while nobody listens there.
    chosen = free_ports(5 + 4 * len(nodes))
    own, buses = chosen[:5], chosen[5:]
    ports = cluster_ports(buses)[: len(nodes)]
    replaced = {"redis://redis-1:6379": f"redis://{HOST}:{ports[0]}"}
    composition = own_composition(described, tmp_path, kafka, replaced, own[:3])
    pages = composition.pages()
    secret = str(tmp_path / "secrets" / "redis_node_password")
    with ExitStack() as stack:
        site = stack.enter_context(feed_site(herald=HERALD))
        list_feeds(tmp_path, site)
        for name, port in zip(nodes, ports, strict=True):
            folder = tmp_path / name
            variables = {"REDIS_NODE_PASSWORD_FILE": secret}
            stack.enter_context(redis_node(folder, port, **variables))
        join = described["redis-cluster"]["command"]
        assert [part for part in join if ":" in part] == addresses(described, nodes)
        command = [shutil.which("sh"), DOCKER / "redis" / "join.sh"]
        command += [f"{HOST}:{port}" for port in ports]
        for _ in range(2):  # one that is made already stays as it is
            subprocess.run(
                command,
                env={"PATH": "/usr/bin:/bin", "REDIS_NODE_PASSWORD_FILE": secret},
                check=True,
                capture_output=True,
                timeout=120,
            )
        composition.run("topics")
        workers = described["worker"]["deploy"]["replicas"]
        assert workers == 3
        with ExitStack() as running:
            for number in range(1, workers + 1):
                composition.ports["worker"] = [own[0], *own[3:]][number - 1]
                running.enter_context(composition.running("worker", number=number))
            running.enter_context(composition.running("feeder", "--allow-private"))
            running.enter_context(composition.running("server"))
            wait_until(lambda: archived(pages) == 2, what="two items are in the archive")
            assert post(pages, "/v1/check", CHECKED) == 200


def cluster_ports(buses: list[int]) -> list[int]:
    """Return free ports of nodes whose buses, 10,000 above, are among these."""
    return [bus - 10_000 for bus in buses if is_free(bus - 10_000)]


def addresses(described, nodes) -> list[str]:
    return [f"{described[name]['networks']['default']['ipv4_address']}:6379" for name in nodes]


def test_a_broker_starts_with_the_settings_of_the_composition_and_makes_the_topics(
    kafka_program, tmp_path
):
    inside, outside, controller = free_ports(3)
    written = {"9092": inside, "19092": outside, "9093": controller}
    settings = {
        name.removeprefix("KAFKA_").lower().replace("_", "."): re.sub(
            r":(\d+)", lambda found: f":{written[found[1]]}", value
        ).replace("kafka:", f"{HOST}:")
        for name, value in compose()["services"]["kafka"]["environment"].items()
    }
    settings["log.dirs"] = str(tmp_path / "data")
    properties = tmp_path / "server.properties"
    properties.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    made = [*kafka_program, "kafka.tools.StorageTool", "format", "--config", properties]
    subprocess.run([*made, "--cluster-id", uuid4().hex[:22]], check=True, capture_output=True)
    broker = ServerProcess("Kafka", tmp_path)
    broker.launch([*kafka_program, HEAP, *LOGGING, "kafka.Kafka", properties])
    try:
        broker.wait(lambda: "Kafka Server started" in broker.log.read_text("utf-8"))
        listed = Composition(
            compose()["services"], tmp_path, {"kafka:9092": f"{HOST}:{outside}"}
        ).run("topics")
        assert "news.raw" in listed
    finally:
        broker.stop()
