import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.usefixtures("process")

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "service" / "newsdedup"
LAB = ROOT / "lab" / "newsdedup_lab"
CORE = PACKAGE / "core"
SCRIPTS = [*sorted((ROOT / "scripts").iterdir()), ROOT / ".ci" / "run"]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))

# Brackets keep these patterns from finding themselves.
INDEX_ADDRESS = re.compile(
    r"index[-_]url|find[-_]links|trusted[-_]host|pypi[.]org/simple|[p]ythonhosted", re.IGNORECASE
)
MACHINE_PATH = re.compile(r"(?<![\w.}-])/(?:home|root|Users|work)/")


@cache
def repository_files() -> list[Path]:
    """Return the files that are tracked or about to be, without those that git ignores."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("the files of the repository are known to git only")
    listed = subprocess.run(
        [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


def lines_that_match(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in repository_files()
        for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]


@cache
def modules(folder: Path) -> list[tuple[str, ast.Module]]:
    paths = sorted(folder.rglob("*.py"))
    return [(str(path.relative_to(ROOT)), ast.parse(path.read_text("utf-8"))) for path in paths]


def all_modules() -> Iterator[tuple[str, ast.Module]]:
    """Yield the modules of the product, then those of the lab."""
    yield from modules(PACKAGE)
    yield from modules(LAB)


def imported(tree: ast.Module) -> set[str]:
    """Return the top-level names of all modules that a module imports."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def called(tree: ast.Module) -> set[str]:
    """Return the functions that a module calls, as they are written."""
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


def locked(lock: Path) -> list[tuple[Requirement, int]]:
    """Return the requirements of a lock with the number of hashes of each."""
    joined = re.sub(r"\s*\\\n\s*", " ", lock.read_text("utf-8"))
    lines = [line for line in joined.splitlines() if line and not line.lstrip().startswith("#")]
    split = [line.split(" --hash=sha256:") for line in lines]
    return [(Requirement(parts[0]), len(parts) - 1) for parts in split]


def pins(lock: Path) -> set[str]:
    return {f"{canonicalize_name(pin.name)}{pin.specifier}" for pin, _ in locked(lock)}


def test_no_file_names_the_address_of_a_package_index() -> None:
    assert lines_that_match(INDEX_ADDRESS) == []


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    assert lines_that_match(MACHINE_PATH) == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_script_can_be_run_and_says_how(script: Path) -> None:
    first, *lines = script.read_text("utf-8").splitlines()
    assert os.access(script, os.X_OK)
    assert first in ("#!/usr/bin/env bash", "#!/usr/bin/env python3")
    assert any(str(script.relative_to(ROOT)) in line for line in lines[:5])
    assert "bash" not in first or "set -euo pipefail" in lines


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8"))
    local = [link.partition("#")[0] for link in links if "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_of_the_code_that_a_page_names_exists(page: Path) -> None:
    code = r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|lua|toml|json|html|css|js|zst))`"
    roots = (ROOT, PACKAGE, LAB, page.parent)
    named = {name for name in re.findall(code, page.read_text("utf-8")) if "NAME" not in name}
    assert [name for name in sorted(named) if not any((at / name).exists() for at in roots)] == []


def test_the_index_names_every_document() -> None:
    docs = ROOT / "docs"
    index = (docs / "README.md").read_text("utf-8")
    pages = {page.name for page in docs.glob("*.md")} - {"README.md"}
    assert [page for page in sorted(pages) if f"({page})" not in index] == []


def test_every_page_and_test_that_the_code_names_exists() -> None:
    named = {
        (str(path.relative_to(ROOT)), name)
        for path in [*PACKAGE.rglob("*.py"), *LAB.rglob("*.py"), *PAGES]
        for name in re.findall(r"\b(?:docs|tests)/[\w./-]+\.(?:md|py)\b", path.read_text("utf-8"))
    }
    placeholder = "docs/decisions/NNNN-what-it-decides.md"
    assert {(by, name) for by, name in named if not (ROOT / name).exists()} <= {
        ("docs/decisions/0001-record-decisions.md", placeholder)
    }


def test_every_folder_of_both_packages_has_its_question_in_the_architecture() -> None:
    headings = re.findall(r"^## `(.+?)/?`: .+\?$", architecture(), re.MULTILINE)
    files = repository_files()
    for package, prefix in ((PACKAGE, Path()), (LAB, Path("lab"))):
        inside = [path.relative_to(package) for path in files if path.is_relative_to(package)]
        folders = {path.parent for path in inside if path.suffix == ".py"}
        folders |= {Path(path.parts[0]) for path in inside} - set(inside)
        assert {str(prefix / folder) for folder in folders - {Path()}} <= set(headings)


def test_every_step_of_the_walks_leads_to_a_definition() -> None:
    steps = re.findall(
        r"^\| [^|]+ \| `([\w/]+\.py)` \| `([\w.]+)` \|$", architecture(), re.MULTILINE
    )
    assert len(steps) > 20
    missing = [(file, name) for file, name in steps if name not in definitions(PACKAGE / file)]
    assert missing == []


def definitions(path: Path) -> set[str]:
    """Return the functions, classes and methods of a module, methods behind their class."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, kinds):
            names.add(node.name)
            names |= {f"{node.name}.{one.name}" for one in ast.walk(node) if isinstance(one, kinds)}
    return names


def architecture() -> str:
    return (ROOT / "docs" / "architecture.md").read_text("utf-8")


def test_every_decision_is_listed_once_in_order() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"^\| \[\d{4}\]\((.+?)\)", (folder / "README.md").read_text(), re.MULTILINE)
    assert listed == sorted(path.name for path in folder.glob("[0-9]*.md"))


@pytest.mark.parametrize("page", DECISIONS, ids=lambda path: path.stem)
def test_every_decision_follows_the_template(page: Path) -> None:
    text = page.read_text("utf-8")
    assert re.match(rf"# {page.stem[:4]}: .+\n\n(Accepted|Replaced)\b.*\n\n## Why\n", text)
    parts = ["Why", "Decision", "Alternatives", "Measurements", "Consequences"]
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings == [part for part in parts if part in headings]
    assert "Decision" in headings
    assert len(text.splitlines()) <= 65


def test_no_module_runs_what_it_reads() -> None:
    loaders = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve"}
    assert [name for name, tree in all_modules() if imported(tree) & loaders] == []
    assert [name for name, tree in all_modules() if called(tree) & {"eval", "exec"}] == []


def test_the_core_reads_no_clock_and_no_hash_seed() -> None:
    varying = re.compile(r"(.*[.])?(datetime|date)[.](now|utcnow|today)|hash|id|open|print|input")
    found = {name: set(filter(varying.fullmatch, called(tree))) for name, tree in modules(CORE)}
    assert {name: calls for name, calls in found.items() if calls} == {}


def test_no_module_is_longer_than_400_lines() -> None:
    paths = [*PACKAGE.rglob("*.py"), *LAB.rglob("*.py")]
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in paths}
    assert [str(path.relative_to(ROOT)) for path, length in lengths.items() if length > 400] == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_locked_requirement_is_one_release_with_its_hashes(lock: Path) -> None:
    requirements = locked(lock)
    assert requirements
    assert [str(pin) for pin, hashes in requirements if hashes == 0] == []
    assert [str(pin) for pin, _ in requirements if not str(pin.specifier).startswith("==")] == []


def test_no_two_locks_disagree() -> None:
    everything = pins(ROOT / "requirements" / "constraints.txt")
    tools = ("lock", "audit")  # each has an environment of its own
    parts = {lock.name: pins(lock) - everything for lock in LOCKS if lock.stem not in tools}
    assert {name: other for name, other in parts.items() if other} == {}


@pytest.mark.parametrize("lock", ["runtime", "parquet", "lab", "kafka", "feeder", "constraints"])
def test_the_locks_hold_what_the_project_asks_for(lock: str) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = settings["project"]
    extras = project["optional-dependencies"]
    chosen = {"runtime": [], "constraints": [name for extra in extras.values() for name in extra]}
    wanted = map(Requirement, [*project["dependencies"], *chosen.get(lock, extras.get(lock, []))])
    pinned = [pin for pin, _ in locked(ROOT / "requirements" / f"{lock}.txt")]
    for one in wanted:
        if one.name != project["name"]:
            found = [pin for pin in pinned if canonicalize_name(pin.name) == one.name.lower()]
            assert found, one
            versions = [str(pin.specifier).removeprefix("==") for pin in found]
            assert all(version in one.specifier for version in versions), one


def test_every_library_that_is_imported_is_asked_for_by_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [name for extra in project["optional-dependencies"].values() for name in extra]
    wanted = [Requirement(one) for one in project["dependencies"] + extras]
    # redis[hiredis] asks for hiredis, too.
    asked = {canonicalize_name(name) for one in wanted for name in (one.name, *one.extras)}
    brought_by = packages_distributions()
    roots = {root for _, tree in all_modules() for root in imported(tree)}
    # _typeshed is in every type checker, and imported for types alone.
    foreign = roots - sys.stdlib_module_names - {PACKAGE.name, LAB.name, "_typeshed"}
    assert len(foreign) > 10
    missing = [
        root
        for root in sorted(foreign)
        if asked.isdisjoint(map(canonicalize_name, brought_by.get(root, ())))
    ]
    assert missing == []


def test_the_locks_hold_one_release_for_this_python() -> None:
    for lock in LOCKS:
        here = [pin for pin, _ in locked(lock) if pin.marker is None or pin.marker.evaluate()]
        names = [pin.name for pin in here]
        assert len(names) == len(set(names)), lock


def test_what_the_commands_of_the_readme_leave_is_ignored():
    shell = "\n".join(
        re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    )
    named = re.findall(r"--(?:to|events|archive|state) (?:engine:)?([\w.]+)(?=\s|$)", shell)
    assert {"items.jsonl", "out.jsonl", "news.state", "events.jsonl", "news.archive"} <= set(named)
    left = {*named, "newsdedup.feeds", "newsdedup.dlq.jsonl", "demo/events.jsonl"}
    alongside = (".state", ".dlq", ".lock", "-wal", "-shm", ".state-wal", ".state.lock")
    left |= {
        name + end
        for name in tuple(left)
        for end in alongside
        if not (end.startswith("-") and name.endswith("jsonl"))
    }
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("what is ignored is known to git only")
    done = subprocess.run(
        [git, "check-ignore", "--no-index", "--stdin"],
        cwd=ROOT,
        input="\n".join(sorted(left)),
        capture_output=True,
        check=False,
        text=True,
    )
    assert sorted(left - set(done.stdout.split())) == []
