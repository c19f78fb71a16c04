"""The doctor's check of an archive: whether it can be read, and the space beside it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from newsdedup.cli.checks.installation import Finding, check_disk


def check_archive_file(path: Path) -> Iterator[Finding]:
    """Yield the findings about an archive and its disk; one that cannot be read fails."""
    from newsdedup.archive.archive_file import open_archive_for_reading
    from newsdedup.ports.errors import SourceUnusable, StateUnusable

    try:
        open_archive_for_reading(path).close()
    except (SourceUnusable, StateUnusable) as error:
        advice = "newsdedup archive EVENTS --to FILE makes one of the events"
        yield Finding("archive", "fail", str(error), advice)
    else:
        yield Finding("archive", "ok", f"{path} can be read, {path.stat().st_size:,} bytes")
    if path.parent.is_dir():
        yield check_disk(path.parent, free=shutil.disk_usage(path.parent).free)
