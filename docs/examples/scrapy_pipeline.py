"""A Scrapy item pipeline that writes items to the topic that newsdedup reads.

    # settings.py of the crawler; `pip install aiokafka`
    ITEM_PIPELINES = {"scrapy_pipeline.NewsdedupPipeline": 900}
    NEWSDEDUP_KAFKA = "127.0.0.1:9092"
    NEWSDEDUP_TOPIC = "news.raw"

An item needs `url` and `title` or `text`; docs/items.md has the other fields. It counts as scraped
when all replicas of Kafka have it. If Kafka refuses an item, Scrapy logs the error and counts it as
log_count/ERROR: crawl its page again. An item that is written twice gets the verdict that it has.
"""

import json
from datetime import UTC, datetime
from typing import Any, Self
from urllib.parse import urlsplit

from aiokafka import AIOKafkaProducer
from itemadapter import ItemAdapter
from scrapy.crawler import Crawler


class NewsdedupPipeline:
    """Writes each item to Kafka, keyed by source and id, so that its versions stay in order."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the pipeline of a crawler, by its settings."""
        settings = crawler.settings
        servers = settings.get("NEWSDEDUP_KAFKA", "127.0.0.1:9092")
        return cls(servers, settings.get("NEWSDEDUP_TOPIC", "news.raw"))

    def __init__(self, servers: str, topic: str) -> None:
        self.servers, self.topic = servers, topic

    async def open_spider(self) -> None:
        """Connect to Kafka; without it the crawl does not begin."""
        self.producer = AIOKafkaProducer(
            bootstrap_servers=self.servers, acks="all", enable_idempotence=True, linger_ms=10
        )
        await self.producer.start()

    async def close_spider(self) -> None:
        """Write the remaining items and disconnect."""
        await self.producer.stop()

    async def process_item(self, item: Any) -> Any:
        """Return the item when Kafka has it."""
        record = ItemAdapter(item).asdict()
        host = urlsplit(record["url"]).hostname or ""
        record["source"] = str(record.get("source") or host.removeprefix("www."))
        record["id"] = str(record.get("id") or record["url"])
        record.setdefault("seen_at", datetime.now(UTC).isoformat())
        name = [record["source"], record["id"]]
        key = json.dumps(name, ensure_ascii=False, separators=(",", ":"))
        value = json.dumps(record, ensure_ascii=False, default=str)
        await self.producer.send_and_wait(self.topic, value.encode(), key.encode())
        return item
