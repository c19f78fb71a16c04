"""A web site of this machine with the feeds of made-up news, for the demonstration."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from newsdedup.adapters.formats.atom_xml import AtomEntry, AtomFeed, write_atom


def write_feeds(items: Iterable[Mapping[str, Any]], folder: Path) -> dict[str, str]:
    """Write an Atom feed for each source into a folder; return the names of the files by source."""
    by_source: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for item in items:
        if "newsdedup" not in item:
            by_source[str(item["source"])].append(item)
    names = {source: f"{number:03}.atom" for number, source in enumerate(sorted(by_source), 1)}
    for source, members in by_source.items():
        entries = [_entry(item) for item in reversed(members)]
        newest = max(entry.updated for entry in entries)
        feed = AtomFeed(id=f"urn:newsdedup:demo:{names[source]}", title=source, updated=newest)
        (folder / names[source]).write_text(write_atom(feed, entries), "utf-8")
    return names


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve the files of a folder on a free port of loopback; yield the address of the site."""
    handler = partial(_QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a line on standard error for each."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the form of the base
        """Say nothing."""


def _entry(item: Mapping[str, Any]) -> AtomEntry:
    """Return an item as an entry, with its id and its times."""
    published = datetime.fromisoformat(str(item["published_at"]))
    updated = item.get("updated_at")
    return AtomEntry(
        id=str(item["id"]),
        title=str(item.get("title", "")),
        text=str(item.get("text", "")),
        published=published,
        updated=datetime.fromisoformat(str(updated)) if updated else published,
        url=str(item.get("url", "")),
    )
