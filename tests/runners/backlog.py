"""A backlog in a topic, judged by workers, compared with a run over its items in their order."""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Final, TextIO

from aiokafka import AIOKafkaConsumer

from runners.processes import run
from runners.streaming import Stream, ended, event, partitions_of, verdicts
from servers.fixtures import running
from servers.kafka_broker import KafkaBroker
from servers.process import wait_until
from servers.redis_server import RedisServer

_PATIENCE_SECONDS: Final = 3_600
_REACH: Final = timedelta(hours=6)
"""How far items are moved by a shuffled order, each way: less than lateness and drift allow."""
_STOPPED_SECONDS: Final = 20.0
"""Longer than a session of the consumer group, and than workers wait for one that is stopped."""
DESCRIPTION: Final = """\
Start a real Kafka and a real Redis, write a file of items to topics, let workers judge this
backlog, and compare the verdicts that stand in the end with those of `newsdedup run` on the same
items in the order of time. One line for each combination of what the options name:
  found      duplicates that stand, of those of the run
  missing    duplicates of the run that are originals here
  added      originals of the run that are duplicates here
  moved      duplicates of both whose story has another original
  late       verdicts about items that came later than rule.lateness allows
  rate       items per second from the first verdict to the last
The exit code is 1 if missing and added together are more than 0.5 % of the run's duplicates.
"""
EXAMPLES: Final = """examples:
  scripts/backlog items.jsonl                             1, 4 and 12 partitions, 1 and 3 workers
  scripts/backlog items.jsonl --partitions 4 --workers 1 --runner faust --rule verified
  scripts/backlog items.jsonl --drift default --drift 10000d     alongside workers without alignment
  scripts/backlog items.jsonl --order shuffled --fault stop
"""


@dataclass(frozen=True, slots=True)
class BacklogPlan:
    """One way to work through the items."""

    partitions: int
    workers: int
    runner: str
    order: str = "sorted"
    fault: str = "none"
    drift: str = "default"
    rule: str = "terms"


@dataclass(frozen=True, slots=True)
class BacklogResult:
    """How the verdicts differ from those of a run."""

    wanted: int
    found: int
    missing: int
    added: int
    moved: int
    late: int
    items: int
    seconds: float

    @property
    def rate(self) -> float:
        """Items per second."""
        return self.items / max(self.seconds, 0.001)

    @property
    def share(self) -> float:
        """Differing verdicts per duplicate of the run."""
        return (self.missing + self.added) / max(1, self.wanted)


Said = dict[tuple[str, str], dict[str, Any]]


def judge_backlog(
    plan: BacklogPlan, items: list[dict[str, Any]], truth: Said, stream: Stream
) -> BacklogResult:
    """Write the items to a stream, let workers judge them, and compare what stands with a run."""
    file = stream.folder / f"{stream.name}.jsonl"
    file.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in items), "utf-8")
    settings = {"rule__name": plan.rule, "redis__items": "30000", "worker__batch": "256"}
    if plan.drift != "default":
        settings["worker__drift"] = plan.drift
    say = stream.environment(**settings)
    patient: dict[str, Any] = {"cwd": stream.folder, "within": _PATIENCE_SECONDS}
    run("produce", file, "--as-is", "--quiet", **patient, **say).check_returncode()
    with ExitStack() as alive:
        workers = [
            alive.enter_context(stream.worker(runner=plan.runner, **settings))
            for _ in range(plan.workers)
        ]
        strike(plan, stream, workers)
        wait_until(
            lambda: stream.all_committed() or all(one.poll() is not None for one in workers),
            what="the backlog is judged",
            within=_PATIENCE_SECONDS,
        )
        stream.adopted()
        for one in workers:
            if one.poll() is None:
                ended(one)
    events, seconds = _read_output(stream)
    return compare(truth, verdicts(events), items=len(items), seconds=seconds)


def strike(plan: BacklogPlan, stream: Stream, workers: list["subprocess.Popen[bytes]"]) -> None:
    """Stop or kill the first worker as soon as something is judged."""
    if plan.fault == "none":
        return
    wait_until(lambda: stream.length() > 500, what="the work has begun", within=_PATIENCE_SECONDS)
    if plan.fault == "kill":
        workers[0].kill()
        return
    os.kill(workers[0].pid, signal.SIGSTOP)
    time.sleep(_STOPPED_SECONDS)
    os.kill(workers[0].pid, signal.SIGCONT)


def compare(truth: Said, said: Said, *, items: int, seconds: float) -> BacklogResult:
    """Return how the verdicts that stand differ from those of a run."""
    wanted = {key for key, one in truth.items() if one["verdict"] == "duplicate"}
    found = {key for key, one in said.items() if one["verdict"] == "duplicate"}
    both = wanted & found
    return BacklogResult(
        wanted=len(wanted),
        found=len(found),
        missing=len(wanted - found),
        added=len(found - wanted),
        moved=sum(_original(truth[key]) != _original(said[key]) for key in both),
        late=sum(bool(one.get("late")) for one in said.values()),
        items=items,
        seconds=seconds,
    )


def _original(said: dict[str, Any]) -> tuple[str, str]:
    original = said["story"]["original"]
    return original["source"], original["id"]


def run_in_order(file: Path, folder: Path, rule: str) -> Said:
    """Return the verdicts that stand after `newsdedup run` on a file in the order of time."""
    events = folder / f"run-{rule}.jsonl"
    command = ("run", file, "--to", events, "--rule", rule, "--quiet")
    run(*command, cwd=folder, within=_PATIENCE_SECONDS).check_returncode()
    with events.open("rb") as lines:
        return verdicts(_Line(json.loads(line)) for line in lines)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class _Line:
    value: dict[str, Any]


def _read_output(stream: Stream) -> tuple[list[Any], float]:
    """Return the events of a stream, and the seconds between the first and the last."""
    import asyncio  # noqa: PLC0415

    async def read() -> tuple[list[Any], float]:
        async with AIOKafkaConsumer(bootstrap_servers=stream.kafka.address) as consumer:
            partitions = await partitions_of(consumer, stream.output)
            consumer.assign(partitions)
            await consumer.seek_to_beginning()
            ends = await consumer.end_offsets(partitions)
            found: list[Any] = []
            times: list[int] = []
            for partition, end in ends.items():
                while await consumer.position(partition) < end:
                    for records in (await consumer.getmany(timeout_ms=1000)).values():
                        found.extend(event(record) for record in records)
                        times.extend(record.timestamp for record in records)
            return found, (max(times) - min(times)) / 1000

    return asyncio.run(read())


def ordered(items: list[dict[str, Any]], order: str) -> list[dict[str, Any]]:
    """Return items in the order of time, or shuffled within a few hours."""
    chance = random.Random(7)  # noqa: S311 - an order that can be repeated

    def at(one: dict[str, Any]) -> datetime:
        published = datetime.fromisoformat(one["published_at"])
        return published + (_REACH * chance.uniform(-1, 1) if order == "shuffled" else timedelta())

    return sorted(items, key=at)


def main() -> int:
    """Run the command scripts/backlog; return its exit code."""
    options = parsed()
    folder = Path(mkdtemp(prefix="newsdedup-backlog-"))
    _print(f"files: {folder}", sys.stderr)
    items = [json.loads(line) for line in options.items.read_bytes().splitlines()]
    items = ordered(items, "sorted")[: options.limit]
    file = folder / "items.jsonl"
    file.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in items), "utf-8")
    worst = 0.0
    with ExitStack() as alive:
        kafka, redis = KafkaBroker(folder / "kafka"), RedisServer(folder / "redis")
        for server, name in ((kafka, "kafka"), (redis, "redis")):
            (folder / name).mkdir()
            alive.enter_context(running(server, folder / name))
        truths: dict[str, Said] = {}
        _print(
            "partitions workers runner order fault drift rule  "
            "found of missing added moved late rate",
            sys.stdout,
        )
        for plan in plans(options):
            if plan.rule not in truths:
                truths[plan.rule] = run_in_order(file, folder, plan.rule)
            stream = Stream(kafka, redis, folder, partitions=plan.partitions)
            result = judge_backlog(plan, ordered(items, plan.order), truths[plan.rule], stream)
            worst = max(worst, result.share)
            _print(
                " ".join(str(value) for value in asdict(plan).values())
                + f"  {result.found} {result.wanted} {result.missing} {result.added} "
                f"{result.moved} {result.late} {result.rate:.0f}",
                sys.stdout,
            )
    if worst > 0.005:
        return 1
    rmtree(folder)
    return 0


def plans(options: argparse.Namespace) -> Iterator[BacklogPlan]:
    """Yield every combination of what the options name."""
    for values in product(
        options.partitions or [1, 4, 12],
        options.workers or [1, 3],
        options.runner or ["faust", "aiokafka"],
        options.order or ["sorted"],
        options.fault or ["none"],
        options.drift or ["default"],
        options.rule or ["terms"],
    ):
        yield BacklogPlan(*values)


def parsed() -> argparse.Namespace:
    """Return the options of scripts/backlog."""
    parser = argparse.ArgumentParser(
        prog="scripts/backlog",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("items", type=Path, help="a file of items as JSON lines, all with published_at")
    add("--limit", type=int, default=None, metavar="N", help="the first N of them only")
    add("--partitions", type=int, action="append", metavar="N", help="(1, 4 and 12)")
    add("--workers", type=int, action="append", metavar="N", help="(1 and 3)")
    add("--runner", choices=("faust", "aiokafka"), action="append", help="(both)")
    add("--order", choices=("sorted", "shuffled"), action="append", help="(sorted)")
    add("--fault", choices=("none", "stop", "kill"), action="append", help="(none)")
    add("--drift", action="append", metavar="DURATION", help="worker.drift (that of the settings)")
    add("--rule", choices=("terms", "verified"), action="append", help="(terms)")
    return parser.parse_args()


def _print(line: str, to: TextIO) -> None:
    to.write(f"{line}\n")
    to.flush()


if __name__ == "__main__":
    sys.exit(main())
