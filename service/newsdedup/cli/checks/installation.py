"""Checks of the doctor: how they run, and those of Python, libraries, data files and terminal.

Some may hang, at a server or a dead disk: these run as probes, all under one deadline.
"""

import locale
import os
import platform
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import partial
from importlib import import_module, metadata
from importlib.util import find_spec
from time import monotonic
from typing import Any, Final, Literal

from newsdedup.cli.environment import start_thread
from newsdedup.config import Settings

Status = Literal["ok", "warn", "fail"]
_WORST_LAST: tuple[Status, ...] = ("ok", "warn", "fail")


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check, and what to do about it: `advice`, "" if nothing."""

    check: str
    status: Status
    message: str
    advice: str = ""


def worst_status(findings: list[Finding]) -> Status:
    """Return the worst status of all findings; ok if there are none."""
    return max((finding.status for finding in findings), key=_WORST_LAST.index, default="ok")


GRACE_SECONDS: Final = 2.0
"""How much longer than its own deadline a probe may take to give up in order."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A check that may hang, and the findings that its result gives."""

    check: str
    ask: Callable[[], Any]
    findings: Callable[[Any], Iterable[Finding]]
    advice: str
    """What to do if there is no answer."""


def run_probes(probes: Sequence[Probe], *, seconds: float) -> Iterator[Finding]:
    """Run all probes at once and yield their findings in order, up to 2 s after the deadline.

    A probe fails if it has no answer after `seconds`, or if it raises a NewsdedupError. Each runs
    in a thread of its own, for which the process does not wait at its exit.
    """
    from newsdedup.ports.errors import NewsdedupError

    until = monotonic() + seconds + GRACE_SECONDS
    answers: list[Future[Any]] = [Future() for _ in probes]
    for probe, answer in zip(probes, answers, strict=True):
        start_thread(probe.check, partial(_ask, probe, answer))
    for probe, answer in zip(probes, answers, strict=True):
        wait([answer], max(0.0, until - monotonic()))
        if not answer.done():
            yield Finding(probe.check, "fail", f"no answer within {seconds:g} s", probe.advice)
            continue
        try:
            yield from probe.findings(answer.result())
        except NewsdedupError as error:
            yield Finding(probe.check, "fail", str(error), probe.advice)


def _ask(probe: Probe, answer: "Future[Any]") -> None:
    """Set the answer to what the probe returns or raises."""
    try:
        answer.set_result(probe.ask())
    except Exception as error:  # noqa: BLE001  (raised again where the answer is read)
        answer.set_exception(error)


_LIBRARIES = (
    *("msgspec", "numpy", "py3langid", "pymorphy3", "pymorphy3-dicts-ru", "pymorphy3-dicts-uk"),
    *("pyroaring", "rich", "typer", "tzdata", "xxhash", "zstandard"),
)
DEPENDENCIES = {name: name.replace("-", "_") for name in _LIBRARIES} | {"pystemmer": "Stemmer"}
"""Distributions and the modules they bring."""

_LEAST_PYTHON = (3, 11)
_LEAST_SQLITE = (3, 24, 0)
"""The state is written with ON CONFLICT DO UPDATE, which came with 3.24."""
REPAIR = "reinstall newsdedup; in a checkout: rm -r .venv, then scripts/install"


def check_installation(settings: Settings) -> Iterator[Finding]:
    """Yield the findings about Python, libraries, data files, helper processes and the terminal."""
    yield check_python(sys.version_info[:2])
    for distribution, module in DEPENDENCIES.items():
        yield check_dependency(distribution, module)
    yield check_fast_dictionaries("dawg")
    yield check_dictionary("ru", form="новостями", lemma="новость")
    yield check_dictionary("uk", form="новинами", lemma="новина")
    if find_spec("pymorphy2") is not None:
        text = "installed: it breaks on Python >= 3.11; newsdedup uses its successor pymorphy3"
        advice = "pip uninstall pymorphy2, unless another program needs it"
        yield Finding("pymorphy2", "warn", text, advice)
    yield check_compression()
    yield check_data_file("background", settings)
    yield check_data_file("model", settings)
    yield check_sqlite(sqlite3.sqlite_version_info)
    from newsdedup.bootstrap.machine import choose_helpers, read_machine

    choice = choose_helpers(settings.run.helpers, read_machine())
    yield Finding("helpers", "ok", f"{choice.number} ({choice.reason})")
    yield check_terminal(locale.getencoding(), utf8_mode=sys.flags.utf8_mode == 1)


def check_python(version: tuple[int, ...]) -> Finding:
    """Check whether a version of Python, as (3, 12), is new enough; the finding fails if not."""
    text = f"{platform.python_implementation()} {platform.python_version()}"
    return _check_version("python", text, version, _LEAST_PYTHON, "install Python {} or later")


def check_sqlite(version: tuple[int, ...]) -> Finding:
    """Check whether a version of SQLite, as (3, 40, 1), is new enough; the finding fails if not."""
    text, advice = ".".join(map(str, version)), "use a Python with SQLite {} or later"
    return _check_version("sqlite", text, version, _LEAST_SQLITE, advice)


def _check_version(
    check: str, text: str, version: tuple[int, ...], least: tuple[int, ...], advice: str
) -> Finding:
    """Return a finding with `text`; if `version` is below `least`, it fails, with `advice`."""
    if version < least:
        wanted = advice.format(".".join(map(str, least)))
        return Finding(check, "fail", f"{text} is too old", wanted)
    return Finding(check, "ok", text)


def check_dependency(distribution: str, module: str) -> Finding:
    """Return a finding with the version of a module; it fails if the module cannot be imported."""
    try:
        import_module(module)
    except (ImportError, OSError) as error:
        return Finding(distribution, "fail", f"cannot be imported: {error}", REPAIR)
    return Finding(distribution, "ok", installed_version(distribution) or "version unknown")


def check_fast_dictionaries(module: str) -> Finding:
    """Return a finding that warns if the compiled module that reads dictionaries is missing."""
    if find_spec(module) is None:
        text = "not installed: dictionaries are read by Python code, several times slower"
        return Finding("dawg2", "warn", text, "pip install 'pymorphy3[fast]'")
    return Finding("dawg2", "ok", installed_version("dawg2") or "version unknown")


def check_dictionary(language: str, *, form: str, lemma: str) -> Finding:
    """Return a finding that fails unless dictionary "ru" or "uk" gives `lemma` for word `form`."""
    check = f"dictionary {language}"
    try:
        from newsdedup.adapters.words.lemmatizers import PymorphyLemmatizer

        result = PymorphyLemmatizer("uk" if language == "uk" else "ru").lemma(form)
    except (ImportError, OSError, ValueError) as error:
        return Finding(check, "fail", f"cannot be read: {error}", REPAIR)
    if result != lemma:
        return Finding(check, "fail", f"{form} became {result}, not {lemma}", REPAIR)
    return Finding(check, "ok", f"{form} -> {result}")


def check_data_file(name: Literal["background", "model"], settings: Settings) -> Finding:
    """Return a finding that fails if the configured word frequencies, or model, cannot be read."""
    key, own = "words.background", settings.words.background
    if name == "model":
        key, own = "rule.model", settings.rule.model
    try:
        from newsdedup.bootstrap.rules import load_background, load_model
        from newsdedup.ports.errors import SettingsInvalid
    except (ImportError, OSError) as error:
        return Finding(name, "fail", str(error), REPAIR)
    try:
        version = (load_model if name == "model" else load_background)(settings).version
    except (ImportError, SettingsInvalid, OSError, ValueError) as error:
        advice = f"correct {key}, or leave it empty" if own else REPAIR
        return Finding(name, "fail", str(error), advice)
    return Finding(name, "ok", f"{own or 'of the package'}, version {version}")


def check_compression() -> Finding:
    """Return a finding that fails if the dictionary for stored news does not restore a sample."""
    check, sample = "dictionary of stored news", b'{"title": "A bridge was opened"}'
    try:
        from newsdedup.adapters.formats.compression import NewsCompressor

        compressor = NewsCompressor()
        same = compressor.decompress(compressor.compress(sample)) == sample
    except (ImportError, OSError, ValueError) as error:
        return Finding(check, "fail", f"cannot be read: {error}", REPAIR)
    if not same:
        return Finding(check, "fail", "a text was not restored as it was", REPAIR)
    return Finding(check, "ok", "compresses and restores")


def installed_version(distribution: str) -> str:
    """Return the version of an installed distribution, "" if it is not installed."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def check_terminal(encoding: str, *, utf8_mode: bool) -> Finding:
    """Return a finding on standard output; it warns if the encoding is not UTF-8."""
    where = "terminal" if sys.stdout.isatty() else "pipe or file"
    colour = "without colour" if os.environ.get("NO_COLOR") else "colour where it can be shown"
    text = f"{where}, {'UTF-8' if utf8_mode else encoding}, {colour}"
    if utf8_mode or encoding.lower().replace("-", "") == "utf8":
        return Finding("terminal", "ok", text)
    return Finding("terminal", "warn", text, "set LANG=C.UTF-8, or PYTHONUTF8=1")
