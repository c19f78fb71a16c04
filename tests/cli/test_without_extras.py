"""A command that misses a library of an extra names the extra; all others do without it."""

import os
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cli.shells import commands
from newsdedup.cli.errors import EXTRAS, ExitCode
from newsdedup.cli.invocation import advise_extra
from newsdedup.feeder.state.feed_state import FeedState
from runners.processes import environment

pytestmark = pytest.mark.usefixtures("process")

HIDE = """
import os, sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in os.environ["HIDDEN"].split(","):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
"""
ITEM = '{{"id": "{0}", "source": "s{0}", "title": "Мост открыт", "seen_at": "2026-01-01T00:00Z"}}\n'
PAIRS = "--items items.jsonl --pairs pairs.tsv"
NEEDS = {
    "worker": "kafka",
    "rebuild": "kafka",
    "upgrade": "kafka",
    "tail": "kafka",
    "topics create": "kafka",
    "produce items.jsonl": "kafka",
    "dlq ls topic:x": "kafka",
    "dlq show topic:x 0/1": "kafka",
    "dlq replay topic:x": "kafka",
    "feed items.jsonl --once --to out.jsonl": "feeder",
    "feed feeds.txt --once --to kafka://127.0.0.1:1/news.raw": "kafka",
    "feeds add news.example": "feeder",
    "feeds import items.jsonl": "feeder",
    "feeds test news.example": "feeder",
    "demo --feeds": "feeder",
    "import warc items.jsonl --to out.jsonl": "pages",
    "import pages items.jsonl --to out.jsonl": "feeder",
    "import table items.jsonl --to kafka://127.0.0.1:1/news.raw": "kafka",
    "sources show s1 --redis redis://127.0.0.1:1/0": "kafka",
    "serve --archive items.jsonl": "serve",
    "watch items.jsonl": "feeder",
    "bench items.jsonl --kafka": "kafka",
    "bench items.jsonl --redis": "kafka",
    "bench items.jsonl --peers rensa": "lab",
    "lab calibrate items.jsonl --out r": "lab",
    "lab cluster items.jsonl --out r": "lab",
    "lab compare items.jsonl --out r": "lab",
    f"lab fit {PAIRS} --to model.json --report r": "lab",
    "lab performance f.json --docs d": "lab",
    "lab quality r --docs d": "lab",
    f"lab score {PAIRS} --out r": "lab",
    "lab stats items.jsonl --out r": "lab",
    "lab synonyms items.jsonl --out r": "lab",
    "dedup x.parquet --to r/": "parquet",
    "dedup items.jsonl --to r.parquet": "parquet",
    "background build x.parquet --to t.zst": "parquet",
}
NEEDS_NONE = (
    "bench items.jsonl",
    "run items.jsonl --to out.jsonl",
    "dedup items.jsonl --to r/",
    f"lab score {PAIRS}",
    "lab generate --items 10 --out made.jsonl",
    "config show",
    "schema",
    "doctor",
    "feeds list",
    "feeds status",
    "dlq ls items.jsonl",
    "import table items.jsonl --to out.jsonl",
)


def run_without(folder: Path, words: str, *extras: str) -> subprocess.CompletedProcess[str]:
    """Return a command that has ended, in a Python that has all extras except these."""
    (folder / "sitecustomize.py").write_text(HIDE)
    (folder / "items.jsonl").write_text(ITEM.format(1) + ITEM.format(2))
    (folder / "pairs.tsv").write_text("id1\tid2\tdup\n1\t2\t1\n")
    (folder / "feeds.txt").write_text("https://news.example/feed\n")
    (folder / "x.parquet").touch()
    FeedState(folder / "newsdedup.feeds", locked=False).close()
    installed = {module for extra in EXTRAS if extra not in extras for module in EXTRAS[extra]}
    hidden = ",".join({module for extra in extras for module in EXTRAS[extra]} - installed)
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, "-m", "newsdedup", *words.split()],
        cwd=folder,
        capture_output=True,
        check=False,
        text=True,
        env=environment(HIDDEN=hidden, PYTHONPATH=path),
    )


@pytest.mark.parametrize(("words", "extra"), NEEDS.items())
def test_a_command_names_the_extra_that_it_misses(tmp_path, monkeypatch, words, extra):
    monkeypatch.chdir(tmp_path)
    done = run_without(tmp_path, words, extra)
    assert done.returncode == 2, done.stderr
    *_, last = done.stderr.splitlines()
    assert f"is not installed: the extra {extra} brings it: `{advise_extra(extra)}`" in last
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words", ["serve --archive items.jsonl", "watch items.jsonl", "feeds test news.example"]
)
def test_a_command_names_its_own_extra_where_none_is_installed(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    done = run_without(tmp_path, words, *EXTRAS)
    assert f"the extra {NEEDS[words]} brings it: `{advise_extra(NEEDS[words])}`" in done.stderr


@pytest.mark.parametrize("words", NEEDS_NONE)
def test_what_needs_no_extra_works_without_any(tmp_path, words):
    done = run_without(tmp_path, words, *EXTRAS)
    assert "not installed" not in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", ["lab score --items x.jsonl", "bench x.jsonl"])
def test_a_command_of_the_lab_says_how_to_install_it(tmp_path, words):
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    for one in Path(pytest.__file__).parents[1].iterdir():
        if not one.name.startswith(("newsdedup_lab", "__editable__", "_editable")):
            (libraries / one.name).symlink_to(one)
    service = Path(__file__).parents[2] / "service"
    done = subprocess.run(
        [sys.executable, "-S", "-m", "newsdedup", *words.split()],
        capture_output=True,
        check=False,
        text=True,
        env=environment(PYTHONPATH=os.pathsep.join(map(str, (service, libraries)))),
    )
    name = words.split()[0]
    assert done.stderr == (
        f"newsdedup: `{sys.executable} -m newsdedup {name}` belongs to the lab, which is not "
        "installed: scripts/install lab\n"
    )
    assert done.returncode == ExitCode.USAGE


def test_the_doctor_of_a_worker_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run_without(tmp_path, "doctor --worker", "kafka")
    assert done.returncode == 1, done.stderr
    assert f"-> the extra kafka brings it: `{advise_extra('kafka')}`" in done.stdout


def test_every_command_shows_its_help_without_any_extra(tmp_path):
    script = tmp_path / "help.py"
    names = [name.split()[1:] for name, _ in commands()]
    script.write_text(
        "from typer.testing import CliRunner\nfrom newsdedup.cli.app import app\n"
        f"for words in {names!r}:\n"
        "    assert CliRunner().invoke(app, [*words, '--help']).exit_code == 0, words\n"
    )
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    (tmp_path / "sitecustomize.py").write_text(HIDE)
    hidden = ",".join(module for modules in EXTRAS.values() for module in modules)
    subprocess.run(
        [sys.executable, script], check=True, env=environment(HIDDEN=hidden, PYTHONPATH=path)
    )


def test_every_library_of_an_extra_is_known():
    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    asked = {
        extra: {name for one in map(Requirement, names) for name in (one.name, *one.extras)}
        for extra, names in project["optional-dependencies"].items()
        if extra in EXTRAS
    }
    brought_by = packages_distributions()
    for extra, names in asked.items():
        wanted = set(map(canonicalize_name, names))
        # A library that is not installed here goes by the name of its module; of a module that
        # several bring, such as opentelemetry, those count that are asked for.
        known = [set(map(canonicalize_name, brought_by.get(one, [one]))) for one in EXTRAS[extra]]
        assert wanted == set().union(*(one & wanted or one for one in known))
    assert set(EXTRAS) == set(project["optional-dependencies"]) - {"dev"}
