"""Dead letters in a topic of a real Kafka: listed, shown, replayed."""

import json

import pytest

from cli.own_topics import OwnTopics
from newsdedup.adapters.kafka.dead_letters import dead_letter_record
from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.cli.errors import ExitCode
from newsdedup.ports.errors import Rejection


@pytest.fixture(scope="module")
def topics(kafka):
    made = OwnTopics(kafka.address)
    assert made.command("topics", "create", "--partitions", "2").exit_code == 0
    return made


@pytest.fixture(scope="module")
def buried(topics):
    records = [
        ReceivedRecord(topics.input, 1, 5, b"key", b"\xff{", (("own", b"1"),), 1_700_000_000_000),
        ReceivedRecord(topics.input, 0, 6, None, b'{"title":5}', (), 1_700_000_000_000),
        ReceivedRecord(topics.input, 0, 7, b"large", b"x" * 9_000, (), 1_700_000_000_000),
    ]
    codes = ("not_utf8", "bad_field", "too_long")
    errors = [Rejection(code, f"because of {code}") for code in codes]
    dead_letters = [
        dead_letter_record(record, error, topic=topics.dead, most=4_000)
        for record, error in zip(records, errors, strict=True)
    ]
    topics.write(*dead_letters)
    return records


@pytest.mark.usefixtures("buried")
def test_the_dead_letters_of_a_topic_are_listed(topics):
    output = json.loads(topics.command("dlq", "ls", f"topic:{topics.dead}", "--json").stdout)
    assert output["by_code"] == {"bad_field": 1, "not_utf8": 1, "too_long": 1}
    assert output["dead_letters"][0] == {
        "number": "0/0",
        "input": f"{topics.input}/1",
        "offset": 5,
        "code": "not_utf8",
        "reason": "because of not_utf8",
        "size": 5,
        "cut": False,
    }
    shown = topics.command("dlq", "ls", "topic:", "--code", "too_long")
    assert "0/2" in shown.stdout
    assert "0/1" not in shown.stdout
    assert "3 dead letters: bad_field 1, not_utf8 1, too_long 1" in shown.stdout


def test_a_dead_letter_of_a_topic_is_shown_whole(topics, buried):
    shown = topics.command("dlq", "show", "topic:", "0/0")
    assert "header  own: 1" in shown.stdout
    assert "\\xff{" in shown.stdout
    raw = topics.command("dlq", "show", "topic:", "0/0", "--raw")
    assert raw.stdout_bytes == buried[0].value
    cut = topics.command("dlq", "show", "topic:", "0/2", "--json")
    assert json.loads(cut.stdout)["size"] == buried[2].size
    assert "of 9,005 bytes are kept" in cut.stderr
    none = topics.command("dlq", "show", "topic:", "0/9")
    assert none.exit_code == ExitCode.USAGE


def test_dead_letters_of_a_topic_are_fed_again_once(topics, buried):
    before = len(topics.read(topics.input))
    first = topics.command("dlq", "replay", "topic:", "--json")
    output = json.loads(first.stdout)
    assert (output["replayed"], output["cut"], output["refused"]) == (2, 1, 0)
    assert f"0/2: its dead letter is cut; it came from {topics.input}/0@7" in first.stderr
    again = json.loads(topics.command("dlq", "replay", "topic:", "--json").stdout)
    assert (again["replayed"], again["cut"]) == (0, 0)
    records = topics.read(topics.input)
    fed = [one for one in records if one.header("newsdedup_seen_ms") == b"1700000000000"]
    assert len(records) == before + 2
    assert {(one.key, one.value) for one in fed} == {(one.key, one.value) for one in buried[:2]}
    topics.write(dead_letter_record(buried[0], Rejection("not_utf8", "again"), topic=topics.dead))
    third = json.loads(topics.command("dlq", "replay", "topic:", "--json").stdout)
    assert third["replayed"] == 1


def test_dead_letters_of_a_topic_go_to_a_topic_only(topics):
    result = topics.command("dlq", "replay", "topic:", "--to", "events.jsonl")
    assert result.exit_code == ExitCode.USAGE
    assert "topic:NAME" in result.stderr
