"""The graph of sources: who takes from whom, as the coordinates of an SVG."""

from math import cos, hypot, pi, sin
from typing import Final

from msgspec import Struct

from newsdedup.archive.views import CopyCell, CopyMatrix

_WIDTH: Final = 960
_HEIGHT: Final = 560
_RING: Final = 205.0
"""Radius of the circle on which the sources stand."""
_MOST_EDGES: Final = 36
_BEND: Final = 0.35
"""How far an edge is drawn towards the middle of the circle, as a share of the way there."""


class GraphNode(Struct, frozen=True):
    """A source on the circle, and where its name is written."""

    source: str
    x: float
    y: float
    radius: float
    label_x: float
    label_y: float
    anchor: str
    """Which end of the name is at its coordinates: "start", "middle" or "end"."""
    copied: int
    """Copies of its originals by the other sources of the graph."""


class GraphEdge(Struct, frozen=True):
    """Copies of one source by another: a wedge, broad at the original and pointed at the copier."""

    path: str
    cell: CopyCell


class SourceGraph(Struct, frozen=True):
    """Sources on a circle in the order of the matrix, and the strongest pairs of them."""

    width: int
    height: int
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    """The weakest first, so that the strongest are drawn above them."""
    left_out: int
    """Weaker pairs of these sources that are not drawn."""


def source_graph(matrix: CopyMatrix) -> SourceGraph | None:
    """Return the graph of the sources of a matrix; None where no source copies another one."""
    cells = [cell for cell in matrix.cells if cell.source != cell.original_source]
    if not cells:
        return None
    cells.sort(key=lambda cell: (-cell.items, cell.source, cell.original_source))
    drawn = cells[:_MOST_EDGES]
    shown = {name for cell in drawn for name in (cell.source, cell.original_source)}
    names = [name for name in matrix.sources if name in shown]
    copied = {
        name: sum(cell.items for cell in cells if cell.original_source == name) for name in names
    }
    most = max(*copied.values(), 1)
    nodes = {
        name: _node(name, at / len(names), copied[name], most) for at, name in enumerate(names)
    }
    strongest = drawn[0].items
    edges = [
        GraphEdge(
            _wedge(nodes[cell.original_source], nodes[cell.source], cell.items / strongest), cell
        )
        for cell in reversed(drawn)
    ]
    left_out = len(cells) - len(drawn)
    return SourceGraph(_WIDTH, _HEIGHT, tuple(nodes.values()), tuple(edges), left_out)


def _node(source: str, turn: float, copied: int, most: int) -> GraphNode:
    """Return a source at a share of the circle from its top, clockwise."""
    angle = 2 * pi * turn - pi / 2
    x, y = cos(angle), sin(angle)
    radius = 5 + 13 * (copied / most) ** 0.5
    anchor = "middle" if abs(x) < 0.15 else "start" if x > 0 else "end"
    away = _RING + radius + 8
    return GraphNode(
        source,
        *_placed(x * _RING, y * _RING),
        round(radius, 1),
        *_placed(x * away, y * away + (4 if abs(y) < 0.95 else 8 * y + 4)),
        anchor,
        copied,
    )


def _placed(x: float, y: float) -> tuple[float, float]:
    """Return coordinates in the picture of a point that is given from the middle of the circle."""
    return round(_WIDTH / 2 + x, 1), round(_HEIGHT / 2 + y, 1)


def _wedge(original: GraphNode, copier: GraphNode, weight: float) -> str:
    """Return the path from an original to its copier; `weight` is from 0 to 1."""
    half = 1 + 6 * weight**0.5
    across_x, across_y = original.y - copier.y, copier.x - original.x
    length = hypot(across_x, across_y) or 1
    across_x, across_y = across_x / length * half, across_y / length * half
    middle_x = (original.x + copier.x) / 2 * (1 - _BEND) + _WIDTH / 2 * _BEND
    middle_y = (original.y + copier.y) / 2 * (1 - _BEND) + _HEIGHT / 2 * _BEND
    # Not opposite ways on one line: a pair that copies both ways has two wedges side by side.
    middle_x, middle_y = middle_x + 1.5 * across_x, middle_y + 1.5 * across_y
    points = (
        (original.x + across_x, original.y + across_y),
        (middle_x + across_x / 2, middle_y + across_y / 2),
        (copier.x, copier.y),
        (middle_x - across_x / 2, middle_y - across_y / 2),
        (original.x - across_x, original.y - across_y),
    )
    one, two, three, four, five = (f"{x:.0f} {y:.0f}" for x, y in points)
    return f"M{one}Q{two} {three}Q{four} {five}z"
