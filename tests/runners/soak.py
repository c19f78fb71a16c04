"""A long stream through worker, archive and server, in which nothing may grow without end."""

import argparse
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Final, TextIO

from archive.dumps import differing_tables
from newsdedup import ItemKey
from newsdedup.synthetic.stream import generate_stream
from runners.processes import COMMAND, environment
from runners.soak_samples import (
    Sample,
    caches_are_full,
    growing,
    namespace_keys,
    own_memory,
    sample_line,
)
from runners.streaming import Stream, ended
from server.served import Served
from server.test_serve_command import command as serve_command
from servers.fixtures import running
from servers.kafka_broker import KafkaBroker
from servers.process import ServerFailed, wait_until
from servers.redis_server import RedisServer

_START: Final = datetime(2026, 1, 5, tzinfo=UTC)
"""Long ago: times that are to come move no window."""
_WINDOW_HOURS: Final = 72
_LARGEST_SLICE: Final = 10_000
_PATIENCE_SECONDS: Final = 3_600
DESCRIPTION: Final = """\
Start a real Kafka and a real Redis, write generated items, and let workers judge them while a
server follows their events into an archive. The times of the items pass through many windows. Shown
are the memory of each process, in MiB without pages of files, and the keys of Redis over time. In
the end
  - each item is in the archive;
  - no process, and no namespace, is larger in the last quarter than in the second, by more than a
    tenth (a process: or 32 MiB; judged from 160,000 items on, for caches must be full);
  - Redis holds no key of a span that has left the window and does not expire, and each record has
    its entry in the directory of items;
  - the archive is equal to one that is made anew of the topic of events.
The exit code is 1 if one of these is not so; the files are left then. 2,000,000 items take some
25 GB of disk.
"""
EXAMPLES: Final = """examples:
  scripts/soak                                    2,000,000 items, rule verified: many hours
  scripts/soak --items 50000 --rule terms
  scripts/soak --minutes 120                      as far as it comes in two hours
  scripts/soak --items 200000 --workers 2 --json  the result as JSON
"""


@dataclass(frozen=True, slots=True)
class SoakPlan:
    """What is written, and who judges it."""

    items: int = 2_000_000
    windows: int = 10
    """How many windows the times of the items pass through."""
    workers: int = 1
    runner: str = "aiokafka"
    rule: str = "verified"
    seed: int = 1
    samples: int = 24
    """At least so many are taken."""
    minutes: float = math.inf
    """After so many no more is written: what was written by then is judged and compared."""

    @property
    def per_window(self) -> int:
        """The items of a window."""
        return max(1, self.items // self.windows)

    @property
    def per_slice(self) -> int:
        """The items that are written at once, between two samples."""
        return max(1, min(_LARGEST_SLICE, self.items // self.samples))


@dataclass(frozen=True, slots=True)
class SoakResult:
    """What came of a stream."""

    produced: int
    """Distinct items in the input."""
    archived: int
    """Items in the archive."""
    seconds: float
    samples: list[Sample]
    orphans: int
    """Keys of Redis of spans that have left the window, and that nothing frees."""
    unmatched: int
    """Records without an entry in the directory of items, or the other way round."""
    differing: list[str]
    """Tables in which the archive differs from the one that was made anew."""

    @property
    def problems(self) -> list[str]:
        """Return in words what broke a promise; empty if nothing did."""
        counts = {
            "items have no verdict": self.produced - self.archived,
            "keys of Redis are of spans that are gone, and do not expire": self.orphans,
            "records have no entry in the directory, or the other way round": self.unmatched,
        }
        return [
            *(f"{count} {what}" for what, count in counts.items() if count),
            *(f"{what} has grown" for what in growing(self.samples)),
            *(f"the archive differs in {table}" for table in self.differing),
        ]


def soak(
    plan: SoakPlan, stream: Stream, report: Callable[[str], None] = lambda _: None
) -> SoakResult:
    """Let a stream run; return what came of it.

    Raise AssertionError if a process ends by itself, ServerFailed if it is not done in time.
    """
    began, keys = time.monotonic(), set[int]()
    archive, samples = stream.folder / "news.archive", list[Sample]()
    settings = {"rule__name": plan.rule, "redis__items": str(plan.per_window)}
    with ExitStack() as alive:
        kafka = ("--kafka", stream.kafka.address)
        serving = serve_command(stream.folder, *kafka, **stream.environment())
        served, server = alive.enter_context(serving)
        workers = [
            alive.enter_context(stream.worker(runner=plan.runner, worker__batch="256", **settings))
            for _ in range(plan.workers)
        ]
        names = {"server": server.pid}
        names |= {f"worker{number}": one.pid for number, one in enumerate(workers)}
        planted = generate_stream(
            plan.items,
            seed=plan.seed,
            start=_START,
            per_hour=plan.per_window / _WINDOW_HOURS,
        )
        written = 0
        while some := list(islice(planted, plan.per_slice)):
            if samples and samples[-1].seconds >= plan.minutes * 60:
                report(f"{plan.minutes:g} minutes are over: no more is written")
                break
            stream.produce([one.item for one in some])
            keys |= {hash(ItemKey(str(one.item["source"]), str(one.item["id"]))) for one in some}
            written += len(some)
            wait_until(stream.all_committed, what="a slice is judged", within=_PATIENCE_SECONDS)
            samples.append(_sample(stream, names, written, time.monotonic() - began))
            report(sample_line(samples[-1]))
        stream.adopted()
        archived = _await_archive(served, len(keys))
        ends = [ended(one) for one in (*workers, server)]
        assert not any(ends), (ends, stream.logs())
    stored = namespace_keys(stream.redis.url, stream.name)
    report("the archive is made anew of the topic")
    return SoakResult(
        produced=len(keys),
        archived=archived,
        seconds=time.monotonic() - began,
        samples=samples,
        orphans=len(stored.orphans),
        unmatched=stored.unmatched,
        differing=differing_tables(archive, _archive_anew(stream)),
    )


def _sample(stream: Stream, names: dict[str, int], written: int, seconds: float) -> Sample:
    """Return what processes and Redis hold now."""
    memory = {name: own_memory(process) for name, process in names.items()}
    memory["redis"] = int(stream.redis.info("memory")["used_memory"]) / 2**20
    stored = namespace_keys(stream.redis.url, stream.name)
    return Sample(seconds, written, memory, stored.keys, stored.leaving, stored.records)


def _await_archive(served: Served, items: int) -> int:
    """Return how many items an archive has as soon as it has all, or when no more come."""
    counts: list[int] = []

    def is_complete() -> bool:
        counts.append(served.ask("/v1/stats").json()["items"])
        return counts[-1] >= items

    try:
        wait_until(is_complete, what="the archive has all items", within=_PATIENCE_SECONDS)
    except ServerFailed:
        return counts[-1]
    return counts[-1]


def _archive_anew(stream: Stream) -> Path:
    """Return an archive made of all that is in the topic of events."""
    archive = stream.folder / "anew.archive"
    everything = (*COMMAND, "tail", "--from", "beginning", "--json", "--quiet", "--count")
    reading = [*everything, str(stream.length())]
    with subprocess.Popen(
        reading, cwd=stream.folder, env=environment(**stream.environment()), stdout=subprocess.PIPE
    ) as tail:
        subprocess.run(
            [*COMMAND, "archive", "-", "--to", archive, "--quiet"],
            cwd=stream.folder,
            env=environment(),
            stdin=tail.stdout,
            check=True,
        )
    return archive


def main() -> int:
    """Run the command scripts/soak; return its exit code."""
    options = parsed()
    plan = SoakPlan(**{name: value for name, value in vars(options).items() if name != "json"})
    folder = Path(mkdtemp(prefix="newsdedup-soak-"))
    _print(f"files: {folder}", sys.stderr)
    began = time.monotonic()
    try:
        with ExitStack() as alive:
            kafka, redis = KafkaBroker(folder / "kafka"), RedisServer(folder / "redis")
            for server, name in ((kafka, "kafka"), (redis, "redis")):
                (folder / name).mkdir()
                alive.enter_context(running(server, folder / name))
            stream = Stream(kafka, redis, folder)
            result = soak(plan, stream, lambda line: _print(line, sys.stderr))
    except (AssertionError, ServerFailed) as error:
        _print(f"{str(error).partition(chr(10))[0]}: see {folder}", sys.stderr)
        return 1
    if options.json:
        samples = [one._asdict() for one in result.samples]
        values = {**asdict(result), "samples": samples, "problems": result.problems}
        _print(json.dumps(values), sys.stdout)
    else:
        minutes = (time.monotonic() - began) / 60
        _print(
            f"produced={result.produced} archived={result.archived} orphans={result.orphans} "
            f"unmatched={result.unmatched} differing={len(result.differing)} "
            f"grown={len(growing(result.samples))} minutes={minutes:.0f}",
            sys.stdout,
        )
    if not caches_are_full(result.samples):
        _print("memory is not judged: caches were still filling", sys.stderr)
    for problem in result.problems:
        _print(problem, sys.stderr)
    if result.problems:
        return 1
    rmtree(folder)
    return 0


def parsed() -> argparse.Namespace:
    """Return the options of scripts/soak."""
    plan = SoakPlan()
    parser = argparse.ArgumentParser(
        prog="scripts/soak",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--items", type=int, default=plan.items, metavar="N", help="(%(default)s)")
    add("--windows", type=int, default=plan.windows, metavar="N", help="of 72 h (%(default)s)")
    add("--workers", type=int, default=plan.workers, metavar="N", help="(%(default)s)")
    add("--runner", choices=("faust", "aiokafka"), default=plan.runner, help="(%(default)s)")
    add("--rule", choices=("verified", "terms"), default=plan.rule, help="(%(default)s)")
    add("--seed", type=int, default=plan.seed, metavar="N", help="of the items (%(default)s)")
    add("--minutes", type=float, default=plan.minutes, metavar="N", help="write so long at most")
    add("--json", action="store_true", help="print the result as one JSON object")
    return parser.parse_args()


def _print(line: str, to: TextIO) -> None:
    to.write(f"{line}\n")
    to.flush()


if __name__ == "__main__":
    sys.exit(main())
