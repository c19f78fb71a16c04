import os
from typing import Annotated, Any

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.options import Config, Json, Quiet, parse_input_place
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import print_json, stderr_console

EXAMPLES = examples(
    "newsdedup bench items.jsonl",
    "newsdedup bench telegram/items.jsonl web/items.jsonl --json",
    "newsdedup bench items.jsonl --rule verified",
    "newsdedup bench --growth 10000 --growth 100000 --json    # synthetic items, memory",
    "newsdedup bench items.jsonl --kafka --json    # a worker, end to end",
    "newsdedup bench items.jsonl --redis --redis-url redis://cache:6379/0",
    "newsdedup bench items.jsonl --redis --growth 500000 --json    # the index when it is large",
)

BenchItems = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[ITEMS]...", parser=parse_input_place, help="Files or folders.", show_default=False
    ),
]
Growth = Annotated[
    list[int] | None,
    typer.Option(
        "--growth",
        metavar="N",
        help="Measure memory and look-ups at this many synthetic items, with --redis there; "
        "may be repeated.",
        show_default=False,
    ),
]


BenchHelpers = Annotated[
    int,
    typer.Option(
        "--helpers",
        metavar="N",
        help="Helper processes. [default: one per further core; with --kafka none]",
        show_default=False,
    ),
]


BenchRule = Annotated[
    str,
    typer.Option("--rule", metavar="NAME", help="The rule of the stages index and embedded."),
]


BenchKafka = Annotated[
    bool, typer.Option("--kafka", help="Measure a worker between Kafka and Redis, end to end.")
]
BenchRedis = Annotated[
    bool, typer.Option("--redis", help="Measure the index in Redis, against datasketch's.")
]
KafkaServers = Annotated[
    str | None,
    typer.Option(
        "--kafka-servers",
        metavar="SERVERS",
        help="The Kafka to measure with; without any, a checkout starts its own.",
        show_default=False,
    ),
]
RedisUrl = Annotated[
    str | None,
    typer.Option(
        "--redis-url",
        metavar="URL",
        help="The Redis to measure with; without any, a checkout starts its own.",
        show_default=False,
    ),
]


def bench(
    items: BenchItems = None,
    *,
    growth: Growth = None,
    kafka: BenchKafka = False,
    redis: BenchRedis = False,
    kafka_servers: KafkaServers = None,
    redis_url: RedisUrl = None,
    helpers: BenchHelpers = -1,
    rule: BenchRule = "terms",
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure how fast each stage is, against datasketch in the same run.

    Stages: tokens (cleaning and tokenizing), signature (the whole way to 12 terms),
    index (signature and memory index), embedded (file in, durable SQLite and events out). The
    vocabulary is warmed by one pass first; its rate is told as `signature_cold`. Index and
    embedded share the analysis with helper processes; `alone` is what one process does.
    With --kafka: one worker end to end for each runner, against the same runner that only passes
    records on. With --redis: the index in Redis alone. Both start servers of their own unless they
    are told of some.
    """
    from newsdedup import bootstrap
    from newsdedup.lab.bench.growth import growth as grown
    from newsdedup.lab.bench.servers import beside_servers
    from newsdedup.lab.bench.stages import bench as measured
    from newsdedup.lab.collections.items import load_collection

    configuration = load_configuration(
        config, rule=rule, flags={"kafka.servers": kafka_servers, "redis.url": redis_url}
    )
    settings = configuration.settings
    console = stderr_console()

    def say(stage: str) -> None:
        if not quiet:
            console.print(f"{stage} ...")

    sharing = helpers if helpers >= 0 else max(0, (os.cpu_count() or 1) - 1)
    told: dict[str, Any] = {}
    if items:
        found = load_collection(
            items, bootstrap.decode(settings), line_limit=settings.limits.line_bytes
        )
        if kafka or redis:
            told.update(
                beside_servers(
                    found,
                    configuration,
                    kafka=kafka,
                    redis=redis,
                    growth=growth or (),
                    helpers=max(0, helpers),
                    say=say,
                )
            )
        else:
            told.update(measured(found, settings, helpers=sharing, say=say))
    if growth and "growth" not in told:
        told["growth"] = grown(sorted(growth), settings, say=say)
    if not told:
        raise typer.BadParameter("name ITEMS, or --growth N without --kafka or --redis")
    if json:
        print_json(told)
        return
    for name, value in _flat(told):
        print(f"{name:40} {value}")


def _flat(told: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Return nested figures as lines of a dotted name and a value."""
    lines: list[tuple[str, str]] = []
    for name, value in told.items():
        if isinstance(value, dict):
            lines += _flat(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            for number, part in enumerate(value):
                lines += _flat(part, f"{prefix}{name}.{number}.")
        else:
            lines.append((prefix + name, f"{value:,}" if isinstance(value, int | float) else value))
    return lines
