from pathlib import Path

import pytest

from releases.recorded import RecordedRelease, RestoredFiles, releases
from runners.older_release import HistoryMissing, older_package


@pytest.fixture(params=releases(), ids=lambda release: release.folder.name)
def files(request, tmp_path) -> RestoredFiles:
    """Return the files of each release in a folder of the test."""
    release: RecordedRelease = request.param
    return release.restore(tmp_path)


@pytest.fixture(scope="session")
def older() -> Path:
    """Return the package of the release before, which is run from the history."""
    try:
        return older_package(releases()[-1].commit)
    except HistoryMissing as error:
        pytest.skip(str(error))
