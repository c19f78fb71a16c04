from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from newsdedup.cli.environment import end_at_sigterm, load_configuration
from newsdedup.cli.options import (
    Config,
    Json,
    Quiet,
)
from newsdedup.cli.output import print_json, stdout_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown.progress import Steps
from newsdedup_lab.cli.bench_options import (
    BenchBodies,
    BenchDense,
    BenchFeedCount,
    BenchFloods,
    BenchGrowth,
    BenchHelpers,
    BenchHot,
    BenchItems,
    BenchKafka,
    BenchKafkaServers,
    BenchMade,
    BenchOut,
    BenchPairs,
    BenchParts,
    BenchPeers,
    BenchRates,
    BenchRedis,
    BenchRedisUrl,
    BenchRepeats,
    BenchRule,
    BenchSeconds,
    BenchShards,
    BenchSuiteFlag,
    BenchWorkers,
    parse_numbers,
    split_names,
)
from newsdedup_lab.cli.bench_pairs import bench_pairs
from newsdedup_lab.cli.studies import given_command_line

if TYPE_CHECKING:
    from newsdedup.config import Configuration
    from newsdedup_lab.collections.items import Collection


@command(
    "newsdedup bench items.jsonl",
    "newsdedup bench telegram/items.jsonl web/items.jsonl --json",
    "newsdedup bench items.jsonl --rule verified",
    "newsdedup bench items.jsonl --pairs labelled.tsv --out reports/    # speed and quality",
    "newsdedup bench --growth 10000 --growth 100000 --json    # synthetic items, memory",
    "newsdedup bench --hot 10000 --rule verified --json    # other news during a flood",
    "newsdedup bench --hot 10000 --rule verified --redis   # the same over Redis",
    "newsdedup bench --feeds 2000 --json    # the feeder: parsing, and two cycles",
    "newsdedup bench items.jsonl --dense 72h --rule verified    # a full window, step by step",
    "newsdedup bench items.jsonl --kafka --json    # a worker, end to end",
    "newsdedup bench items.jsonl --kafka --rule verified --rate 20,100,300,600 --seconds 10",
    "newsdedup bench items.jsonl --kafka --rule verified --workers 1,2,4 --json > workers.json",
    "newsdedup bench items.jsonl --redis --redis-url redis://cache:6379/0",
    "newsdedup bench items.jsonl --redis --growth 500000 --json    # the index when it is large",
    "newsdedup bench items.jsonl --redis --rule verified --made 36000,300000    # large windows",
    "newsdedup bench items.jsonl --suite --json > suite.json    # all of it, medians of three",
)
def measure_speed(
    context: typer.Context,
    items: BenchItems = None,
    *,
    growth: BenchGrowth = None,
    dense: BenchDense = None,
    made: BenchMade = None,
    hot: BenchHot = None,
    floods: BenchFloods = None,
    feeds: BenchFeedCount = None,
    bodies: BenchBodies = None,
    kafka: BenchKafka = False,
    redis: BenchRedis = False,
    kafka_servers: BenchKafkaServers = None,
    redis_url: BenchRedisUrl = None,
    rate: BenchRates = None,
    workers: BenchWorkers = None,
    shards: BenchShards = None,
    seconds: BenchSeconds = 10.0,
    helpers: BenchHelpers = -1,
    rule: BenchRule = None,
    peers: BenchPeers = None,
    repeat: BenchRepeats = None,
    suite: BenchSuiteFlag = False,
    parts: BenchParts = None,
    pairs: BenchPairs = None,
    out: BenchOut = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure how fast each stage is, against other libraries in the same run.

    Stages: tokens (cleaning and tokenizing), signature (the whole way to 12 terms),
    index (signature and memory index), embedded (file in, durable SQLite and events out). The
    vocabulary is warmed by one pass first, whose rate is `signature_cold`. Index and
    embedded share the analysis with helper processes; `alone` is what one process does.
    With --dense: analysis and decision as a window fills, the rate and the pairs compared for each
    step of 5,000 items. With --kafka: one worker end to end for each runner, against the same
    runner that only passes records on. With --rate also: the time from an item's record to the
    arrival of its event, at a steady rate. With --workers also: several workers of one group, what
    they, Redis and the broker cost, and how they disturb each other. With --redis: the index in
    Redis alone; with --made, what an item costs there in windows of made items, as `lab windows`
    makes them. Both start servers of their own unless --kafka-servers and --redis-url name some.
    With --hot: what an item costs in memory, with --redis over Redis, before and during a flood of
    one event, of the messages of one source, of one headline over different texts. With --feeds:
    milliseconds to parse made feeds of all formats, against feedparser if it is installed; bodies
    of 16 MiB that are made to be slow; two cycles of the command `feed`, the second over nearly
    unchanged feeds, each as a process, and what the server saw of it. With --pairs: items per
    second of processor time and F of every rule, method and library, each at its best threshold,
    and which of them no other surpasses in both. With --suite: all that docs/performance.md has, in
    parts. SIGTERM ends it as Ctrl-C does: workers, topics and keys of the measurement are gone
    then.
    """
    from newsdedup.bootstrap.runs import line_decoder
    from newsdedup_lab.bench.growth import measure_growth
    from newsdedup_lab.bench.peers import choose_peers
    from newsdedup_lab.collections.items import load_collection

    rates, groups = parse_numbers(rate, "--rate"), parse_numbers(workers, "--workers")
    sizes = parse_numbers(made, "--made")
    _refuse_contradictions(
        suite=suite,
        chosen=bool(dense or kafka or redis or growth or rates or groups or hot or feeds or sizes),
        parts=parts,
        shards=shards if not groups else None,
        bodies=bodies if not feeds else None,
        out=out if pairs is None else None,
        paired=pairs is not None,
    )
    configuration = load_configuration(
        config,
        {
            "rule.name": rule or ("verified" if suite else "terms"),
            "kafka.servers": kafka_servers,
            "redis.url": redis_url,
            "redis.shards": shards,
        },
    )
    settings = configuration.settings
    end_at_sigterm()
    say = partial(_announce, Steps(quiet=quiet))
    if pairs is not None:
        bench_pairs(
            context,
            items,
            settings,
            pairs,
            rule=rule,
            peers=split_names(peers),
            repeats=repeat or 1,
            out=out,
            json=json,
            say=say,
        )
        return
    measurements: dict[str, Any] = {}
    if items:
        limit = settings.limits.line_bytes
        collection = load_collection(items, line_decoder(settings).content, line_limit=limit)
        chosen = choose_peers(split_names(peers))
        if chosen.absent:
            say(f"absent peers: {', '.join(chosen.absent)}")
        common = {"peers": chosen, "repeats": repeat or (3 if suite else 1), "say": say}
        if suite:
            measurements = _measure_suite(
                collection,
                configuration,
                rules=[rule] if rule else ["verified", "terms"],
                helpers=_helper_processes(helpers),
                parts=split_names(parts),
                command=given_command_line(context),
                **common,
            )
        else:
            measurements = _measure_items(
                collection,
                configuration,
                kafka=kafka,
                redis=redis,
                growth=growth or (),
                dense=dense,
                made=sizes,
                rates=rates,
                workers=groups,
                seconds=seconds,
                helpers=helpers,
                **common,
            )
    if growth and "growth" not in measurements:
        measurements["growth"] = measure_growth(sorted(growth), settings, say=say)
    if hot:
        from newsdedup_lab.bench.hot import measure_hot
        from newsdedup_lab.bench.own_servers import open_servers

        with nullcontext(settings) if not redis else open_servers(configuration, "redis") as own:
            measurements["hot"] = measure_hot(
                hot, own, redis=redis, floods=split_names(floods), say=say
            )
    if feeds:
        measurements["feeds"] = _measure_feeds(feeds, bodies, repeats=repeat or 3, say=say)
    if not measurements:
        raise typer.BadParameter(
            "name ITEMS, or --feeds N, or --hot N, or --growth N without --kafka or --redis"
        )
    _print_measurements(measurements, latencies=bool(rates), json=json)


def _print_measurements(measurements: dict[str, Any], *, latencies: bool, json: bool) -> None:
    """Print the measurements as JSON, as the table of latencies, or a line for each number."""
    from newsdedup_lab.cli.latency_table import latency_table

    if json:
        print_json(measurements)
    elif latencies:
        stdout_console().print(latency_table(measurements))
    else:
        _print_flat(measurements)


def _announce(steps: Steps, step: str) -> None:
    """Print the name of a step that begins, unless quiet."""
    steps.say(f"{step} ...")


def _refuse_contradictions(
    *,
    suite: bool,
    chosen: bool,
    parts: str | None,
    shards: int | None,
    bodies: str | None,
    out: Path | None,
    paired: bool,
) -> None:
    """Raise BadParameter for options that have no effect together.

    `chosen` is whether a measurement besides the suite is; `shards` are those without workers,
    `bodies` the folder without feeds, `out` that without pairs, `paired` whether there are pairs.
    """
    if paired and (suite or chosen):
        raise typer.BadParameter("--pairs: no other measurement at the same time")
    if out is not None:
        raise typer.BadParameter("--out: only with --pairs")
    if bodies is not None:
        raise typer.BadParameter("--bodies: only with --feeds")
    if shards is not None:
        raise typer.BadParameter("--shards: only with --workers")
    if parts is not None and not suite:
        raise typer.BadParameter("--parts: only with --suite")
    if suite and chosen:
        raise typer.BadParameter("--suite: choose what is measured with --parts")


def _measure_suite(
    collection: "Collection",
    configuration: "Configuration",
    *,
    parts: list[str],
    command: str,
    **how: Any,
) -> dict[str, Any]:
    """Return the measurements of the suite's parts; `how` has the other fields of Suite."""
    from newsdedup_lab.bench.suite import Suite

    return Suite(collection, configuration, **how).measure(parts, command=command)


def _measure_items(
    collection: "Collection",
    configuration: "Configuration",
    *,
    kafka: bool,
    redis: bool,
    growth: Sequence[int],
    dense: timedelta | None,
    made: Sequence[int],
    rates: Sequence[int],
    workers: Sequence[int],
    seconds: float,
    helpers: int,
    **common: Any,
) -> dict[str, Any]:
    """Return the measurements of the one measurement that the options choose."""
    from newsdedup_lab.bench.dense import measure_density
    from newsdedup_lab.bench.stage_rates import bench_stages

    settings = configuration.settings
    if kafka or redis or rates or workers or made:
        from newsdedup_lab.bench.servers import bench_servers

        return bench_servers(
            collection,
            configuration,
            kafka=kafka,
            redis=redis,
            growth=growth,
            dense=dense,
            made=made,
            rates=rates,
            workers=workers,
            seconds=seconds,
            helpers=max(0, helpers),
            **common,
        )
    if dense is not None:
        return {"dense": measure_density(collection, settings, span=dense, **common)}
    return bench_stages(collection, settings, helpers=_helper_processes(helpers), **common)


def _measure_feeds(
    feeds: int, bodies: str | None, *, repeats: int, say: Callable[[str], None]
) -> dict[str, Any]:
    """Return the results of the feeder; raise BadParameter for a folder that does not exist."""
    from newsdedup_lab.bench.feed_cycle import measure_feed_cycles
    from newsdedup_lab.bench.feed_parsing import measure_feed_parsing, measure_hostile_feeds

    folder = None if bodies is None else Path(bodies)
    if folder is not None and not folder.is_dir():
        raise typer.BadParameter(f"there is no folder {bodies}", param_hint="--bodies")
    return {
        "parsing": measure_feed_parsing(folder, repeats=repeats, say=say),
        "hostile": measure_hostile_feeds(say=say),
        "cycles": measure_feed_cycles(feeds, say=say),
    }


def _helper_processes(configured: int) -> int:
    """Return the configured number of helper processes, for a negative one what `auto` chooses."""
    from newsdedup.bootstrap.machine import choose_helpers, read_machine

    return choose_helpers(configured if configured >= 0 else None, read_machine()).number


def _print_flat(measurements: Mapping[Any, Any], prefix: str = "") -> None:
    """Print nested numbers, a line for each number with its dotted name."""
    for name, value in measurements.items():
        if isinstance(value, dict | list):
            parts = dict(enumerate(value)) if isinstance(value, list) else value
            _print_flat(parts, f"{prefix}{name}.")
        else:
            shown = f"{value:,}" if isinstance(value, int | float) else value
            print(f"{prefix}{name}".ljust(40), shown)
