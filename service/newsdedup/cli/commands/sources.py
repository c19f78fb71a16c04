"""Show what the engine has learned about the sources of a stream."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import Config, Json, NamespaceOption, Redis, State
from newsdedup.cli.output import counted, plain_table, print_json, printable_line, stdout_console
from newsdedup.cli.registry import command
from newsdedup.cli.states import state_path

if TYPE_CHECKING:
    from newsdedup.core.matching.source_statistics import SourceStatistics

_KINDS = tuple(
    (whose, apart)
    for whose in ("own", "other sources'")
    for apart in ("within 3 hours", "the same day", "later")
)
"""The kinds of pairs as core/matching/verify/copy_rates.py numbers them."""
_Name = Annotated[str, typer.Argument(metavar="NAME", help="The source, as its items name it.")]
_Phrases = list[tuple[str, int]]


@command(
    "newsdedup sources show ria.example --state events.jsonl.state",
    "newsdedup sources show ria.example --state events.jsonl.state --json | jq .template",
    "newsdedup sources show ria.example --redis redis://cache:6379/0 --namespace sport",
    name="show",
)
def show_source(
    name: _Name,
    *,
    state: State = None,
    redis: Redis = None,
    namespace: NamespaceOption = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Show what the engine has learned about a source.

    That is how many of its items were counted, which share of their phrases the source repeats, and
    whether its items repeat its own or those of other sources. Only hashes of phrases are stored:
    the phrases shown are found in the newest items of the source in the state. From Redis only
    counts are read.
    """
    if state is not None and (redis is not None or namespace is not None):
        raise typer.BadParameter("name a --state or --redis, not both")
    flags = {"run.state": state, "redis.url": redis, "redis.namespace": namespace}
    settings = load_settings(config, flags)
    if redis is not None or namespace is not None:
        from newsdedup.bootstrap.sources import source_in_redis

        stats, phrases = asyncio.run(source_in_redis(name, settings)), None
    else:
        from newsdedup.adapters.sqlite.state import StateReader
        from newsdedup.bootstrap.sources import phrases_in_words, source_in_state

        with StateReader(state_path(settings)) as reader:
            stats = source_in_state(name, reader)
            phrases = phrases_in_words(name, stats, reader, settings)
    if not json:
        _print(name, stats, phrases)
        return
    counts = ("pairs", "alike", "shift")
    compared = [
        {"with": whose, "apart": apart, **{each: getattr(one, each) for each in counts}}
        for (whose, apart), one in zip(_KINDS, stats.compared, strict=True)
    ]
    fields = {
        "source": name,
        "items": stats.items,
        "waiting": stats.waiting,
        "items_of_all": stats.of_all,
        "phrases": stats.phrases,
        "repeated": stats.repeated,
        "template": round(stats.template, 4),
        "compared": compared,
    }
    examples = None if phrases is None else [{"phrase": one, "items": n} for one, n in phrases]
    print_json({**fields, "examples": examples})


def _print(name: str, stats: "SourceStatistics", phrases: _Phrases | None) -> None:
    """Print the statistics of a source, with its repeated phrases unless `phrases` is None."""
    waiting = f"; {stats.waiting} more wait until their bucket is full" if stats.waiting else ""
    number = counted(stats.items, "item")
    print(f"{printable_line(name)}: {number} counted, of {stats.of_all:,}{waiting}")
    print(
        f"phrases: {stats.phrases:,}, {stats.repeated:,} of them in two items or more; these are "
        f"{stats.template:.0%} of what it says"
    )
    console = stdout_console()
    pairs = plain_table("compared with", ">pairs", ">alike", ">log-odds")
    for (whose, apart), one in zip(_KINDS, stats.compared, strict=True):
        pairs.add_row(f"{whose}, {apart}", f"{one.pairs:,}", f"{one.alike:,}", f"{one.shift:+.2f}")
    console.print()
    console.print(pairs)
    print()
    if phrases is None:
        print("The phrases themselves are not known: Redis stores only their hashes.")
    elif phrases:
        table = plain_table("repeated phrase", ">items")
        for phrase, items in phrases:
            table.add_row(printable_line(phrase), f"{items:,}")
        console.print(table)
    else:
        print("The items in the state repeat no phrase that was counted.")
