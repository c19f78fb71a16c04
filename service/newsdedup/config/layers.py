"""Where values come from; each layer overrides the one before it."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from newsdedup.config.catalogue import PREFIX, Setting
from newsdedup.config.problems import Problem, unknown

FILE = "newsdedup.toml"
CONFIG_VARIABLE = "NEWSDEDUP_CONFIG"
DEBUG_VARIABLE = "NEWSDEDUP_DEBUG"
FAILPOINT_VARIABLE = "NEWSDEDUP_FAILPOINT"
OTHER_VARIABLES = (CONFIG_VARIABLE, DEBUG_VARIABLE, FAILPOINT_VARIABLE)
"""Variables with our prefix that set nothing."""

Catalogue = Mapping[str, Setting]


@dataclass(frozen=True, slots=True)
class Given:
    """A raw value for a setting, and where it was found."""

    key: str
    raw: object
    origin: str


Found = Iterator[Given | Problem]


def settings_file(flag: Path | None, environ: Mapping[str, str]) -> Path | None:
    """Return the file that is asked for, or newsdedup.toml of the current folder if it is there."""
    if flag is not None:
        return flag
    if environ.get(CONFIG_VARIABLE):
        return Path(environ[CONFIG_VARIABLE])
    here = Path(FILE)
    return here if here.exists() else None


def from_file(path: Path | None, known: Catalogue) -> Found:
    """Yield what a settings file says."""
    if path is None:
        return
    try:
        tables = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        yield Problem(f"settings file {path}", f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        yield Problem(f"settings file {path}", f"is not UTF-8: byte {error.start} is wrong")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        yield Problem(f"settings file {path}", f"is not TOML: {error}")
    else:
        yield from _from_tables(tables, str(path), known)


def from_environment(environ: Mapping[str, str], known: Catalogue) -> Found:
    """Yield what the variables say that begin with our prefix."""
    variables = {setting.variable: key for key, setting in known.items()}
    for name in sorted(environ):
        if not name.startswith(PREFIX) or name in OTHER_VARIABLES:
            continue
        if name in variables:
            yield Given(variables[name], environ[name], f"environment {name}")
        elif not _injected(name):
            yield unknown(name, [*variables, CONFIG_VARIABLE, DEBUG_VARIABLE], origin="environment")


def from_flags(flags: Mapping[str, object], known: Catalogue) -> Found:
    """Yield what the command line says, by the keys of the settings; None says nothing."""
    for key, raw in flags.items():
        if key not in known:
            yield unknown(key, known, origin="flag")
        elif raw is not None:
            yield Given(key, raw, f"flag {known[key].flag or key}")


def _from_tables(tables: Mapping[str, object], origin: str, known: Catalogue) -> Found:
    sections = {key.split(".")[0] for key in known}
    for section, table in tables.items():
        if not isinstance(table, dict):
            if section in sections:
                yield Problem(f"{section} ({origin})", f"expected a table: [{section}]")
            else:
                yield unknown(section, known, origin=origin)
            continue
        for name, raw in table.items():
            key = f"{section}.{name}"
            if key in known:
                yield Given(key, raw, origin)
            else:
                yield unknown(key, known, origin=origin)


SERVICE_ENDS = ("_SERVICE_HOST", "_SERVICE_PORT", "_PORT", "_TCP", "_UDP", "_SCTP")
SERVICE_PARTS = ("_SERVICE_PORT_", "_TCP_", "_UDP_", "_SCTP_")


def _injected(name: str) -> bool:
    """Return whether Kubernetes put the variable there: it does, for a service named newsdedup.

    A pod beside such a service must not refuse to start because of NEWSDEDUP_PORT_80_TCP_ADDR.
    Names of settings hold two underscores in a row, which these never do.
    """
    if "__" in name:
        return False
    return name.endswith(SERVICE_ENDS) or any(part in name for part in SERVICE_PARTS)
