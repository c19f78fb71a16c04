"""Fires alerts by their faults, clears them by the remedies, and measures both."""

import argparse
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, NamedTuple

from deploying.alert_faults import FAULTS, Fault
from deploying.alert_stage import QUICKER, RIGHTS, Stage, alert_stage
from deploying.files import alert_rules
from servers.fixtures import installed, running
from servers.kafka_broker import KafkaBroker
from servers.process import ServerFailed, wait_until
from servers.redis_server import RedisServer

PATIENCE_SECONDS: Final = 300
HEADER: Final = (
    "| alert | fault | remedy | fires after, s | clear after, s |\n|---|---|---|---:|---:|\n"
)
DESCRIPTION: Final = f"""\
Fire alerts of docker/prometheus/alerts.yml by real faults, and clear them by their remedies.

A worker, a feeder and a server run on a Kafka, a Redis and a web site of their own; the Prometheus
of the system watches them by our rules, with all times {QUICKER} times shorter. One thing after the
other is broken until its alerts fire, and mended until they are clear. The exit code is 1 if one
did not fire, or is not clear, within {PATIENCE_SECONDS} s. All take 11 minutes.
"""
EXAMPLES: Final = """\
examples:
  scripts/fire-alerts
  scripts/fire-alerts NewsdedupDown NewsdedupOutbox
  scripts/fire-alerts --json > fired.jsonl
  scripts/fire-alerts --list
"""


class Fired(NamedTuple):
    """How long an alert took; None if it did not come so far."""

    alert: str
    fault: str
    remedy: str
    fires_after_seconds: float | None
    clear_after_seconds: float | None

    @property
    def done(self) -> bool:
        """Whether it fired and is clear again."""
        return None not in (self.fires_after_seconds, self.clear_after_seconds)

    def row(self) -> str:
        """Return the row of a table."""
        times = ("never" if it is None else f"{it:.0f}" for it in self[3:])
        return f"| {' | '.join([*self[:3], *times])} |\n"


def fire(stage: Stage, fault: Fault) -> list[Fired]:
    """Break something until its alerts fire, then mend it until they are clear."""
    _seconds_until(stage.clear, fault.alerts, time.monotonic())
    began = time.monotonic()
    with fault.broken(stage):
        fires = _seconds_until(stage.firing, fault.alerts, began)
    clears = _seconds_until(stage.clear, fault.alerts, time.monotonic())
    return [Fired(it, fault.words, fault.remedy, fires[it], clears[it]) for it in fault.alerts]


def _seconds_until(
    holds: Callable[[str], bool], alerts: Sequence[str], since: float
) -> dict[str, float | None]:
    """Return how long after a moment something holds of each alert; None where it never does."""
    times: dict[str, float | None] = dict.fromkeys(alerts)

    def all_hold() -> bool:
        for alert in alerts:
            if times[alert] is None and holds(alert):
                times[alert] = time.monotonic() - since
        return None not in times.values()

    with suppress(ServerFailed):
        wait_until(all_hold, what=f"all of {alerts}", within=PATIENCE_SECONDS)
    return times


def main() -> int:
    """Run the command scripts/fire-alerts; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="scripts/fire-alerts",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("alert", nargs="*", help="fire only these; all without one")
    parser.add_argument("--json", action="store_true", help="print an object a line, no table")
    parser.add_argument(
        "--list", action="store_true", help="print alerts and faults, break nothing"
    )
    chosen = parser.parse_args()
    if unknown := set(chosen.alert) - {rule["alert"] for rule in alert_rules()}:
        parser.error(f"no alert of ours: {', '.join(sorted(unknown))}")
    faults = [one for one in FAULTS if not chosen.alert or set(chosen.alert) & set(one.alerts)]
    if chosen.list:
        sys.stdout.writelines(f"{', '.join(one.alerts)}: {one.words}\n" for one in faults)
        return 0
    folder = Path(mkdtemp(prefix="newsdedup-alerts-"))
    sys.stderr.write(f"logs: {folder}\n")
    done = _fire_all(faults, folder, as_json=chosen.json)
    if done:
        shutil.rmtree(folder)
    return 0 if done else 1


def _fire_all(faults: Iterable[Fault], folder: Path, *, as_json: bool) -> bool:
    """Print what came of each alert as it is clear; return whether all fired and are clear."""
    done = True
    with ExitStack() as stack:
        kafka = KafkaBroker(folder / "kafka", settings=RIGHTS)
        redis = RedisServer(folder / "redis")
        for server, name in ((kafka, "kafka"), (redis, "redis")):
            (folder / name).mkdir()
            stack.enter_context(running(server, folder / name))
        program = installed("prometheus", "scripts/provision installs it")
        stage = stack.enter_context(alert_stage(program, kafka, redis, folder))
        sys.stdout.write("" if as_json else HEADER)
        for fault in faults:
            for one in fire(stage, fault):
                sys.stdout.write(f"{json.dumps(one._asdict())}\n" if as_json else one.row())
                sys.stdout.flush()
                done = done and one.done
    return done
