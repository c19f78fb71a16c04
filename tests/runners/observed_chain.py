"""A feed, a feeder, a worker and a server as real processes, and what they showed of their work."""

import json
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest
from redis import Redis

from feeder.feed_site import feed_site, rss
from feeder.scraped_feeder import running_feeder
from runners.streaming import PATIENCE_SECONDS, Event, Stream
from runners.trace_receiver import TraceReceiver, trace_receiver
from server.served import Answer
from server.test_serve_command import command, wait_until
from servers.redis_server import PERMISSIONS

WORD = "Lanterns"
TITLE, BODY = f"{WORD} of Velmora", "relit by their keepers, says the harbour of Kesting"
BROKEN = "an unfinished verse of Ostrava Bay"
KEYS = {name: f"{name}-{uuid4().hex}" for name in ("query", "feed", "redis", "server", "bearer")}
"""Invented secrets: in a feed's address, its password, and those of Redis and the server."""
PRIVATE = (TITLE, BODY, BROKEN, "Velmora", "Kesting", *KEYS.values())
"""What may stand in no log and no trace."""


@dataclass(frozen=True)
class ObservedChain:
    """One news that went from a feed to an archive, and one record that became a dead letter."""

    logs: dict[str, str]
    """By process: feeder, worker, server."""
    events: list[Event]
    received: TraceReceiver


@pytest.fixture(scope="module")
def observed_chain(kafka, redis, tmp_path_factory) -> ObservedChain:
    folder = tmp_path_factory.mktemp("observed")
    (folder / "feeder").mkdir()
    stream = Stream(kafka, redis, folder, partitions=1)
    rules = f"on >{KEYS['redis']} ~{{{stream.name}}}:* {PERMISSIONS} +select".split()
    with ExitStack() as stack:
        receiver = stack.enter_context(trace_receiver())
        observed = {
            "NEWSDEDUP_RUN__LOG": "debug",
            "OTEL_EXPORTER_OTLP_ENDPOINT": receiver.address,
            "OTEL_BSP_SCHEDULE_DELAY": "200",
        }
        connected = stack.enter_context(Redis.from_url(redis.url))
        connected.execute_command("ACL", "SETUSER", stream.name, *rules)
        stack.callback(connected.acl_deluser, stream.name)
        login = {"redis__username": stream.name, "redis__password": KEYS["redis"]}
        worker = stack.enter_context(stream.worker(environ=observed, **login))
        stream.produce([json.dumps({"id": "torn", "title": BROKEN}).encode()[:-1]])
        site = stack.enter_context(feed_site())
        path, missing = f"/herald?key={KEYS['query']}", f"/missing?key={KEYS['query']}"
        site.bodies[path] = rss(f"h1: {TITLE}: {BODY}")
        listed = f"{site.at(path)} secret=env:PAID\n{site.at(missing)}\n"
        (folder / "feeder" / "feeds.txt").write_text(listed, "utf-8")
        to = f"kafka://{kafka.address}/{stream.input}"
        paid = {"PAID": f"reader:{KEYS['feed']}"}
        environ = {**stream.environment(server__token=KEYS["server"]), **observed}
        # Before the news comes, or both might be one batch.
        stream.until(bool, topic=stream.dead)
        feeder = stack.enter_context(
            running_feeder(folder / "feeder", "--to", to, **observed, **paid)
        )
        following = command(folder, "--kafka", kafka.address, **environ)
        served, serving = stack.enter_context(following)
        wait_until(served, "/v1/items", 1)
        headers = {"Authorization": f"Bearer {KEYS['bearer']}"}
        refused: Answer = served.ask("/v1/items", {"title": TITLE}, headers=headers)
        assert refused.status in (401, 403, 409), refused
        assert served.ask(f"/v1/search?q={WORD}").status == 200
        for process in (worker, serving):
            process.terminate()
        for process in (worker, serving):
            assert process.wait(PATIENCE_SECONDS) == 0, stream.logs()
        events = stream.judged(1)
    logs = {"feeder": feeder.logs(), "server": read(folder / "serve.log")}
    (own,) = set(folder.glob("*.log")) - {folder / "serve.log"}
    return ObservedChain({**logs, "worker": read(own)}, events, receiver)


def read(path: Path) -> str:
    return path.read_text("utf-8")
