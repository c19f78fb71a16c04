"""A model of how many machines a stream needs, from measurements of `bench --workers`.

With n workers each item costs w(1 + a(n - 1)) processor seconds of a worker and r(1 + b(n - 1)) of
Redis: w and r are those of the run with one worker, a and b are fitted to the runs with more, which
repeat each other's look-ups. Redis commits in one thread, whatever the number of shards
(docs/decisions/0014-shards.md), so r sets the highest rate of a namespace.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, log
from statistics import fmean
from typing import Any, Final, NamedTuple

from newsdedup.ports.errors import SourceUnusable

_DAY_SECONDS: Final = 86_400
_GB: Final = 10**9
_MOST_WORKERS: Final = 4_096


class Demand(NamedTuple):
    """The volume and the window of a stream, and how full machines may be."""

    items_per_day: float
    window_hours: float
    peak: float = 2.0
    """The rate of the busiest hour against the mean."""
    load: float = 0.6
    """The share of a processor that may be busy at the peak."""
    growth: float = 0.0
    """Costs of workers and Redis grow with this power of the window; 0 is as measured."""
    server_gb: float = 64.0
    """Memory of one Redis server."""
    windows: "WindowCosts | None" = None
    """Measured costs by the size of the window, instead of an assumed growth."""

    @property
    def peak_rate(self) -> float:
        """Return the items per second of the busiest hour."""
        return self.items_per_day / _DAY_SECONDS * self.peak

    @property
    def live_items(self) -> float:
        """Return how many items are in the window."""
        return self.items_per_day * self.window_hours / 24


@dataclass(frozen=True, slots=True)
class WindowCosts:
    """Milliseconds of an item by the size of the window, from `lab windows` or `bench --made`."""

    sizes: tuple[float, ...]
    """Ascending, two or more."""
    milliseconds: tuple[float, ...]
    """Of a worker."""
    redis: tuple[float, ...] = ()
    """Of Redis; () if the windows were in memory."""

    def power(self) -> float:
        """Return the power of the window with which the cost grew, by least squares; 0 at least."""
        return _fit_power(self.sizes, self.milliseconds)

    def redis_power(self) -> float:
        """Return the power with which the cost of Redis grew; that of a worker if not measured."""
        return _fit_power(self.sizes, self.redis or self.milliseconds)

    def fitted(self, size: float) -> float:
        """Return the milliseconds of a worker in a window of this size by the fitted power."""
        center = fmean([log(one) for one in self.sizes])
        mean = fmean([log(one) for one in self.milliseconds])
        return exp(mean + self.power() * (log(size) - center))


def _fit_power(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the power of the sizes with which costs grew, by least squares; 0 at least."""
    xs, ys = ([log(one) for one in some] for some in (sizes, costs))
    x_mean, y_mean = fmean(xs), fmean(ys)
    slope = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return max(0.0, slope / sum((x - x_mean) ** 2 for x in xs))


def read_window_costs(measurements: Mapping[str, Any]) -> WindowCosts:
    """Return the costs of results of `lab windows`, or of `bench --redis --made`.

    Raise SourceUnusable for fewer than two sizes.
    """
    try:
        windows = sorted(measurements["windows"], key=lambda one: float(one["items"]))
        sizes = tuple([one["items"] for one in windows])
        over_redis = all("server_us" in one for one in windows)
        redis = tuple([one["server_us"] / 1000 for one in windows]) if over_redis else ()
        worker = tuple(
            [one["worker_us"] / 1000 if over_redis else one["ms"]["mean"] for one in windows]
        )
    except (KeyError, TypeError) as error:
        raise SourceUnusable("no measurements of `newsdedup lab windows --json`") from error
    if len(set(sizes)) < 2 or min(*worker, *redis, 1) <= 0:
        raise SourceUnusable("measurements of `newsdedup lab windows` in fewer than two windows")
    return WindowCosts(sizes, worker, redis)


@dataclass(frozen=True, slots=True)
class UnitCosts:
    """What one item costs, from the results of `bench --workers`; seconds are of processors."""

    worker: float
    redis: float
    broker: float
    measuring: float
    """Of the process that wrote and read the topics."""
    worker_growth: float
    """By which share of its own an item costs more for each further worker."""
    redis_growth: float
    redis_bytes: float
    """Through Redis, both ways."""
    kafka_bytes: float
    """In and out of the broker."""
    live_bytes: float
    """In Redis, of an item in the window."""
    worker_memory: float
    items: int
    """Items of the window that was measured."""

    def worker_seconds(self, workers: int) -> float:
        """Return the processor seconds of workers for an item, if there are `workers` of them."""
        return self.worker * (1 + self.worker_growth * (workers - 1))

    def redis_seconds(self, workers: int) -> float:
        """Return the processor seconds of the busiest Redis server for an item, by that number."""
        return self.redis * (1 + self.redis_growth * (workers - 1))


def read_unit_costs(measurements: Mapping[str, Any]) -> UnitCosts:
    """Return the costs of results of `bench --workers`; SourceUnusable without a run of 1 worker.

    A broker on another machine counts nothing.
    """
    try:
        runs = measurements["runs"]
        alone = next(run for run in runs if run["workers"] == 1)
        seconds = alone["processor_seconds"]
        return UnitCosts(
            worker=seconds["workers"] / 1000,
            redis=seconds["redis_busiest"] / 1000,
            broker=(seconds["broker"] or 0) / 1000,
            measuring=seconds["measuring"] / 1000,
            worker_growth=_growth(runs, alone, "workers"),
            redis_growth=_growth(runs, alone, "redis_busiest"),
            redis_bytes=sum(alone["redis_bytes"].values()),
            kafka_bytes=sum(alone["kafka_bytes"].values()),
            live_bytes=alone["redis_memory"],
            worker_memory=alone["worker_memory"],
            items=measurements["items"],
        )
    except (KeyError, TypeError, AttributeError, StopIteration) as error:
        raise SourceUnusable(
            "no measurements of `newsdedup bench --kafka --workers 1,... --json`"
        ) from error


def _growth(runs: Sequence[Mapping[str, Any]], alone: Mapping[str, Any], name: str) -> float:
    """Return the slope of a cost over the number of further workers, by least squares through 1.

    It is a share of the cost with one worker; 0 if more workers did not cost more.
    """
    first = alone["processor_seconds"][name]
    more = [
        (run["workers"] - 1, run["processor_seconds"][name] / first - 1)
        for run in runs
        if run["workers"] > 1 and first
    ]
    squares = sum(further * further for further, _ in more)
    return max(0.0, sum(x * y for x, y in more) / squares) if squares else 0.0


def plan_capacity(costs: UnitCosts, demand: Demand) -> dict[str, Any]:
    """Return the workers, partitions, processors, memory and network for a demand, and its limits.

    `workers` is None if no number suffices, because each further one costs the others more than it
    adds; the results of processors are then those of one. `growth` and `redis_growth` are the
    powers of the window with which costs grow, `measured_to` the largest window in which the first
    was measured, None if it is assumed, `measured_over_redis` whether the other was, too. `limits`
    has the highest rates that the model knows, in items per second: of one namespace by the thread
    of Redis, and by workers that disturb each other (None if they do not); `breaks_first` is the
    lower one.
    """
    power = demand.growth if demand.windows is None else demand.windows.power()
    redis_power = power if demand.windows is None else demand.windows.redis_power()
    costs = _in_window(costs, demand, power=power, redis_power=redis_power)
    rate = demand.peak_rate
    workers = _workers_for(costs, rate / demand.load)
    shown = workers or 1
    redis_cores = rate * costs.redis_seconds(shown)
    limits = {
        "redis": demand.load / costs.redis_seconds(shown),
        "workers": demand.load / (costs.worker * costs.worker_growth)
        if costs.worker_growth
        else None,
    }
    memory = demand.live_items * costs.live_bytes
    cores = {
        "workers": rate * costs.worker_seconds(shown),
        "redis": redis_cores,
        "broker": rate * costs.broker,
    }
    return {
        "items_per_day": demand.items_per_day,
        "items_per_second": {"mean": round(rate / demand.peak, 1), "peak": round(rate, 1)},
        "live_items": round(demand.live_items),
        "growth": round(power, 3),
        "redis_growth": round(redis_power, 3),
        "measured_to": demand.windows and round(demand.windows.sizes[-1]),
        "measured_over_redis": bool(demand.windows and demand.windows.redis),
        "workers": workers,
        "partitions": None if workers is None else _partitions(workers),
        "redis_servers": ceil(memory / (demand.server_gb * _GB)),
        "redis_thread": round(redis_cores, 2),
        "cores": {name: round(number, 2) for name, number in cores.items()},
        "cores_to_buy": ceil(sum(cores.values()) / demand.load),
        "memory_gb": {
            "redis": round(memory / _GB, 1),
            "workers": round(shown * costs.worker_memory / _GB, 1),
        },
        "network_mb_per_second": {
            "redis": round(rate * costs.redis_bytes / 10**6, 1),
            "kafka": round(rate * costs.kafka_bytes / 10**6, 1),
        },
        "limits": {name: limit and round(limit, 1) for name, limit in limits.items()},
        "breaks_first": min(
            (name for name, limit in limits.items() if limit), key=lambda name: limits[name] or 0.0
        ),
        "within_limits": all(limit is None or rate <= limit for limit in limits.values()),
    }


def _in_window(costs: UnitCosts, demand: Demand, *, power: float, redis_power: float) -> UnitCosts:
    """Return the costs in the window of a demand, which grow with these powers of it.

    With measured windows a worker's cost grows by that of the decision alone; without, all of it
    does, as that of Redis always does.
    """
    live = max(demand.live_items, costs.items)
    worker = costs.worker * (live / costs.items) ** power
    if demand.windows is not None:
        more = demand.windows.fitted(live) - demand.windows.fitted(costs.items)
        worker = costs.worker + more / 1000
    return replace(costs, worker=worker, redis=costs.redis * (live / costs.items) ** redis_power)


def _workers_for(costs: UnitCosts, rate: float) -> int | None:
    """Return the fewest workers that judge `rate` items a second, None if no number does."""
    for number in range(1, _MOST_WORKERS + 1):
        if rate * costs.worker_seconds(number) <= number:
            return number
    return None


def _partitions(workers: int) -> int:
    """Return three partitions for each worker, so that one more or less still shares evenly."""
    return 3 * workers


def check_capacity(measurements: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Compare each run of several workers with what the run of one worker predicts.

    The prediction knows no conflicts: the same processor seconds for an item, and as many items a
    second as the processors, the workers or the thread of Redis allow. Errors are shares of what
    was measured.
    """
    costs = read_unit_costs(measurements)
    whole = costs.worker + costs.redis + costs.broker
    checks = []
    for run in measurements["runs"]:
        if run["workers"] == 1:
            continue
        processors = measurements["processors"] / (whole + costs.measuring)
        predicted = {
            "rate": min(processors, run["workers"] / costs.worker, 1 / costs.redis),
            "per_core_second": 1 / whole,
        }
        checks.append(
            {
                "workers": run["workers"],
                "conflicts": run["conflicts"],
                **{
                    name: {
                        "predicted": round(value, 1),
                        "measured": run[name],
                        "error": round(value / run[name] - 1, 3),
                    }
                    for name, value in predicted.items()
                },
            }
        )
    return checks
