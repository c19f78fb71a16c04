"""Loads the files that the settings name: model, background table with its pivots, and secrets."""

from dataclasses import replace
from pathlib import Path

import xxhash

from newsdedup.adapters.words.package_data import (
    shipped_background,
    shipped_model,
    unpack_background,
)
from newsdedup.config import Settings
from newsdedup.core.matching.verify.model import Model, parse_model, render_model
from newsdedup.core.words.background import Background
from newsdedup.core.words.pivots import NO_PIVOTS, Pivots
from newsdedup.ports.errors import SettingsInvalid

TELLING = 6
"""Hexadecimal digits of a hash, enough to tell the models that somebody fits."""


def load_model(settings: Settings) -> Model:
    """Return the model that rule.model names, else the shipped one; raise SettingsInvalid."""
    if not settings.rule.model:
        return shipped_model()
    path = Path(settings.rule.model)
    try:
        return with_unique_version(parse_model(path.read_text("utf-8")))
    except OSError as error:
        why = error.strerror or error
        raise SettingsInvalid(f"rule.model = {path}: cannot be read: {why}") from error
    except ValueError as error:
        raise SettingsInvalid(f"rule.model = {path}: not a model: {error}") from error


def with_unique_version(found: Model) -> Model:
    """Return a model whose version no other model has: its name and a hash of its weights.

    Two fits may have one name, and a state must not be judged by another model. The shipped model
    keeps its name, also when it is read from a file.
    """
    if found == shipped_model():
        return found
    weighed = xxhash.xxh3_64_hexdigest(render_model(replace(found, version="")).encode())
    return replace(found, version=f"{found.version}-{weighed[:TELLING]}")


PIVOTAL = "descr_words"
"""The method that signs with pivots, and nothing without them."""


def load_background(settings: Settings) -> Background:
    """Return the table that words.background names, else the shipped one; raise SettingsInvalid."""
    if not settings.words.background:
        return shipped_background()
    path = Path(settings.words.background)
    try:
        return unpack_background(path.read_bytes())
    except (OSError, ValueError) as error:
        raise SettingsInvalid(f"words.background = {path}: not a table: {error}") from error


def load_pivots(settings: Settings, names: tuple[str, ...]) -> Pivots:
    """Return the pivots of the background table if one of these methods needs them, else none.

    Raise SettingsInvalid for a table without pivots: the method would sign nothing, silently.
    """
    if PIVOTAL not in names:
        return NO_PIVOTS
    chosen = load_background(settings).pivots
    if not chosen.thresholds:
        raise SettingsInvalid(
            f"{PIVOTAL} needs pivots, but words.background = {settings.words.background} has none:"
            " build it anew, of more items, by newsdedup background build"
        )
    return chosen


def read_secret(key: str, value: str, file: str) -> str:
    """Return the secret of a setting, or the first line of the file that `KEY_file` names.

    Raise SettingsInvalid if both are set or the file cannot be read.
    """
    if value and file:
        raise SettingsInvalid(f"{key} and {key}_file: only one may be set")
    if not file:
        return value
    try:
        lines = Path(file).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsInvalid(f"{key}_file {file}: cannot be read: {error}") from error
    return lines[0] if lines else ""
