"""Patterns of lines that advertise a channel or name a source instead of reporting the news.

The table is data/tail_lines.toml, and all in it is written in lower case, after folding.
"""

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files

from newsdedup import data

_TABLE = tomllib.loads((files(data) / "tail_lines.toml").read_text("utf-8"))
_parts: dict[str, str] = {}


def _filled(pattern: str | list[str]) -> str:
    """Return a pattern, whole or in parts, with the parts that it names as <name>."""
    return re.sub(r"<(\w+)>", lambda name: _parts[name[1]], "".join(pattern))


for _name, _pattern in _TABLE["parts"].items():
    _parts[_name] = _filled(_pattern)

OUTLET = _parts["outlet"]
RESTS: Mapping[str, re.Pattern[str]] = {
    word: re.compile(rf"(?:{_filled(line['rest'])})[.!?:)»\" ]*")
    for line in _TABLE["lines"]
    for word in line["words"].split()
}
"""What follows the first word of such a line up to its end."""
BUTTONS = frozenset(_TABLE["buttons"])
"""Whole lines that are buttons."""
