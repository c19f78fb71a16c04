from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.options import Config, Json, State
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import print_json, stdout_console
from newsdedup.cli.states import describe_unknown, find_item, state_path

if TYPE_CHECKING:
    from newsdedup.adapters.sqlite.state_reader import StateReader
    from newsdedup.core.model import Micros
    from newsdedup.core.stories.story_list import Story

LIST_EXAMPLES = examples(
    "newsdedup stories list events.jsonl.state",
    "newsdedup stories list events.jsonl.state --newest --since 6h",
    "newsdedup stories list --state events.jsonl.state --min-size 5 --json | jq .stories[0].id",
)
SHOW_EXAMPLES = examples(
    "newsdedup stories show 1f0c5dd34a7be8a9 --state events.jsonl.state",
    "newsdedup stories show ria.example/1024 --state events.jsonl.state --json",
)
EXAMPLES = examples(
    "newsdedup stories list events.jsonl.state",
    "newsdedup stories show ITEM --state events.jsonl.state",
)
Where = Annotated[
    str | None,
    typer.Argument(metavar="STATE", help="The state, as --state.", show_default=False),
]
Name = Annotated[
    str,
    typer.Argument(
        metavar="STORY|ITEM",
        help="The id of a story, or ID or SOURCE/ID of an item in it.",
        show_default=False,
    ),
]
MinSize = Annotated[int, typer.Option("--min-size", min=1, help="Items of a story, at least.")]
Limit = Annotated[int, typer.Option("--limit", min=0, help="Stories shown; 0 for all.")]
Newest = Annotated[bool, typer.Option("--newest", help="The newest first, not the largest.")]
Since = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="TIME|DURATION",
        help="Only stories with an item since then; 6h means before the newest item.",
        show_default=False,
    ),
]


def list_stories(
    where: Where = None,
    *,
    min_size: MinSize = 2,
    limit: Limit = 20,
    newest: Newest = False,
    since: Since = None,
    state: State = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """List the stories that a state keeps: the largest first, of equal ones the newest.

    A run may be going on; it is not disturbed.
    """
    from newsdedup.adapters.sqlite.state_reader import StateReader
    from newsdedup.adapters.sqlite.story_views import summarize_story
    from newsdedup.cli.shown.story_tables import stories_table
    from newsdedup.core.stories.story_list import by_size, by_time, gathered

    with StateReader(_place(where or state, config)) as reader:
        begin = None if since is None else _moment(since, reader.watermark.now)
        kept = gathered(reader.records())
        chosen = [story for story in kept if _is_wanted(story, min_size, begin)]
        chosen.sort(key=by_time if newest else by_size)
        shown = [summarize_story(story, reader) for story in chosen[: limit or None]]
        if json:
            print_json({"stories": shown, "matching": len(chosen), "kept": len(kept)})
            return
        if shown:
            stdout_console().print(stories_table(shown))
        print(_told(len(shown), len(chosen), len(kept), min_size))


def show_story(
    name: Name, *, state: State = None, config: Config = None, json: Json = False
) -> None:
    """Show one story: its items in their order, each with its verdict and what it shares.

    The first is the original, unless an editor said otherwise.
    """
    from newsdedup.adapters.sqlite.state_reader import StateReader
    from newsdedup.adapters.sqlite.story_views import describe_story
    from newsdedup.cli.shown.story_tables import story_items_table

    with StateReader(_place(state, config)) as reader:
        found = describe_story(_story(name, reader), reader)
        if json:
            print_json(found)
        else:
            stdout_console().print(story_items_table(found))


def _place(state: str | None, config: Path | None) -> Path:
    return state_path(load_configuration(config, state=state).settings)


def _story(name: str, state: "StateReader") -> "Story":
    """Return the story of that id, else that of the item of that name."""
    from newsdedup.core.stories.story_list import gathered
    from newsdedup.ports.errors import SourceUnusable

    kept = {story.id: story for story in gathered(state.records())}
    found = next((story for story in kept.values() if story.id == name), None)
    if found is not None:
        return found
    if not state.find_items(name):
        raise SourceUnusable(describe_unknown(name, state, among=kept))
    return kept[find_item(name, state).record.story]


def _is_wanted(story: "Story", min_size: int, since: "Micros | None") -> bool:
    return story.size >= min_size and (since is None or story.last >= since)


def _moment(since: str, newest: "Micros") -> "Micros":
    """Return the moment that a time or a duration before the newest item means."""
    from newsdedup.adapters.formats.dates import date_field
    from newsdedup.adapters.formats.json_object import LIMITS
    from newsdedup.config.kinds import Duration
    from newsdedup.core.moments import to_micros
    from newsdedup.ports.errors import InvalidItem

    try:
        return newest - Duration(zero=True).parse(since) // timedelta(microseconds=1)
    except ValueError:
        pass
    try:
        at = date_field({"--since": since}, "--since", LIMITS)
    except InvalidItem as error:
        raise typer.BadParameter(f"{error}; a time such as 2026-11-02T06:00Z, or 6h") from error
    if at is None:
        raise typer.BadParameter("--since is empty; a time such as 2026-11-02T06:00Z, or 6h")
    return to_micros(at)


def _told(shown: int, matching: int, kept: int, min_size: int) -> str:
    """Return the last line: how many there are, and how to see the others."""
    if not matching:
        return f"None of {kept:,} stories is such a one; the smallest shown have {min_size} items."
    others = "" if shown == matching else f"; {matching - shown:,} more: --limit 0"
    return f"{shown:,} of {kept:,} stories{others}"


stories = typer.Typer(
    help="Look at the stories that a state keeps.", no_args_is_help=True, rich_markup_mode=None
)
stories.command("list", epilog=LIST_EXAMPLES)(list_stories)
stories.command("show", epilog=SHOW_EXAMPLES)(show_story)
