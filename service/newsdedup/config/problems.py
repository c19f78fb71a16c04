from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsdedup.ports.errors import SettingsInvalid

LONGEST = 60
"""Characters of a wrong value or name that are shown."""
ALIKE = 0.5
"""How alike a name must be to be taken for a slip of the pen (difflib's ratio)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one thing, and what would be right."""

    what: str
    expected: str

    def __str__(self) -> str:
        return f"{self.what}: {self.expected}"


def refused(problems: Collection[Problem]) -> "SettingsInvalid":
    """Return the one error that lists all problems."""
    # Imported here because the ports know the events, and help must not wait for those.
    from newsdedup.ports.errors import SettingsInvalid  # noqa: PLC0415

    count = "1 setting is" if len(problems) == 1 else f"{len(problems)} settings are"
    return SettingsInvalid("\n".join([f"{count} wrong:", *(f"  {it}" for it in problems)]))


def unknown(name: str, known: Collection[str], *, origin: str) -> Problem:
    """Return the problem of a name that nobody knows, with its nearest neighbour."""
    near = nearest(name, known)
    advice = "`newsdedup config show` lists all" if near is None else f"did you mean {near}?"
    return Problem(f"{shortened(name)} ({origin})", f"no such setting; {advice}")


def nearest(name: str, known: Collection[str]) -> str | None:
    """Return the known name that is most like this one, or None if none is like it."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - needed after a mistake only

    def likeness(candidate: str) -> float:
        there = _bare(candidate)
        pairs = ((here, there), (here, _last(there)), (_last(here), _last(there)))
        return max(SequenceMatcher(None, *pair).ratio() for pair in pairs)

    here = _bare(name[:LONGEST])
    best = max(known, key=likeness, default=None)
    return best if best is not None and likeness(best) >= ALIKE else None


def shortened(text: str) -> str:
    """Return a text that fits into a message."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _bare(name: str) -> str:
    """Return the key that a name or a variable stands for."""
    return name.lower().removeprefix("newsdedup_").replace("__", ".")


def _last(key: str) -> str:
    """Return a key without its section."""
    return key.rpartition(".")[2]
