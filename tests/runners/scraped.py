"""What a real worker tells over HTTP after it has met everything that a stream can bring."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import NamedTuple

import pytest
from prometheus_client.parser import text_string_to_metric_families

from newsdedup.synthetic.stream import demo_stream
from runners.streaming import PATIENCE_SECONDS, Stream, ended
from servers.ports import HOST, free_ports

Samples = dict[str, dict[tuple[tuple[str, str], ...], float]]


class Answer(NamedTuple):
    """An answer over HTTP."""

    status: int
    text: str


class Probe:
    """The HTTP port of a process, with its metrics and its health."""

    def __init__(self) -> None:
        (self.port,) = free_ports(1)

    def ask(self, path: str, *, timeout: float = 60) -> Answer:
        """Return the answer; status 0 while nobody listens, or answers in time."""
        try:
            with urllib.request.urlopen(
                f"http://{HOST}:{self.port}{path}", timeout=timeout
            ) as answer:
                return Answer(answer.status, answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.read().decode())
        except OSError as error:
            return Answer(0, str(error))

    def until(self, path: str, enough: Callable[[Answer], bool], *, stream: Stream) -> Answer:
        """Return the first answer that is enough."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not enough(answer := self.ask(path)):
            if time.monotonic() > deadline:
                said = f"{path} answers {answer.status} in vain:\n{answer.text}"
                raise AssertionError(f"{said}\n{stream.logs()}")
            time.sleep(0.1)
        return answer

    def ready(self, stream: Stream) -> None:
        """Return as soon as the worker is ready."""
        self.until("/readyz", lambda answer: answer.status == 200, stream=stream)


class Scrape(NamedTuple):
    """A scrape, and the stream that it is about."""

    text: str
    stream: Stream
    items: int

    @property
    def samples(self) -> Samples:
        """Return the values by sample name and labels."""
        found: Samples = {}
        for family in text_string_to_metric_families(self.text):
            for sample in family.samples:
                found.setdefault(sample.name, {})[tuple(sorted(sample.labels.items()))] = (
                    sample.value
                )
        return found

    def total(self, name: str) -> float:
        """Return the sum over all labels."""
        return sum(self.samples[name].values())


@pytest.fixture(scope="session")
def scrape(kafka, redis, tmp_path_factory) -> Scrape:
    """Return what a worker tells after items, copies, redeliveries, a retraction and a poison."""
    stream, probe = Stream(kafka, redis, tmp_path_factory.mktemp("scraped")), Probe()
    items = [dict(planted.item) for planted in demo_stream()]
    stream.produce([*items, items[0], b"{no item"], partition=0)
    withdrawn = json.dumps([items[0]["source"], items[0]["id"]]).encode()
    stream.produce([None], key=lambda _: withdrawn, partition=0)
    with stream.worker(worker__port=str(probe.port)) as process:
        least = len(items) + 3
        text = probe.until("/metrics", lambda it: all_done(it, least), stream=stream).text
        assert ended(process) == 0, stream.logs()
    return Scrape(text, stream, len(items))


def all_done(answer: Answer, least: int) -> bool:
    """Return whether so many records are done and the lag tells of nothing left.

    More may be done than there are: until a worker has found where to begin, some come twice.
    """
    found = text_string_to_metric_families(answer.text) if answer.status == 200 else ()
    values = {family.name: [one.value for one in family.samples] for family in found}
    lags = values.get("newsdedup_lag_records", [])
    return sum(values.get("newsdedup_records", [])) >= least and lags != [] and not any(lags)
