"""A stream whose workers, broker and Redis are killed and stopped while it runs."""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Final, TextIO

from newsdedup import ItemKey
from newsdedup.synthetic.stream import generate_stream
from runners.blows import BLOWS, PATIENCE_SECONDS, Blow, Victims, deal_blows
from runners.older_release import HistoryMissing, older_package
from runners.outcome import Expected, Outcome, differing, first_verdicts, outcome, undisturbed
from runners.stored_state import stories_anew
from runners.streaming import Stream, stories, verdicts
from runners.struck_servers import StruckServers, struck_servers
from servers.process import ServerFailed, wait_until

_SHARE: Final = 100
_LEAST_SHARE: Final = 8
"""Every worker must get some of the last items: by them it notices what Redis has lost."""
DESCRIPTION: Final = """\
Start a real Kafka and a real Redis, let workers judge a synthetic stream, and inject faults:
  workers  a worker is killed (kill -9), and another one is started
  broker   the broker is killed, and started again on its data
  redis    Redis is killed, and started again on its data
  power    the same, and Redis has lost everything that it wrote since the previous fault
  stops    a worker, the broker or Redis is stopped (SIGSTOP), and continues later (SIGCONT)
  network  a worker cannot reach the broker, or Redis; what it sent arrives later
  disks    the disk of the broker, or of Redis, is full for a while
  failover Redis is replaced by its replica, which lacks the last writes
  clocks   the clock of a worker jumps
The last line compares the result with an undisturbed run; docs/reliability.md defines its terms.
The exit code is 1 if a guarantee was broken; the logs are kept then.

With --upgrade-from half of the workers are of an older release, which creates the namespace. After
half of the faults they are replaced, one by one, by those of this commit; then `newsdedup upgrade`
raises the format of the namespace, and all workers restart.
"""
EXAMPLES: Final = """examples:
  scripts/chaos                                   20 faults of all kinds, rule verified
  scripts/chaos --blows 200 --what workers        only workers are killed
  scripts/chaos --what redis,stops --rule terms --runner faust
  scripts/chaos --seed 7 --json                   another order of faults; the result as JSON
  scripts/chaos --upgrade-from v0.1.0             an upgrade in the middle, from a tag or commit
"""


def chaos(
    stream: Stream,
    servers: StruckServers,
    items: Sequence[Mapping[str, Any]],
    blows: Sequence[Blow],
    *,
    runner: str,
    rule: str,
    seed: int = 1,
    older: Path | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Strike these blows while the items come in; return what came of it.

    With the package of an `older` release its workers are replaced after half of the blows.
    Raise AssertionError if a worker ends by itself, or if the work is not done in time.
    """
    lot = random.Random(seed)  # noqa: S311 - it must be repeatable, not secret
    expected = undisturbed(items, stream.folder, rule=rule)
    share = len(items) // (len(blows) + 1)
    reported = 0
    with Victims(stream, servers, runner=runner, rule=rule, lot=lot, older=older) as victims:
        for number, blow in enumerate(blows):
            before = stream.length()
            stream.produce(items[number * share : (number + 1) * share])
            await_progress(stream, before + lot.randrange(share))
            if older and number == len(blows) // 2:
                report("the older workers are replaced, and the namespace is upgraded")
                victims.upgrade()
            began = time.monotonic()
            try:
                victims.strike(blow)
            except ServerFailed as error:
                raise AssertionError(f"{blow}: {error}\n{stream.logs()}") from None
            seconds = time.monotonic() - began
            report(f"{number + 1} of {len(blows)}: {blow.deed} {blow.victim}, {seconds:.1f} s")
            for one in victims.inquiry.disagreements[reported:]:
                report(one)
            reported = len(victims.inquiry.disagreements)
            victims.check()
        stream.produce(items[len(blows) * share :])
        victims.bring_back()
        await_the_end(stream, expected)
        victims.end()
    inquiry = victims.inquiry
    found = found_outcome(stream, expected, rule=rule)
    return replace(found, asked=inquiry.asked, misreported=len(inquiry.disagreements))


def await_the_end(stream: Stream, expected: Expected) -> None:
    """Return when every version has its verdict, Redis has all of them, and nothing is left."""
    stream.until(
        lambda events: expected.versions <= set(first_verdicts(events)), within=PATIENCE_SECONDS
    )
    wait_until(stream.all_stored, what="all is judged", within=PATIENCE_SECONDS)
    stream.adopted()


def found_outcome(stream: Stream, expected: Expected, *, rule: str) -> Outcome:
    """Return what came of a stream that has ended; leave its events in its folder."""
    events = stream.read(stream.output)
    lines = [json.dumps(one.value, ensure_ascii=False) for one in events]
    (stream.folder / "events.jsonl").write_text("\n".join(lines), "utf-8")
    if rule == "terms":
        return outcome(events, expected)
    # What a rule learned from the stream depends on the order in which several workers judged it.
    keys = [ItemKey(*key) for key in verdicts(events)]
    decided = stories_anew(stream.environment(rule__name=rule), keys)
    others = differing(stories(verdicts(events)), decided)
    (stream.folder / "differing.json").write_text(json.dumps(sorted(others)), "utf-8")
    return outcome(events, expected, decided=decided)


def await_progress(stream: Stream, length: int) -> None:
    """Return when the output is so long, whatever was repeated in it."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while stream.length() < length:
        if time.monotonic() > deadline:
            raise AssertionError(f"no progress\n{stream.logs()}")


def result_line(found: Outcome, blows: Sequence[Blow]) -> str:
    """Return what came of a run as one line."""
    counts = asdict(found)
    names = ("produced", "verdicts", "unique", "lost", "conflicting", "doubled")
    parts = [
        f"{name}={counts[name]}"
        for name in (*names, "redelivered", "rejudged", "asked", "misreported")
    ]
    return " ".join([*parts, *(f"{name}={count}" for name, count in struck(blows).items())])


def struck(blows: Sequence[Blow]) -> dict[str, int]:
    """Return how often each kind of blow was struck, by names such as kill_broker."""
    counts = Counter(blows)
    return {
        f"{blow.deed}_{blow.victim}": counts[blow]
        for kinds in BLOWS.values()
        for blow in kinds
        if counts[blow]
    }


def main() -> int:
    """Run the command scripts/chaos; return its exit code."""
    options = parsed()
    lot = random.Random(options.seed)  # noqa: S311 - it must be repeatable, not secret
    blows = deal_blows(options.what, options.blows, lot)
    count = options.items or _SHARE * (len(blows) + 1)
    items = [dict(planted.item) for planted in generate_stream(count, seed=options.seed)]
    folder = Path(mkdtemp(prefix="newsdedup-chaos-"))
    _print(f"logs: {folder}", sys.stderr)
    try:
        found = _run(options, items, blows, folder)
    except (AssertionError, ServerFailed, HistoryMissing) as error:
        # The rest of the message are the logs.
        _print(f"{str(error).partition(chr(10))[0]}: see {folder}", sys.stderr)
        return 1
    result = {**asdict(found), "blows": struck(blows)}
    if options.upgrade_from:
        result["upgraded_from"] = options.upgrade_from
    _print(json.dumps(result) if options.json else result_line(found, blows), sys.stdout)
    if found.sound:
        rmtree(folder)
        return 0
    if not found.same_stories:
        _print("the stories are not those that they must be", sys.stderr)
    _print(f"a promise was broken: see {folder}", sys.stderr)
    return 1


def _run(
    options: argparse.Namespace,
    items: Sequence[Mapping[str, Any]],
    blows: Sequence[Blow],
    folder: Path,
) -> Outcome:
    """Start the servers in a folder, and let the stream run."""
    with struck_servers(folder, workers=options.workers) as servers:
        return chaos(
            Stream(servers.kafka, servers.redis, folder),
            servers,
            items,
            blows,
            runner=options.runner,
            rule=options.rule,
            seed=options.seed,
            older=options.upgrade_from and older_package(options.upgrade_from),
            report=lambda line: _print(line, sys.stderr),
        )


def parsed() -> argparse.Namespace:
    """Return the options of scripts/chaos; exit with a message if they make no sense."""
    parser = argparse.ArgumentParser(
        prog="scripts/chaos",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--blows", "--kills", type=int, default=20, metavar="N", help="how many faults (20)")
    add("--what", type=_kinds, default=list(BLOWS), metavar="KINDS", help="of those above (all)")
    add("--rule", choices=("verified", "terms"), default="verified", help="(verified)")
    add("--runner", choices=("faust", "aiokafka"), default="aiokafka", help="(aiokafka)")
    add("--workers", type=int, default=2, metavar="N", help="(2)")
    add("--items", type=int, metavar="N", help=f"of the stream ({_SHARE} before each fault)")
    add("--seed", type=int, default=1, metavar="N", help="of stream, order and moments (1)")
    add("--upgrade-from", metavar="COMMIT", help="an older release that begins (none)")
    add("--json", action="store_true", help="print the result as one JSON object")
    options = parser.parse_args()
    if options.workers < 2 and {"stops", "network"} & set(options.what):
        parser.error("--workers: where one is stopped or cut off, another one must do its work")
    if options.items and options.items < _LEAST_SHARE * (options.blows + 1):
        parser.error(f"--items: {_LEAST_SHARE} are needed before each blow and after the last")
    return options


def _kinds(text: str) -> list[str]:
    """Return kinds of blows that are named with commas in between."""
    kinds = text.split(",")
    for kind in kinds:
        if kind not in BLOWS:
            raise argparse.ArgumentTypeError(f"{kind!r} is none of {', '.join(BLOWS)}")
    return kinds


def _print(line: str, to: TextIO) -> None:
    to.write(f"{line}\n")
    to.flush()


if __name__ == "__main__":
    sys.exit(main())
