"""Printed commands begin as newsdedup was called, and name ways to install that work there."""

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from cli.shells import NEWSDEDUP, PLAIN
from newsdedup.cli import invocation
from newsdedup.cli.invocation import advise_extra, as_called, program

ROOT = Path(__file__).parents[2]


@pytest.fixture
def called(tmp_path, monkeypatch):
    """Return what puts a program of this name into a folder, as the one that was called."""
    folder = tmp_path / "some where" / "bin"
    folder.mkdir(parents=True)
    (folder / "newsdedup").touch(0o700)
    monkeypatch.chdir(folder.parent)
    monkeypatch.setenv("PATH", os.defpath)

    def call(path: str) -> Path:
        monkeypatch.setattr(sys, "argv", [path, "feeds", "list"])
        return folder

    return call


def test_a_program_off_the_path_is_called_as_it_was_typed(called):
    called("bin/newsdedup")
    assert program() == "bin/newsdedup"
    assert as_called("see `newsdedup dlq ls x`; newsdedup") == (
        "see `bin/newsdedup dlq ls x`; newsdedup"
    )


def test_a_path_with_a_space_is_quoted(called):
    folder = called("")
    called(str(folder / "newsdedup"))
    assert program() == f"'{folder}/newsdedup'"


def test_a_program_that_the_path_leads_to_is_called_by_its_name(called, monkeypatch):
    folder = called("")
    called(str(folder / "newsdedup"))
    monkeypatch.setenv("PATH", str(folder))
    assert program() == "newsdedup"


def test_another_program_of_that_name_on_the_path_is_not_taken_for_this_one(
    called, monkeypatch, tmp_path
):
    called("bin/newsdedup")
    (tmp_path / "newsdedup").touch(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() == "bin/newsdedup"


def test_a_module_is_called_by_the_python_that_was_typed(called, monkeypatch):
    called(str(Path(invocation.__file__).parents[1] / "__main__.py"))
    monkeypatch.setattr(sys, "orig_argv", [".venv/bin/python", "-m", "newsdedup"])
    assert program() == ".venv/bin/python -m newsdedup"


def test_what_is_no_program_of_ours_prints_the_name(called):
    called("/usr/bin/pytest")
    assert program() == "newsdedup"


@pytest.mark.usefixtures("process")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("doktor", "Try '{0} -h' for help."),
        ("feeds status --feeds none", "`{0} feeds add ADDRESS`"),
        ("stories list", "Try '{0} stories list -h'"),
    ],
)
def test_a_printed_step_can_be_copied(tmp_path, words, said):
    (tmp_path / "here").symlink_to(Path(NEWSDEDUP).parent)
    done = subprocess.run(
        ["./here/newsdedup", *words.split()],
        cwd=tmp_path,
        env=PLAIN,
        capture_output=True,
        check=False,
        text=True,
    )
    # The kernel starts the script by the path that was typed.
    assert said.format("./here/newsdedup") in done.stderr


def test_a_checkout_with_its_own_environment_names_its_script(monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(ROOT / ".venv"))
    monkeypatch.chdir(ROOT / "docs")
    assert advise_extra("feeder") == "../scripts/install feeder"
    monkeypatch.chdir("/")
    assert advise_extra("feeder") == f"{ROOT}/scripts/install feeder"


def test_another_environment_is_advised_to_install_the_checkout(monkeypatch):
    monkeypatch.setattr(sys, "prefix", "/usr")
    assert advise_extra("serve").endswith(f" -m pip install '{ROOT}[serve]'")


def test_an_installed_wheel_is_named_by_the_file_it_came_from(monkeypatch, tmp_path):
    monkeypatch.setattr(invocation, "__file__", str(tmp_path / "a" / "b" / "c" / "invocation.py"))
    monkeypatch.setattr(invocation, "_installed_from", lambda: "file:///tmp/newsdedup-1.whl")
    advice = advise_extra("kafka")
    assert advice.endswith(" -m pip install 'newsdedup[kafka] @ file:///tmp/newsdedup-1.whl'")


def test_where_nothing_is_known_of_the_installation_the_libraries_are_named(monkeypatch, tmp_path):
    monkeypatch.setattr(invocation, "__file__", str(tmp_path / "a" / "b" / "c" / "invocation.py"))
    monkeypatch.setattr(invocation, "_installed_from", lambda: "")
    advice = advise_extra("feeder")
    asked = [Requirement(one) for one in metadata.requires("newsdedup") or ()]
    brotli = next(str(one.specifier) for one in asked if one.name == "brotli")
    assert f"brotli{brotli}" in advice
    assert "newsdedup" not in advice.partition(" -m pip install ")[2]
    assert "extra" not in advice


def test_nothing_tells_to_install_a_package_that_nobody_has_released():
    advice = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for folder in ("service", "docs", "k8s", "docker", "README.md", "CONTRIBUTING.md")
        for path in ((ROOT / folder).rglob("*") if (ROOT / folder).is_dir() else [ROOT / folder])
        if path.suffix in (".py", ".md", ".yml", ".yaml", ".sh")
        for line in path.read_text("utf-8").splitlines()
        if "pip install" in line and "newsdedup" in line.partition("pip install")[2]
    ]
    assert advice == []
