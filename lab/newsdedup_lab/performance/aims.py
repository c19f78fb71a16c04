"""The aims of the project for its speed, alongside what the suite measured."""

from collections.abc import Iterator
from typing import Final

from newsdedup_lab.performance.cells import Measurements, format_ratio, format_tenths

_LATENCY_RUNNER: Final = "faust"
"""The slower one of the two."""
_LATENCIES: Final = {"20": 40, "100": 60, "300": 150}
"""Milliseconds at the 99th percentile, by items per second."""
_EMBEDDED: Final = {"verified": (1.0, 1.6), "terms": (2.0, 3.0)}
"""Ratios against datasketch: in one process, with helpers."""
_RUNNERS: Final = {"faust": 0.4, "aiokafka": 0.2}
"""Ratios of a worker against the same runner when it only passes records on."""
_LAST_AGAINST_SECOND, _FULL_AGAINST_DATASKETCH = 0.8, 0.5
_COMPARED_MEAN, _COMPARED_P99 = 8, 40
_INDEX_OF_TERMS, _REDIS_OF_TERMS = 3.0, 40.0


def aim_rows(measurements: Measurements) -> list[tuple[str, str, str, str]]:
    """Return a row for each aim: the number, what was measured, the aim, and whether it is missed.

    Aims whose number was not measured, as of a peer that was absent, are left out.
    """
    return [
        *_window_rows(measurements["dense"]),
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
    if "datasketch" in last["ratios"]:
        yield _least(
            f"{full}: against datasketch in memory",
            last["ratios"]["datasketch"],
            _FULL_AGAINST_DATASKETCH,
        )
    compared = last["comparisons"]
    yield _most(f"{full}: pairs compared in full, mean", compared["mean"], _COMPARED_MEAN)
    yield _most(f"{full}: pairs compared in full, p99", compared["p99"], _COMPARED_P99)


def _stage_rows(measurements: Measurements) -> Iterator[tuple[str, str, str, str]]:
    """Yield the aims of the stages in memory and of the index in Redis."""
    stages = measurements["stages"]
    for rule, aims in _EMBEDDED.items():
        for kind, how, aim in zip(
            ("ratios_alone", "ratios"), ("one process", "with helpers"), aims, strict=True
        ):
            ratio = stages.get(rule, {}).get(kind, {}).get("embedded_vs_datasketch")
            if ratio is not None:
                yield _least(f"embedded `{rule}`, {how}, against datasketch", ratio, aim)
    ratio = stages.get("terms", {}).get("ratios_alone", {}).get("index_vs_datasketch")
    if ratio is not None:
        yield _least("index of `terms`, one process, against datasketch", ratio, _INDEX_OF_TERMS)
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


def _least(measurement: str, measured: float, aim: float) -> tuple[str, str, str, str]:
    """Return the row of an aim that is reached from `aim` on."""
    missed = "" if measured >= aim else "missed"
    return measurement, format_ratio(measured), f">= {format_ratio(aim)}", missed


def _most(measurement: str, measured: float, aim: float) -> tuple[str, str, str, str]:
    """Return the row of an aim that is reached up to `aim`."""
    missed = "" if measured <= aim else "missed"
    return measurement, format_tenths(measured), f"<= {aim:g}", missed
