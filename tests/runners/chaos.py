"""Workers that are killed again and again while a stream runs, and what came of it."""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from cli.in_process import run
from newsdedup.synthetic.stream import generate_stream as synthetic
from runners.streaming import Event, Stream, ended, stories, verdicts
from servers.fixtures import running
from servers.kafka_broker import KafkaBroker
from servers.redis_server import RedisServer

SESSION = "3s"
"""So soon Kafka gives the partitions of a worker that was killed to another one."""
PATIENCE_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run, in the terms of docs/reliability.md."""

    produced: int
    """Item versions that were written to the input."""
    verdicts: int
    """Distinct event ids of first verdicts."""
    unique: int
    """Item versions that have a verdict."""
    lost: int
    conflicting: int
    """Event ids, or revisions of an item version, that were told with two bodies."""
    redelivered: int
    """First verdicts that were told once more."""
    kills: int
    same_stories: bool
    """Whether the stories are those of an undisturbed embedded run."""

    @property
    def line(self) -> str:
        """Return the outcome as one line."""
        told = asdict(self)
        names = ("produced", "verdicts", "unique", "lost", "conflicting", "redelivered")
        return " ".join(f"{name}={told[name]}" for name in names)

    @property
    def sound(self) -> bool:
        """Return whether every promise was kept."""
        return self.lost == self.conflicting == 0 and self.same_stories


def chaos(
    stream: Stream,
    items: Sequence[Mapping[str, Any]],
    *,
    kills: int,
    runner: str,
    workers: int = 2,
    seed: int = 1,
    told: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Let workers be killed so many times while the items come in; return what came of it."""
    lot = random.Random(seed)  # noqa: S311 - it must be repeatable, not secret
    expected = undisturbed(items, stream.folder)
    share = -(-len(items) // (kills + 1))
    with ExitStack() as alive:
        at_work = [started(stream, alive, runner) for _ in range(workers)]
        for kill in range(kills):
            before = stream.length()
            stream.produce(items[kill * share : (kill + 1) * share])
            await_progress(stream, before + lot.randrange(share))
            victim = lot.randrange(workers)
            at_work[victim].kill()
            at_work[victim].wait()
            at_work[victim] = started(stream, alive, runner)
            told(f"kill {kill + 1} of {kills}")
        stream.produce(items[kills * share :])
        wanted = set(expected.versions)
        stream.until(lambda events: wanted <= set(first_verdicts(events)), within=PATIENCE_SECONDS)
        stream.adopted()
        for process in at_work:
            ended(process)
    return outcome(stream.read(stream.output), expected, kills=kills)


@dataclass(frozen=True, slots=True)
class Expected:
    """What an undisturbed run tells."""

    versions: frozenset[tuple[str, str, str]]
    stories: Mapping[Any, set[Any]]


def undisturbed(items: Sequence[Mapping[str, Any]], folder: Path) -> Expected:
    """Return what an embedded run makes of the same items."""
    lines = "\n".join(json.dumps(item, ensure_ascii=False) for item in items)
    (folder / "items.jsonl").write_text(lines, "utf-8")
    done = run("run", "items.jsonl", "--to", "alone.jsonl", "--rule", "terms", cwd=folder)
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode())
    told = (folder / "alone.jsonl").read_text("utf-8").splitlines()
    events = [Event(b"", json.loads(line), {}) for line in told]
    return Expected(frozenset(first_verdicts(events)), stories(verdicts(events)))


def outcome(events: Sequence[Event], expected: Expected, *, kills: int) -> Outcome:
    """Return what was told, held against what should have been."""
    judged = [one for one in events if one.dedup["event"] == "item.judged"]
    ids = {one.dedup["event_id"] for one in judged}
    unique = set(first_verdicts(events)) & expected.versions
    return Outcome(
        produced=len(expected.versions),
        verdicts=len(ids),
        unique=len(unique),
        lost=len(expected.versions - unique),
        conflicting=conflicting(events),
        redelivered=len(judged) - len(ids),
        kills=kills,
        same_stories=stories(verdicts(events)) == expected.stories,
    )


def first_verdicts(events: Iterable[Event]) -> Counter[tuple[str, str, str]]:
    """Return how often each item version was judged."""
    return Counter(
        (said["item"]["source"], said["item"]["id"], said["version"])
        for said in (one.dedup for one in events)
        if said["event"] == "item.judged"
    )


def conflicting(events: Iterable[Event]) -> int:
    """Return how many event ids and revisions were told with two bodies."""
    bodies: dict[object, Mapping[str, Any]] = {}
    torn: set[object] = set()
    for one in events:
        said = one.dedup
        names: list[object] = [said["event_id"]]
        if "revision" in said:
            revision = (said["revision"]["epoch"], said["revision"]["n"])
            names.append((said["item"]["source"], said["item"]["id"], said["version"], revision))
        torn.update(name for name in names if bodies.setdefault(name, one.value) != one.value)
    return len(torn)


def started(stream: Stream, alive: ExitStack, runner: str) -> Any:
    """Start a worker that ends with the stack at the latest."""
    return alive.enter_context(stream.worker(runner=runner, worker__session=SESSION))


def await_progress(stream: Stream, length: int) -> None:
    """Return when the output is so long, whatever was repeated in it."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while stream.length() < length:
        if time.monotonic() > deadline:
            raise AssertionError(f"no progress\n{stream.logs()}")


def main() -> int:
    """Do what scripts/chaos is asked for."""
    parser = argparse.ArgumentParser(prog="scripts/chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--items", type=int, help="default: 100 for each kill")
    parser.add_argument("--runner", choices=("faust", "aiokafka"), default="faust")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    items = [
        dict(planted.item)
        for planted in synthetic(asked.items or 100 * (asked.kills + 1), seed=asked.seed)
    ]
    with tempfile.TemporaryDirectory(prefix="newsdedup-chaos-") as name, ExitStack() as servers:
        folder = Path(name)
        kafka, redis = KafkaBroker(folder / "kafka"), RedisServer(folder / "redis")
        for server, place in ((kafka, "kafka"), (redis, "redis")):
            (folder / place).mkdir()
            servers.enter_context(running(server, folder / place))
        stream = Stream(kafka, redis, folder)
        found = chaos(
            stream,
            items,
            kills=asked.kills,
            runner=asked.runner,
            workers=asked.workers,
            seed=asked.seed,
            told=lambda line: _say(line, sys.stderr),
        )
    _say(json.dumps(asdict(found)) if asked.json else found.line, sys.stdout)
    if not found.same_stories:
        _say("the stories differ from those of an embedded run", sys.stderr)
    return 0 if found.sound else 1


def _say(line: str, to: TextIO) -> None:
    to.write(f"{line}\n")
    to.flush()


if __name__ == "__main__":
    sys.exit(main())
