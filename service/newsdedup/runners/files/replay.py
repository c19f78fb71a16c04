"""Dead letters fed again: a run over a file of dead letters that survives a crash at any point.

    FILE  ->  FILE.replaying  ->  events, and what fails again: FILE anew
              removed at the end

A replay that died left FILE.replaying, and the state has its position in it: it goes on there.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from newsdedup.adapters.files.inputs import position_key
from newsdedup.adapters.files.line_decoder import DeadLetterDecoder, longest_line
from newsdedup.adapters.sqlite.state import SqliteState
from newsdedup.ports.errors import SinkUnusable, SourceUnusable
from newsdedup.runners.files.embedded import EmbeddedRun

Open = Callable[[], EmbeddedRun]
"""Opens a run whose bad records go to FILE."""


def replaying_path(file: Path) -> Path:
    """Return the name that a file of dead letters has while it is replayed."""
    return Path(f"{file}.replaying")


def replay_dead_letter_file(file: Path, opened: Open) -> Iterator[Iterator[Counter[str]]]:
    """Yield one iterator for each replay, over the counts of its batches; `opened` opens its run.

    The first resumes FILE.replaying if that is there, the other replays FILE if it is not empty.
    Raise SourceUnusable if there is neither.
    """
    if not file.is_file() and not replaying_path(file).is_file():
        raise SourceUnusable(f"{file}: there is no such file")
    if replaying_path(file).is_file():
        yield _replay(file, opened)
    if file.is_file() and file.stat().st_size:
        yield _replay(file, opened, anew=True)


def _replay(file: Path, opened: Open, *, anew: bool = False) -> Iterator[Counter[str]]:
    """Yield the counts of each committed batch of FILE.replaying, then remove that file.

    `anew`: first rename FILE to FILE.replaying, to be read from its beginning.
    """
    aside = replaying_path(file)
    job = opened()
    try:
        job.complete()
        if anew:
            # Not to be read from the position in an earlier file of that name.
            _forget(job.state, aside)
            job.fail("before_aside")
            with _moving(file):
                file.rename(aside)
                _sync_folder(file.parent)
            job.fail("after_aside")
        run = replace(
            job,
            decoder=DeadLetterDecoder(job.decoder),
            # A dead letter is longer than its record, whose own limit the decoder checks.
            line_limit=longest_line(aside),
            growing=False,
        )
        yield from run.over([str(aside)])
        with _moving(aside):
            aside.unlink()
            _sync_folder(aside.parent)
        job.fail("after_removal")
        _forget(job.state, aside)
    finally:
        job.close()


def _forget(state: SqliteState, aside: Path) -> None:
    """Commit the state without the position in `aside`, a file that was replayed."""
    progress = state.progress
    inputs = {name: at for name, at in progress.inputs.items() if name != position_key(str(aside))}
    state.commit(replace(progress, inputs=inputs))


def _sync_folder(folder: Path) -> None:
    """Sync a folder, so that a renamed file survives a power cut as the state expects it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _moving(file: Path) -> Iterator[None]:
    """Turn an OSError of the block into SinkUnusable, which says that `file` cannot be moved."""
    try:
        yield
    except OSError as error:
        raise SinkUnusable(f"{file}: cannot be moved away: {error.strerror or error}") from error
