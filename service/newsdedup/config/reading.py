"""Reads the settings: flags over environment variables over the settings file over defaults.

What is wrong with them is said in words: unknown names, and values that contradict each other.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any

from newsdedup.config.addresses import may_be_clustered
from newsdedup.config.kinds import MASK, VARIABLE_PREFIX, Confidential, Setting, WrongPart
from newsdedup.config.settings import Settings, build_settings, settings_by_key

_LONGEST_SHOWN = 60
"""Characters of a wrong value or name that are shown."""
_LEAST_LIKENESS = 0.5
"""How alike a name must be to be suggested for a mistyped one (difflib's ratio)."""
_RISING = (
    ("rule.similar", "rule.duplicate"),
    ("rule.duplicate", "rule.terms"),
    ("feeder.shortest", "feeder.longest"),
)
"""Pairs of settings of which the first must not be above the second."""
_REDIS_ATTEMPTS = 6
"""How often a call of Redis is tried, each time for `redis.timeout`, before it counts as away."""
_PAUSES = timedelta(seconds=10)
"""What a worker pauses at most between and after these attempts."""
_HANGS = "a worker that only waits would count as hanging"
_TOPICS = ("kafka.input", "kafka.output", "kafka.dead")
"""A worker that reads what it writes would never come to an end."""
CONFIG_VARIABLE = "NEWSDEDUP_CONFIG"
DEBUG_VARIABLE = "NEWSDEDUP_DEBUG"
FAILPOINT_VARIABLE = "NEWSDEDUP_FAILPOINT"
_OTHER_VARIABLES = (CONFIG_VARIABLE, DEBUG_VARIABLE, FAILPOINT_VARIABLE)
"""Variables with our prefix that set nothing."""
_STANDARD_FILE = "newsdedup.toml"
_DEFAULT_ORIGIN = "default"

_SERVICE_ENDS = ("_SERVICE_HOST", "_SERVICE_PORT", "_PORT", "_TCP", "_UDP", "_SCTP")
_SERVICE_PARTS = ("_SERVICE_PORT_", "_TCP_", "_UDP_", "_SCTP_")
"""How the variables end, or what is in them, that Kubernetes makes for a service."""


def unknown_setting(name: str, known: Collection[str], *, origin: str) -> str:
    """Return the message that a name is no setting, with the most similar one in `known`.

    `origin` says where the name stands, as "flag" or the path of the settings file.
    """
    near = nearest_name(name, known)
    advice = "`newsdedup config show` lists all" if near is None else f"did you mean {near}?"
    return f"{shorten_value(name)} ({origin}): no such setting; {advice}"


def nearest_name(name: str, known: Collection[str]) -> str | None:
    """Return the known name most like this one, with or without section; None if none is close."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - needed after a mistake only

    def likeness(candidate: str) -> float:
        here, there = _bare(name[:_LONGEST_SHOWN]), _bare(candidate)
        last_here, last_there = here.rpartition(".")[2], there.rpartition(".")[2]
        pairs = ((here, there), (here, last_there), (last_here, last_there))
        return max(SequenceMatcher(None, *pair).ratio() for pair in pairs)

    best = max(known, key=likeness, default=None)
    return best if best is not None and likeness(best) >= _LEAST_LIKENESS else None


def shorten_value(text: str, most: int = _LONGEST_SHOWN) -> str:
    """Return a text of at most `most` characters; a longer one is cut and ends in "…"."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _bare(name: str) -> str:
    """Return a key of a setting, or an environment variable, in the form section.name."""
    return name.lower().removeprefix("newsdedup_").replace("__", ".")


def find_contradictions(values: Mapping[str, Any], origins: Mapping[str, str]) -> Iterator[str]:
    """Yield a message for each pair of valid values, by key, that contradict each other.

    Settings that are missing in `values` are not checked.
    """

    def both(one: str, other: str, expected: str) -> str:
        shown = (f"{key} = {values[key]} ({origins[key]})" for key in (one, other))
        return f"{' and '.join(shown)}: expected {expected}"

    for low, high in _RISING:
        if low in values and high in values and values[low] > values[high]:
            yield both(low, high, f"{low} <= {high}")
    for one, other in combinations(_TOPICS, 2):
        if one in values and values[one] == values.get(other):
            yield both(one, other, "two topics")
    stall, timeout = values.get("worker.stall"), values.get("redis.timeout")
    linger = values.get("worker.linger")
    if stall and timeout is not None and _REDIS_ATTEMPTS * timeout + _PAUSES >= stall:
        least = f"{_REDIS_ATTEMPTS} times redis.timeout and {_PAUSES.seconds}s"
        yield both("redis.timeout", "worker.stall", f"{least} < worker.stall: {_HANGS}")
    if stall and linger is not None and linger >= stall:
        yield both("worker.linger", "worker.stall", f"worker.linger < worker.stall: {_HANGS}")
    rule, shadow = values.get("rule.name"), values.get("worker.shadow")
    if rule is not None and rule == shadow:
        what = f"worker.shadow = {shadow} ({origins['worker.shadow']})"
        yield f"{what}: expected another rule than rule.name"
    url = values.get("redis.url")
    if values.get("redis.cluster") and url is not None and not may_be_clustered(url):
        flag = f"redis.cluster = true ({origins['redis.cluster']})"
        what = f"{flag} and redis.url = {url} ({origins['redis.url']})"
        yield f"{what}: expected a host and database 0: a cluster has no other"


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings, and where each came from."""

    settings: Settings
    origins: Mapping[str, str]
    """Key to origin: "flag --window", "environment NEWSDEDUP_RULE__WINDOW", a file, "default"."""


@dataclass(frozen=True, slots=True)
class RawValue:
    """An unparsed value of a setting, and where it came from."""

    key: str
    raw: object
    origin: str


def settings_file(flag: Path | None, environ: Mapping[str, str]) -> Path | None:
    """Return the path of --config, else of NEWSDEDUP_CONFIG, else ./newsdedup.toml if it exists.

    Return None if there is none of them.
    """
    if flag is not None:
        return flag
    if environ.get(CONFIG_VARIABLE):
        return Path(environ[CONFIG_VARIABLE])
    here = Path(_STANDARD_FILE)
    return here if here.exists() else None


def read_settings(
    flags: Mapping[str, object], environ: Mapping[str, str], toml: Path | None
) -> Configuration:
    """Return the settings: flags over environment over the file `toml` over defaults.

    `flags` maps keys of settings to values; None is a flag that was not used. Raise SettingsInvalid
    with everything that is wrong in any of them, also in values that are overridden.
    """
    known = settings_by_key()
    values = {key: setting.default for key, setting in known.items()}
    origins = dict.fromkeys(known, _DEFAULT_ORIGIN)
    problems: list[str] = []
    bad: set[str] = set()
    for each in _raw_values(known, flags, environ, toml):
        if isinstance(each, str):
            problems.append(each)
            continue
        try:
            values[each.key] = known[each.key].kind.parse(each.raw)
            origins[each.key] = each.origin
        except ValueError as error:
            bad.add(each.key)
            hidden = known[each.key].secret or isinstance(error, Confidential)
            wrong = error.part if isinstance(error, WrongPart) else each.raw
            shown = MASK if hidden else shorten_value(repr(wrong))
            problems.append(f"{each.key} = {shown} ({each.origin}): expected {error}")
    sound: dict[str, Any] = {key: value for key, value in values.items() if key not in bad}
    problems += find_contradictions(sound, origins)
    if problems:
        # Imported here because the ports know the events, and help must not wait for those.
        from newsdedup.ports.errors import SettingsInvalid  # noqa: PLC0415

        count = "1 setting is" if len(problems) == 1 else f"{len(problems)} settings are"
        raise SettingsInvalid("\n".join([f"{count} wrong:", *(f"  {it}" for it in problems)]))
    return Configuration(build_settings(values), MappingProxyType(origins))


def _raw_values(
    known: Mapping[str, Setting],
    flags: Mapping[str, object],
    environ: Mapping[str, str],
    toml: Path | None,
) -> Iterator[RawValue | str]:
    """Yield the values of file, environment and flags in this order: later ones override earlier.

    A message is yielded for each unknown name and for an unreadable file.
    """
    if toml is not None:
        yield from _from_file(toml, known)
    yield from _from_environment(environ, known)
    for key, raw in flags.items():
        if key not in known:
            yield unknown_setting(key, known, origin="flag")
        elif raw is not None:
            yield RawValue(key, raw, f"flag {known[key].flag or key}")


def _from_file(path: Path, known: Mapping[str, Setting]) -> Iterator[RawValue | str]:
    """Yield the values of a settings file; messages if it cannot be read or names are unknown."""
    wrong = ""
    try:
        tables = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        wrong = f"cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        wrong = f"is not UTF-8: byte {error.start} is wrong"
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        wrong = f"is not TOML: {error}"
    if wrong:
        yield f"settings file {path}: {wrong}"
        return
    origin, sections = str(path), {key.split(".")[0] for key in known}
    for section, table in tables.items():
        if isinstance(table, dict):
            for name, raw in table.items():
                value = RawValue(f"{section}.{name}", raw, origin)
                is_known = value.key in known
                yield value if is_known else unknown_setting(value.key, known, origin=origin)
        elif section in sections:
            yield f"{section} ({origin}): expected a table: [{section}]"
        else:
            yield unknown_setting(section, known, origin=origin)


def _from_environment(
    environ: Mapping[str, str], known: Mapping[str, Setting]
) -> Iterator[RawValue | str]:
    """Yield the values of variables with our prefix, sorted; a message for each unknown one."""
    variables = {setting.variable: key for key, setting in known.items()}
    for name in sorted(environ):
        if not name.startswith(VARIABLE_PREFIX) or name in _OTHER_VARIABLES:
            continue
        if name in variables:
            yield RawValue(variables[name], environ[name], f"environment {name}")
        # Kubernetes makes variables for a service named newsdedup: a pod next to it must not refuse
        # to start because of NEWSDEDUP_PORT_80_TCP_ADDR. Names of settings have two underscores in
        # a row, those of Kubernetes never.
        elif "__" in name or not (
            name.endswith(_SERVICE_ENDS) or any(part in name for part in _SERVICE_PARTS)
        ):
            names = [*variables, CONFIG_VARIABLE, DEBUG_VARIABLE]
            yield unknown_setting(name, names, origin="environment")


def read_secret(key: str, value: str, file: str) -> str:
    """Return a secret: `value`, or the first line of `file` if that is not "".

    Raise SettingsInvalid, naming the setting `key`, if both are set, or if the file cannot be read
    or its first line is empty: nobody names a file in order to have no secret.
    """
    # Imported here because the ports know the events, and help must not wait for those.
    from newsdedup.ports.errors import SettingsInvalid  # noqa: PLC0415

    if value and file:
        raise SettingsInvalid(f"{key} and {key}_file: only one may be set")
    if not file:
        return value
    try:
        lines = Path(file).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsInvalid(f"{key}_file {file}: cannot be read: {error}") from error
    if not lines or not lines[0].strip():
        raise SettingsInvalid(f"{key}_file {file}: its first line is empty")
    return lines[0]
