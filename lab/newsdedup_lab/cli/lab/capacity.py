from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsdedup.cli.options import Json, argument, option, parse_duration
from newsdedup.cli.output import plain_table, print_json, stdout_console
from newsdedup.cli.registry import command

if TYPE_CHECKING:
    from rich.table import Table

_Measurements = Annotated[
    Path, argument("MEASUREMENTS", "What `newsdedup bench --kafka --workers 1,2,4 --json` printed.")
]
_Items = Annotated[
    list[float] | None,
    option("--items-per-day", "N", "Such as 100e6; may be repeated. [default: 1e6, 10e6, 100e6]"),
]
_WindowLength = Annotated[
    timedelta | None,
    option("--window", "DURATION", "How long items stay. [default: 72h]", parser=parse_duration),
]
_Peak = Annotated[
    float, typer.Option("--peak", metavar="X", help="The busiest hour against the mean.", min=1)
]
_Load = Annotated[
    float,
    typer.Option(
        "--load", metavar="X", help="How busy a processor may be at the peak.", min=0.05, max=1
    ),
]
_CostGrowth = Annotated[
    float | None,
    typer.Option(
        "--growth",
        metavar="POWER",
        help="Costs of workers and Redis grow with this power of the window. "
        "[default: 0, as measured]",
        min=0,
    ),
]
_Windows = Annotated[
    Path | None,
    option(
        "--windows",
        "MEASUREMENTS",
        "What `newsdedup lab windows --json` printed, or `newsdedup bench --redis --made --json`: "
        "the growth is fitted to it.",
    ),
]
_ServerMemory = Annotated[
    float, typer.Option("--server-gb", metavar="GB", help="Memory of one Redis server.", min=1)
]
_CoreHour = Annotated[
    float | None, option("--core-hour", "PRICE", "Of a processor; adds a price for a day.")
]


@command(
    "newsdedup lab capacity workers.json --items-per-day 100e6 --window 72h",
    "newsdedup lab capacity workers.json --windows windows.json",
    "newsdedup lab capacity workers.json --growth 0.5 --peak 3 --core-hour 0.04 --json",
)
def plan_a_stream(
    measurements: _Measurements,
    *,
    items_per_day: _Items = None,
    window: _WindowLength = None,
    peak: _Peak = 2.0,
    load: _Load = 0.6,
    growth: _CostGrowth = None,
    windows: _Windows = None,
    server_gb: _ServerMemory = 64.0,
    core_hour: _CoreHour = None,
    json: Json = False,
) -> None:
    """Estimate what a stream takes: workers, processors, memory, network, and what breaks first.

    The costs of an item are those of the run with one worker; how much workers slow each other is
    fitted to the other runs. `checks` compares these runs with the prediction from the first one.
    For windows larger than the measured one --growth is an assumption; with --windows it is fitted
    to measurements, and assumed beyond the largest one. The last column of the table tells what was
    measured and what is modelled.
    """
    from newsdedup_lab.bench.capacity import (
        Demand,
        check_capacity,
        plan_capacity,
        read_unit_costs,
        read_window_costs,
    )

    if growth is not None and windows is not None:
        raise typer.BadParameter("--growth and --windows: one of them tells how costs grow")
    measured = _read_measurements(measurements)
    costs = read_unit_costs(measured)
    growing = None if windows is None else read_window_costs(_read_measurements(windows))
    hours = (window or timedelta(hours=72)) / timedelta(hours=1)
    plans = [
        plan_capacity(costs, Demand(number, hours, peak, load, growth or 0.0, server_gb, growing))
        for number in items_per_day or [1e6, 10e6, 100e6]
    ]
    if core_hour is not None:
        for plan in plans:
            plan["price_per_day"] = round(plan["cores_to_buy"] * 24 * core_hour, 2)
    checks = check_capacity(measured)
    if json:
        print_json({"plans": plans, "checks": checks})
        return
    stdout_console().print(_plan_table(plans, items=costs.items))
    stdout_console().print(_check_table(checks))


def _read_measurements(path: Path) -> Any:
    """Return the JSON of a file; raise SourceUnusable if it cannot be read."""
    from msgspec.json import decode

    from newsdedup.ports.errors import SourceUnusable

    try:
        return decode(path.read_bytes())
    except (OSError, ValueError) as error:
        raise SourceUnusable(f"{path}: {error}") from error


def _plan_table(plans: list[dict[str, Any]], *, items: int) -> "Table":
    """Return the table of plans, a column for each; the last one says what was measured.

    `items` is the number in the window in which the costs of an item were measured.
    """
    numbers = (f">{plan['items_per_day']:,.0f} a day" for plan in plans)
    table = plain_table("", *numbers, "measured or modelled")
    bases = _bases(plans[0], items=items)
    rows: dict[str, Callable[[dict[str, Any]], object]] = {
        "items/s at the peak": lambda plan: f"{plan['items_per_second']['peak']:,}",
        "items in the window": lambda plan: f"{plan['live_items']:,}",
        "costs of a worker grow by the power": lambda plan: plan["growth"],
        "costs of Redis grow by the power": lambda plan: plan["redis_growth"],
        "workers": lambda plan: plan["workers"] or "no number suffices",
        "partitions": lambda plan: plan["partitions"] or "-",
        "processors": lambda plan: f"{plan['cores_to_buy']:,}",
        "thread of Redis, busy": lambda plan: f"{plan['redis_thread']:.0%}",
        "memory of Redis, GB": lambda plan: f"{plan['memory_gb']['redis']:,}",
        "Redis servers for it": lambda plan: plan["redis_servers"],
        "memory of workers, GB": lambda plan: plan["memory_gb"]["workers"],
        "through Redis, MB/s": lambda plan: plan["network_mb_per_second"]["redis"],
        "through Kafka, MB/s": lambda plan: plan["network_mb_per_second"]["kafka"],
        "breaks first": lambda plan: (
            f"{plan['breaks_first']} at {plan['limits'][plan['breaks_first']]:,} items/s"
        ),
        "within the limits": lambda plan: "yes" if plan["within_limits"] else "no",
    }
    if "price_per_day" in plans[0]:
        rows["price of a day"] = lambda plan: f"{plan['price_per_day']:,}"
    for name, cell in rows.items():
        table.add_row(name, *(str(cell(plan)) for plan in plans), bases.get(name, ""))
    return table


def _bases(plan: dict[str, Any], *, items: int) -> dict[str, str]:
    """Return by the name of a row of the table what of it was measured and what is modelled."""
    most = plan["measured_to"]
    more = "times the growth" if most is None else "and what a decision costs more"
    over_redis = plan["measured_over_redis"]
    where = "over Redis" if over_redis else "in memory"
    growth = "assumed" if most is None else f"measured to {most:,} {where}, assumed beyond"
    in_window = f"measured per item, {items:,} in the window"
    return {
        "items/s at the peak": "given",
        "items in the window": "given",
        "costs of a worker grow by the power": growth,
        "costs of Redis grow by the power": growth if over_redis else "assumed",
        "workers": f"modelled: {in_window}, {more}",
        "partitions": "three for each worker",
        "processors": "modelled, as workers",
        "thread of Redis, busy": f"modelled: {in_window}, times the growth",
        "memory of Redis, GB": in_window,
        "Redis servers for it": "from the memory",
        "memory of workers, GB": "measured per worker",
        "through Redis, MB/s": f"{in_window}; grows with it, not modelled",
        "through Kafka, MB/s": "measured per item",
        "breaks first": "modelled, as thread and workers",
        "within the limits": "modelled, as thread and workers",
        "price of a day": "from the processors",
    }


def _check_table(checks: list[dict[str, Any]]) -> "Table":
    """Return the table of runs with more workers alongside what one worker predicts."""
    table = plain_table(
        ">workers", ">items/s", ">predicted", ">error", ">items/core s", ">predicted", ">error"
    )
    for check in checks:
        cells = [str(check["workers"])]
        for name in ("rate", "per_core_second"):
            one = check[name]
            cells += [f"{one['measured']:,}", f"{one['predicted']:,}", f"{one['error']:+.0%}"]
        table.add_row(*cells)
    return table
