"""A real fault for each alert: it fires while the fault lasts, and clears by the remedy."""

import asyncio
import json
import os
import signal
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from threading import Event, Thread
from typing import Any, Final, NamedTuple
from uuid import uuid4

from deploying.alert_stage import ROOM_BYTES, Stage
from feeder.feed_site import rss
from feeder.websub.hub_site import HubSite, hub_site
from newsdedup.archive.reader import ArchiveReader
from newsdedup.bootstrap.runs import make_search_words
from newsdedup.watches.watch import Watch
from newsdedup.watches.watch_store import WatchPosition, WatchStore
from runners.planted_bugs import TRIGGER, bug_environment
from servers.ports import HOST, free_ports
from servers.process import wait_until

PAUSE_SECONDS: Final = 0.2
"""Between two attempts of a fault that goes on: more than a worker can do would not clear soon."""
_WORDS: Final = count()


class Fault(NamedTuple):
    """What is broken and what mends it, in words and in deed, and the alerts that it must fire."""

    words: str
    remedy: str
    broken: Callable[[Stage], AbstractContextManager[None]]
    """Breaks it, and mends it at the end of the block."""
    alerts: tuple[str, ...]


def item(text: str, *, at: str = "2026-11-02T10:00:00Z", source: str = "a") -> dict[str, Any]:
    """Return an item that no other resembles, unless its text does."""
    return {"source": source, "id": uuid4().hex, "published_at": at, "text": text}


def news(number: int) -> list[dict[str, Any]]:
    """Return items of words of their own."""
    return [item(" ".join(f"word{next(_WORDS)}x" for _ in range(14))) for _ in range(number)]


def post(address: str, body: bytes, **headers: str) -> int:
    """Return the status of the answer to a POST."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(address, body, names)  # noqa: S310 - ours
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - ours
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@contextmanager
def repeated(work: Callable[[], object]) -> Iterator[None]:
    """Repeat something alongside a block."""
    over = Event()

    def run() -> None:
        while not over.wait(PAUSE_SECONDS):
            work()

    thread = Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def checks(stage: Stage) -> AbstractContextManager[None]:
    """Let a client ask the server to check an item, again and again."""
    address = f"http://{HOST}:{stage.server.port}/v1/check"
    body = json.dumps(item("The ferry stopped on Monday, the port said.")).encode()
    return repeated(lambda: post(address, body, Content_Type="application/json"))


@contextmanager
def worker_is_killed(stage: Stage) -> Iterator[None]:
    stage.worker.kill()
    yield
    stage.worker.restart()


@contextmanager
def worker_dies_again_and_again(stage: Stage) -> Iterator[None]:
    started_at = "process_start_time_seconds{job='newsdedup'}"

    def die() -> None:
        before = stage.prometheus.query(started_at)
        stage.worker.restart()
        wait_until(
            lambda: stage.prometheus.query(started_at) not in ([], before),
            what="the new worker is scraped",
        )

    with repeated(die):
        yield


@contextmanager
def redis_is_silent(stage: Stage) -> Iterator[None]:
    stage.redis.process.signal(signal.SIGSTOP)
    try:
        stage.stream.produce(news(20))
        yield
    finally:
        stage.redis.process.signal(signal.SIGCONT)


@contextmanager
def items_were_delayed(stage: Stage) -> Iterator[None]:
    with repeated(lambda: stage.produce_late(news(5), seconds=600)):
        yield


@contextmanager
def records_are_no_json(stage: Stage) -> Iterator[None]:
    with repeated(lambda: stage.stream.produce([b"no item", *news(4)])):
        yield


@contextmanager
def records_raise_a_bug(stage: Stage) -> Iterator[None]:
    stage.worker.restart(**bug_environment("decide"))
    with repeated(lambda: stage.stream.produce([{**news(1)[0], "id": TRIGGER}, *news(9)])):
        yield
    stage.worker.restart()


@contextmanager
def originals_come_last(stage: Stage) -> Iterator[None]:
    def send() -> None:
        copies = news(5)
        originals = [item(one["text"], at="2026-11-02T08:00:00Z", source="b") for one in copies]
        stage.stream.produce([*copies, *originals], partition=0)

    with repeated(send):
        yield


@contextmanager
def items_are_of_last_week(stage: Stage) -> Iterator[None]:
    def send() -> None:
        old = [{**one, "published_at": "2026-10-26T10:00:00Z"} for one in news(1)]
        stage.stream.produce([*news(4), *old])

    with repeated(send):
        yield


@contextmanager
def records_are_deleted(stage: Stage) -> Iterator[None]:
    stage.stream.produce(news(20))
    wait_until(
        lambda: stage.prometheus.query("sum(newsdedup_records_total) >= 20") != [],
        what="the worker has read of each partition",
    )
    stage.worker.kill()
    stage.stream.produce(news(20))
    asyncio.run(stage.stream.delete(dict.fromkeys(range(stage.stream.partitions), -1)))
    stage.worker.restart()
    stage.stream.produce(news(20))
    yield


@contextmanager
def output_topic_refuses(stage: Stage) -> Iterator[None]:
    with stage.only_reading(stage.stream.output):
        stage.stream.produce(news(50))
        yield


@contextmanager
def redis_is_nearly_full(stage: Stage) -> Iterator[None]:
    used = stage.redis.info("memory")["used_memory"]
    stage.redis.ask("CONFIG", "SET", "maxmemory", used + used // 10)
    yield
    stage.redis.ask("CONFIG", "SET", "maxmemory", 0)


@contextmanager
def redis_may_evict(stage: Stage) -> Iterator[None]:
    stage.redis.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    yield
    stage.redis.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")


@contextmanager
def clock_of_worker_is_wrong(stage: Stage) -> Iterator[None]:
    stage.clock.turn(-600)
    stage.worker.restart(**stage.clock.environment)
    yield
    stage.worker.restart()


@contextmanager
def volume_of_server_fills(stage: Stage) -> Iterator[None]:
    filling = stage.volume / "filling"
    with filling.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, 2 * ROOM_BYTES)
    yield
    filling.unlink()


@contextmanager
def feeder_is_killed(stage: Stage) -> Iterator[None]:
    stage.feeder.kill()
    yield
    stage.feeder.restart()


@contextmanager
def topic_of_feeder_refuses(stage: Stage) -> Iterator[None]:
    with stage.only_reading(stage.feeds_topic):
        stage.site.bodies["/herald"] = rss(f"n{next(_WORDS)}: New: This is new.")
        yield


@contextmanager
def network_of_feeder_is_cut(stage: Stage) -> Iterator[None]:
    good = stage.way_to_site.target
    stage.way_to_site.aim(*free_ports(1))
    yield
    stage.way_to_site.aim(good)


@contextmanager
def feed_is_gone(stage: Stage) -> Iterator[None]:
    stage.site.gone.add("/closed")
    stage.add_feeds(stage.site.at("/closed"))
    yield
    stage.remove_feeds(stage.site.at("/closed"))


@contextmanager
def pushes_are_forged(stage: Stage) -> Iterator[None]:
    with hub_in_thread() as hub:
        feed = hub.at("/feed", HOST)
        hub.feeds["/feed"] = rss("p1: Pushed: A hub pushes this.")
        hub.links["/feed"] = f'<{hub.at("/hub", HOST)}>; rel="hub", <{feed}>; rel=self'
        stage.add_feeds(feed)
        wait_until(hub.verified.is_set, what="the feeder has subscribed at the hub")
        callback = hub.requests[-1]["hub.callback"]
        signature = f"sha256={'0' * 64}"
        with repeated(lambda: post(callback, b"forged", X_Hub_Signature=signature)):
            yield
        stage.remove_feeds(feed)


@contextmanager
def one_host_has_all_feeds(stage: Stage) -> Iterator[None]:
    paths = [f"/many{number}" for number in range(100)]
    stage.site.bodies |= {path: rss("m1: Many: Feeds of one host.") for path in paths}
    addresses = [stage.site.at(path) for path in paths]
    stage.add_feeds(*addresses)
    yield
    stage.feeder.restart(NEWSDEDUP_FEEDER__HOST_RATE="100")


@contextmanager
def server_is_killed(stage: Stage) -> Iterator[None]:
    stage.server.kill()
    yield
    stage.server.restart()


@contextmanager
def token_is_guessed(stage: Stage) -> Iterator[None]:
    stage.server.restart(NEWSDEDUP_SERVER__TOKEN=uuid4().hex)
    address = f"http://{HOST}:{stage.server.port}/v1/items"
    with repeated(lambda: post(address, b"{}", Authorization=f"Bearer {uuid4().hex}")):
        yield


@contextmanager
def webhook_takes_nothing(stage: Stage) -> Iterator[None]:
    archive, searches = stage.volume / "news.archive", stage.folder / "news.watches"
    with (
        ArchiveReader(archive, make_search_words()) as reader,
        WatchStore(searches, keep=timedelta(days=30)) as store,
    ):
        webhook = f"http://{HOST}:{free_ports(1)[0]}/"
        store.add(Watch(name="all", lang="ru", webhook=webhook), datetime.now(UTC))
        store.begin(WatchPosition(reader.file_number(), 0, 0))
    stage.server.restart(
        NEWSDEDUP_WATCHES__STATE=str(searches),
        NEWSDEDUP_WATCHES__SECRET=uuid4().hex,
        NEWSDEDUP_WATCHES__ATTEMPTS="2",
        NEWSDEDUP_WATCHES__RETRY="20s",
    )
    yield
    stage.server.restart()


@contextmanager
def server_is_cut_off_from_redis(stage: Stage) -> Iterator[None]:
    with checks(stage):
        stage.way_to_redis.aim(*free_ports(1))
        yield
        stage.way_to_redis.aim(stage.redis.port)


@contextmanager
def way_to_redis_is_slow(stage: Stage) -> Iterator[None]:
    with checks(stage):
        stage.way_to_redis.slow(0.7)
        yield
        stage.way_to_redis.well()


@contextmanager
def hub_in_thread() -> Iterator[HubSite]:
    """Yield a site with a feed and its hub, which answers alongside the block."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    site = hub_site()
    try:
        yield asyncio.run_coroutine_threadsafe(site.__aenter__(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(site.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


FAULTS: Final = (
    Fault("the worker is killed", "start it", worker_is_killed, ("NewsdedupDown",)),
    Fault(
        "Redis hangs (SIGSTOP) while records come",
        "let it go on",
        redis_is_silent,
        ("NewsdedupNotReady", "NewsdedupNoneReady", "NewsdedupStalled"),
    ),
    Fault(
        "the worker is killed and started again and again",
        "kill it no more",
        worker_dies_again_and_again,
        ("NewsdedupRestarts",),
    ),
    Fault(
        "a producer sends what it delayed for ten minutes",
        "it sends at once",
        items_were_delayed,
        ("NewsdedupLate",),
    ),
    Fault(
        "one record in five is no JSON",
        "the producer stops that",
        records_are_no_json,
        ("NewsdedupDeadLetters",),
    ),
    Fault(
        "a bug is raised for one record in ten",
        "a release without it",
        records_raise_a_bug,
        ("NewsdedupInternalErrors",),
    ),
    Fault(
        "each original comes after its copy",
        "the producer stops that",
        originals_come_last,
        ("NewsdedupCorrections",),
    ),
    Fault(
        "one item in five is a week old",
        "the producer stops that",
        items_are_of_last_week,
        ("NewsdedupItemsTooLate",),
    ),
    Fault(
        "Kafka deletes records while no worker runs",
        "send them again",
        records_are_deleted,
        ("NewsdedupRecordsDeleted",),
    ),
    Fault(
        "the right to write to the output topic is taken away",
        "give it back",
        output_topic_refuses,
        ("NewsdedupOutbox",),
    ),
    Fault(
        "`maxmemory` is set to a tenth more than Redis has used",
        "set it to more",
        redis_is_nearly_full,
        ("NewsdedupRedisFull",),
    ),
    Fault(
        "`maxmemory-policy allkeys-lru`",
        "`noeviction`",
        redis_may_evict,
        ("NewsdedupRedisEvicts",),
    ),
    Fault(
        "the clock of the worker is ten minutes slow",
        "set it right",
        clock_of_worker_is_wrong,
        ("NewsdedupClock",),
    ),
    Fault(
        "the volume of the server's archive fills",
        "remove what fills it",
        volume_of_server_fills,
        ("NewsdedupDiskFull",),
    ),
    Fault("the feeder is killed", "start it", feeder_is_killed, ("NewsdedupFeederDown",)),
    Fault(
        "the right to write to the feeder's topic is taken away",
        "give it back",
        topic_of_feeder_refuses,
        ("NewsdedupFeederNotReady",),
    ),
    Fault(
        "the feeder's network is cut",
        "join it",
        network_of_feeder_is_cut,
        ("NewsdedupFeedVisitsFail",),
    ),
    Fault(
        "one of two feeds answers 410",
        "`newsdedup feeds remove`",
        feed_is_gone,
        ("NewsdedupFeedDead", "NewsdedupFeedsDead"),
    ),
    Fault(
        "somebody pushes with a wrong signature",
        "shut them out",
        pushes_are_forged,
        ("NewsdedupPushesRefused",),
    ),
    Fault(
        "a host of 100 feeds that are due every 2 s",
        "raise `feeder.host_rate`",
        one_host_has_all_feeds,
        ("NewsdedupFeederBehind",),
    ),
    Fault("the server is killed", "start it", server_is_killed, ("NewsdedupServerDown",)),
    Fault(
        "somebody guesses the token of the server",
        "block them",
        token_is_guessed,
        ("NewsdedupServerTokenGuessed",),
    ),
    Fault(
        "the webhook of a saved search takes nothing",
        "repair the receiver",
        webhook_takes_nothing,
        ("NewsdedupWebhookDeadLetters",),
    ),
    Fault(
        "the server is cut off from Redis while clients check items",
        "join it",
        server_is_cut_off_from_redis,
        ("NewsdedupServerErrors",),
    ),
    Fault(
        "each answer of Redis takes the server 1.4 s while clients check items",
        "a quick way to Redis",
        way_to_redis_is_slow,
        ("NewsdedupServerSlow",),
    ),
)
