"""Commands that work on topics, on a real Kafka."""

import asyncio
import json
import signal
from datetime import timedelta

import pytest
from typer.testing import CliRunner

from cli.own_topics import OwnTopics
from newsdedup.adapters.kafka.admin import TopicSpec, topic_admin
from newsdedup.adapters.kafka.delivery import event_record
from newsdedup.cli.app import app
from newsdedup.cli.commands.topics import stream_topics
from newsdedup.cli.errors import ExitCode
from newsdedup.config import Settings
from newsdedup.core.events import (
    Event,
    ItemRef,
    Judgement,
    OriginalMoved,
    Retraction,
    Revision,
    StoryRef,
)
from runners.processes import started

LINES = [
    {"source": "a.example", "id": "1", "title": "Мост открыт"},
    {"source": "b.example", "id": "1", "title": "Мост закрыт"},
    {"source": "a.example", "id": "1", "title": "Мост снова открыт"},
    {"newsdedup": "retract", "source": "b.example", "id": "1"},
]


@pytest.fixture(scope="module")
def topics(kafka):
    made = OwnTopics(kafka.address)
    result = made.command("topics", "create", "--partitions", "2")
    assert result.exit_code == 0, result.output
    assert f"{made.input}: created with 2 partitions, replication 1" in result.stdout.splitlines()
    return made


def test_topics_are_made_once_and_others_partitions_are_reported(topics):
    again = topics.command("topics", "create", "--partitions", "2")
    assert (again.exit_code, again.stdout.count("exists with")) == (0, 3)
    assert "asked for" not in again.stdout
    other = topics.command("topics", "create", "--partitions", "3", "--json")
    topics_made = {one["topic"]: one for one in json.loads(other.stdout)["topics"]}
    assert topics_made[topics.input]["partitions"] == 2
    assert topics_made[topics.input]["asked_for"]["partitions"] == 3
    assert not topics_made[topics.input]["created"]
    words = topics.command("topics", "create", "--partitions", "3").stdout
    assert f"{topics.input}: exists with 2 partitions, replication 1; other than asked" in words


def test_what_is_written_is_compacted_within_a_day_and_kept_for_a_while(topics):
    async def settings():
        async with topic_admin(topics.access) as there:
            names = (topics.input, topics.output, topics.dead)
            return [await there.settings(name) for name in names]

    raw, out, dead = asyncio.run(settings())
    policies = [set(found["cleanup.policy"].split(",")) for found in (raw, out, dead)]
    assert policies == [{"delete"}, {"compact", "delete"}, {"compact", "delete"}]
    assert raw["min.insync.replicas"] == out["min.insync.replicas"] == "1"
    assert out["max.compaction.lag.ms"] == dead["max.compaction.lag.ms"] == str(24 * 3600 * 1000)
    assert out["retention.ms"] == dead["retention.ms"] == str(30 * 24 * 3600 * 1000)


@pytest.mark.parametrize(("replication", "enough"), [(1, "1"), (2, "1"), (3, "2")])
def test_what_is_written_is_on_all_replicas_but_one(replication, enough):
    wanted = stream_topics(Settings(), partitions=1, replication=replication, keep=timedelta(1))
    assert [one.settings["min.insync.replicas"] for one in wanted] == [enough] * 3


def test_a_topic_that_is_there_and_not_compacted_is_named(kafka):
    other = OwnTopics(kafka.address)

    async def create():
        async with topic_admin(other.access) as there:
            await there.create([TopicSpec(other.output, 1, 1, {"cleanup.policy": "delete"})])

    asyncio.run(create())
    lines = other.command("topics", "create", "--partitions", "1").stdout.splitlines()
    (said,) = [line for line in lines if "cleanup.policy" in line]
    assert said.startswith(f"{other.output}: exists with 1 partition")
    assert "cleanup.policy is delete" in said


def test_topics_are_found_as_soon_as_they_are_made(topics):
    names = {f"{topics.input}.{number}" for number in range(20)}

    async def found():
        async with topic_admin(topics.access) as there:
            for name in names:
                await there.create([TopicSpec(name, 1, 1, {})])
                yield await there.describe([name])

    async def all_found():
        return {name async for one in found() for name in one}

    assert asyncio.run(all_found()) == names


def test_a_topic_that_cannot_be_made_is_the_operators_business(topics):
    result = CliRunner().invoke(
        app,
        ["topics", "create", "--replication", "9"],
        env=topics.environ | {"NEWSDEDUP_KAFKA__INPUT": f"{topics.input}.more"},
    )
    assert result.exit_code == ExitCode.OUTPUT_UNUSABLE
    assert "InvalidReplicationFactor" in result.stderr


def test_lines_become_records_keyed_by_their_item(topics, tmp_path):
    items = tmp_path / "items.jsonl"
    written = [json.dumps(line, ensure_ascii=False).encode() for line in LINES]
    items.write_bytes(b"\n".join([*written[:2], b"", b"no json", *written[2:]]) + b"\n")
    result = topics.command("produce", str(items), "--json")
    output = json.loads(result.stdout)
    assert (output["written"], output["without_key"], output["too_large"]) == (5, 1, 0)
    records = topics.read(topics.input)
    assert sorted(record.value for record in records) == sorted([*written, b"no json"])
    keyed = {record.key: [] for record in records}
    for record in records:
        keyed[record.key].append((record.partition, record.value))
    assert keyed.keys() == {b'["a.example","1"]', b'["b.example","1"]', None}
    ours = keyed[b'["a.example","1"]']
    assert [value for _, value in ours] == [written[0], written[2]]
    assert len({partition for partition, _ in ours}) == 1


def test_files_are_written_in_the_order_of_time_unless_they_are_to_stay_as_they_are(
    topics, tmp_path
):
    lines = [
        {"id": name, "source": "times.example", "title": "t", "published_at": f"2026-11-{day}"}
        for name, day in (("late", 20), ("early", 11), ("middle", 15))
    ]
    for number, line in enumerate(lines):
        (tmp_path / f"{number}.jsonl").write_text(json.dumps(line) + "\n")
    files = [str(tmp_path / f"{number}.jsonl") for number in range(len(lines))]
    topics.command("produce", *files, "--quiet")
    topics.command("produce", *files, "--as-is", "--quiet")
    ours = [one for one in topics.read(topics.input) if b"times.example" in one.value]
    assert len(ours) == 2 * len(lines)
    for partition in {one.partition for one in ours}:
        written = [
            json.loads(one.value)["id"]
            for one in sorted(ours, key=lambda one: one.offset)
            if one.partition == partition
        ]
        half = len(written) // 2
        assert written[:half] == [one for one in ("early", "middle", "late") if one in written]
        assert written[half:] == [one for one in ("late", "early", "middle") if one in written]


def test_a_line_that_kafka_does_not_take_is_named_and_the_others_are_written(topics):
    lines = b'{"title":"a"}\n' + b"x" * 60_000 + b'\n{"title":"b"}\n'
    started_ = started("produce", "-", cwd=".", environ=topics.environ)
    out, err = started_.communicate(lines, timeout=60)
    assert started_.returncode == ExitCode.INPUT_UNUSABLE
    assert b"-:2: 60,000 bytes are more than Kafka accepts" in err
    assert b"2 records written" in err
    assert out == b""


def judged(name, verdict="original"):
    ref = ItemRef("a.example", name)
    said = Judgement(
        event="item.judged",
        event_id=name,
        item=ref,
        version="v",
        revision=Revision(0, 0),
        verdict=verdict,
        relation="none" if verdict == "original" else "reprint",
        decided_by="rule",
        story=StoryRef("s", ItemRef("b.example", "0")),
        matched=None,
        rule="terms/1",
        lang="en",
        effective_at="2026-11-02T10:00:00+00:00",
        terms=(),
    )
    return Event(said, json.dumps({"title": f"Title \x1b {name}"}).encode())


@pytest.fixture(scope="module")
def published(topics):
    ref = ItemRef("a.example", "1")
    events = [
        judged("1"),
        judged("2", "duplicate"),
        Event(Retraction("3", ref, "v", Revision(0, 1))),
        Event(OriginalMoved("4", "s", ref, ItemRef("b.example", "0"))),
    ]
    records = [event_record(one, topic=topics.output, origin="/newsdedup/t") for one in events]
    topics.write(*records, records[0]._replace(value=b"\xff", key=b"k"))
    return [record.value for record in records]


def test_what_came_out_is_shown_as_lines(topics, published):
    count = str(len(published) + 1)
    result = topics.command("tail", "--from", "beginning", "--count", count)
    assert result.exit_code == 0
    lines = {line.split("  ", 1)[1] for line in result.stdout.splitlines()}
    assert lines == {
        "item.judged  original  none  a.example  Title  1  -",
        "item.judged  duplicate  reprint  a.example  Title  2  b.example 0",
        "item.retracted  -  -  a.example  1  -",
        "story.original_changed  -  -  -  before: b.example 0  a.example 1",
        "no event  -  -  -  -  -",
    }
    assert "5 events: 1 originals, 1 duplicates, 1 retracted" in result.stderr


def test_what_came_out_is_printed_for_programs_as_it_came(topics, published):
    count = str(len(published) + 1)
    result = topics.command("tail", "--from", "beginning", "--count", count, "--json", "--quiet")
    lines = result.stdout.splitlines()
    assert {line.encode() for line in lines if line.startswith("{")} == set(published)
    assert [json.loads(line) for line in lines if not line.startswith("{")] == ["\\xff"]
    assert result.stderr == ""


def test_a_follower_from_the_end_sees_what_comes_then_and_leaves_with_ctrl_c(topics, tmp_path):
    process = started("tail", "--json", cwd=tmp_path, environ=topics.environ)
    assert b"from its end" in process.stderr.readline()
    late = event_record(judged("late"), topic=topics.output, origin="/newsdedup/t")
    topics.write(late)
    assert process.stdout.readline().rstrip(b"\n") == late.value
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED


@pytest.mark.usefixtures("published")
def test_a_follower_that_waits_only_a_while_gets_all_that_is_there(topics):
    result = topics.command("tail", "--from", "beginning", "--idle", "1s")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == len(topics.read(topics.output))


@pytest.mark.usefixtures("published")
def test_a_follower_that_waits_only_a_while_ends_where_nothing_comes(topics):
    result = topics.command("tail", "--idle", "100ms")
    assert (result.exit_code, result.stdout) == (0, "")


@pytest.mark.usefixtures("published")
def test_a_follower_whose_reader_has_ended_ends_as_other_commands_do(topics, tmp_path):
    process = started("tail", "--from", "beginning", "-q", cwd=tmp_path, environ=topics.environ)
    process.stdout.close()
    _, notes = process.communicate(timeout=60)
    assert (process.returncode, notes) == (ExitCode.PIPE_CLOSED, b"")


@pytest.mark.parametrize("command", [["tail"], ["dlq", "ls", "topic:none"]])
def test_a_topic_that_is_not_there_is_named_with_advice(topics, command):
    environ = topics.environ | {"NEWSDEDUP_KAFKA__OUTPUT": "none"}
    result = CliRunner().invoke(app, command, env=environ)
    assert result.exit_code == ExitCode.INPUT_MISSING
    assert "there is no topic none that this user may see; `newsdedup topics" in result.stderr


def test_nothing_is_written_to_a_topic_that_is_not_there(topics, tmp_path):
    (tmp_path / "items.jsonl").write_text("{}\n", "utf-8")
    produce = ["produce", str(tmp_path / "items.jsonl"), "--topic", "none"]
    for command in (produce, ["dlq", "replay", f"topic:{topics.dead}", "--to", "topic:none"]):
        result = CliRunner().invoke(app, command, env=topics.environ)
        assert result.exit_code == ExitCode.OUTPUT_UNUSABLE
        assert "there is no topic none" in result.stderr
