"""What was counted of a collection: the table that the settings name, and what comes with it."""

from pathlib import Path

from newsdedup.adapters.words.package_data import shipped_background, unpack_background
from newsdedup.config import Settings
from newsdedup.core.words.background import Background
from newsdedup.core.words.pivots import NO_PIVOTS, Pivots
from newsdedup.ports.errors import SettingsInvalid

PIVOTAL = "descr_words"
"""The method that signs with pivots, and nothing without them."""


def load_background(settings: Settings) -> Background:
    """Return the table that the settings name, else the one of the package."""
    if not settings.words.background:
        return shipped_background()
    path = Path(settings.words.background)
    try:
        return unpack_background(path.read_bytes())
    except (OSError, ValueError) as error:
        raise SettingsInvalid(f"words.background = {path}: not a table: {error}") from error


def load_pivots(settings: Settings, names: tuple[str, ...]) -> Pivots:
    """Return the pivots of the table in use, if one of these methods signs with them.

    A table without pivots is refused then: with it the method would find nothing, silently.
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
