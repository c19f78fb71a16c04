"""Server-sent events of the archive, as items are judged."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

import pytest

from cli.small_stream import TRAM, report
from server.served import NEWS, TOKEN, Served, judge, serving


@contextmanager
def following(served: Served, path: str = "/v1/events", **headers: str) -> Iterator[HTTPResponse]:
    parts = urlsplit(served.address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    try:
        connection.request("GET", path, headers=headers)
        yield connection.getresponse()
    finally:
        connection.close()


def next_event(stream: HTTPResponse) -> dict[str, str]:
    """Return the fields of the next event that has data."""
    fields: dict[str, str] = {}
    while line := stream.readline().decode().rstrip("\n"):
        pass
    while "data" not in fields:
        line = stream.readline().decode().rstrip("\n")
        name, _, value = line.partition(": ")
        fields[name] = value
    return fields


def events(stream: HTTPResponse, count: int) -> list[tuple[int, str, dict]]:
    found = []
    for _ in range(count):
        one = next_event(stream)
        found.append((int(one["id"]), one["event"], json.loads(one["data"])))
    return found


def keep(served: Served, record: dict) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    assert served.ask("/v1/items", record, headers=headers).status == 200


def test_a_follower_gets_each_change_from_the_id_it_names(served: Served) -> None:
    with following(served, "/v1/events?after=0") as stream:
        assert stream.status == 200
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        first = events(stream, len(NEWS))
    numbers = [number for number, _, _ in first]
    assert numbers == sorted(set(numbers))
    with following(served, **{"Last-Event-ID": str(numbers[3])}) as stream:
        assert events(stream, len(NEWS) - 4) == first[4:]


def test_a_follower_gets_what_is_judged_and_what_is_withdrawn(tmp_path) -> None:
    judge(tmp_path)
    with serving(tmp_path, engine=True, token=TOKEN) as served, following(served) as stream:
        keep(served, report("new.example", "n1", TRAM, "13:00:00"))
        ((_, kind, change),) = events(stream, 1)
        assert (kind, change["summary"]["verdict"]) == ("item", "duplicate")
        keep(served, {"newsdedup": "retract", "source": "new.example", "id": "n1"})
        ((_, kind, change),) = events(stream, 1)
        assert (kind, change["item"]) == ("retracted", {"source": "new.example", "id": "n1"})
        assert change["summary"] is None


@pytest.mark.parametrize(
    ("path", "headers"),
    [("/v1/events?after=5000", {}), ("/v1/events", {"Last-Event-ID": "5000"})],
)
def test_a_follower_ahead_of_an_archive_made_anew_begins_with_it(
    served: Served, path: str, headers: dict[str, str]
) -> None:
    with following(served, path, **headers) as stream:
        assert events(stream, 1) == [(0, "reset", {"change": 0})]
        kinds = [kind for _, kind, _ in events(stream, len(NEWS))]
    assert kinds == ["item"] * len(NEWS)


def test_a_stream_ends_when_the_server_ends(archive_folder) -> None:
    with serving(archive_folder) as served:
        parts = urlsplit(served.address)
        connection = HTTPConnection(parts.hostname or "", parts.port, timeout=30)
        connection.request("GET", "/v1/events")
        stream = connection.getresponse()
        assert stream.readline() == b"retry: 5000\n"
    assert stream.read().strip() in (b"", b": alive")
    connection.close()


def test_a_number_that_is_none_of_a_change_is_refused(served: Served) -> None:
    answer = served.ask("/v1/events", headers={"Last-Event-ID": "first"})
    assert (answer.status, answer.json()["type"]) == (400, "urn:newsdedup:problem:bad-request")


def test_a_client_that_opens_many_streams_leaves_those_of_others(archive_folder) -> None:
    one, other = ({"X-Forwarded-For": f"192.0.2.{number}"} for number in (1, 2))
    with serving(archive_folder, proxies=1) as served:
        with ExitStack() as streams:
            for _ in range(10):
                assert streams.enter_context(following(served, **one)).status == 200
            refused = streams.enter_context(following(served, **one))
            assert refused.status == 429
            assert json.load(refused)["type"] == "urn:newsdedup:problem:too-many-requests"
            with following(served, **other) as stream:
                assert stream.status == 200
        end = time.monotonic() + 30
        while served.ask("/v1/events", method="HEAD", headers=one).status != 200:
            assert time.monotonic() < end
