"""What comes back of an item whose event was larger than Kafka takes, and what does not."""

import json

import pytest

from newsdedup.adapters.formats import item_json
from newsdedup.bootstrap.rules import document_analyzer, item_analyzer, load_background
from newsdedup.config import Settings
from newsdedup.synthetic.stream import demo_stream
from runners.processes import run
from runners.streaming import Stream, ended

SMALL = {"kafka__message_bytes": "20KiB"}
LEAD = "The bridge over the river Velna in Marstad reopened after a repair of 14 months. "
REST = "Buses and trams follow on Friday, the council of the town said, and the old ferry rests. "
NAMED = "Admiral Crowther, Quist and Oster praised the Lunin orchestra and its tuba players. "
LONG = LEAD + REST * 250 + NAMED * 40
COPY = LEAD.replace("reopened", "was opened again") + REST * 10 + NAMED * 40


def item(source, text, hour):
    at = f"2026-03-02T{hour:02}:00:00Z"
    return {"source": source, "id": "1", "published_at": at, "title": "Velna bridge", "text": text}


FIRST, LATER, EARLIER = item("a", LONG, 10), item("b", COPY, 11), item("c", LONG, 9)


@pytest.fixture(scope="module")
def stream(kafka, redis, tmp_path_factory):
    """A stream whose first item was published with its text cut; then Redis lost everything."""
    made = Stream(kafka, redis, tmp_path_factory.mktemp("cut"), partitions=1)
    judged(made, [FIRST], events=1)
    for key in redis.ask("KEYS", f"{{{made.name}}}:*"):
        redis.ask("DEL", key)
    done = run("rebuild", cwd=made.folder, **made.environment(**SMALL))
    assert done.returncode == 0, done.stderr
    judged(made, [FIRST, LATER, EARLIER], events=6)
    return made


def judged(stream, items, *, events):
    stream.produce(items)
    with stream.worker(**SMALL) as process:
        stream.until(lambda found: len(found) >= events)
        assert ended(process) == 0, stream.logs()


@pytest.fixture(scope="module")
def output_events(stream):
    return stream.read(stream.output)


def test_a_redelivered_item_gets_the_event_that_was_cut(output_events):
    first, again, *_ = output_events
    assert first.dedup["cut"] == ["text"]
    assert len(first.value["text"]) < len(LONG)
    assert (again.key, again.value, again.headers) == (first.key, first.value, first.headers)


def test_a_copy_of_the_whole_text_is_found_by_the_signature_that_was_published(output_events):
    copy = output_events[2].dedup
    kept = {one["term"] for one in output_events[0].dedup["terms"]}
    assert (copy["verdict"], copy["matched"]["source"]) == ("duplicate", "a")
    assert {one["term"] for one in copy["matched"]["evidence"]["shared"]} <= kept
    # What only the end of the text says is not in what was published of it.
    assert "crowther" in kept
    assert "Crowther" not in output_events[0].value["text"]


def test_a_later_correction_says_that_the_text_is_not_whole(output_events):
    (corrected,) = [
        one
        for one in output_events
        if one.dedup["event"] == "verdict.corrected" and one.dedup["item"]["source"] == "a"
    ]
    assert corrected.dedup["verdict"] == "duplicate"
    assert corrected.dedup["cut"] == ["text"]
    assert corrected.headers["newsdedup_cut"] == b"text"
    # The evidence is longer than it was, and leaves the text less room.
    assert output_events[0].value["text"].startswith(corrected.value["text"])


def test_the_terms_of_every_signature_are_found_by_what_is_published_of_them():
    settings = Settings()
    table = load_background(settings)
    analyzing = document_analyzer(settings, table)
    analyzer = item_analyzer(settings, table, analyzing)
    for planted in demo_stream():
        found = analyzer.analyze(item_json.decode_item(json.dumps(dict(planted.item)).encode()))
        published = [one.term for one in found.terms]
        again = [analyzing.vocabulary.term(lemma, found.document.lang) for lemma in published]
        assert tuple(term.key for term in again) == found.keys
