"""Topics that nobody else uses, and the command line for them."""

import asyncio
from uuid import uuid4

from aiokafka.admin import AIOKafkaAdminClient
from typer.testing import CliRunner

from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.publisher import KafkaPublisher
from newsdedup.adapters.kafka.reader import open_topic
from newsdedup.cli.app import app


class OwnTopics:
    """Topics that nobody else uses, and the command line for them."""

    def __init__(self, address):
        name = f"t{uuid4().hex[:12]}"
        self.access = KafkaAccess(address)
        self.input, self.output, self.dead = (f"{name}.{end}" for end in ("raw", "out", "dlq"))
        settings = {"SERVERS": address, "INPUT": self.input, "OUTPUT": self.output}
        settings |= {"DEAD": self.dead, "GROUP": name, "MESSAGE_BYTES": "50KiB"}
        self.environ = {f"NEWSDEDUP_KAFKA__{key}": value for key, value in settings.items()}

    def command(self, *args, stdin=None):
        return CliRunner().invoke(app, args, env=self.environ, input=stdin)

    def read(self, name):
        return asyncio.run(self._read(name))

    def write(self, *records):
        asyncio.run(self._write(records))

    def delete(self, name):
        asyncio.run(self._delete(name))

    async def _delete(self, name):
        admin = AIOKafkaAdminClient(**self.access.options())
        await admin.start()
        await admin.delete_topics([name])
        while name in await admin.list_topics():  # noqa: ASYNC110 - of another process
            await asyncio.sleep(0)
        await admin.close()

    async def _read(self, name):
        async with open_topic(self.access, name) as opened:
            return [one async for batch in opened.records(at_once=100) for one in batch]

    async def _write(self, records):
        publisher = KafkaPublisher(self.access, message_bytes=1_000_000)
        assert await publisher.publish(records) == []
        await publisher.close()
