"""The aims of the project for its speed, alongside what the suite measured."""

from collections.abc import Callable, Iterator
from typing import Final

from newsdedup_lab.performance.cells import Measurements, format_count, format_ratio, format_tenths

_LATENCY_RUNNER: Final = "faust"
"""The slower one of the two."""
_LATENCIES: Final = {"20": 40, "100": 60, "300": 100}
"""Milliseconds at the 99th percentile, by items per second."""
_EMBEDDED: Final = {"verified": 1.0, "terms": 2.0}
"""Ratios of runs with helpers against datasketch."""
_RUNNERS: Final = {"faust": 0.25, "aiokafka": 0.15}
"""Ratios of a worker against the same runner when it only passes records on."""
_LAST_AGAINST_SECOND = 0.9
_CANDIDATES_MEAN, _CANDIDATES_P99 = 25, 500
_COMPARED_MEAN, _COMPARED_P99 = 8, 40
_REDIS_LAST_RATE, _REDIS_POSTINGS = 250, 150
_REDIS_OF_TERMS = 40.0


def aim_rows(measurements: Measurements) -> list[tuple[str, str, str, str]]:
    """Return a row for each aim: the number, what was measured, the aim, and whether it is missed.

    Aims whose number was not measured, as of a peer that was absent, are left out.
    """
    return [
        *_window_rows(measurements["dense"]),
        *_redis_window_rows(measurements["redis"]),
        *_stage_rows(measurements),
        *_worker_rows(measurements),
    ]


def _window_rows(measurements: Measurements) -> Iterator[tuple[str, str, str, str]]:
    """Yield the aims of a full window in memory."""
    last = measurements["steps"][-1]
    full = f"{last['items']:,} items in one window"
    yield _least(
        f"{full}: last step against the second",
        measurements["last_against_second"],
        _LAST_AGAINST_SECOND,
    )
    candidates = last["candidates"]
    yield _most(f"{full}: candidates, mean", candidates["mean"], _CANDIDATES_MEAN)
    yield _most(f"{full}: candidates, p99", candidates["p99"], _CANDIDATES_P99)
    compared = last["comparisons"]
    yield _most(f"{full}: pairs compared in full, mean", compared["mean"], _COMPARED_MEAN)
    yield _most(f"{full}: pairs compared in full, p99", compared["p99"], _COMPARED_P99)


def _redis_window_rows(measurements: Measurements) -> Iterator[tuple[str, str, str, str]]:
    """Yield the aims of a full window in Redis."""
    if "dense" in measurements:
        last = measurements["dense"]["steps"][-1]
        full = f"{last['items']:,} items in Redis"
        rate = f"{full}: `verified`, items/s"
        yield _least(rate, last["rate"], _REDIS_LAST_RATE, show=format_count)
        yield _most(f"{full}: postings read, mean", last["postings"]["mean"], _REDIS_POSTINGS)


def _stage_rows(measurements: Measurements) -> Iterator[tuple[str, str, str, str]]:
    """Yield the aims of the stages in memory and of the index in Redis."""
    stages = measurements["stages"]
    for rule, aim in _EMBEDDED.items():
        ratio = stages.get(rule, {}).get("ratios", {}).get("embedded_vs_datasketch")
        if ratio is not None:
            yield _least(f"embedded `{rule}`, with helpers, against datasketch", ratio, aim)
    redis = measurements["redis"]["rules"].get("terms", {}).get("ratios", {})
    if "redis_vs_datasketch_redis" in redis:
        yield _least(
            "index of `terms` in Redis against datasketch on Redis",
            redis["redis_vs_datasketch_redis"],
            _REDIS_OF_TERMS,
        )


def _worker_rows(measurements: Measurements) -> Iterator[tuple[str, str, str, str]]:
    """Yield the aims of workers end to end, and of the latency with the default runner."""
    for runner, aim in _RUNNERS.items():
        ratio = measurements["kafka"]["ratios"][runner]
        yield _least(f"worker of {runner}, end to end, against an empty one", ratio, aim)
    measured = measurements["latency"]["latency"][_LATENCY_RUNNER]["whole"]
    for rate, aim in _LATENCIES.items():
        if rate in measured:
            yield _most(
                f"latency p99 at {rate} items/s, {_LATENCY_RUNNER}, ms",
                measured[rate]["p99_ms"],
                aim,
            )


def _least(
    measurement: str, measured: float, aim: float, *, show: Callable[[float], str] = format_ratio
) -> tuple[str, str, str, str]:
    """Return the row of an aim that is reached from `aim` on."""
    return measurement, show(measured), f">= {show(aim)}", "" if measured >= aim else "missed"


def _most(measurement: str, measured: float, aim: float) -> tuple[str, str, str, str]:
    """Return the row of an aim that is reached up to `aim`."""
    missed = "" if measured <= aim else "missed"
    return measurement, format_tenths(measured), f"<= {aim:g}", missed
