"""The package as it was at an earlier commit, for processes of an older release next to today's."""

import os
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_CACHE: Final = ROOT / ".cache" / "older-releases"


class HistoryMissing(Exception):
    """The commit is not in this clone: it is shallow, or no repository at all."""


def older_package(commit: str) -> Path:
    """Return a folder with the package of a commit, from the cache if it was unpacked before.

    Raise HistoryMissing if this clone does not have the commit.
    """
    full = _git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
    folder = _CACHE / full
    if not folder.exists():
        _CACHE.mkdir(parents=True, exist_ok=True)
        unpacked = Path(mkdtemp(dir=_CACHE))
        packed = unpacked / "service.tar"
        _git("archive", f"--output={packed}", full, "service")
        with tarfile.open(packed) as archive:
            archive.extractall(unpacked, filter="data")
        packed.unlink()
        try:
            unpacked.rename(folder)
        except OSError:  # another process was first
            shutil.rmtree(unpacked)
    return folder / "service"


def moment_of(commit: str) -> str:
    """Return when a commit was made, in ISO 8601 and UTC."""
    return _git(
        "show", "--no-patch", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd", commit
    )


def environment_of(package: Path | None) -> Mapping[str, str]:
    """Return what lets `python -m newsdedup` run this package; today's if it is None."""
    return {"PYTHONPATH": str(package)} if package else {}


def _git(*arguments: str) -> str:
    """Return what git prints in this repository; raise HistoryMissing if it fails."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        raise HistoryMissing(f"{ROOT} is no clone of the repository")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        [git, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**clean, "TZ": "UTC"},
    )
    if done.returncode:
        raise HistoryMissing(
            f"git {' '.join(arguments)} fails in {ROOT}: {done.stderr.strip()}; "
            "`git fetch --unshallow` brings the history of a shallow clone"
        )
    return done.stdout.strip()
