from collections.abc import Iterator
from pathlib import Path

import pytest

from server.served import TOKEN, Served, judge, serving


@pytest.fixture(scope="session")
def archive_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run that is over: events, state and archive."""
    folder = tmp_path_factory.mktemp("archive")
    judge(folder)
    return folder


@pytest.fixture(scope="session")
def served(archive_folder: Path) -> Iterator[Served]:
    """Serve an archive and the state of its run; nothing can be written."""
    with serving(archive_folder, state=True) as server:
        yield server


@pytest.fixture(scope="session")
def keeping(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve an archive and the engine that fills it; tests use items of their own."""
    folder = tmp_path_factory.mktemp("keeping")
    judge(folder)
    with serving(folder, engine=True, token=TOKEN) as server:
        yield server
