"""The one grammar of inputs and outputs: paths, `-`, and addresses with their scheme."""

from urllib.parse import unquote

import typer

STANDARD = "-"
"""Standard input or output; a file of that name is ./-"""
TOPIC = "topic"
"""Before the name of a topic, as topic:news.dlq; a file of that name is ./topic:news.dlq"""


def input_place(text: str) -> str:
    """Return the path of a file or folder, or `-`."""
    return _place(text, supported="a file, a folder, `-` for standard input, or file://PATH")


def output_place(text: str) -> str:
    """Return the path of a file, or `-`."""
    return _place(text, supported="a file, `-` for standard output, or file://PATH")


def topic_named(place: str) -> str | None:
    """Return the name of a topic that is written as topic:NAME, None for any other place."""
    scheme, mark, name = place.partition(":")
    return name if mark and scheme == TOPIC else None


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
