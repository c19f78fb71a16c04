"""The arguments and options of `newsdedup bench`."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from newsdedup.cli.options import argument, option, parse_duration, parse_input_path

BenchItems = Annotated[
    list[str] | None, argument("[ITEMS]...", "Files or folders.", parser=parse_input_path)
]
BenchGrowth = Annotated[
    list[int] | None,
    option(
        "--growth",
        "N",
        "Measure memory and look-ups at this many synthetic items, with --redis there; "
        "may be repeated.",
    ),
]
BenchDense = Annotated[
    timedelta | None,
    option(
        "--dense",
        "DURATION",
        "Bring all items into one window of this length, and measure as it fills; with --redis in "
        "Redis.",
        parser=parse_duration,
    ),
]
BenchMade = Annotated[
    str | None,
    option(
        "--made",
        "N,...",
        "With --redis and rule verified: judge further items in windows of so many made ones.",
    ),
]
BenchRates = Annotated[
    str | None,
    option(
        "--rate",
        "N,...",
        "With --kafka: measure the latency at these rates, in items per second, instead of the "
        "throughput.",
    ),
]
BenchWorkers = Annotated[
    str | None,
    option(
        "--workers",
        "N,...",
        "With --kafka: measure so many workers at once, one number after the other.",
    ),
]
BenchShards = Annotated[
    int | None,
    option(
        "--shards",
        "N",
        "With --workers: the shards of their namespace; above 1 a Redis Cluster is started.",
        min=1,
    ),
]
BenchHot = Annotated[
    int | None,
    option(
        "--hot",
        "N",
        "Measure other news during floods of so many synthetic items that are alike.",
        min=100,
    ),
]
BenchFloods = Annotated[
    str | None,
    option("--floods", "NAME,...", "With --hot only these: event, templates, headline."),
]
BenchFeedCount = Annotated[
    int | None,
    option(
        "--feeds",
        "N",
        "Measure the feeder: how fast feeds are parsed, what hostile ones cost, and two cycles of "
        "newsdedup feed over so many feeds on 20 hosts of this machine.",
        min=1,
    ),
]
BenchBodies = Annotated[
    str | None,
    option("--bodies", "DIR", "With --feeds: parse the feeds of this folder, too."),
]
BenchSeconds = Annotated[
    float, typer.Option("--seconds", metavar="S", help="How long each rate of --rate lasts.")
]
BenchHelpers = Annotated[
    int,
    option(
        "--helpers",
        "N",
        "Helper processes. [default: as many as `auto` chooses; with --kafka none]",
    ),
]
BenchRule = Annotated[
    str | None,
    option(
        "--rule",
        "NAME",
        "The rule that decides. [default: terms; with --suite verified, alongside it terms; with "
        "--pairs all]",
    ),
]
BenchPeers = Annotated[
    str | None,
    option(
        "--peers",
        "NAME,...",
        "The libraries to compare with: datasketch, rensa, gaoya, simhash. "
        "[default: those that are installed]",
    ),
]
BenchRepeats = Annotated[
    int | None,
    option(
        "--repeat",
        "N",
        "Measure everything in turn so many times, and give medians. [default: 1; with --suite 3]",
        min=1,
    ),
]
BenchSuiteFlag = Annotated[
    bool,
    typer.Option("--suite", help="Measure all that docs/performance.md has; --json to keep it."),
]
BenchParts = Annotated[
    str | None,
    option("--parts", "NAME,...", "Of the suite only these: dense, stages, redis, kafka, latency."),
]
BenchKafka = Annotated[
    bool, typer.Option("--kafka", help="Measure a worker between Kafka and Redis, end to end.")
]
BenchRedis = Annotated[
    bool, typer.Option("--redis", help="Measure the index in Redis, against datasketch's.")
]
BenchKafkaServers = Annotated[
    str | None,
    option(
        "--kafka-servers",
        "SERVERS",
        "The Kafka to measure with; without any, a checkout starts its own.",
    ),
]
BenchRedisUrl = Annotated[
    str | None,
    option(
        "--redis-url", "URL", "The Redis to measure with; without any, a checkout starts its own."
    ),
]
BenchPairs = Annotated[
    Path | None,
    option(
        "--pairs",
        "FILE",
        "Measure the quality, too, against labelled pairs (as `lab score` reads them): speed and F "
        "of every rule, method and library at its best threshold.",
    ),
]
BenchOut = Annotated[
    Path | None,
    option("--out", "DIR", "With --pairs: write a page, its measurements as JSON, and the plot."),
]


def split_names(names: str | None) -> list[str]:
    """Return the names between commas; [] for None."""
    return [] if names is None else [name.strip() for name in names.split(",")]


def parse_numbers(text: str | None, option_name: str, *, example: str = "20,100") -> list[int]:
    """Return whole numbers separated by commas; raise BadParameter for anything else."""
    parts = split_names(text)
    if not all(part.isdecimal() and int(part) for part in parts):
        raise typer.BadParameter(
            f"{text}: expected whole numbers as {example}", param_hint=option_name
        )
    return [int(part) for part in parts]
