"""Opens archives, with the words by which they are searched."""

from collections.abc import Callable
from pathlib import Path

from newsdedup.adapters.files.inputs import position_key
from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
from newsdedup.adapters.words.package_data import shipped_background
from newsdedup.archive.search import SearchWords
from newsdedup.archive.writer import ArchiveWriter
from newsdedup.config.settings import Settings
from newsdedup.ports.errors import SinkUnusable


def open_archive_writer(
    settings: Settings,
    path: Path,
    words: SearchWords | None = None,
    *,
    indexed: Callable[[int], None] = lambda _: None,
) -> ArchiveWriter:
    """Return the writer of an archive, which is created if it is missing; the caller closes it.

    Items are indexed again if lemmas have changed; `indexed` gets their number, batch by batch.
    Raise StateBusy if another process writes the archive, StateUnusable for another file.
    """
    keep = settings.archive.keep or None
    return ArchiveWriter(path, words or make_search_words(), keep=keep, indexed=indexed)


def remove_archive(path: Path, *, fed_by: str | None) -> None:
    """Remove an archive that has only the events of the file `fed_by`; do nothing if there is none.

    Raise SinkUnusable if it has other events, which would be lost, and StateUnusable for a file
    that is no archive. `fed_by` is None if the run writes to no file.
    """
    if not path.exists():
        return
    with ArchiveWriter(path, make_search_words()) as archive:
        read = set(archive.positions())
        if read - ({position_key(fed_by)} if fed_by else set()) or (not read and archive.items()):
            raise SinkUnusable(
                f"{path} holds events from elsewhere, which --fresh would forget: name another "
                "--archive, or remove it"
            )
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)


def make_search_words() -> SearchWords:
    """Return the words for searching, with the languages of the package.

    They do not depend on the configured background table, so an archive can be used with any.
    """
    return SearchWords(shipped_vocabulary(shipped_background()))
