"""A real spider over a local site writes into Kafka, as docs/items.md says."""

import json
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from cli.own_topics import OwnTopics
from newsdedup.adapters.kafka.records import RecordDecoder, item_key
from runners.processes import COMMAND, environment
from servers.ports import free_ports

pytestmark = pytest.mark.usefixtures("process")

ROOT = Path(__file__).parents[2]
PIPELINE = ROOT / "docs" / "examples" / "scrapy_pipeline.py"
SPIDER = Path(__file__).with_name("news_spider.py")
TITLES = ["Міст через Вельну знову відкрили", "Tram line 4 opens", "Harbour fees rise"]


class Site(BaseHTTPRequestHandler):
    """A site with three articles and a list of them."""

    def do_GET(self):
        number = self.path.rpartition("/")[2]
        if number.isdigit():
            title = TITLES[int(number)]
            page = f"<h1>{title}</h1><time datetime='2026-03-0{int(number) + 1}T10:00:00Z'></time>"
            page += f"<article><p>{title}, the mayor of Marstad says.</p></article>"
        else:
            page = "".join(f"<a class=news href='/news/{n}'>{n}</a>" for n in range(len(TITLES)))
        self.send_response(200 if self.path != "/robots.txt" else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def site():
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def topics(kafka):
    topics = OwnTopics(kafka.address)
    assert topics.command("topics", "create").exit_code == 0
    return topics


def crawl(site, *arguments, cwd):
    command = [sys.executable, "-m", "scrapy", "runspider", str(SPIDER), "-a", f"site={site}"]
    command += ["-s", "TELNETCONSOLE_ENABLED=0"]
    path = os.pathsep.join([str(PIPELINE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [*command, *arguments],
        cwd=cwd,
        env=environment(PYTHONPATH=path),
        capture_output=True,
        timeout=120,
        check=False,
    )


def test_a_crawl_writes_its_items_to_the_topic_and_has_them_acknowledged(
    kafka, topics, site, tmp_path
):
    settings = {
        "ITEM_PIPELINES": '{"scrapy_pipeline.NewsdedupPipeline": 900}',
        "NEWSDEDUP_KAFKA": kafka.address,
        "NEWSDEDUP_TOPIC": topics.input,
    }
    options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    done = crawl(site, *options, cwd=tmp_path)
    assert b"'item_scraped_count': 3" in done.stderr, done.stderr.decode()
    records = topics.read(topics.input)
    items = [RecordDecoder().decode(record).content for record in records]
    assert sorted(item.title for item in items) == sorted(TITLES)
    assert {item.key for item in items} == {
        ("127.0.0.1", f"{site}news/{number}") for number in range(3)
    }
    assert [record.key for record in records] == [item_key(item.key) for item in items]
    assert {json.loads(record.value)["section"] for record in records} == {"city"}


def test_an_item_that_kafka_does_not_take_is_an_error_of_the_crawl(site, tmp_path):
    (port,) = free_ports(1)
    settings = ["-s", 'ITEM_PIPELINES={"scrapy_pipeline.NewsdedupPipeline": 900}']
    done = crawl(site, *settings, "-s", f"NEWSDEDUP_KAFKA=127.0.0.1:{port}", cwd=tmp_path)
    assert b"KafkaConnectionError" in done.stderr
    assert b"item_scraped_count" not in done.stderr


def test_the_lines_of_a_crawl_can_be_piped_into_the_topic(kafka, topics, site, tmp_path):
    lines = crawl(site, "-O", "-:jsonlines", "--nolog", cwd=tmp_path).stdout
    produce = [*COMMAND, "produce", "-", "--kafka", kafka.address, "--topic", topics.input]
    subprocess.run(produce, input=lines, env=environment(), check=True, capture_output=True)
    records = topics.read(topics.input)
    assert sorted(json.loads(record.value)["title"] for record in records) == sorted(TITLES)
    assert all(record.key for record in records)


def test_the_pipeline_is_short_enough_to_be_copied():
    assert len(PIPELINE.read_text("utf-8").splitlines()) <= 60
