"""All measurements of docs/performance.md in one run."""

import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Final, NamedTuple

from newsdedup import __version__
from newsdedup.bootstrap.machine import read_machine
from newsdedup.config import Configuration
from newsdedup.ports.errors import SettingsInvalid
from newsdedup_lab.bench.dense import measure_density
from newsdedup_lab.bench.latency import records_needed
from newsdedup_lab.bench.own_servers import servers_to_start
from newsdedup_lab.bench.peers import PeerChoice
from newsdedup_lab.bench.servers import bench_servers, sort_by_time
from newsdedup_lab.bench.stage_rates import ReportStage, bench_stages
from newsdedup_lab.collections.items import Collection
from newsdedup_lab.report.docs_page import shorten_command

_SPAN: Final = timedelta(hours=72)
_SAMPLED_ITEMS: Final = 6_000
"""Items of the parts that need not all of them: at even distances in the order of their times."""
_WORKER_ITEMS: Final = 3_000
_RATES: Final = (20, 100, 300, 600)
_SECONDS: Final = 4.0


@dataclass(frozen=True, slots=True)
class Suite:
    """The collection, settings and peers of all measurements of docs/performance.md."""

    collection: Collection
    configuration: Configuration
    rules: Sequence[str]
    """The first for all parts; the others alongside it where rules are compared."""
    peers: PeerChoice
    repeats: int
    helpers: int
    say: ReportStage

    def measure(self, parts: Sequence[str], *, command: str) -> dict[str, object]:
        """Measure these parts, or all if none is named; return by part how and what.

        `made` has the command (with short paths), date, releases, machine and minutes;
        `measurements` the results. Raise SettingsInvalid at once for an unknown part, and if a
        part needs servers that can be neither reached nor started.
        """
        if unknown := [name for name in parts if name not in SUITE_PARTS]:
            names = ", ".join(SUITE_PARTS)
            raise SettingsInvalid(f"the suite has no part {unknown[0]}: there are {names}")
        chosen = {name: part for name, part in SUITE_PARTS.items() if name in parts or not parts}
        for part in chosen.values():
            servers_to_start(self.configuration, *part.servers)
        measured: dict[str, object] = {}
        for name, part in chosen.items():
            self.say(f"part {name}")
            made = provenance(command, self.peers)
            began = perf_counter()
            measurements = part.measure(self)
            minutes = round((perf_counter() - began) / 60, 1)
            measured[name] = {"made": {**made, "minutes": minutes}, "measurements": measurements}
        return measured

    def dense(self) -> dict[str, object]:
        """Fill a window of 72 h with all items, in memory."""
        return measure_density(
            self.collection,
            self._with_rule(self.rules[0]).settings,
            span=_SPAN,
            peers=self.peers,
            repeats=self.repeats,
            say=self.say,
        )

    def stages(self) -> dict[str, object]:
        """Measure the stages in memory for each rule."""
        sample = thin_out(self.collection, most=_SAMPLED_ITEMS)
        return {
            rule: bench_stages(
                sample,
                self._with_rule(rule).settings,
                helpers=self.helpers,
                peers=self.peers,
                repeats=self.repeats,
                say=self.say,
            )
            for rule in self.rules
        }

    def redis(self) -> dict[str, object]:
        """Measure the index in Redis for each rule, and fill a window of 72 h there, once."""
        sample = thin_out(self.collection, most=_SAMPLED_ITEMS)
        return {
            "rules": {rule: self.with_servers(rule, sample, redis=True) for rule in self.rules},
            **self.with_servers(self.rules[0], self.collection, redis=True, dense=_SPAN, repeats=1),
        }

    def kafka(self) -> dict[str, object]:
        """Measure one worker of each runner end to end."""
        sample = thin_out(self.collection, most=_WORKER_ITEMS)
        return self.with_servers(self.rules[0], sample, kafka=True)

    def latency(self) -> dict[str, object]:
        """Measure the latency of workers at some rates: those for which there are items enough.

        The items are neighbours: one that is dated far ahead of those before it waits for other
        partitions, which says nothing about the worker.
        """
        count = len(self.collection.items)
        rates = [rate for rate in _RATES if _records_up_to(rate) <= count] or _RATES[:1]
        sample = take_neighbours(self.collection, most=_records_up_to(rates[-1]))
        return self.with_servers(self.rules[0], sample, kafka=True, rates=rates)

    def with_servers(
        self,
        rule: str,
        collection: Collection,
        *,
        kafka: bool = False,
        redis: bool = False,
        rates: Sequence[int] = (),
        dense: timedelta | None = None,
        repeats: int | None = None,
    ) -> dict[str, object]:
        """Return the results of `bench_servers` for a rule; `repeats` overrides those of all."""
        return bench_servers(
            collection,
            self._with_rule(rule),
            kafka=kafka,
            redis=redis,
            rates=rates,
            dense=dense,
            seconds=_SECONDS,
            helpers=0,
            peers=self.peers,
            repeats=repeats or self.repeats,
            say=self.say,
        )

    def _with_rule(self, name: str) -> Configuration:
        """Return the configuration with this rule."""
        settings = self.configuration.settings
        return replace(
            self.configuration,
            settings=replace(settings, rule=replace(settings.rule, name=name)),
        )


class SuitePart(NamedTuple):
    """A part of the suite."""

    measure: Callable[[Suite], dict[str, object]]
    servers: tuple[str, ...] = ()
    """Those that it needs."""


SUITE_PARTS: Final[Mapping[str, SuitePart]] = {
    "dense": SuitePart(Suite.dense),
    "stages": SuitePart(Suite.stages),
    "redis": SuitePart(Suite.redis, ("redis",)),
    "kafka": SuitePart(Suite.kafka, ("kafka", "redis")),
    "latency": SuitePart(Suite.latency, ("kafka", "redis")),
}


def provenance(command: str, peers: PeerChoice) -> dict[str, object]:
    """Return command, date, releases and machine of a measurement that begins now.

    `load` is the mean number of processes that were ready to run in the minute before.
    """
    return {
        "command": shorten_command(command),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"newsdedup": __version__, **peers.versions()},
        "machine": {
            "processors": read_machine().processors,
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
            "load": round(os.getloadavg()[0], 1),
        },
    }


def _records_up_to(rate: int) -> int:
    """Return how many records are needed to measure the latencies of all rates up to one."""
    return records_needed([one for one in _RATES if one <= rate], seconds=_SECONDS)


def thin_out(collection: Collection, *, most: int) -> Collection:
    """Return at most `most` items, at even distances in the order of their times."""
    ordered = sort_by_time(collection)
    count = len(ordered.items)
    if count <= most:
        return ordered
    return _at_ranks(ordered, [number * count // most for number in range(most)])


def take_neighbours(collection: Collection, *, most: int) -> Collection:
    """Return at most `most` items that follow each other in the order of their times.

    They are the middle ones, since the first and the last of a collection may lie far apart.
    """
    ordered = sort_by_time(collection)
    first = max(0, len(ordered.items) - most) // 2
    return _at_ranks(ordered, range(len(ordered.items))[first : first + most])


def _at_ranks(collection: Collection, ranks: Sequence[int]) -> Collection:
    """Return the items with these indexes."""
    return Collection(
        tuple(collection.items[rank] for rank in ranks),
        tuple(collection.received[rank] for rank in ranks),
        collection.left_out,
    )
