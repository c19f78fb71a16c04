"""What a test needs alongside Python, and how thoroughly it looks."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from runners import read_once  # noqa: F401 - before anything that imports what it changes

# jsonschema would read grammars of addresses for more than a second, which no schema here needs.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

pytest_plugins = ["servers.fixtures", "runners.scraped", "feeder.scraped_feeder"]

NEEDS = {
    "kafka": ("kafka", "kafka_program"),
    "redis": (
        "redis",
        "redis_cluster",
        "redis_program",
        "shared",
        "shared_alone",
        "shared_redis",
        "shared_cluster",
        "shared_shards",
    ),
    "openssl": ("certificates",),
    "promtool": ("promtool", "prometheus"),
    "kubectl": ("kubectl",),
    "faketime": ("faketime",),
    "chromium": ("chromium",),
    "process": ("process",),
    "long": ("long",),
}
"""Markers, and the fixtures by which a test gets them: no test is marked by hand."""

SHARED = {"kafka": 0.5, "redis_cluster": 0.0, "site": 0.0}
"""Fixtures of a session that are dear to start, and the share of the workers that start them."""

# A slow machine fails no test, and the same examples are tried each time. Where a law is tested on
# several stores, each example may use the store of the one before.
EVERYWHERE = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("same", EVERYWHERE, derandomize=True, max_examples=50)
settings.register_profile("fast", EVERYWHERE, derandomize=True, max_examples=20)
settings.register_profile("explore", EVERYWHERE, max_examples=500)

# Who runs the tests in the background of a shell gets Ctrl-C ignored, and so would all they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tables in pipes are as wide as the terminal at which the tests are run, if nothing says otherwise.
os.environ["COLUMNS"] = "120"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("newsdedup")
    group.addoption(
        "--fast", action="store_true", help="few examples, no servers, no processes, nothing long"
    )
    group.addoption("--needs", action="store_true", help="print what the chosen tests need")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    for name in NEEDS:
        config.addinivalue_line("markers", f"{name}: made by the fixtures that a test asks for")
    chosen = "fast" if config.getoption("fast") else "same"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", chosen))
    if config.getoption("needs"):
        config.option.collectonly = True
        config.pluginmanager.unregister(name="terminalreporter")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        for name in needs(item):
            item.add_marker(name)
    if config.getoption("fast"):
        dear = [item for item in items if needs(item)]
        config.hook.pytest_deselected(items=dear)
        items[:] = [item for item in items if not needs(item)]
    elif "PYTEST_XDIST_WORKER_COUNT" in os.environ:
        items[:] = dear_first(items, workers=int(os.environ["PYTEST_XDIST_WORKER_COUNT"]))


def dear_first(items: list[pytest.Item], *, workers: int) -> list[pytest.Item]:
    """Return the tests ordered so that each worker begins with tests that wait for servers.

    Each worker gets an equal part of the list, in order. The short tests at the end of each part
    are what idle workers take over, so all end at about the same time.
    """
    dear = [item for item in items if needs(item)]
    short = iter([item for item in items if not needs(item)])
    parts: list[list[pytest.Item]] = []
    for own in dealt(dear, workers=workers):
        parts.append([item for file in own for item in dear if item.path == file])
        parts.append(list(islice(short, max(0, len(items) // workers - len(parts[-1])))))
    return [item for part in parts for item in part] + list(short)


def dealt(dear: list[pytest.Item], *, workers: int) -> list[list[Path]]:
    """Return the files of each worker: those that share what is dear to start are with one.

    Half of the workers need a broker then, and need it only at their beginning.
    """
    files = list(dict.fromkeys([item.path for item in dear]))
    asked = {file: set[str]() for file in files}
    for item in dear:
        asked[item.path].update(getattr(item, "fixturenames", ()))
    parts: list[list[Path]] = [[] for _ in range(workers)]
    for shared, most in SHARED.items():
        group = [file for file in files if shared in asked[file]]
        emptiest = sorted(parts, key=len)[: max(1, int(most * workers))]
        for number, file in enumerate(group):
            emptiest[number % len(emptiest)].append(file)
        files = [file for file in files if file not in group]
    for file in files:
        min(parts, key=len).append(file)
    return parts


def needs(item: pytest.Item) -> list[str]:
    """Return what a test needs, by its fixtures and by the one that its parameter names."""
    chosen = getattr(getattr(item, "callspec", None), "params", {}).values()
    asked = {*getattr(item, "fixturenames", ()), *(one for one in chosen if isinstance(one, str))}
    return [name for name, fixtures in NEEDS.items() if asked.intersection(fixtures)]


def pytest_collection_finish(session: pytest.Session) -> None:
    if session.config.getoption("needs"):
        found = {name for item in session.items for name in needs(item)} - {"process", "long"}
        sys.stdout.write("".join(f"{name}\n" for name in sorted(found)))


running: list[pytest.Item] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[object]:
    running[:] = [item]
    try:
        return (yield)
    finally:
        running.clear()


# `platform` asks uname, and matplotlib lists the fonts of a machine on which it has no cache of
# them yet: once each, in whichever test is the first.
ASKED_ONCE = ("uname", "fc-list")


def refuse_processes(event: str, arguments: tuple[object, ...]) -> None:
    """Let no test start a process that does not say so: `--fast` would run it."""
    if event != "subprocess.Popen" or arguments[0] in ASKED_ONCE:
        return
    if running and not needs(running[0]):
        raise RuntimeError(f"ask for the fixture `process`: this starts {arguments[0]}")


sys.addaudithook(refuse_processes)


@pytest.fixture(autouse=True, scope="module")
def freed() -> Iterator[None]:
    """Free what runs in this process have set aside: each keeps its tables, in cycles."""
    yield
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
