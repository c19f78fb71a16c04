"""What a release has written, recorded for its successors; scripts/record-release runs this.

What a release has written is never recorded anew: such files are out there.
"""

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, Final

from releases.invented_items import recorded_items
from releases.namespace_commands import dump_namespace
from releases.recorded import FILES, RECORDED, pack_files
from runners.older_release import environment_of, moment_of, older_package
from runners.processes import run
from runners.streaming import Event, Stream, ended, verdicts

FEEDS: Final = (
    ("https://visti.example/rss.xml", "--category", "Kyiv"),
    ("https://herald.example/feed.atom", "--source", "herald", "--full-text"),
    ("https://daily.example/news.json",),
)
TABLE_ROWS: Final = 4


def record(release: str, commit: str, *, kafka: str, redis: str) -> Path:
    """Let the package of a commit write its files; return the folder in which they are recorded.

    Raise FileExistsError if the release is recorded already, AssertionError if a command fails.
    """
    target = RECORDED / release
    target.mkdir(parents=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        written = _Writer(folder, environment_of(older_package(commit)))
        items = recorded_items()
        written.embedded_run(items)
        written.feeds()
        written.imported(items)
        topic, namespace = written.worker(items, kafka=kafka, redis=redis)
        (folder / "topic.jsonl").write_text("".join(f"{one}\n" for one in topic), "utf-8")
        (folder / "namespace.resp").write_bytes(namespace)
        pack_files(
            target / FILES,
            [path for path in folder.iterdir() if path.suffix not in (".log", ".lock", ".dlq")],
        )
        facts = {"commit": commit, "committed_at": moment_of(commit), "folder": name}
        (target / "release.json").write_text(json.dumps(facts, indent=1) + "\n", "utf-8")
    return target


class _Writer:
    """Runs commands of a release in a folder."""

    def __init__(self, folder: Path, environ: Mapping[str, str]) -> None:
        self._folder = folder
        self._environ = environ

    def embedded_run(self, items: Sequence[Mapping[str, Any]]) -> None:
        """Leave items, events, the state and, if the release has one, the archive of a run."""
        lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in items)
        (self._folder / "items.jsonl").write_text(lines, "utf-8")
        help_text = self._command("run", "--help")
        archive = ["--archive", "news.archive"] if b"--archive" in help_text else []
        self._command("run", "items.jsonl", "--to", "events.jsonl", *archive)

    def feeds(self) -> None:
        """Leave a file of feeds that nobody has visited yet."""
        for address, *options in FEEDS:
            self._command("feeds", "add", address, "--unchecked", *options)

    def imported(self, items: Sequence[Mapping[str, Any]]) -> None:
        """Leave a table, the items that were imported from it, and how far it was read."""
        rows = [one for one in items if "title" in one][:TABLE_ROWS]
        names = ("source", "id", "published_at", "title", "text")
        lines = [json.dumps({name: one[name] for name in names}) for one in rows]
        (self._folder / "table.jsonl").write_text("".join(f"{one}\n" for one in lines), "utf-8")
        self._command("import", "table", "table.jsonl", "--to", "imported.jsonl")

    def worker(
        self, items: Sequence[Mapping[str, Any]], *, kafka: str, redis: str
    ) -> tuple[list[str], bytes]:
        """Return the topic of events of a worker as lines, and the commands of its namespace."""
        stream = Stream(SimpleNamespace(address=kafka), SimpleNamespace(url=redis), self._folder,
                        partitions=1)  # fmt: skip
        stream.produce(items)
        keys = {(one["source"], one["id"]) for one in items}
        with stream.worker(rule__name="verified", environ=self._environ) as process:
            stream.until(
                lambda events: keys <= set(verdicts(events)) and "item.retracted" in kinds(events)
            )
            if ended(process):
                raise AssertionError(stream.logs())
        events = [_line(one) for one in stream.read(stream.output)]
        return events, dump_namespace(redis, stream.name)

    def _command(self, *arguments: str) -> bytes:
        done = run(*arguments, cwd=self._folder, **self._environ)
        if done.returncode:
            raise AssertionError(f"newsdedup {' '.join(arguments)}: {done.stderr.decode()}")
        return done.stdout


def kinds(events: Sequence[Event]) -> set[str]:
    """Return the kinds of events."""
    return {one.dedup["event"] for one in events}


def _line(event: Event) -> str:
    """Return a record of the topic of events as a line of JSON."""
    headers = {name: value.decode() for name, value in event.headers.items()}
    record = {"key": event.key.decode(), "headers": headers, "value": event.value}
    return json.dumps(record, ensure_ascii=False)


def main() -> None:
    """Run the command scripts/record-release, alongside servers named by the environment."""
    parser = argparse.ArgumentParser(
        prog="scripts/record-release",
        description="Record what a release writes, for the tests of its successors.",
        epilog="example: scripts/record-release v0.1.0",
    )
    parser.add_argument("release", help="the name of the folder: the tag")
    parser.add_argument("--commit", help="what to run (the tag)")
    options = parser.parse_args()
    servers = (os.environ[f"NEWSDEDUP_{name}"] for name in ("KAFKA__SERVERS", "REDIS__URL"))
    kafka, redis = servers
    commit = options.commit or options.release
    folder = record(options.release, commit, kafka=kafka, redis=redis)
    size = sum(path.stat().st_size for path in folder.iterdir())
    sys.stdout.write(f"{folder}: {size:,} bytes\n")


if __name__ == "__main__":
    main()
