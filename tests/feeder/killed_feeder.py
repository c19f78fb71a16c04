"""A feeder that is killed (kill -9) during its cycles again and again, against a site that goes on.

No item may be lost, and none may come under two ids; repeats are allowed. scripts/feed-kills runs
the long form, tests/feeder/test_killed_feeder.py a short one.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from cli.own_topics import OwnTopics
from feeder.feed_site import FeedSite, feed_site
from servers.fixtures import running
from servers.kafka_broker import KafkaBroker
from servers.process import ServerFailed, wait_until

FEEDS = 12
EVENTS = "events.jsonl"
PATIENCE_SECONDS = 120
MOST_DELAY = 0.05
"""Seconds between the request after which a feeder is killed and its end: it may then be parsing,
writing, or storing the visit."""
FASTER = {"NEWSDEDUP_FEEDER__HOST_RATE": "1000", "NEWSDEDUP_FEEDER__HOST_VISITS": "4"}


@dataclass(frozen=True)
class KillOutcome:
    """What came of the items of a site."""

    kills: int
    published: int
    lost: int
    """Items of which no record has the last version that the site showed."""
    under_two_ids: int
    repeats: int
    torn: int
    """Records that are no JSON."""

    @property
    def sound(self) -> bool:
        return not (self.lost or self.under_two_ids or self.torn)


class GrowingSite:
    """Feeds that get new entries and change old ones; each item is known by its title."""

    def __init__(self, site: FeedSite, lot: random.Random) -> None:
        self.site = site
        self._lot = lot
        self._versions: list[list[int]] = [[] for _ in range(FEEDS)]
        """The version of each entry of each feed."""

    def addresses(self) -> list[str]:
        return [self.site.at(f"/feed{number}") for number in range(FEEDS)]

    def grow(self) -> None:
        """Add some entries, change some of those with an id, and show it all."""
        for number, versions in enumerate(self._versions):
            for topics in range(len(versions)):
                # An entry without guid and link is another one when its text changes.
                if number % 3 != 2 and self._lot.random() < 0.1:
                    versions[topics] += 1
            versions.extend([1] * self._lot.randrange(4))
            self.site.bodies[f"/feed{number}"] = self._body(number)

    def last_versions(self) -> dict[str, str]:
        """Return the text that each item must have had at last, by its title."""
        return {
            _title(number, topics): _text(version)
            for number, versions in enumerate(self._versions)
            for topics, version in enumerate(versions)
        }

    def _body(self, number: int) -> str:
        items = "".join(
            f"<item><title>{_title(number, topics)}</title>{_identity(number, topics)}"
            f"<description>{_text(version)}</description></item>"
            for topics, version in enumerate(self._versions[number])
        )
        return (
            f"<rss version='2.0'><channel><title>Feed {number}</title>"
            f"<link>https://site{number}.example/</link>{items}</channel></rss>"
        )


def _title(number: int, topics: int) -> str:
    return f"Bridge {number} over river {topics} is open"


def _text(version: int) -> str:
    return f"The mayor has said it {version} times."


def _identity(number: int, topics: int) -> str:
    """Return what identifies an entry: a guid, its address, or only what it says."""
    page = f"<link>https://site{number}.example/{topics}</link>"
    return [f"<guid isPermaLink='false'>g{number}-{topics}</guid>{page}", page, ""][number % 3]


def kill_feeder(
    folder: Path,
    site: GrowingSite,
    *,
    to: str,
    read: Callable[[], Sequence[bytes]],
    kills: int,
    lot: random.Random,
    report: Callable[[str], None] = lambda _: None,
) -> KillOutcome:
    """Kill the feeder so many times during a cycle, let it end one, and return what it wrote.

    `read` returns all records of the output. Raise ServerFailed if a feeder ends by itself before
    it is killed with an error, or does nothing.
    """
    (folder / "feeds.txt").write_text("\n".join(site.addresses()), "utf-8")
    killed = 0
    while killed < kills:
        site.grow()
        asked = len(site.site.statuses) + lot.randint(1, FEEDS)
        feeder = _start(folder, to)
        wait_until(
            lambda f=feeder, a=asked: f.poll() is not None or len(site.site.statuses) >= a,
            what="requests of the feeder",
            within=PATIENCE_SECONDS,
        )
        time.sleep(lot.random() * MOST_DELAY)
        if feeder.poll() is None:
            feeder.send_signal(signal.SIGKILL)
            killed += 1
            report(f"{killed} of {kills}: killed after {len(site.site.statuses)} requests")
        _end(feeder, folder, expected=(0, -signal.SIGKILL))
    _end(_start(folder, to), folder, expected=(0,))
    return _outcome(read(), site.last_versions(), kills=killed)


def _start(folder: Path, to: str) -> subprocess.Popen[bytes]:
    command = ["feed", "feeds.txt", "--once", "--all", "--allow-private", "--to", to]
    if to.startswith("engine:"):
        command += ["--events", EVENTS]
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "newsdedup", *command],
            cwd=folder,
            stdout=log,
            stderr=log,
            env={**os.environ, **FASTER},
        )


def _end(feeder: subprocess.Popen[bytes], folder: Path, *, expected: Sequence[int]) -> None:
    """Wait for the end of a feeder; raise ServerFailed with its log if it is another one."""
    code = feeder.wait(PATIENCE_SECONDS)
    if code not in expected:
        log = (folder / "log").read_text("utf-8")[-2_000:]
        raise ServerFailed(f"the feeder ended with {code}:\n{log}")


def _outcome(records: Sequence[bytes], last: dict[str, str], *, kills: int) -> KillOutcome:
    ids, texts, torn = defaultdict(set), defaultdict(list), 0
    for record in records:
        try:
            item = json.loads(record)
        except ValueError:
            torn += 1
            continue
        ids[item["title"]].add((item["source"], item["id"]))
        texts[item["title"]].append(item["text"])
    return KillOutcome(
        kills=kills,
        published=len(last),
        lost=sum(text not in texts[title] for title, text in last.items()),
        under_two_ids=sum(len(of_item) > 1 for of_item in ids.values()),
        repeats=sum(len(of_item) - len(set(of_item)) for of_item in texts.values()),
        torn=torn,
    )


def kills_with_file(folder: Path, *, kills: int, seed: int, **how) -> KillOutcome:
    """Kill a feeder that writes a file."""
    lot = random.Random(seed)  # noqa: S311 - it must be repeatable, not secret
    with feed_site() as served:
        return kill_feeder(
            folder,
            GrowingSite(served, lot),
            to="items.jsonl",
            read=lambda: (folder / "items.jsonl").read_bytes().splitlines(),
            kills=kills,
            lot=lot,
            **how,
        )


def kills_with_engine(folder: Path, *, kills: int, seed: int, **how) -> KillOutcome:
    """Kill a feeder that decides itself and writes events."""
    lot = random.Random(seed)  # noqa: S311 - it must be repeatable, not secret
    with feed_site() as served:
        return kill_feeder(
            folder,
            GrowingSite(served, lot),
            to="engine:news.state",
            read=lambda: [
                # Events of stories carry no item.
                line
                for line in (folder / EVENTS).read_bytes().splitlines()
                if not line.startswith(b'{"dedup"')
            ],
            kills=kills,
            lot=lot,
            **how,
        )


def kills_with_kafka(folder: Path, broker: str, *, kills: int, seed: int, **how) -> KillOutcome:
    """Kill a feeder that writes to a topic of its own."""
    lot = random.Random(seed)  # noqa: S311 - it must be repeatable, not secret
    topics = OwnTopics(broker)
    made = topics.command("topics", "create")
    assert made.exit_code == 0, made.stderr
    with feed_site() as served:
        return kill_feeder(
            folder,
            GrowingSite(served, lot),
            to=f"kafka://{broker}/{topics.input}",
            read=lambda: [record.value for record in topics.read(topics.input)],
            kills=kills,
            lot=lot,
            **how,
        )


def main() -> int:
    """Run the command scripts/feed-kills; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="scripts/feed-kills",
        description="Kill newsdedup feed during its cycles, and see whether an item was lost.",
        epilog="examples: scripts/feed-kills; scripts/feed-kills --kills 10 --what file --seed 7",
    )
    parser.add_argument("--kills", type=int, default=50, metavar="N", help="of each output (50)")
    parser.add_argument(
        "--what",
        choices=("file", "engine", "kafka", "all"),
        default="all",
        help="where items go (all)",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of all that is drawn (1)")
    options = parser.parse_args()
    outcomes = {}
    with TemporaryDirectory(prefix="newsdedup-feed-kills-") as name, ExitStack() as stack:
        how = {"kills": options.kills, "seed": options.seed, "report": _report}
        for what in ("file", "engine", "kafka"):
            if options.what not in (what, "all"):
                continue
            folder = Path(name) / what
            folder.mkdir()
            if what == "file":
                outcomes[what] = kills_with_file(folder, **how)
            elif what == "engine":
                outcomes[what] = kills_with_engine(folder, **how)
            else:
                broker = KafkaBroker(folder / "broker")
                stack.enter_context(running(broker, folder))
                outcomes[what] = kills_with_kafka(folder, broker.address, **how)
    shown = {what: asdict(outcome) for what, outcome in outcomes.items()}
    sys.stdout.write(json.dumps({"seed": options.seed, **shown}) + "\n")
    return 0 if all(outcome.sound for outcome in outcomes.values()) else 1


def _report(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
