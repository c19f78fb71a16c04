"""The pages of the documentation as the tests read them."""

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs"
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = "<!-- not run"


@dataclass(frozen=True, slots=True)
class Block:
    """One block of code."""

    kind: str
    line: int
    text: str
    run: bool
    """Whether it can be run as it stands: the page marks those that cannot."""


def page(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


def blocks(name: str, kind: str) -> list[Block]:
    """Return the blocks of a kind in the order of the page."""
    text = page(name)
    return [
        Block(
            kind=kind,
            line=text.count("\n", 0, found.start()) + 1,
            text=found[2],
            run=NOT_RUN not in text[: found.start()].rstrip().rpartition("\n")[2],
        )
        for found in FENCED.finditer(text)
        if found[1] == kind
    ]


def cells(name: str, *, first: str) -> list[list[str]]:
    """Return the rows of the table whose first heading this is, without the heading."""
    lines = page(name).splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(f"| {first} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def quoted(cell: str) -> list[str]:
    """Return the words of a cell that are written as code."""
    return re.findall(r"`([^`]+)`", cell)
