"""Every panel of the dashboards shows measurements of a worker, a feeder and a server that run."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from deploying.files import panel_queries, substituted
from feeder.feed_site import feed_site
from feeder.scraped_feeder import HERALD, running_feeder
from newsdedup.synthetic.stream import demo_stream
from runners.processes import started
from runners.scraped import Probe
from runners.streaming import Stream
from server.served import judge
from servers.process import wait_until
from servers.prometheus_server import PrometheusServer, scraping

PATHS = ("/v1/stats", "/v1/stories", "/")


@contextmanager
def running_server(folder: Path) -> Iterator[Probe]:
    """Yield the port of `newsdedup serve` over an archive of a real run."""
    archive, probe = judge(folder), Probe()
    port = str(probe.port)
    with (folder / "server.log").open("wb") as log:
        process = started("serve", "--archive", archive, "--port", port, cwd=folder, output=log)
        try:
            wait_until(lambda: probe.ask("/readyz").status == 200, what="the server is ready")
            yield probe
        finally:
            process.kill()
            process.communicate()


@pytest.fixture(scope="module")
def watched(kafka, redis, prometheus, tmp_path_factory) -> Iterator[PrometheusServer]:
    """Return a Prometheus that has scraped all three before, while and after they worked.

    What a rate needs is a change between two scrapes, so half of the news comes after the first.
    """
    folder = tmp_path_factory.mktemp("scraping")
    items = [dict(planted.item) for planted in demo_stream()]
    stream, worker = Stream(kafka, redis, folder), Probe()
    with ExitStack() as stack:
        site = stack.enter_context(feed_site(herald=HERALD))
        (folder / "feeds.txt").write_text(f"{site.at('/herald')}\n{site.at('/missing')}\n", "utf-8")
        server = stack.enter_context(running_server(folder))
        settings = {"rule__name": "verified", "worker__shadow": "terms"}
        stack.enter_context(stream.worker(worker__port=str(worker.port), **settings))
        worker.ready(stream)
        soon = {"NEWSDEDUP_FEEDER__SHORTEST": "1s", "NEWSDEDUP_FEEDER__LONGEST": "2s"}
        feeder = stack.enter_context(running_feeder(folder, "--to", "items.jsonl", **soon))
        ports = {"": worker.port, "-feeder": feeder.probe.port, "-server": server.port}
        targets = {f"newsdedup{suffix}": port for suffix, port in ports.items()}
        scraper = PrometheusServer(prometheus, folder, scraping(targets))
        scraper.start()
        stack.callback(scraper.stop)
        done = 0
        for news in (items[: len(items) // 2], items[len(items) // 2 :]):
            stream.produce(news)
            done += len(news)
            for path in PATHS:
                assert server.ask(path).status == 200
            wait_until(
                lambda done=done: scraper.query("sum(newsdedup_records_total)") >= [done],
                what=f"{done} records have been scraped",
            )
        yield scraper
    assert not (folder / "server.log").read_text().count("Traceback")


@pytest.mark.parametrize(
    ("panel", "query"), [pytest.param(*one, id=f"{n}") for n, one in enumerate(panel_queries())]
)
def test_a_panel_shows_measurements(watched, panel, query):
    asked = substituted(query, interval="1m")
    wait_until(lambda: watched.stats(asked), what=f"{panel}: {asked}", within=60)
