"""What a feeder, a worker and a server show of one news on its way."""

import re

import pytest

from runners.observed_chain import PRIVATE, observed_chain

__all__ = ["observed_chain"]

VISITED = r"level=INFO logger=newsdedup.feed visited feed=\S+"
JUDGED = (
    r"level=DEBUG logger=newsdedup.worker event kind=item.judged source='herald.example' id='h1'"
)
LINES = {
    "feeder": (
        VISITED + r"/herald\?\.\.\. outcome=content entries=1 problem=-$",
        VISITED + r"/missing\?\.\.\. outcome=failed entries=0 problem=.+$",
        r"level=DEBUG logger=newsdedup.intake written feed=\S+ source='herald.example' id='h1'$",
    ),
    "worker": (
        r"level=INFO logger=newsdedup.worker batch records=\d+ events=1 original=1 duplicate=0 ",
        r" analyze_ms=\S+ judge_ms=\S+ publish_ms=\S+$",
        JUDGED + r" verdict=original event_id=\S+ repeated=False$",
        r"level=DEBUG logger=newsdedup.worker rejected code=not_json$",
    ),
    "server": (
        r"level=INFO logger=newsdedup.server archived records=1 .+$",
        r"level=DEBUG logger=newsdedup.server request method=GET path=/v1/search status=200 ms=",
    ),
}


@pytest.mark.parametrize(("name", "expected"), LINES.items())
def test_a_process_logs_a_line_for_each_batch_and_at_debug_for_each_item(
    observed_chain, name, expected
):
    log = observed_chain.logs[name]
    for line in expected:
        assert re.search(line, log, re.MULTILINE), (line, log)


def test_no_log_holds_a_title_a_text_or_a_secret(observed_chain):
    for name, log in observed_chain.logs.items():
        assert log
        for private in PRIVATE:
            assert private not in log, (name, log)


WAY = ("visit feed", "send items", "process", "archive")


def test_one_trace_leads_from_the_visit_of_a_feed_to_the_archive(observed_chain):
    (event,) = (one for one in observed_chain.events if "dedup" in one.value)
    trace = event.headers["traceparent"].decode().split("-")[1]
    spans = [one for one in observed_chain.received.spans() if one.trace == trace]
    by_name = {one.name: one for one in spans if one.name in WAY}
    assert [by_name[name].service for name in WAY] == [
        "newsdedup-feeder",
        "newsdedup-feeder",
        "newsdedup-worker",
        "newsdedup-server",
    ]
    assert [by_name[name].parent for name in WAY[1:]] == [by_name[one].span for one in WAY[:-1]]
    assert event.headers["traceparent"].decode().split("-")[2] == by_name["process"].span
    inside = {one.name: one for one in spans if one.parent == by_name["process"].span}
    assert set(inside) == {
        "analyze",
        "look up",
        "decide",
        "commit",
        "send events",
        "archive",
    }
    for one in spans:
        assert one.began <= one.ended
    assert by_name["visit feed"].attributes["newsdedup.outcome"] == "content"
    assert by_name["visit feed"].attributes["newsdedup.entries"] == 1
    assert by_name["process"].attributes["newsdedup.events"] == 1
    assert by_name["process"].attributes["messaging.destination.name"].endswith(".raw")
    assert set(observed_chain.received.paths) == {"/v1/traces"}


def test_a_batch_of_a_record_without_trace_has_one_of_its_own(observed_chain):
    (dead_letters,) = (
        one
        for one in observed_chain.received.spans()
        if one.name == "process" and one.attributes["newsdedup.dead_letters"]
    )
    assert (dead_letters.parent, dead_letters.links) == ("", ())


def test_no_span_holds_a_title_a_text_or_a_secret(observed_chain):
    sent = b"".join(observed_chain.received.bodies)
    assert b"herald" in sent
    for private in PRIVATE:
        assert private.encode() not in sent, private
