"""Checks of the doctor: Python, libraries, data files of the package, helpers, terminal."""

import locale
import os
import platform
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Literal

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


_LIBRARIES = (
    *("msgspec", "numpy", "pymorphy3", "pymorphy3-dicts-ru", "pymorphy3-dicts-uk", "pyroaring"),
    *("rich", "typer", "tzdata", "xxhash", "zstandard"),
)
DEPENDENCIES = {name: name.replace("-", "_") for name in _LIBRARIES} | {"pystemmer": "Stemmer"}
"""Distributions and the modules they bring."""

_LEAST_PYTHON = (3, 11)
_LEAST_SQLITE = (3, 24, 0)
"""The state is written with ON CONFLICT DO UPDATE, which came with 3.24."""
REPAIR = "reinstall newsdedup; in a checkout: rm -r .venv, then scripts/install"


def dependency_versions() -> dict[str, str]:
    """Return the installed version of each dependency by name; "" for one that is missing."""
    return {name: _version(name) for name in DEPENDENCIES}


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
    """Check whether a version of Python, as (3, 12), is new enough; fail if not."""
    text = f"{platform.python_implementation()} {platform.python_version()}"
    return _check_version("python", text, version, _LEAST_PYTHON, "install Python {} or later")


def check_sqlite(version: tuple[int, ...]) -> Finding:
    """Check whether a version of SQLite, as (3, 40, 1), is new enough; fail if not."""
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
    """Check whether a module can be imported; fail if not. The finding has its version."""
    try:
        import_module(module)
    except (ImportError, OSError) as error:
        return Finding(distribution, "fail", f"cannot be imported: {error}", REPAIR)
    return Finding(distribution, "ok", _version(distribution) or "version unknown")


def check_fast_dictionaries(module: str) -> Finding:
    """Check whether the module of compiled code that reads dictionaries is there; warn if not."""
    if find_spec(module) is None:
        text = "not installed: dictionaries are read by Python code, several times slower"
        return Finding("dawg2", "warn", text, "pip install 'pymorphy3[fast]'")
    return Finding("dawg2", "ok", _version("dawg2") or "version unknown")


def check_dictionary(language: str, *, form: str, lemma: str) -> Finding:
    """Check whether the dictionary of "ru" or "uk" has `lemma` for the word `form`; fail if not."""
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
    """Check whether the configured word frequencies, or model, can be read; fail if not."""
    of_settings = {
        "background": ("words.background", settings.words.background),
        "model": ("rule.model", settings.rule.model),
    }
    key, own = of_settings[name]
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
    """Check whether the dictionary that compresses stored news restores a sample; fail if not."""
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


def _version(distribution: str) -> str:
    """Return the version of an installed distribution, "" if it is not installed."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def check_terminal(encoding: str, *, utf8_mode: bool) -> Finding:
    """Check whether standard output can show any text; warn if its encoding is not UTF-8."""
    where = "terminal" if sys.stdout.isatty() else "pipe or file"
    colour = "without colour" if os.environ.get("NO_COLOR") else "colour where it can be shown"
    text = f"{where}, {'UTF-8' if utf8_mode else encoding}, {colour}"
    if utf8_mode or encoding.lower().replace("-", "") == "utf8":
        return Finding("terminal", "ok", text)
    return Finding("terminal", "warn", text, "set LANG=C.UTF-8, or PYTHONUTF8=1")
