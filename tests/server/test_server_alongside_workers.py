"""A server alongside workers: it checks against their Redis, and follows their topic."""

import asyncio
import json
import signal
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest

from cli.own_topics import OwnTopics
from cli.small_stream import FIRE, report
from newsdedup.adapters.formats import item_json
from newsdedup.adapters.kafka.records import OutgoingRecord
from newsdedup.bootstrap.workers import namespace_session, shared_engine
from newsdedup.config import build_settings
from runners.streaming import Stream
from server.served import NEWS, TOKEN, item_path, judge, serving
from server.test_serve_command import command, wait_until
from servers.fixtures import running
from servers.process import wait_until as await_answer
from servers.redis_server import RedisServer

COPY = report("late.example", "c1", FIRE, "10:30:00")
BEARER = {"Authorization": f"Bearer {TOKEN}"}
SPLIT = {
    "kind": "not_duplicate",
    "item": {"source": "copy.example", "id": "r2"},
    "other": {"source": "tula.example", "id": "r1"},
}
RETRACTION = {"newsdedup": "retract", "source": "copy.example", "id": "r2"}


async def judge_shared(settings, items) -> None:
    """Judge items as a worker does."""
    async with namespace_session(settings) as session:
        lines = [json.dumps(item).encode() for item in items]
        analyze = session.analyzer.analyze
        changes = [analyze(item_json.decode_item(line), line) for line in lines]
        await shared_engine(settings, session).process(changes)


def test_a_check_asks_the_redis_of_the_workers_and_writes_nothing_of_items(
    redis, archive_folder: Path
) -> None:
    name = f"check-{uuid4().hex[:8]}"
    chosen = {"redis.url": redis.url, "redis.namespace": name}
    with serving(archive_folder, redis=chosen) as served:
        missing = served.ask("/v1/check", COPY)
        assert (missing.status, missing.json()["type"]) == (503, "urn:newsdedup:problem:unusable")
        assert "does not exist" in missing.json()["detail"]
        asyncio.run(judge_shared(build_settings(chosen), NEWS))
        before = redis.ask("KEYS", f"*{name}*")
        (result,) = served.ask("/v1/check", COPY).json()["results"]
        assert result["judgement"]["verdict"] == "duplicate"
        assert result["judgement"]["story"]["original"]["id"] == "r1"
        assert result["judgement"]["matched"]["evidence"]["shared"]
        (known,) = served.ask("/v1/check", NEWS[3]).json()["results"]
        assert known["known"]
        (early,) = served.ask("/v1/check", {**COPY, "published_at": "2026-11-02T05:00:00Z"}).json()[
            "results"
        ]
        assert {one["item"]["id"] for one in early["corrections"]} == {"r1", "r2", "r3"}
        assert sorted(redis.ask("KEYS", f"*{name}*")) == sorted(before)


def test_the_archive_follows_the_topic_and_goes_on_after_a_kill(kafka, tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    judge(made, [*NEWS, RETRACTION])
    events = (made / "events.jsonl").read_bytes().splitlines()
    topics = OwnTopics(kafka.address)
    assert topics.command("topics", "create", "--partitions", "2").exit_code == 0
    records = [OutgoingRecord(topics.output, key_of(line), line) for line in events]
    topics.write(*records[:4])
    with command(tmp_path, "--kafka", kafka.address, **topics.environ) as (served, process):
        wait_until(served, "/v1/items", 4)
        process.kill()
        process.wait(30)
    topics.write(*records[4:])
    with command(tmp_path, "--kafka", kafka.address, **topics.environ) as (served, _):
        wait_until(served, "/v1/items", len(NEWS) - 1)
        assert served.ask("/readyz").status == 200
        assert served.ask(item_path("copy.example", "r2")).status == 410
        assert served.ask("/v1/stats").json()["retracted"] == 1


def test_of_a_topic_that_was_made_anew_the_archive_reads_all(kafka, tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    judge(made)
    events = (made / "events.jsonl").read_bytes().splitlines()
    topics = OwnTopics(kafka.address)
    records = [OutgoingRecord(topics.output, key_of(line), line) for line in events]

    def make_topics() -> None:
        assert topics.command("topics", "create", "--partitions", "1").exit_code == 0

    serve = partial(command, tmp_path, "--kafka", kafka.address, **topics.environ)
    make_topics()
    topics.write(*records[:2])
    with serve() as (served, _):
        wait_until(served, "/v1/items", 2)
        topics.delete(topics.output)
        await_answer(lambda: served.ask("/readyz").status == 503, what="not ready without topic")
        make_topics()
        # The third is where the first was that is archived.
        topics.write(records[2], *records[:2])
        wait_until(served, "/v1/items", 3)
        await_answer(lambda: served.ask("/readyz").status == 200, what="ready with the new one")
    topics.delete(topics.output)
    make_topics()
    topics.write(*records[3:], *records[:3])
    with serve() as (served, _):
        wait_until(served, "/v1/items", len(NEWS))


def key_of(line: bytes) -> bytes:
    """Return the key of an event, by which those of an item stay in order."""
    item = json.loads(line)["dedup"].get("item", {"source": "", "id": ""})
    return json.dumps([item["source"], item["id"]], ensure_ascii=False).encode()


def test_a_server_without_its_topic_serves_and_says_that_it_is_not_ready(
    kafka, archive_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "news.archive").write_bytes((archive_folder / "news.archive").read_bytes())
    environ = {"NEWSDEDUP_KAFKA__OUTPUT": f"none-{uuid4().hex[:8]}"}
    with command(tmp_path, "--kafka", kafka.address, **environ) as (served, _):
        answer = served.ask("/readyz")
        assert (answer.status, b"kafka" in answer.body) == (503, True)
        assert served.ask("/v1/stats").json()["items"] == len(NEWS)


def test_feedback_alongside_workers_is_a_record_of_their_input(kafka, tmp_path: Path) -> None:
    judge(tmp_path)
    topics = OwnTopics(kafka.address)
    assert topics.command("topics", "create", "--partitions", "2").exit_code == 0
    environ = topics.environ | {
        "NEWSDEDUP_SERVER__TOKEN": TOKEN,
        "NEWSDEDUP_SERVER__FEEDBACK": str(tmp_path / "feedback.jsonl"),
    }
    with command(tmp_path, "--kafka", kafka.address, **environ) as (served, _):
        answer = served.ask("/v1/feedback", SPLIT, headers=BEARER)
        assert (answer.status, answer.json()["outcome"]) == (200, "sent"), answer.body
        # The workers have not taken it yet.
        summary = served.ask(item_path("copy.example", "r2")).json()["summary"]
        assert summary["verdict"] == "duplicate"
    (record,) = topics.read(topics.input)
    assert record.value == (tmp_path / "feedback.jsonl").read_bytes().strip()
    assert record.key == b'["copy.example","r2"]'
    split = item_json.decode_item(record.value)
    assert (type(split).__name__, split.key.id) == ("Split", "r2")


def test_a_split_asked_of_the_server_is_taken_by_a_worker_and_reaches_the_archive(
    kafka, redis, tmp_path: Path
) -> None:
    stream = Stream(kafka, redis, tmp_path, partitions=1)
    environ = stream.environment() | {"NEWSDEDUP_SERVER__TOKEN": TOKEN}
    stream.produce(NEWS)  # in their order: one partition, so nothing is corrected yet
    with stream.worker(), command(tmp_path, "--kafka", kafka.address, **environ) as (served, _):
        wait_until(served, "/v1/items", len(NEWS))
        path = item_path("copy.example", "r2")
        assert served.ask(path).json()["summary"]["verdict"] == "duplicate"
        answer = served.ask("/v1/feedback", SPLIT, headers=BEARER)
        assert (answer.status, answer.json()["outcome"]) == (200, "sent"), answer.body
        wait_until(served, path, 1, key="corrections")
        summary = served.ask(path).json()["summary"]
    assert (summary["verdict"], summary["decided_by"]) == ("original", "editor")
    assert any(
        (one.dedup["event"], one.dedup.get("decided_by")) == ("verdict.corrected", "editor")
        for one in stream.read(stream.output)
    )


@pytest.mark.parametrize("name", ["kafka", "redis"])
def test_a_server_whose_kafka_or_redis_hangs_serves_and_says_that_it_is_not_ready(
    kafka, redis, tmp_path: Path, name: str
) -> None:
    judge(tmp_path)
    topics = OwnTopics(kafka.address)
    assert topics.command("topics", "create", "--partitions", "1").exit_code == 0
    environ = topics.environ | {"NEWSDEDUP_REDIS__TIMEOUT": "1s"}
    flags = ("--kafka", kafka.address, "--redis", redis.url)
    with command(tmp_path, *flags, **environ) as (served, _):

        def says(status: int, line: str) -> bool:
            answer = served.ask("/readyz")
            return (answer.status, answer.body.decode()) == (status, f"{line}\n")

        await_answer(partial(says, 200, "ready"), what="the server is ready")
        hung = {"kafka": kafka, "redis": redis}[name]
        hung.process.signal(signal.SIGSTOP)
        try:
            await_answer(partial(says, 503, f"waiting for {name}"), what="it is not ready")
            assert served.ask("/v1/stats").json()["items"] == len(NEWS)
        finally:
            hung.process.signal(signal.SIGCONT)
        await_answer(partial(says, 200, "ready"), what="it is ready again")


@pytest.mark.usefixtures("redis_program")
def test_a_check_goes_on_after_redis_was_flushed_and_made_anew(
    archive_folder: Path, tmp_path: Path
) -> None:
    own = RedisServer(tmp_path)
    chosen = {"redis.url": own.url, "redis.namespace": "news"}
    with running(own, tmp_path), serving(archive_folder, redis=chosen) as served:
        asyncio.run(judge_shared(build_settings(chosen), NEWS))
        assert served.ask("/v1/check", COPY).status == 200
        own.ask("FLUSHALL")
        lost = served.ask("/v1/check", COPY)
        assert (lost.status, "newsdedup rebuild" in lost.json()["detail"]) == (503, True)
        asyncio.run(judge_shared(build_settings(chosen), NEWS))
        (result,) = served.ask("/v1/check", COPY).json()["results"]
        assert result["judgement"]["verdict"] == "duplicate"
