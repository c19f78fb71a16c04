"""Where the jars of Kafka are: fetched by Maven, each checked by its checksum, and cached."""

import hashlib
import os
import pwd
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from servers.process import ServerFailed

HERE: Final = Path(__file__).parent / "maven"
POM: Final = HERE / "pom.xml"
SUMS: Final = HERE / "sha256sums.txt"


def expected() -> dict[str, str]:
    """Return the checksum of every jar by its name."""
    lines = [line.split() for line in SUMS.read_text("utf-8").splitlines()]
    return {name: checksum for checksum, name in lines}


def cached() -> Path:
    """Return the folder of exactly these jars; another list of checksums has another folder."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    release = hashlib.sha256(SUMS.read_bytes() + POM.read_bytes()).hexdigest()[:12]
    return Path(home) / "newsdedup" / f"kafka-{release}"


def differences(folder: Path, sums: Mapping[str, str]) -> list[str]:
    """Return the names of jars that are missing, are not what they should be, or are too many."""
    present = {path.name: path for path in folder.glob("*")}
    wrong = [name for name in sums if name not in present or checksum(present[name]) != sums[name]]
    return sorted([*wrong, *(present.keys() - sums.keys())])


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def jars() -> Path:
    """Return the folder of the jars, every one verified."""
    folder = cached()
    if not folder.is_dir():
        raise ServerFailed("the jars of Kafka are not there: run scripts/provision")
    wrong = differences(folder, expected())
    if wrong:
        raise ServerFailed(f"not the jars that were asked for in {folder}: {', '.join(wrong)}")
    return folder


def fetch() -> None:
    """Let Maven fetch the jars, and keep them if they are what was asked for."""
    folder = cached()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="fetching-") as temporary:
        fetched = Path(temporary) / "jars"
        run_maven(fetched)
        wrong = differences(fetched, expected())
        if wrong:
            raise ServerFailed(f"Maven brought other jars than asked for: {', '.join(wrong)}")
        # Anyone who else fetched at the same time brought the same.
        if not folder.exists():
            fetched.rename(folder)


def run_maven(folder: Path) -> None:
    """Copy what the project of tests/servers/maven depends on into a folder."""
    program = shutil.which("mvn")
    if program is None:
        raise ServerFailed("mvn is not installed")
    goal = ("dependency:copy-dependencies", f"-DoutputDirectory={folder}", "-DincludeScope=runtime")
    command = [program, "-q", "-B", "-C", "-f", str(POM), *goal]
    done = subprocess.run(
        command, capture_output=True, check=False, text=True, env={**os.environ, **_own_home()}
    )
    if done.returncode != 0:
        raise ServerFailed(f"Maven could not fetch Kafka:\n{done.stdout[-4000:]}{done.stderr}")


def _own_home() -> dict[str, str]:
    """Return what tells Java the home of the user where HOME names another than the accounts do."""
    home = Path.home()
    if str(home) == pwd.getpwuid(os.getuid()).pw_dir:
        return {}
    return {
        "MAVEN_OPTS": f"{os.environ.get('MAVEN_OPTS', '')} -Duser.home={shlex.quote(str(home))}"
    }


def complete() -> bool:
    """Return whether all jars are there and undamaged."""
    return cached().is_dir() and not differences(cached(), expected())


def provide() -> None:
    """Fetch the jars unless they are there; ones that have been damaged are fetched again."""
    if complete():
        return
    shutil.rmtree(cached(), ignore_errors=True)
    sys.stderr.write("fetching Kafka with Maven\n")
    fetch()


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(not complete())
    try:
        provide()
    except ServerFailed as failure:
        sys.exit(f"scripts/provision: {failure}")
