"""The content of a report, independent of its rendering."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Cell = str | int | float | None
"""None: there is no value."""

PlotPoint = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class BulletList:
    """A list of remarks."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table; the first cell of a row names it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    about: str = ""
    digits: int = 3
    """Behind the point, of every number that is not whole."""
    best: tuple[str, ...] = ()
    """Columns whose largest number is set in bold."""

    def __post_init__(self) -> None:
        """Raise ValueError if a row does not fit the columns."""
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"{self.title}: a row does not fit the columns {self.columns}")


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A square of numbers from 0 to 1, row by column; None where there is none."""

    title: str
    names: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    about: str = ""
    digits: int = 2

    def __post_init__(self) -> None:
        """Raise ValueError if the values are no square of the names."""
        if any(len(row) != len(self.names) for row in (*self.values, self.values)):
            raise ValueError(f"{self.title}: the values are no square of the names")


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a plot."""

    label: str
    points: tuple[PlotPoint, ...]
    kind: Literal["line", "points", "steps"] = "line"
    """`points` are not joined; `steps` hold from their x to the next, without markers."""
    band: tuple[tuple[float, float, float], ...] = ()
    """x, low and high of what surrounds the line, such as an interval of confidence."""
    labels: tuple[str, ...] = ()
    """The texts next to the points, in their order; one without room is left out.

    Not on an axis of time.
    """


@dataclass(frozen=True, slots=True)
class AxisLabel:
    """A labelled position on the x axis."""

    x: float
    label: str


@dataclass(frozen=True, slots=True)
class Zone:
    """A labelled range of the x axis."""

    begin: float
    end: float
    label: str


@dataclass(frozen=True, slots=True)
class Plot:
    """Lines over a common x axis, distinguished by marker, dash and colour."""

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    about: str = ""
    x_scale: Literal["linear", "log", "whole", "time"] = "linear"
    """`whole`: only whole numbers are marked; `time`: seconds since 1970 in UTC."""
    y_scale: Literal["linear", "log"] = "linear"
    y_range: tuple[float, float] | None = None
    x_labels: tuple[AxisLabel, ...] = ()
    zones: tuple[Zone, ...] = ()


Block = Paragraph | BulletList | ReportTable | HeatMap | Plot


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under one heading."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Command line, date and versions behind a report, given by the command."""

    command: str
    date: str
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StudyReport:
    """A page and the measurements behind it."""

    name: str
    """Of its two files."""
    title: str
    lead: str
    sections: tuple[Section, ...]
    measurements: Mapping[str, object]
    """All measurements, those of the page among them, as JSON knows them."""
