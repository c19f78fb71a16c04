"""The word lists that come with the package: TOML files in data/, one folder a language."""

import tomllib
from importlib.resources import files
from typing import Any


def bundled(*path: str) -> dict[str, Any]:
    """Return the content of one file under data/."""
    place = files("newsdedup.synthetic") / "data"
    for part in path:
        place = place / part
    return tomllib.loads(place.read_text(encoding="utf-8"))
