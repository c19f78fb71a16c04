import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.options import Config, Json, Namespace, Redis, State
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import print_json, printable_line, stdout_console
from newsdedup.cli.states import state_path

if TYPE_CHECKING:
    from rich.table import Table

    from newsdedup.config import Settings
    from newsdedup.core.matching.verify.taught import Taught

SHOW_EXAMPLES = examples(
    "newsdedup sources show ria.example --state events.jsonl.state",
    "newsdedup sources show ria.example --state events.jsonl.state --json | jq .template",
    "newsdedup sources show ria.example --redis redis://cache:6379/0 --namespace sport",
)
EXAMPLES = examples("newsdedup sources show ria.example --state events.jsonl.state")
KINDS = (
    ("own", "within 3 hours"),
    ("own", "the same day"),
    ("own", "later"),
    ("other sources'", "within 3 hours"),
    ("other sources'", "the same day"),
    ("other sources'", "later"),
)
"""The kinds of pairs as core/matching/verify/habits.py numbers them."""
Name = Annotated[
    str, typer.Argument(metavar="NAME", help="The source, as its items name it.")
]  # fmt: skip
Phrases = list[tuple[str, int]]


def show(
    name: Name,
    *,
    state: State = None,
    redis: Redis = None,
    namespace: Namespace = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Show what the stream has taught about a source.

    How many items were counted, which share of what they say the source says again and again, and
    whether its items repeat its own or those of others. Counts are kept by hashes; the phrases
    shown are those found in its newest items in the state. In Redis only counts are read.
    """
    if state is not None and (redis is not None or namespace is not None):
        raise typer.BadParameter("look into a --state or into --redis, not into both")
    flags = {"redis.url": redis, "redis.namespace": namespace}
    settings = load_configuration(config, state=state, flags=flags).settings
    if redis is not None or namespace is not None:
        from newsdedup.bootstrap.sources import taught_in_redis

        found, phrases = asyncio.run(taught_in_redis(name, settings)), None
    else:
        found, phrases = _in_state(name, settings)
    if json:
        print_json(_told(name, found, phrases))
    else:
        _print(name, found, phrases)


def _in_state(name: str, settings: "Settings") -> "tuple[Taught, Phrases]":
    from newsdedup.adapters.sqlite.state_reader import StateReader
    from newsdedup.bootstrap.sources import phrases_in_words, taught_in_state

    with StateReader(state_path(settings)) as reader:
        found = taught_in_state(name, reader)
        return found, phrases_in_words(name, found, reader, settings)


def _told(name: str, found: "Taught", phrases: "Phrases | None") -> dict[str, Any]:
    """Return all that is known, for a program."""
    told = None if phrases is None else [{"phrase": one, "items": n} for one, n in phrases]
    return {
        "source": name,
        "items": found.items,
        "waiting": found.waiting,
        "items_of_all": found.of_all,
        "phrases": found.phrases,
        "repeated": found.repeated,
        "template": round(found.template, 4),
        "compared": [
            {"with": whose, "apart": apart, "pairs": one.pairs, "alike": one.alike,
             "shift": one.shift}
            for (whose, apart), one in zip(KINDS, found.compared, strict=True)
        ],
        "examples": told,
    }  # fmt: skip


def _print(name: str, found: "Taught", phrases: "Phrases | None") -> None:
    waiting = f"; {found.waiting} more wait until their bucket is full" if found.waiting else ""
    print(f"{printable_line(name)}: {found.items:,} items counted, of {found.of_all:,}{waiting}")
    print(
        f"phrases: {found.phrases:,}, {found.repeated:,} of them in two items or more; these are "
        f"{found.template:.0%} of what it says"
    )
    console = stdout_console()
    console.print()
    console.print(_pairs(found))
    print()
    if phrases is None:
        print("Which phrases these are is not told: Redis keeps counts by hashes.")
    elif phrases:
        console.print(_phrases(phrases))
    else:
        print("Its items in the state repeat no phrase that was counted.")


def _pairs(found: "Taught") -> "Table":
    from rich.table import Table

    table = Table(pad_edge=False, box=None)
    table.add_column("compared with")
    for column in ("pairs", "alike", "log-odds"):
        table.add_column(column, justify="right")
    for (whose, apart), one in zip(KINDS, found.compared, strict=True):
        table.add_row(f"{whose}, {apart}", f"{one.pairs:,}", f"{one.alike:,}", f"{one.shift:+.2f}")
    return table


def _phrases(phrases: Phrases) -> "Table":
    from rich.table import Table

    table = Table(pad_edge=False, box=None)
    table.add_column("says again and again")
    table.add_column("items", justify="right")
    for phrase, items in phrases:
        table.add_row(printable_line(phrase), f"{items:,}")
    return table


sources = typer.Typer(
    help="Look at what a stream has taught about its sources.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
sources.command("show", epilog=SHOW_EXAMPLES)(show)
