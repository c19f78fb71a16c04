"""The smallest records that may be set: dead letters stop no worker, verdicts come out."""

import asyncio
import json

from adapters.test_delivery import broker, occasion
from newsdedup import ItemKey, UnknownItem
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.adapters.kafka.dead_letters import decode_topic_dead_letter
from newsdedup.adapters.kafka.delivery import FailedRecord
from newsdedup.adapters.kafka.publisher import KafkaPublisher
from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.config.settings import LEAST_RECORD
from newsdedup.ports.errors import Rejection

LONGEST = "\U000e0001" * LIMITS.id_chars
"""A name that a reason cannot tell in fewer than ten bytes a character."""


def hostile():
    """Return a dead letter with the longest reason, about a record of which nothing is short."""
    name, reason = ItemKey(LONGEST, LONGEST), str(UnknownItem(ItemKey(LONGEST, LONGEST)))
    value = json.dumps({"source": name.source, "id": name.id, "text": "x" * 500_000}).encode()
    headers = (("own", b"x" * 50_000),)
    record = ReceivedRecord("t" * 249, 9, 10**9, LONGEST.encode(), value, headers, 10**13)
    return FailedRecord(record, Rejection("unknown_item", reason))


def test_the_smallest_records_hold_the_largest_dead_letter_and_a_verdict(kafka):
    buried = hostile()

    async def scenario():
        async with broker(kafka) as one:
            publisher = KafkaPublisher(one.access, message_bytes=LEAST_RECORD)
            one.publisher, before = publisher, one.publisher
            try:
                delivery = one.delivery(most=LEAST_RECORD)
                delivered = await delivery.deliver([occasion("1", "ж" * 40_000)], [buried])
            finally:
                one.publisher = before
                await publisher.close()
            return delivered, await one.read(one.out), await one.read(one.dead)

    delivered, published, dead = asyncio.run(scenario())
    assert delivered == [buried]
    (event,) = [json.loads(record.value or b"") for record in published]
    assert (event["id"], event["dedup"]["cut"]) == ("1", ["text"])
    assert len(event["text"]) > 2_000
    (found,) = [decode_topic_dead_letter(record) for record in dead]
    assert (found.code, found.reason, found.cut) == ("unknown_item", buried.rejection.reason, True)
