"""A worker, a feeder and a server of their own, and a Prometheus with our alerts made quick."""

import asyncio
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import uuid4

import yaml
from aiokafka import AIOKafkaProducer

from deploying.files import ALERTS
from feeder.feed_site import FeedSite, feed_site
from feeder.scraped_feeder import HERALD
from runners.processes import run, started
from runners.scraped import Probe
from runners.streaming import Stream
from server.served import judge
from servers.fault_proxy import FaultProxy
from servers.kafka_broker import KafkaBroker
from servers.kafka_rights import AUTHORIZER, EVERYBODY, grant, revoke
from servers.ports import HOST, free_ports
from servers.process import wait_until
from servers.prometheus_server import PrometheusServer, scraping
from servers.redis_server import RedisServer
from servers.wrong_clock import WrongClock

QUICKER: Final = 60
"""A minute of the rules is a second here."""
LIMITS: Final = {"NewsdedupLate": ("> 60", "> 1"), "NewsdedupFeederBehind": ("> 600", "> 10")}
"""Limits that are times, too, and so are made quicker."""
ROOM_BYTES: Final = 16 * 2**20
"""What the volume of the server may lose until NewsdedupDiskFull is about to fire."""
_VOLUME: Final = Path("/dev/shm")  # noqa: S108 - in memory: few others write there
"""Where the archive of the server lies: another test that fills /tmp must fire no alert here."""
RIGHTS: Final = {
    "authorizer.class.name": AUTHORIZER,
    "allow.everyone.if.no.acl.found": "true",
}
"""Settings of a broker on which `only_reading` works."""
_SCRAPES_SECONDS: Final = 4
"""The shortest span of a rule: several scrapes must lie in it."""
_UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_SPAN: Final = re.compile(r"(\[|offset )(\d+)([smhd])(:30s)?")


def quick_rules(*, disk_limit: int) -> dict[str, Any]:
    """Return our rules with all times made sixty times shorter, and evaluated each second.

    The server's volume is full when it has less than `disk_limit` bytes left.
    """
    rules: dict[str, Any] = yaml.safe_load(ALERTS.read_text("utf-8"))
    for group in rules["groups"]:
        group["interval"] = "1s"
        for rule in group["rules"]:
            rule["expr"] = _SPAN.sub(_quick_span, rule["expr"])
            if rule["alert"] in LIMITS:
                limit, quick_limit = LIMITS[rule["alert"]]
                assert limit in rule["expr"]
                rule["expr"] = rule["expr"].replace(limit, quick_limit)
            of_server = "newsdedup_server_disk_free_bytes < "
            rule["expr"] = rule["expr"].replace(f"{of_server}1e9", f"{of_server}{disk_limit}")
            if "for" in rule:
                rule["for"] = f"{_quick(rule['for'][:-1], rule['for'][-1])}s"
    return rules


def _quick_span(span: re.Match[str]) -> str:
    before, number, unit, step = span.groups()
    return f"{before}{max(_SCRAPES_SECONDS, _quick(number, unit))}s{':1s' if step else ''}"


def _quick(number: str, unit: str) -> int:
    return int(number) * _UNITS[unit] // QUICKER


class Part:
    """A process of newsdedup that may be killed and started again."""

    def __init__(self, folder: Path, port: int, *arguments: str, **environ: str) -> None:
        self.port = port
        self._folder = folder
        self._arguments = arguments
        self._environ = environ
        self._process: subprocess.Popen[bytes] | None = None

    def launch(self, **environ: str) -> None:
        """Start it, with more variables, without waiting until it is ready."""
        with (self._folder / f"{self._arguments[0]}.log").open("ab") as log:
            self._process = started(
                *self._arguments,
                cwd=self._folder,
                environ={**self._environ, **environ},
                output=log,
            )

    def wait(self) -> None:
        """Return when it is ready."""
        own = Probe()
        own.port = self.port
        name = self._arguments[0]

        def ready() -> bool:
            ended = self._process is not None and self._process.poll() is not None
            assert not ended, (self._folder / f"{name}.log").read_text("utf-8")
            return own.ask("/readyz").status == 200

        wait_until(ready, what=f"{name} is ready")

    def restart(self, **environ: str) -> None:
        """Kill it, start it again, with more variables, and return when it is ready."""
        self.kill()
        self.launch(**environ)
        self.wait()

    def kill(self) -> None:
        """End it as kill -9 does."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()


class Stage:
    """What alerts watch, and the means to break it; `alert_stage` makes one."""

    stream: Stream
    feeds_topic: str
    site: FeedSite
    way_to_site: FaultProxy
    way_to_redis: FaultProxy
    """That of the server alone."""
    worker: Part
    feeder: Part
    server: Part
    websub_port: int
    volume: Path
    """A folder on the volume of the server's archive."""
    clock: WrongClock
    """That of a worker that is started with its environment."""
    prometheus: PrometheusServer

    def __init__(self, kafka: KafkaBroker, redis: RedisServer, folder: Path) -> None:
        self.kafka, self.redis, self.folder = kafka, redis, folder

    def firing(self, alert: str) -> bool:
        """Return whether an alert fires."""
        fires = f'ALERTS{{alertname="{alert}", alertstate="firing"}}'
        return bool(self.prometheus.query(fires))

    def clear(self, alert: str) -> bool:
        """Return whether an alert neither fires nor is about to."""
        return not self.prometheus.query(f'ALERTS{{alertname="{alert}"}}')

    def produce_late(self, items: Sequence[Mapping[str, Any]], *, seconds: float) -> None:
        """Write items to the input with times of so long ago."""
        asyncio.run(self._produce_late(items, round(1_000 * (time.time() - seconds))))

    @contextmanager
    def only_reading(self, topic: str) -> Iterator[None]:
        """Let nobody write to a topic during a block; the broker must have the settings RIGHTS."""
        reading = {"topic": [topic], "allow-principal": [EVERYBODY], "operation": ["Read"]}
        asyncio.run(grant(self.kafka.address, [reading]))
        yield
        asyncio.run(revoke(self.kafka.address, [reading]))

    def add_feeds(self, *addresses: str) -> None:
        """Add feeds to the list, as `newsdedup feeds import` does."""
        added = self.folder / f"{uuid4().hex}.txt"
        added.write_text("".join(f"{address}\n" for address in addresses), "utf-8")
        self._change_feeds("import", str(added))

    def remove_feeds(self, *addresses: str) -> None:
        """Remove feeds from the list, as `newsdedup feeds remove` does."""
        self._change_feeds("remove", *addresses)

    def _change_feeds(self, command: str, *arguments: str) -> None:
        done = run("feeds", command, *arguments, cwd=self.folder)
        assert done.returncode == 0, done.stderr.decode()

    async def _produce_late(self, items: Sequence[Mapping[str, Any]], at_ms: int) -> None:
        async with AIOKafkaProducer(bootstrap_servers=self.kafka.address) as producer:
            for one in items:
                value = json.dumps(one).encode()
                await producer.send_and_wait(self.stream.input, value, timestamp_ms=at_ms)


@contextmanager
def alert_stage(
    prometheus: str, kafka: KafkaBroker, redis: RedisServer, folder: Path
) -> Iterator[Stage]:
    """Yield a stage on which all runs well, with the program of Prometheus that watches it."""
    stage = Stage(kafka, redis, folder)
    with ExitStack() as stack:
        stage.stream = Stream(kafka, redis, folder)
        stage.feeds_topic = Stream(kafka, redis, folder).input
        stage.site = stack.enter_context(feed_site(herald=HERALD))
        _, _, site_port = stage.site.address.rpartition(":")
        stage.way_to_site = stack.enter_context(FaultProxy(int(site_port)))
        stage.site.address = f"http://{HOST}:{stage.way_to_site.port}"
        stage.way_to_redis = stack.enter_context(FaultProxy(redis.port))
        volume = TemporaryDirectory(dir=_VOLUME, prefix="newsdedup-alerts-")
        stage.volume = Path(stack.enter_context(volume))
        stage.clock = WrongClock(folder / "clock")
        parts = _make_parts(stage)
        for part in parts.values():
            stack.callback(part.kill)
            part.launch()
        targets = {job: part.port for job, part in parts.items()}
        disk_limit = shutil.disk_usage(stage.volume).free - ROOM_BYTES
        stage.prometheus = _make_prometheus(prometheus, folder, targets, disk_limit=disk_limit)
        stage.prometheus.start()
        stack.callback(stage.prometheus.stop)
        for part in parts.values():
            part.wait()
        # Anyone who was never scraped is not missed.
        wait_until(lambda: stage.prometheus.query("up") == [1, 1, 1], what="all are scraped")
        yield stage


def _make_parts(stage: Stage) -> dict[str, Part]:
    """Give a stage its three processes; return them by the job that scrapes each."""
    worker_port, feeder_port, server_port, stage.websub_port = free_ports(4)
    stage.worker = Part(
        *(stage.folder, worker_port, "worker"),
        **stage.stream.environment(worker__port=str(worker_port), worker__runner="aiokafka"),
    )
    stage.add_feeds(stage.site.at("/herald"))
    stage.feeder = Part(
        *(stage.folder, feeder_port, "feed", "--allow-private", "--port", str(feeder_port)),
        *("--to", f"kafka://{stage.kafka.address}/{stage.feeds_topic}"),
        *("--websub", f"http://{HOST}:{stage.websub_port}/hubs"),
        NEWSDEDUP_FEEDER__SHORTEST="1s",
        NEWSDEDUP_FEEDER__LONGEST="2s",
        NEWSDEDUP_FEEDER__WEBSUB_PORT=str(stage.websub_port),
    )
    way = f"redis://{HOST}:{stage.way_to_redis.port}/0"
    stage.server = Part(
        *(stage.folder, server_port, "serve", "--archive", _archive_on(stage.volume, stage.folder)),
        *("--port", str(server_port), "--redis", way),
        **stage.stream.environment(),
    )
    return {
        "newsdedup": stage.worker,
        "newsdedup-feeder": stage.feeder,
        "newsdedup-server": stage.server,
    }


def _archive_on(volume: Path, folder: Path) -> str:
    """Return an archive of some items in a folder of its own."""
    return shutil.copy(judge(folder), volume / "news.archive")


def _make_prometheus(
    program: str, folder: Path, targets: Mapping[str, int], *, disk_limit: int
) -> PrometheusServer:
    """Return a Prometheus that scrapes these ports by job and evaluates the quick rules."""
    rules = folder / "rules.yml"
    rules.write_text(yaml.safe_dump(quick_rules(disk_limit=disk_limit)), "utf-8")
    return PrometheusServer(program, folder, {**scraping(targets), "rule_files": [str(rules)]})
