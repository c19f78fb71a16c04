import subprocess
import sys

import pytest

import newsdedup


@pytest.mark.parametrize("name", newsdedup.__all__)
def test_what_is_exported_is_there(name: str) -> None:
    assert getattr(newsdedup, name).__name__ == name


def test_what_is_not_exported_is_missed_by_its_name() -> None:
    with pytest.raises(AttributeError, match="'newsdedup' has no attribute 'Dedup'"):
        _ = newsdedup.Dedup


def test_exports_are_listed_once_and_have_a_home() -> None:
    assert newsdedup.__all__ == sorted(newsdedup._HOMES, key=lambda name: (name.islower(), name))


def test_dir_shows_the_public_names_and_nothing_of_the_inside() -> None:
    shown = [name for name in dir(newsdedup) if not name.startswith("__")]
    assert shown == sorted(newsdedup.__all__)


@pytest.mark.usefixtures("process")
def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, newsdedup; print(sorted(n for n in sys.modules if n.startswith('newsde')))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8"
    )
    assert run.stdout.strip() == "['newsdedup', 'newsdedup._version']"
