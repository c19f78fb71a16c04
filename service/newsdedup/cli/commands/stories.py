"""List and show the stories of a state."""

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import Config, Json, State, argument, option, switch
from newsdedup.cli.output import counted, print_json, stdout_console
from newsdedup.cli.registry import command
from newsdedup.cli.states import describe_unknown, find_item, state_path

if TYPE_CHECKING:
    from newsdedup.core.model import Micros
    from newsdedup.core.stories.story_list import Story

_EXAMPLE = "a time such as 2026-11-02T06:00Z, or 6h"
_PAIR = 2
"""Items of the smallest story that has a copy."""
_Where = Annotated[str | None, argument("STATE", "The state, as --state.")]
_Name = Annotated[
    str, argument("STORY|ITEM", "The id of a story, or ID or SOURCE/ID of an item in it.")
]
_MinSize = Annotated[int, typer.Option("--min-size", min=1, help="Items of a story, at least.")]
_Limit = Annotated[int, typer.Option("--limit", min=0, help="Stories shown; 0 for all.")]
_Newest = Annotated[bool, switch("--newest", "The newest first, not the largest.")]
_Since = Annotated[
    str | None,
    option("--since", "TIME|DURATION", "Only stories with an item since; 6h: before the newest."),
]


@command(
    "newsdedup stories list events.jsonl.state",
    "newsdedup stories list events.jsonl.state --newest --since 6h",
    "newsdedup stories list --state events.jsonl.state --min-size 5 --json | jq .stories[0].id",
    name="list",
)
def list_stories(
    where: _Where = None,
    *,
    min_size: _MinSize = _PAIR,
    limit: _Limit = 20,
    newest: _Newest = False,
    since: _Since = None,
    state: State = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """List the stories of a state: the largest first, of equal ones the newest.

    A run that uses the state is not disturbed.
    """
    from newsdedup.adapters.sqlite.state import StateReader
    from newsdedup.adapters.sqlite.story_views import summarize_story
    from newsdedup.core.stories.story_list import by_size, group_by_story, stories_by_time

    path = state_path(load_settings(config, {"run.state": where or state}))
    with StateReader(path) as reader:
        begin = None if since is None else _parse_since(since, reader.watermark.now)
        stories = group_by_story(reader.records())
        chosen = [
            story
            for story in stories
            if story.size >= min_size and (begin is None or story.last >= begin)
        ]
        chosen.sort(key=stories_by_time if newest else by_size)
        shown = [summarize_story(story, reader) for story in chosen[: limit or None]]
        if json:
            print_json({"stories": shown, "matching": len(chosen), "kept": len(stories)})
            return
        from newsdedup.cli.shown.story_tables import stories_table

        if shown:
            stdout_console().print(stories_table(shown))
        print(_summary(len(shown), len(chosen), stories, min_size=min_size, since=since))


@command(
    "newsdedup stories show 1f0c5dd34a7be8a9 --state events.jsonl.state",
    "newsdedup stories show ria.example/1024 --state events.jsonl.state --json",
    name="show",
)
def show_story(
    name: _Name, *, state: State = None, config: Config = None, json: Json = False
) -> None:
    """Show one story: its items in order, each with its verdict and the terms it shares.

    The first is the original, unless an editor decided otherwise. If the story updates another one
    or is updated, its development follows: all these stories by time, each with the values that
    changed, such as "injured 3 -> 5", and the weighty words that are new.
    """
    from newsdedup.adapters.sqlite.state import StateReader
    from newsdedup.adapters.sqlite.story_views import describe_story
    from newsdedup.core.model import StoryId
    from newsdedup.core.stories.story_list import group_by_story, trace_development
    from newsdedup.ports.errors import SourceUnusable

    path = state_path(load_settings(config, {"run.state": state}))
    with StateReader(path) as reader:
        stories = group_by_story(reader.records())
        named = {story.id: story for story in stories}
        story = named.get(StoryId(name))
        if story is None and not reader.find_items(name):
            raise SourceUnusable(describe_unknown(name, reader, among=named))
        if story is None:
            story = named[find_item(name, reader).record.story]
        view = describe_story(story, trace_development(story, stories), reader)
        if json:
            print_json(view)
            return
        from newsdedup.cli.shown.story_tables import development_table, story_items_table

        console = stdout_console()
        console.print(story_items_table(view))
        if view.development.steps:
            console.print(development_table(view.development))


def _parse_since(since: str, newest: "Micros") -> "Micros":
    """Return the time of --since, which is a time or a duration before the newest item.

    Raise BadParameter if it is neither.
    """
    from newsdedup.adapters.formats.json_object import date_field
    from newsdedup.config.kinds import duration
    from newsdedup.core.moments import to_micros
    from newsdedup.ports.errors import InvalidItem

    with suppress(ValueError):
        return newest - duration(zero=True).parse(since) // timedelta(microseconds=1)
    try:
        at = date_field({"--since": since}, "--since")
    except InvalidItem as error:
        raise typer.BadParameter(f"{error}; {_EXAMPLE}") from error
    if at is None:
        raise typer.BadParameter(f"--since is empty; {_EXAMPLE}")
    return to_micros(at)


def _summary(
    shown: int, matching: int, stories: "list[Story]", *, min_size: int, since: str | None
) -> str:
    """Return how many stories are shown, and how to see those that are not."""
    if not stories:
        return "The state has no stories: nothing was judged yet, or all has left the window."
    kept = counted(len(stories), "story", "stories")
    smaller = sum(story.size < min_size for story in stories)
    parts = [f"{shown:,} of {kept} shown"]
    if matching > shown:
        parts.append(f"{matching - shown:,} more with --limit 0")
    if smaller:
        few = "of a single item" if min_size == _PAIR else f"of fewer than {min_size} items"
        parts.append(f"{smaller:,} {few} hidden: --min-size 1")
    if since is not None and len(stories) - smaller > matching:
        parts.append(f"{len(stories) - smaller - matching:,} older than --since {since}")
    return "; ".join(parts)
