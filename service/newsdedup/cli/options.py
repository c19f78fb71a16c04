"""The arguments and options that commands share: one name and one help text for each."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import unquote

import typer

from newsdedup.config import Setting, Settings, settings_by_key
from newsdedup.config.kinds import duration

STANDARD_STREAM = "-"
"""Standard input or output; a file of that name is ./-"""
_TOPIC_SCHEME = "topic"
"""Before the name of a topic, as topic:news.dlq; a file of that name is ./topic:news.dlq"""


def parse_input_path(text: str) -> str:
    """Return the path in PATH or file://PATH, or `-` unchanged; raise BadParameter for others."""
    return _parse_path(text, supported="a file, a folder, `-` for standard input, or file://PATH")


def parse_output_target(text: str) -> str:
    """Return the path in PATH or file://PATH, or `-` unchanged; raise BadParameter for others."""
    return _parse_path(text, supported="a file, `-` for standard output, or file://PATH")


def parse_sink_target(text: str) -> str:
    """Return a path or `-` as `parse_output_target` does, or an address that a run can write to."""
    from newsdedup.adapters.files.paths import scheme_of

    if scheme_of(text) not in ("", "file"):
        from newsdedup.bootstrap.runs import SINKS

        if scheme_of(text) in SINKS:
            return text
    return parse_output_target(text)


def parse_topic(location: str) -> str | None:
    """Return NAME of topic:NAME, "" if it is empty, and None if the location is no topic."""
    scheme, colon, name = location.partition(":")
    return name if colon and scheme == _TOPIC_SCHEME else None


def _parse_path(text: str, *, supported: str) -> str:
    """Return the path in `text`; raise BadParameter, which names `supported` forms, for others."""
    scheme, separator, rest = text.partition("://")
    if not text:
        raise typer.BadParameter(f"an empty path; expected {supported}")
    if not separator:
        return text
    if scheme.lower() != "file":
        is_web = scheme.lower() in ("http", "https")
        advice = "; `newsdedup feeds add ADDRESS` adds a feed" if is_web else ""
        raise typer.BadParameter(f"{scheme}:// is not supported; expected {supported}{advice}")
    host, slash, path = rest.partition("/")
    if host not in ("", "localhost") or not path:
        raise typer.BadParameter(f"{text} names no local file; expected file:///absolute/path")
    return unquote(slash + path)


def parse_duration(text: str) -> timedelta:
    """Return a duration that is written with its unit, as 6h; raise BadParameter for others."""
    try:
        return duration().parse(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text}: expected {error}") from error


def option(flag: str, metavar: str, about: str, **more: Any) -> Any:
    """Return a typer option with a value; its help is `about`, which names a default, if any."""
    return typer.Option(flag, metavar=metavar, help=about, show_default=False, **more)


def switch(flag: str, about: str) -> Any:
    """Return a typer option that is on or off; `about` is its help."""
    return typer.Option(flag, help=about)


def argument(metavar: str, about: str, **more: Any) -> Any:
    """Return a typer argument; its help is `about`, which names a default, if any."""
    return typer.Argument(metavar=metavar, help=about, show_default=False, **more)


_SETTINGS: Mapping[str, Setting] = settings_by_key()


def _setting_option(key: str, metavar: str) -> Any:
    """Return the option of the setting `key`, with its flag, its help and its default."""
    setting = _SETTINGS[key]
    default = setting.shown(Settings())
    about = f"{setting.about} [default: {default}]" if default else setting.about
    return option(setting.flag, metavar, about)


State = Annotated[str | None, _setting_option("run.state", "FILE")]
Window = Annotated[str | None, _setting_option("rule.window", "DURATION")]
RuleOption = Annotated[str | None, _setting_option("rule.name", "NAME")]
Helpers = Annotated[str | None, _setting_option("run.helpers", "N")]
Log = Annotated[str | None, _setting_option("run.log", "LEVEL")]
Runner = Annotated[str | None, _setting_option("worker.runner", "NAME")]
Kafka = Annotated[str | None, _setting_option("kafka.servers", "SERVERS")]
Redis = Annotated[str | None, _setting_option("redis.url", "URL")]
NamespaceOption = Annotated[str | None, _setting_option("redis.namespace", "NAME")]
Feeds = Annotated[str | None, _setting_option("feeder.state", "FILE")]
WebSub = Annotated[str | None, _setting_option("feeder.websub", "URL")]
FeederPort = Annotated[int | None, _setting_option("feeder.port", "N")]
Port = Annotated[int | None, _setting_option("worker.port", "N")]
Host = Annotated[str | None, _setting_option("server.host", "ADDRESS")]
ServerPort = Annotated[int | None, _setting_option("server.port", "N")]
Watches = Annotated[str | None, _setting_option("watches.state", "FILE")]
Keep = Annotated[str | None, _setting_option("archive.keep", "DURATION")]
ShadowRule = Annotated[str | None, _setting_option("worker.shadow", "NAME")]

Items = Annotated[
    list[str],
    argument("ITEMS", "Files, folders, or - for standard input.", parser=parse_input_path),
]
To = Annotated[
    str, option("--to", "TARGET", "A file. [default: standard output]", parser=parse_sink_target)
]
ArchiveOption = Annotated[
    Path | None, option("--archive", "FILE", "Also write the events to this archive.")
]
DeadLetters = Annotated[
    str | None,
    option(
        "--dlq",
        "FILE",
        "Where bad records go. [default: next to the output, else ./newsdedup.dlq.jsonl]",
    ),
]
Mapped = Annotated[
    list[str] | None,
    option(
        "--map",
        "FIELD=COLUMN,...",
        "Which columns hold id, source, url, title, text, published_at, seen_at, updated_at "
        "and lang, where their names do not say so; may be repeated.",
    ),
]
Config = Annotated[
    Path | None,
    option("--config", "FILE", "The settings file. [default: newsdedup.toml, if it is there]"),
]
AllowPrivate = Annotated[
    bool, switch("--allow-private", "Allow addresses of this machine and of private networks.")
]
Records = Annotated[
    str, option("--to", "TARGET", "A file, -, kafka://host:port/topic, or engine:STATE.")
]
EngineEvents = Annotated[
    str, option("--events", "FILE", "Where engine:STATE writes events. [default: standard output]")
]
Json = Annotated[bool, switch("--json", "Print JSON, for programs.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and no notes.")]
