"""The arguments and options that commands share: one name and one help text for each."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated
from urllib.parse import unquote

import typer

from newsdedup.config import Setting, Settings, settings_by_key
from newsdedup.config.kinds import Duration

STANDARD_STREAM = "-"
"""Standard input or output; a file of that name is ./-"""
_TOPIC_SCHEME = "topic"
"""Before the name of a topic, as topic:news.dlq; a file of that name is ./topic:news.dlq"""


def parse_input_place(text: str) -> str:
    """Return the path of a file or folder, or `-`."""
    return _place(text, supported="a file, a folder, `-` for standard input, or file://PATH")


def parse_output_place(text: str) -> str:
    """Return the path of a file, or `-`."""
    return _place(text, supported="a file, `-` for standard output, or file://PATH")


def parse_topic(place: str) -> str | None:
    """Return the name of a topic that is written as topic:NAME, None for any other place."""
    scheme, mark, name = place.partition(":")
    return name if mark and scheme == _TOPIC_SCHEME else None


def _place(text: str, *, supported: str) -> str:
    scheme, mark, rest = text.partition("://")
    if not text:
        raise typer.BadParameter(f"an empty path; expected {supported}")
    if not mark:
        return text
    if scheme.lower() != "file":
        raise typer.BadParameter(f"{scheme}:// is not supported; expected {supported}")
    host, slash, path = rest.partition("/")
    if host not in ("", "localhost") or not path:
        raise typer.BadParameter(f"{text} names no local file; expected file:///absolute/path")
    return unquote(slash + path)


_SETTINGS: Mapping[str, Setting] = settings_by_key()


def _about(key: str) -> str:
    setting = _SETTINGS[key]
    default = setting.shown(Settings())
    return f"{setting.about} [default: {default}]" if default else setting.about


def parse_duration(text: str) -> timedelta:
    """Return a duration that was written with its unit."""
    try:
        return Duration().parse(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text}: expected {error}") from error


Items = Annotated[
    list[str],
    typer.Argument(
        metavar="ITEMS",
        parser=parse_input_place,
        help="Files, folders, or - for standard input.",
        show_default=False,
    ),
]
To = Annotated[
    str,
    typer.Option(
        "--to", metavar="PLACE", parser=parse_output_place, help="A file, or - for standard output."
    ),
]
State = Annotated[
    str | None,
    typer.Option("--state", metavar="FILE", help=_about("run.state"), show_default=False),
]
Window = Annotated[
    str | None,
    typer.Option("--window", metavar="DURATION", help=_about("rule.window"), show_default=False),
]
Rule = Annotated[
    str | None,
    typer.Option("--rule", metavar="NAME", help=_about("rule.name"), show_default=False),
]
Helpers = Annotated[
    int | None,
    typer.Option("--helpers", metavar="N", help=_about("run.helpers"), show_default=False),
]
Runner = Annotated[
    str | None,
    typer.Option("--runner", metavar="NAME", help=_about("worker.runner"), show_default=False),
]
Kafka = Annotated[
    str | None,
    typer.Option("--kafka", metavar="SERVERS", help=_about("kafka.servers"), show_default=False),
]
Redis = Annotated[
    str | None,
    typer.Option("--redis", metavar="URL", help=_about("redis.url"), show_default=False),
]
Namespace = Annotated[
    str | None,
    typer.Option("--namespace", metavar="NAME", help=_about("redis.namespace"), show_default=False),
]
Port = Annotated[
    int | None,
    typer.Option("--port", metavar="N", help=_about("worker.port"), show_default=False),
]
ShadowRule = Annotated[
    str | None,
    typer.Option("--shadow-rule", metavar="NAME", help=_about("worker.shadow"), show_default=False),
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="The settings file. [default: newsdedup.toml, if it is there]",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and no notes.")]
