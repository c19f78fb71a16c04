from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.options import (
    Config,
    Json,
    Quiet,
    argument,
    option,
    parse_duration,
    parse_input_place,
)
from newsdedup.cli.output import print_json, stderr_console, stdout_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown.progress import Steps
from newsdedup.cli.studies import given_command_line

if TYPE_CHECKING:
    from newsdedup.config import Configuration
    from newsdedup.lab.collections.items import Collection

_BenchItems = Annotated[
    list[str] | None, argument("[ITEMS]...", "Files or folders.", parser=parse_input_place)
]
_Growth = Annotated[
    list[int] | None,
    option(
        "--growth",
        "N",
        "Measure memory and look-ups at this many synthetic items, with --redis there; "
        "may be repeated.",
    ),
]
_Dense = Annotated[
    timedelta | None,
    option(
        "--dense",
        "DURATION",
        "Bring all items into one window of this length, and measure as it fills; with --redis in "
        "Redis.",
        parser=parse_duration,
    ),
]
_Rates = Annotated[
    str | None,
    option(
        "--rate",
        "N,...",
        "With --kafka: measure the latency at these rates, in items per second, instead of the "
        "throughput.",
    ),
]
_Workers = Annotated[
    str | None,
    option(
        "--workers",
        "N,...",
        "With --kafka: measure so many workers at once, one number after the other.",
    ),
]
_Shards = Annotated[
    int | None,
    option(
        "--shards",
        "N",
        "With --workers: the shards of their namespace; above 1 a Redis Cluster is started.",
        min=1,
    ),
]
_Hot = Annotated[
    int | None,
    option(
        "--hot",
        "N",
        "Measure other news during floods of so many synthetic items that are alike.",
        min=100,
    ),
]
_Floods = Annotated[
    str | None,
    option("--floods", "NAME,...", "With --hot only these: event, templates, headline."),
]
_Seconds = Annotated[
    float, typer.Option("--seconds", metavar="S", help="How long each rate of --rate lasts.")
]
_BenchHelpers = Annotated[
    int,
    option(
        "--helpers",
        "N",
        "Helper processes. [default: as many as `auto` chooses; with --kafka none]",
    ),
]
_BenchRule = Annotated[
    str | None,
    option(
        "--rule",
        "NAME",
        "The rule that decides. [default: terms; with --suite verified, beside it terms]",
    ),
]
_Peers = Annotated[
    str | None,
    option(
        "--peers",
        "NAME,...",
        "The libraries to compare with: datasketch, rensa, gaoya, simhash. "
        "[default: those that are installed]",
    ),
]
_Repeats = Annotated[
    int | None,
    option(
        "--repeat",
        "N",
        "Measure everything in turn so many times, and give medians. [default: 1; with --suite 3]",
        min=1,
    ),
]
_SuiteFlag = Annotated[
    bool,
    typer.Option("--suite", help="Measure all that docs/performance.md has; --json to keep it."),
]
_Parts = Annotated[
    str | None,
    option("--parts", "NAME,...", "Of the suite only these: dense, stages, redis, kafka, latency."),
]
_BenchKafka = Annotated[
    bool, typer.Option("--kafka", help="Measure a worker between Kafka and Redis, end to end.")
]
_BenchRedis = Annotated[
    bool, typer.Option("--redis", help="Measure the index in Redis, against datasketch's.")
]
_KafkaServers = Annotated[
    str | None,
    option(
        "--kafka-servers",
        "SERVERS",
        "The Kafka to measure with; without any, a checkout starts its own.",
    ),
]
_RedisUrl = Annotated[
    str | None,
    option(
        "--redis-url", "URL", "The Redis to measure with; without any, a checkout starts its own."
    ),
]


@command(
    "newsdedup bench items.jsonl",
    "newsdedup bench telegram/items.jsonl web/items.jsonl --json",
    "newsdedup bench items.jsonl --rule verified",
    "newsdedup bench --growth 10000 --growth 100000 --json    # synthetic items, memory",
    "newsdedup bench --hot 10000 --rule verified --json    # other news during a flood",
    "newsdedup bench items.jsonl --dense 72h --rule verified    # a full window, step by step",
    "newsdedup bench items.jsonl --kafka --json    # a worker, end to end",
    "newsdedup bench items.jsonl --kafka --rule verified --rate 20,100,300,600 --seconds 10",
    "newsdedup bench items.jsonl --kafka --rule verified --workers 1,2,4 --json > workers.json",
    "newsdedup bench items.jsonl --redis --redis-url redis://cache:6379/0",
    "newsdedup bench items.jsonl --redis --growth 500000 --json    # the index when it is large",
    "newsdedup bench items.jsonl --suite --json > suite.json    # all of it, medians of three",
)
def measure_speed(
    context: typer.Context,
    items: _BenchItems = None,
    *,
    growth: _Growth = None,
    dense: _Dense = None,
    hot: _Hot = None,
    floods: _Floods = None,
    kafka: _BenchKafka = False,
    redis: _BenchRedis = False,
    kafka_servers: _KafkaServers = None,
    redis_url: _RedisUrl = None,
    rate: _Rates = None,
    workers: _Workers = None,
    shards: _Shards = None,
    seconds: _Seconds = 10.0,
    helpers: _BenchHelpers = -1,
    rule: _BenchRule = None,
    peers: _Peers = None,
    repeat: _Repeats = None,
    suite: _SuiteFlag = False,
    parts: _Parts = None,
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
    Redis alone. Both start servers of their own unless --kafka-servers and --redis-url name some.
    With --hot: look-ups and decisions in memory before and during a flood of one event, of the
    messages of one source, of one headline over different texts. With --suite: all that
    docs/performance.md has, in parts.
    """
    from newsdedup import bootstrap
    from newsdedup.cli.shown.latency_table import latency_table
    from newsdedup.lab.bench.growth import measure_growth
    from newsdedup.lab.bench.hot import measure_hot
    from newsdedup.lab.bench.peers import choose_peers
    from newsdedup.lab.collections.items import load_collection

    rates, groups = _parse_numbers(rate, "--rate"), _parse_numbers(workers, "--workers")
    _refuse_contradictions(
        suite=suite,
        chosen=bool(dense or kafka or redis or growth or rates or groups or hot),
        parts=parts,
        shards=shards if not groups else None,
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
    say = Steps(stderr_console(), quiet=quiet).announce
    figures: dict[str, Any] = {}
    if items:
        limit = settings.limits.line_bytes
        collection = load_collection(
            items, bootstrap.line_decoder(settings).content, line_limit=limit
        )
        chosen = choose_peers(_split(peers))
        if chosen.absent:
            say(f"absent peers: {', '.join(chosen.absent)}")
        common = {"peers": chosen, "repeats": repeat or (3 if suite else 1), "say": say}
        if suite:
            figures = _measure_suite(
                collection,
                configuration,
                rules=[rule] if rule else ["verified", "terms"],
                helpers=_helper_processes(helpers),
                parts=_split(parts),
                command=given_command_line(context),
                **common,
            )
        else:
            figures = _measure_items(
                collection,
                configuration,
                kafka=kafka,
                redis=redis,
                growth=growth or (),
                dense=dense,
                rates=rates,
                workers=groups,
                seconds=seconds,
                helpers=helpers,
                **common,
            )
    if growth and "growth" not in figures:
        figures["growth"] = measure_growth(sorted(growth), settings, say=say)
    if hot:
        figures["hot"] = measure_hot(hot, settings, floods=_split(floods), say=say)
    if not figures:
        raise typer.BadParameter("name ITEMS, or --hot N, or --growth N without --kafka or --redis")
    if json:
        print_json(figures)
    elif rates:
        stdout_console().print(latency_table(figures))
    else:
        _print_flat(figures)


def _refuse_contradictions(
    *, suite: bool, chosen: bool, parts: str | None, shards: int | None
) -> None:
    """Raise BadParameter for options that have no effect together.

    `chosen` is whether a measurement besides the suite is; `shards` are those without workers.
    """
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
    """Return the figures of the suite's parts; `how` has the other fields of Suite."""
    from newsdedup.lab.bench.suite import Suite

    return Suite(collection, configuration, **how).measure(parts, command=command)


def _measure_items(
    collection: "Collection",
    configuration: "Configuration",
    *,
    kafka: bool,
    redis: bool,
    growth: Sequence[int],
    dense: timedelta | None,
    rates: Sequence[int],
    workers: Sequence[int],
    seconds: float,
    helpers: int,
    **common: Any,
) -> dict[str, Any]:
    """Return the figures of the one measurement that the options choose."""
    from newsdedup.lab.bench.dense import measure_density
    from newsdedup.lab.bench.stages import bench_stages

    settings = configuration.settings
    if kafka or redis or rates or workers:
        from newsdedup.lab.bench.servers import bench_servers

        return bench_servers(
            collection,
            configuration,
            kafka=kafka,
            redis=redis,
            growth=growth,
            dense=dense,
            rates=rates,
            workers=workers,
            seconds=seconds,
            helpers=max(0, helpers),
            **common,
        )
    if dense is not None:
        return {"dense": measure_density(collection, settings, span=dense, **common)}
    return bench_stages(collection, settings, helpers=_helper_processes(helpers), **common)


def _helper_processes(configured: int) -> int:
    """Return the configured number of helper processes, for a negative one what `auto` chooses."""
    from newsdedup.bootstrap.machine import choose_helpers, read_machine

    return choose_helpers(configured if configured >= 0 else None, read_machine()).number


def _split(names: str | None) -> list[str]:
    """Return the names between commas; [] for None."""
    return [] if names is None else [name.strip() for name in names.split(",")]


def _parse_numbers(text: str | None, option_name: str) -> list[int]:
    """Return whole numbers separated by commas; raise BadParameter for anything else."""
    parts = _split(text)
    if not all(part.isdecimal() and int(part) for part in parts):
        raise typer.BadParameter(
            f"{text}: expected whole numbers as 20,100", param_hint=option_name
        )
    return [int(part) for part in parts]


def _print_flat(figures: Mapping[Any, Any], prefix: str = "") -> None:
    """Print nested figures, a line for each number with its dotted name."""
    for name, value in figures.items():
        if isinstance(value, dict | list):
            parts = dict(enumerate(value)) if isinstance(value, list) else value
            _print_flat(parts, f"{prefix}{name}.")
        else:
            shown = f"{value:,}" if isinstance(value, int | float) else value
            print(f"{prefix}{name}".ljust(40), shown)
