from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from newsdedup.config.catalogue import MASK, Setting, built, catalogue
from newsdedup.config.contradictions import contradictions
from newsdedup.config.kinds import Confidential
from newsdedup.config.layers import Given, from_environment, from_file, from_flags
from newsdedup.config.problems import Problem, refused, shortened
from newsdedup.config.sections import Settings

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings, and where each came from."""

    settings: Settings
    origins: Mapping[str, str]
    """Key to origin: "flag --window", "environment NEWSDEDUP_RULE__WINDOW", a file, "default"."""


def read(
    flags: Mapping[str, object], environ: Mapping[str, str], toml: Path | None
) -> Configuration:
    """Return the settings: flags over environment over file over defaults.

    Flags are given by the keys of the settings; None stands for a flag that was not used. Raises
    SettingsInvalid with everything that is wrong anywhere, overridden or not.
    """
    known = catalogue()
    values = {key: setting.default for key, setting in known.items()}
    origins = dict.fromkeys(known, DEFAULT)
    problems: list[Problem] = []
    bad: set[str] = set()
    for found in _layered(known, flags, environ, toml):
        if isinstance(found, Problem):
            problems.append(found)
            continue
        try:
            values[found.key] = known[found.key].kind.parse(found.raw)
            origins[found.key] = found.origin
        except ValueError as error:
            bad.add(found.key)
            problems.append(_wrong(found, known[found.key], error))
    sound: dict[str, Any] = {key: value for key, value in values.items() if key not in bad}
    problems += contradictions(sound, origins)
    if problems:
        raise refused(problems)
    return Configuration(built(values), MappingProxyType(origins))


def _layered(
    known: Mapping[str, Setting],
    flags: Mapping[str, object],
    environ: Mapping[str, str],
    toml: Path | None,
) -> Iterator[Given | Problem]:
    """Yield what is said, the strongest last."""
    yield from from_file(toml, known)
    yield from from_environment(environ, known)
    yield from from_flags(flags, known)


def _wrong(given: Given, setting: Setting, error: ValueError) -> Problem:
    hidden = setting.secret or isinstance(error, Confidential)
    value = MASK if hidden else shortened(repr(given.raw))
    return Problem(f"{given.key} = {value} ({given.origin})", f"expected {error}")
