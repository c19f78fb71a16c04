"""What a real feeder shows over HTTP after it has visited a good feed and one that fails."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from prometheus_client.parser import text_string_to_metric_families

from feeder.feed_site import feed_site, rss
from runners.processes import started
from runners.scraped import Answer, Probe

HERALD = rss("h1: Bridge over the Velna: The bridge is open.", "h2: Meals: They get dearer.")
PATIENCE_SECONDS = 60


class FeederProcess:
    """A feeder that runs; `until` asks its port until an answer is enough."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.probe = Probe()

    def logs(self) -> str:
        return (self.folder / "log").read_text("utf-8", "replace")

    def until(self, path: str, enough) -> Answer:
        return self.probe.until(path, enough, stream=self)

    def total(self, name: str, **labels: str) -> float:
        """Return the sum of a metric over all labels but those that are given."""
        return total(self.probe.ask("/metrics").text, name, **labels)


class FeederScrape(NamedTuple):
    """One scrape."""

    text: str

    @property
    def samples(self) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
        """Return the values by sample name and labels."""
        values: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
        for family in text_string_to_metric_families(self.text):
            for one in family.samples:
                values.setdefault(one.name, {})[tuple(sorted(one.labels.items()))] = one.value
        return values


def total(text: str, name: str, **labels: str) -> float:
    return sum(
        one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
        if one.name == name and labels.items() <= one.labels.items()
    )


@contextmanager
def running_feeder(folder: Path, *arguments: str, **environ: str) -> Iterator[FeederProcess]:
    """Yield a feeder over the feeds.txt of a folder; it is stopped, and ends, at the end."""
    feeder = FeederProcess(folder)
    with (folder / "log").open("wb") as log:
        process = started(
            *("feed", "feeds.txt", "--allow-private", "--port", str(feeder.probe.port)),
            *arguments,
            cwd=folder,
            environ=environ,
            output=log,
        )
        try:
            yield feeder
            os.kill(process.pid, signal.SIGTERM)
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise AssertionError(feeder.logs()) from error
        finally:
            process.kill()
            process.communicate()


@pytest.fixture(scope="session")
def feeder_scrape(process, tmp_path_factory) -> FeederScrape:  # noqa: ARG001 - marks it
    folder = tmp_path_factory.mktemp("feeder-scraped")
    with feed_site(herald=HERALD) as site:
        listed = f"{site.at('/herald')}\n{site.at('/missing')}\n"
        (folder / "feeds.txt").write_text(listed, "utf-8")
        with running_feeder(folder, "--to", "items.jsonl") as feeder:
            feeder.until("/readyz", lambda answer: answer.status == 200)
            answer = feeder.until(
                "/metrics",
                lambda answer: total(answer.text, "newsdedup_feeder_visits_total") == 2,
            )
    return FeederScrape(answer.text)
