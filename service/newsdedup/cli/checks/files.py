"""Checks of the doctor: the state, an archive, the file of feeds, and the disks they lie on."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from newsdedup.cli.checks.installation import Finding, Probe
from newsdedup.config import Settings

if TYPE_CHECKING:
    from sqlite3 import Connection

    from newsdedup.adapters.sqlite.state_file import ReadState

_LITTLE_SPACE = 2**30
_NO_SPACE = 100 * 2**20
"""A state of 100,000 items with their events takes about as much."""
_DEAD_DISK = "look at the disk: dmesg, mount; one of a network may be gone"
_CLOSED = "give this user the right to enter the folder (chmod, chown), or name another file"


def file_probes(
    settings: Settings,
    *,
    archive: Path | None = None,
    output: Path | None = None,
    feeds: bool = False,
    state: bool = True,
) -> Iterator[Probe]:
    """Yield the probes of the state in the settings, of the files passed in, and of the disks.

    A file that is None is not checked. The file of feeds is checked if it exists; with `feeds` it
    must exist. `state` says that the command will make a state: if the settings name none, the
    current folder is checked.
    """
    state_file = Path(settings.run.state) if settings.run.state else None
    folders: dict[str, Path] = {}
    if state_file is not None or state:
        folders["state"] = folder = Path() if state_file is None else state_file.parent
        yield _probe("state folder", lambda: [check_state_folder(folder)])
    if (file := state_file) is not None:
        made_with = settings if state else None
        yield _probe("state", lambda: [check_state_file(file, made_with)] if file.exists() else [])
    if archive is not None:
        folders["archive"] = archive.parent
        yield _probe("archive", lambda: [check_archive_file(archive)])
    if output is not None:
        folders["output"] = output.parent
    feed_file, waits = Path(settings.feeder.state), settings.feeder.shortest

    def findings_of_feeds() -> list[Finding]:
        checked = feeds or feed_file.exists()
        return [check_feeds(feed_file, waits, at=datetime.now(UTC))] if checked else []

    def findings_of_disks() -> list[Finding]:
        feed_folder = {"feeds": feed_file.parent} if _is_there(feed_file) else {}
        return list(check_disks(folders | feed_folder))

    yield _probe("feeds", findings_of_feeds)
    if settings.watches.state:
        yield _probe("watches", lambda: [check_watches(Path(settings.watches.state))])
    yield _probe("disk", findings_of_disks)


def _probe(check: str, ask: Callable[[], list[Finding]]) -> Probe:
    """Return a probe named `check` that calls `ask`; it fails if the system refuses access."""

    def findings() -> list[Finding]:
        try:
            return ask()
        except OSError as error:
            return [Finding(check, "fail", str(error), _CLOSED)]

    return Probe(check, findings, list, _DEAD_DISK)


def _is_there(path: Path) -> bool:
    """Return whether something is at a path; False also where this user may not look."""
    try:
        return path.exists()
    except OSError:
        return False


def check_state_folder(folder: Path) -> Finding:
    """Check whether a state can be made in a folder, by making one in a temporary folder there.

    The finding fails if not, also if the folder does not exist. Nothing is left behind.
    """
    from newsdedup.adapters.sqlite.state_file import lock_state, open_state
    from newsdedup.ports.errors import SinkUnusable, StateUnusable

    advice = "name a folder that can be written and has space: --state or run.state"
    try:
        with tempfile.TemporaryDirectory(dir=folder, prefix=".newsdedup-doctor-") as made:
            state = Path(made) / "state.sqlite"
            os.close(lock_state(state))
            open_state(state, made_by="doctor").close()
    except (OSError, SinkUnusable, StateUnusable) as error:
        return Finding("state folder", "fail", f"{folder.absolute()}: {error}", advice)
    return Finding("state folder", "ok", f"{folder.absolute()} can hold a state")


def check_state_file(state: Path, settings: Settings | None) -> Finding:
    """Check whether this version can read a state; the finding fails if not.

    It also fails if the state was made with other settings than the given ones, as a run would;
    None allows all.
    """
    from newsdedup.adapters.sqlite.state_file import ReadState
    from newsdedup.bootstrap.runs import fingerprint_of, state_fingerprint

    made_by = None if settings is None else fingerprint_of(settings, state_fingerprint)
    opening = partial(ReadState, made_by=made_by)
    return _check_readable("state", state, opening, "use another --state, or --fresh")


def check_archive_file(archive: Path) -> Finding:
    """Check whether this version can read an archive; warn if its search index is of another."""
    from newsdedup.archive.archive_file import ARCHIVE_SCHEMA, open_archive_for_reading
    from newsdedup.archive.word_index import index_progress
    from newsdedup.bootstrap.runs import make_search_words

    advice = "newsdedup archive EVENTS --to FILE makes one of the events"
    finding = _check_readable("archive", archive, open_archive_for_reading, advice)
    if finding.status != "ok":
        return finding
    with (
        closing(open_archive_for_reading(archive)) as connection,
        ARCHIVE_SCHEMA.errors(archive, "reading"),
    ):
        progress = index_progress(connection, make_search_words().version)
    if progress is None or not progress.items:
        return finding
    text = (
        f"{archive}: its words are indexed by an earlier version, so searches may find less; "
        f"of {progress.items:,} items {progress.done:,} are indexed anew"
    )
    advice = f"start what writes it, or run `newsdedup archive --to {archive}`"
    return Finding("archive", "warn", text, advice)


def _check_readable(
    check: str, path: Path, open_file: "Callable[[Path], Connection | ReadState]", advice: str
) -> Finding:
    """Return a finding named `check`: ok with the size if `open_file` opens the file, else failed.

    `advice` is shown if it failed.
    """
    from newsdedup.ports.errors import SourceUnusable, StateUnusable

    try:
        open_file(path).close()
    except (SourceUnusable, StateUnusable) as error:
        return Finding(check, "fail", str(error), advice)
    return Finding(check, "ok", f"{path} can be read, {path.stat().st_size:,} bytes")


def check_feeds(path: Path, waits: timedelta, *, at: datetime) -> Finding:
    """Return a finding on feeds: it fails if they are unreadable, warns of dead, overdue or none.

    A feed is overdue if it was due more than `waits` before `at` and was not visited.
    """
    from newsdedup.feeder.scheduling.stored_feed import NEVER
    from newsdedup.feeder.state.feed_state import read_feeds
    from newsdedup.feeder.watching.feed_health import condition_of
    from newsdedup.ports.errors import SourceUnusable, StateUnusable

    try:
        feeds = read_feeds(path)
    except (SourceUnusable, StateUnusable) as error:
        advice = "put back a copy, or name the file: --feeds or feeder.state"
        return Finding("feeds", "fail", str(error), advice)
    if not feeds:
        return Finding("feeds", "warn", f"{path} lists none", "newsdedup feeds add ADDRESS")
    active = [feed for feed in feeds if feed.status == "active"]
    dead = sum(condition_of(feed, at=at) == "dead" for feed in active)
    never = sum(feed.tried_at == NEVER for feed in active)
    overdue = sum(max(feed.next_at, feed.added_at) < at - waits for feed in active)
    text = (
        f"{path} lists {len(feeds):,}, {len(active):,} of them visited: "
        f"{dead:,} dead, {overdue:,} overdue, {never:,} never visited so far"
    )
    if overdue:
        advice = "start newsdedup feed; if it runs, raise feeder.visits"
        return Finding("feeds", "warn", text, advice)
    if dead:
        advice = "newsdedup feeds status names them; newsdedup feeds remove ADDRESS"
        return Finding("feeds", "warn", text, advice)
    return Finding("feeds", "ok", text)


def check_watches(path: Path) -> Finding:
    """Return a finding on saved searches: it fails if they are unreadable, warns of webhooks."""
    from newsdedup.ports.errors import SourceUnusable, StateUnusable
    from newsdedup.watches.watch_states import read_problems

    try:
        searches, problems = read_problems(path)
    except (SourceUnusable, StateUnusable) as error:
        advice = "name the file of `serve --watches`; it is made at its start"
        return Finding("watches", "fail", str(error), advice)
    if problems:
        advice = "repair the receiver; the page of the search tests it and sends dead letters again"
        return Finding("watches", "warn", "; ".join(problems), advice)
    return Finding("watches", "ok", f"{path} has {searches:,} searches")


def check_disks(folders: Mapping[str, Path]) -> Iterator[Finding]:
    """Yield a finding for each disk of the folders, which are keyed by what they hold, as "state".

    A folder that does not exist or cannot be accessed is skipped: other checks report it.
    """
    disks: dict[int, dict[str, Path]] = {}
    for name, folder in folders.items():
        if _is_there(folder) and folder.is_dir():
            disks.setdefault(folder.stat().st_dev, {})[name] = folder
    for paths in disks.values():
        folder = next(iter(paths.values()))
        yield check_disk(folder, free=shutil.disk_usage(folder).free, holds=", ".join(paths))


def check_disk(folder: Path, *, free: int, holds: str) -> Finding:
    """Return a finding on the free bytes of a disk; it warns below 1 GiB, fails below 100 MiB.

    The message has `holds`, which names what is in the folder, as "state, output".
    """
    text = f"{free / 2**30:.1f} GiB free in {folder.absolute()} ({holds})"
    if free < _NO_SPACE:
        return Finding("disk", "fail", text, "free some space, or use a folder on another disk")
    if free < _LITTLE_SPACE:
        return Finding("disk", "warn", text, "free some space before a long run")
    return Finding("disk", "ok", text)
