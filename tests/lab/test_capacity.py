"""The model of capacity against examples worked by hand."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.bench.capacity import (
    Demand,
    WindowCosts,
    check_capacity,
    plan_capacity,
    read_unit_costs,
    read_window_costs,
)

DAY = 86_400


def run_of(workers: int, *, seconds: float = 2.0, redis: float = 0.5, **other: Any) -> dict:
    """Return the measurements of a run: processor seconds for 1,000 items."""
    broker = 0.25
    return {
        "workers": workers,
        "rate": 400.0,
        "per_core_second": 1000 / (seconds + redis + broker),
        "processor_seconds": {
            "workers": seconds,
            "redis": redis,
            "redis_busiest": redis,
            "broker": broker,
            "measuring": 0.25,
        },
        "conflicts": 0.0,
        "redis_bytes": {"input": 9_000, "output": 1_000},
        "kafka_bytes": {"input": 3_000, "output": 4_000},
        "redis_memory": 2_000,
        "worker_memory": 200_000_000,
        **other,
    }


def measurements_of(*runs: dict) -> dict:
    return {"items": 10_000, "processors": 2, "runs": list(runs)}


def plan(*runs: dict, **demand: float) -> dict:
    wanted = {"items_per_day": 300.0 * DAY, "window_hours": 72, "peak": 2.0, "load": 0.6}
    return plan_capacity(read_unit_costs(measurements_of(*runs)), Demand(**{**wanted, **demand}))


def test_workers_that_do_not_disturb_each_other_are_as_many_as_their_seconds() -> None:
    # 600 items/s at the peak, 2 ms each: 1.2 processors, which may be busy for .6 of their time.
    one = plan(run_of(1), run_of(2))
    assert one["workers"] == 2
    assert one["partitions"] == 6
    assert one["cores"] == {"workers": 1.2, "redis": 0.3, "broker": 0.15}
    assert one["cores_to_buy"] == 3
    assert one["redis_thread"] == 0.3


def test_memory_and_network_follow_from_the_items_in_the_window() -> None:
    one = plan(run_of(1))
    assert one["live_items"] == 300 * DAY * 3
    assert one["memory_gb"] == {"redis": 155.5, "workers": 0.4}
    assert one["redis_servers"] == 3
    assert one["network_mb_per_second"] == {"redis": 6.0, "kafka": 4.2}


def test_the_thread_of_redis_ends_what_more_workers_could_do() -> None:
    one = plan(run_of(1))
    assert one["limits"] == {"redis": 1_200.0, "workers": None}
    assert (one["breaks_first"], one["within_limits"]) == ("redis", True)
    assert not plan(run_of(1), items_per_day=601.0 * DAY)["within_limits"]


def test_where_each_worker_costs_the_others_more_than_it_adds_no_number_suffices() -> None:
    # Each further worker makes an item dearer by half: 1,000 workers would take half a second.
    disturbed = run_of(1), run_of(2, seconds=3.0), run_of(4, seconds=5.0)
    one = plan(*disturbed)
    assert one["workers"] is None
    assert one["partitions"] is None
    assert one["limits"]["workers"] == 600.0
    assert one["breaks_first"] == "workers"
    few = plan(*disturbed, items_per_day=150.0 * DAY)
    assert few["workers"] == 1
    assert plan(*disturbed, items_per_day=170.0 * DAY)["workers"] == 2


def test_costs_grow_with_the_window_only_as_assumed() -> None:
    # 777,600 items in the window, 77.76 times as many as were measured.
    few = {"items_per_day": 3.0 * DAY}
    flat, steep = (plan(run_of(1), **few, growth=power) for power in (0.0, 0.5))
    assert flat["limits"]["redis"] == 1_200.0
    assert steep["limits"]["redis"] == pytest.approx(1_200 / 77.76**0.5, abs=0.1)
    assert plan(run_of(1), items_per_day=1_000.0, growth=1.0)["limits"]["redis"] == 1_200.0


def windows_of(*costs: tuple[int, float]) -> dict:
    return {"windows": [{"items": items, "ms": {"mean": mean}} for items, mean in costs]}


def test_costs_grow_with_the_window_as_measured() -> None:
    # Four times the cost for 16 times the items: the square root.
    windows = read_window_costs(windows_of((160_000, 2.0), (10_000, 0.5), (40_000, 1.0)))
    assert windows.power() == pytest.approx(0.5)
    few = {"items_per_day": 3.0 * DAY}
    one, same = plan(run_of(1), **few, windows=windows), plan(run_of(1), **few, growth=0.5)
    assert one["limits"]["redis"] == same["limits"]["redis"]
    assert (one["growth"], one["measured_to"]) == (0.5, 160_000)
    assert same["measured_to"] is None


def test_with_measured_windows_only_the_decision_of_a_worker_costs_more() -> None:
    # 160,000 items in the window of the stream, 10,000 in that of the run: a decision takes 2 ms
    # instead of .5, so an item takes 3.5 instead of 2; and Redis 4 times as long.
    windows = WindowCosts((10_000, 40_000), (0.5, 1.0))
    one = plan(run_of(1), window_hours=160_000 / 300 / 3_600, windows=windows)
    assert one["live_items"] == 160_000
    assert one["cores"] == {"workers": 600 * 0.0035, "redis": 4 * 0.3, "broker": 0.15}


def test_in_windows_that_were_measured_over_redis_its_cost_has_a_power_of_its_own() -> None:
    made = [(10_000, 2_000, 500), (40_000, 4_000, 500), (160_000, 8_000, 500)]
    windows = read_window_costs(
        {"windows": [{"items": n, "worker_us": own, "server_us": us} for n, own, us in made]}
    )
    assert windows.power() == pytest.approx(0.5)
    one = plan(run_of(1), window_hours=160_000 / 300 / 3_600, windows=windows)
    assert (one["growth"], one["redis_growth"], one["measured_over_redis"]) == (0.5, 0, True)
    assert one["cores"]["workers"] == pytest.approx(600 * (2 + 8 - 2) / 1000, rel=0.01)
    assert one["redis_thread"] == 0.3


def test_costs_that_fell_in_larger_windows_are_taken_as_constant() -> None:
    assert WindowCosts((10, 100), (2.0, 1.0)).power() == 0


@pytest.mark.parametrize("measurements", [{}, {"windows": []}, windows_of((10, 1.0)), []])
def test_other_measurements_of_windows_are_refused(measurements: dict) -> None:
    with pytest.raises(SourceUnusable, match="newsdedup lab windows"):
        read_window_costs(measurements)


def test_a_run_with_more_workers_is_predicted_from_that_with_one() -> None:
    # 2 processors, 3 ms of them for an item with what measures it: 666.7 items a second.
    (check,) = check_capacity(measurements_of(run_of(1), run_of(2, seconds=2.25)))
    assert check["rate"] == {"predicted": 666.7, "measured": 400.0, "error": 0.667}
    assert check["per_core_second"]["predicted"] == 363.6
    assert check["per_core_second"]["error"] == pytest.approx(3.0 / 2.75 - 1, abs=0.001)


@pytest.mark.parametrize("measurements", [{}, {"runs": []}, measurements_of(run_of(2))])
def test_other_measurements_are_refused(measurements: dict) -> None:
    with pytest.raises(SourceUnusable, match="--workers 1,"):
        read_unit_costs(measurements)


def test_the_command_plans_three_streams_unless_one_is_named(tmp_path) -> None:
    file = tmp_path / "workers.json"
    file.write_text(json.dumps(measurements_of(run_of(1), run_of(2))))
    table = CliRunner().invoke(app, ["lab", "capacity", str(file), "--core-hour", "0.05"])
    assert table.exit_code == 0, table.stderr
    assert "100,000,000 a day" in table.stdout
    assert "breaks first" in table.stdout
    one = ["--items-per-day", "100e6", "--window", "72h", "--json"]
    done = CliRunner().invoke(app, ["lab", "capacity", str(file), *one])
    (planned,) = json.loads(done.stdout)["plans"]
    assert planned["live_items"] == 300_000_000
    assert "price_per_day" not in planned


def test_the_command_tells_what_was_measured_and_what_is_modelled(tmp_path) -> None:
    workers, windows = tmp_path / "workers.json", tmp_path / "windows.json"
    workers.write_text(json.dumps(measurements_of(run_of(1))))
    windows.write_text(json.dumps(windows_of((36_000, 1.0), (300_000, 2.0))))
    given = ["lab", "capacity", str(workers), "--windows", str(windows), "--items-per-day", "1e6"]
    table = CliRunner().invoke(app, given, env={"COLUMNS": "200"})
    assert table.exit_code == 0, table.stderr
    rows = {" ".join(line.split()) for line in table.stdout.splitlines()}
    assert any(row.endswith("measured or modelled") for row in rows)
    growth = "measured to 300,000 in memory, assumed beyond"
    assert f"costs of a worker grow by the power 0.327 {growth}" in rows
    assert "costs of Redis grow by the power 0.327 assumed" in rows
    both = CliRunner().invoke(app, [*given, "--growth", "0.5"])
    assert both.exit_code == ExitCode.USAGE
    assert "--growth and --windows" in " ".join(both.stderr.split())
