"""Workers go on with the namespace of an earlier release, or are refused with advice that works."""

import asyncio
import json
import re

from aiokafka import AIOKafkaProducer

from cli.in_process import run
from releases.invented_items import copies_of
from releases.namespace_commands import load_namespace
from releases.published_events import is_each_event_the_same, originals
from releases.recorded import RestoredFiles
from releases.test_recorded_files import keys
from runners.streaming import PATIENCE_SECONDS, Stream, ended, verdicts
from servers.process import wait_until

RULE = {"rule__name": "verified"}
REFUSED = 78


async def publish_again(stream: Stream, records) -> None:
    """Write what the release has published to the output of a stream."""
    async with AIOKafkaProducer(bootstrap_servers=stream.kafka.address) as producer:
        for record in records:
            value = json.dumps(record["value"], ensure_ascii=False).encode()
            headers = [(name, text.encode()) for name, text in record["headers"].items()]
            await producer.send_and_wait(
                stream.output, value, record["key"].encode(), headers=headers
            )


def restored_stream(kafka, redis, files: RestoredFiles) -> Stream:
    """Return a stream as the release has left it, none of whose input is committed."""
    stream = Stream(kafka, redis, files.folder, partitions=1)
    load_namespace(redis.url, stream.name, (files.folder / "namespace.resp").read_bytes())
    stream.produce(files.records("items.jsonl"))
    asyncio.run(publish_again(stream, files.records("topic.jsonl")))
    return stream


def is_refused(stream: Stream, items, **settings: str) -> bool:
    """Let a worker run until these items are judged; return whether it refuses its namespace."""
    wanted = set(keys(items))
    with stream.worker(**RULE, **settings) as process:
        wait_until(
            lambda: (
                process.poll() is not None or wanted <= set(verdicts(stream.read(stream.output)))
            ),
            what="the items are judged, or the namespace is refused",
            within=PATIENCE_SECONDS,
        )
        code = process.poll()
        assert code in (None, REFUSED), stream.logs()
        assert code or ended(process) == 0, stream.logs()
    return code == REFUSED


def test_workers_give_copies_the_stories_that_a_release_has_begun(kafka, redis, files):
    stream = restored_stream(kafka, redis, files)
    items = files.records("items.jsonl")
    later, last = copies_of(items, "later.example"), copies_of(items, "last.example")
    judged = later
    stream.produce(later)
    if is_refused(stream, later):
        follow_advice(stream, later)
    else:
        done = run("upgrade", cwd=files.folder, **stream.environment(**RULE))
        assert done.returncode == 0, done.stderr
        stream.produce(last)
        assert not is_refused(stream, last)
        judged = [*later, *last]
    events = [one.value for one in stream.read(stream.output)]
    assert is_each_event_the_same(events)
    stories = originals(events)
    begun = keys(items)[: len(later)]
    assert [stories[key] for key in keys(judged)] == begun * (len(judged) // len(later))


def follow_advice(stream: Stream, items) -> None:
    """Rebuild the namespace as its refusal says, and let a worker judge these items in it."""
    advice = re.search(r"newsdedup (rebuild) (--namespace) NEW`", stream.logs())
    assert advice, stream.logs()
    name = f"{stream.name}b"
    done = run(*advice.groups(), name, cwd=stream.folder, **stream.environment(**RULE))
    assert done.returncode == 0, done.stderr
    assert not is_refused(stream, items, redis__namespace=name)
