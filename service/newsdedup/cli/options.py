"""The arguments and options that commands share: one name and one help text for each."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from newsdedup.cli.places import input_place, output_place
from newsdedup.config import Setting, Settings, catalogue
from newsdedup.config.measures import Duration

_SETTINGS: Mapping[str, Setting] = catalogue()


def _about(key: str) -> str:
    setting = _SETTINGS[key]
    default = setting.shown(Settings())
    return f"{setting.about} [default: {default}]" if default else setting.about


def span(text: str) -> timedelta:
    """Return a duration that was written with its unit."""
    try:
        return Duration().parse(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text}: expected {error}") from error


Items = Annotated[
    list[str],
    typer.Argument(
        metavar="ITEMS",
        parser=input_place,
        help="Files, folders, or - for standard input.",
        show_default=False,
    ),
]
To = Annotated[
    str,
    typer.Option(
        "--to", metavar="PLACE", parser=output_place, help="A file, or - for standard output."
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
