"""Events and dead letters that are larger than a real broker takes."""

import asyncio
import json
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from newsdedup import ItemKey
from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.dead_letters import decode_topic_dead_letter
from newsdedup.adapters.kafka.delivery import CausedEvent, Delivery, FailedRecord, OutputTopics
from newsdedup.adapters.kafka.publisher import KafkaPublisher
from newsdedup.adapters.kafka.reader import open_topic
from newsdedup.adapters.kafka.records import OutgoingRecord, ReceivedRecord
from newsdedup.core.events import Event, ItemRef, Judgement, Revision, StoryRef
from newsdedup.ports.errors import Rejection, SinkUnusable

SMALL = 20_000
TRACES = (("traceparent", b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),)


async def once(_server, attempt):
    return await attempt()


class Broker:
    """Topics of a test's own, whose records must be small, and what writes to them."""

    def __init__(self, address, publisher, name):
        self.access = KafkaAccess(address)
        self.publisher = publisher
        self.out, self.dead = f"{name}.out", f"{name}.dlq"

    def delivery(self, *, most=1_000_000):
        topics = OutputTopics(self.out, self.dead, "/newsdedup/test", most)
        return Delivery(self.publisher, once, topics)

    async def read(self, name):
        async with open_topic(self.access, name) as opened:
            return [one async for batch in opened.records(at_once=100) for one in batch]


@asynccontextmanager
async def broker(kafka, *, out=SMALL, dead=SMALL):
    name = f"t{uuid4().hex[:12]}"
    publisher = KafkaPublisher(KafkaAccess(kafka.address), message_bytes=1_000_000)
    one = Broker(kafka.address, publisher, name)
    limits = {one.out: out, one.dead: dead}
    admin = AIOKafkaAdminClient(bootstrap_servers=kafka.address)
    await admin.start()
    try:
        await admin.create_topics(
            [
                NewTopic(topic, 1, 1, topic_configs={"max.message.bytes": str(most)})
                for topic, most in limits.items()
            ]
        )
    finally:
        await admin.close()
    try:
        yield one
    finally:
        await publisher.close()


def occasion(name, text="короткий текст"):
    item = json.dumps({"source": "a", "id": name, "text": text}, ensure_ascii=False).encode()
    ref = ItemRef("a", name)
    said = Judgement(
        event="item.judged",
        event_id=f"event-{name}",
        item=ref,
        version="v",
        revision=Revision(0, 0),
        verdict="original",
        relation="none",
        decided_by="rule",
        story=StoryRef("s", ref),
        matched=None,
        rule="terms/1",
        lang="ru",
        effective_at="2026-11-02T10:00:00+00:00",
        terms=(),
    )
    record = ReceivedRecord("news.raw", 2, 40, b"any", b"wrapped", (("own", b"1"),))
    return CausedEvent(Event(said, item), record, TRACES)


def test_a_large_event_is_published_with_its_text_cut(kafka):
    async def scenario():
        async with broker(kafka) as one:
            events = [occasion("1"), occasion("2", "ж" * 40_000), occasion("3")]
            dead_letters = await one.delivery(most=SMALL).deliver(events)
            return dead_letters, await one.read(one.out)

    dead_letters, records = asyncio.run(scenario())
    published = [json.loads(record.value or b"") for record in records]
    assert dead_letters == []
    assert [item["id"] for item in published] == ["1", "2", "3"]
    assert [item["dedup"].get("cut") for item in published] == [None, ["text"], None]
    assert set(published[1]["text"]) == {"ж"}
    assert [record.header("newsdedup_cut") for record in records] == [None, b"text", None]


def test_an_event_that_the_broker_refuses_becomes_a_dead_letter_and_stops_nobody(kafka):
    async def scenario():
        async with broker(kafka) as one:
            events = [occasion("1"), occasion("2", "ж" * 40_000), occasion("3")]
            dead_letters = await one.delivery().deliver(events)
            later = await one.delivery().deliver([occasion("4")])
            return [*dead_letters, *later], await one.read(one.out), await one.read(one.dead)

    dead_letters, published, dead = asyncio.run(scenario())
    ids = {json.loads(record.value or b"")["id"] for record in published}
    assert ids == {"1", "3", "4"}
    assert [one.rejection.code for one in dead_letters] == ["event_too_large"]
    found = decode_topic_dead_letter(dead[0])
    assert found.code == "event_too_large"
    assert "event-2" in found.reason
    assert (found.input, found.at, found.key) == ("news.raw/2", 40, b'["a","2"]')
    assert found.headers == TRACES
    assert found.cut
    assert (occasion("2", "ж" * 40_000).event.received).startswith(found.value or b"")


def test_an_event_whose_verdict_alone_is_too_large_becomes_a_dead_letter_with_the_whole_item(kafka):
    async def scenario():
        async with broker(kafka) as one:
            events = [occasion("1"), CausedEvent(occasion("2").event)]
            dead_letters = await one.delivery(most=600).deliver(events)
            return dead_letters, await one.read(one.dead)

    dead_letters, dead = asyncio.run(scenario())
    assert [one.rejection.code for one in dead_letters] == ["event_too_large"] * 2
    found = [decode_topic_dead_letter(one) for one in dead]
    assert {one.code for one in found} == {"event_too_large"}
    assert [one.value for one in found] == [occasion(name).event.received for name in "12"]
    # Of an event from the outbox nobody knows the record.
    assert [one.at for one in found] == [40, -1]


def test_a_withdrawal_erases_what_came_before_it_in_its_batch_and_not_what_comes_after(kafka):
    whole = json.dumps({"source": "a", "id": "2", "published_at": "once"}).encode()
    dead_letters = [
        FailedRecord(
            ReceivedRecord("news.raw", 2, offset, None, whole),
            Rejection("bad_date", f"at {offset}"),
        )
        for offset in (39, 60)
    ]
    withdrawn = {ItemKey("a", "2"): ReceivedRecord("news.raw", 2, 50, None, None)}

    async def scenario():
        async with broker(kafka) as one:
            large = occasion("2", "ж" * 40_000)
            published = await one.delivery().deliver([large], dead_letters, withdrawn=withdrawn)
            return published, await one.read(one.dead)

    published, dead = asyncio.run(scenario())
    assert [one.rejection for one in published] == [dead_letters[1].rejection]
    assert [(one.key, one.value) for one in dead] == [(b'["a","2"]', None), (b'["a","2"]', whole)]


def test_a_dead_letter_that_the_broker_refuses_is_cut_until_it_takes_it(kafka):
    record = ReceivedRecord("news.raw", 0, 1, b"key", b"x" * 900_000)
    buried = FailedRecord(record, Rejection("not_json", "no"))

    async def scenario():
        async with broker(kafka) as one:
            await one.delivery().deliver([], [buried])
            return await one.read(one.dead)

    (found,) = [decode_topic_dead_letter(one) for one in asyncio.run(scenario())]
    assert (found.code, found.key, found.size, found.cut) == ("not_json", b"key", 900_003, True)
    assert 1_000 < len(found.value or b"") < SMALL


def test_a_topic_that_takes_no_dead_letter_at_all_is_the_operators_business(kafka):
    buried = FailedRecord(
        ReceivedRecord("news.raw", 0, 1, None, b"x"), Rejection("not_json", "n" * 300)
    )

    async def scenario():
        async with broker(kafka, dead=200) as one:
            await one.delivery().deliver([], [buried])

    with pytest.raises(SinkUnusable, match=r"max\.message\.bytes"):
        asyncio.run(scenario())


def test_small_records_are_written_although_a_large_one_comes_with_them(kafka):
    async def scenario():
        async with broker(kafka) as one:
            records = [
                OutgoingRecord(one.out, str(n).encode(), b"x" * (50_000 if n % 7 == 3 else 2_000))
                for n in range(40)
            ]
            indexes = await one.publisher.publish(records)
            again = await one.publisher.publish([OutgoingRecord(one.out, b"last", b"x")])
            return indexes, again, await one.read(one.out)

    indexes, again, written = asyncio.run(scenario())
    assert (indexes, again) == ([n for n in range(40) if n % 7 == 3], [])
    keys = {record.key for record in written}
    assert keys == {str(n).encode() for n in range(40) if n % 7 != 3} | {b"last"}
