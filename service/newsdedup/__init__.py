"""Find duplicate news in a stream: every item marked original or duplicate, with the reason.

    from newsdedup import Deduplicator

What is exported is imported when it is first used, so that `newsdedup --version` need not wait.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from newsdedup._version import __version__ as __version__

if TYPE_CHECKING:
    from newsdedup.core.model import ItemKey, NewsItem
    from newsdedup.core.stories.commands import UnknownItem
    from newsdedup.library import Deduplicator, Judged, deduplicated
    from newsdedup.ports.errors import InvalidItem, SettingsInvalid
    from newsdedup.runners.files.finished import Result

__all__ = [
    "Deduplicator",
    "InvalidItem",
    "ItemKey",
    "Judged",
    "NewsItem",
    "Result",
    "SettingsInvalid",
    "UnknownItem",
    "deduplicated",
]

_HOMES = {
    "Deduplicator": "newsdedup.library",
    "InvalidItem": "newsdedup.ports.errors",
    "ItemKey": "newsdedup.core.model",
    "Judged": "newsdedup.library",
    "NewsItem": "newsdedup.core.model",
    "Result": "newsdedup.runners.files.finished",
    "SettingsInvalid": "newsdedup.ports.errors",
    "UnknownItem": "newsdedup.core.stories.commands",
    "deduplicated": "newsdedup.library",
}


def __dir__() -> list[str]:
    """Return the public names, for `dir()` and for completion."""
    return sorted(
        [*__all__, "__all__", "__doc__", "__file__", "__name__", "__path__", "__version__"]
    )


def __getattr__(name: str) -> Any:
    """Import and return what is exported under a name; raise AttributeError for other names."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
