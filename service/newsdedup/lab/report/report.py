"""What a report of the lab says, before anyone decides how it looks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Cell = str | int | float | None
"""None is a figure that there is not."""

PlotPoint = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class BulletList:
    """Remarks, one below the other."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Rows of figures under the names of their columns; the first column names the row."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    about: str = ""
    digits: int = 3
    """Behind the point, of every figure that is not whole."""
    best: tuple[str, ...] = ()
    """Columns whose largest figure is set in bold."""

    def __post_init__(self) -> None:
        """Refuse a row that does not fit its columns."""
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"{self.title}: a row does not fit the columns {self.columns}")


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A figure between 0 and 1 for every two names: row by column, None where there is none."""

    title: str
    names: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    about: str = ""
    digits: int = 2

    def __post_init__(self) -> None:
        """Refuse values that do not make a square of the names."""
        if any(len(row) != len(self.names) for row in (*self.values, self.values)):
            raise ValueError(f"{self.title}: the values are no square of the names")


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a plot."""

    label: str
    points: tuple[PlotPoint, ...]
    kind: Literal["line", "points", "steps"] = "line"
    """`points` are not joined; `steps` hold from their x to the next."""
    band: tuple[tuple[float, float, float], ...] = ()
    """x, low and high of what surrounds the line, such as an interval of confidence."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on the x axis that has a name."""

    x: float
    label: str


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of the x axis that has a name."""

    begin: float
    end: float
    label: str


@dataclass(frozen=True, slots=True)
class Plot:
    """Lines over one x axis; told apart by marker and dash as well as by colour."""

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    about: str = ""
    x_scale: Literal["linear", "log", "whole", "time"] = "linear"
    """`whole`: only whole numbers are marked; `time`: seconds since 1970 in UTC."""
    y_scale: Literal["linear", "log"] = "linear"
    y_range: tuple[float, float] | None = None
    marks: tuple[Mark, ...] = ()
    zones: tuple[Zone, ...] = ()


Block = Paragraph | BulletList | ReportTable | HeatMap | Plot


@dataclass(frozen=True, slots=True)
class Section:
    """Parts under one heading."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who made a report: told at the edge, for nothing here knows a clock or a command line."""

    command: str
    date: str
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StudyReport:
    """A page and the figures behind it."""

    name: str
    """Of its two files."""
    title: str
    lead: str
    sections: tuple[Section, ...]
    figures: Mapping[str, object]
    """All figures, those of the page among them, as JSON knows them."""
