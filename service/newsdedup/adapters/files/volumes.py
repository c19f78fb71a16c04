"""How much space is free where files lie."""

import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path


def free_by_name(files: Mapping[str, Path]) -> dict[str, float]:
    """Return the free bytes of the volume under each file, by the name of the file.

    A file that is not there yet counts by its folder; one whose folder cannot be looked at is left
    out. A link counts by what it leads to.
    """
    found: dict[str, float] = {}
    for name, path in files.items():
        with suppress(OSError):
            found[name] = shutil.disk_usage(path if path.exists() else path.parent).free
    return found
