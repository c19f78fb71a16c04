"""Rows of files that hold one JSON object a line."""

from collections.abc import Iterable, Iterator

from newsdedup.adapters.files.lines import Idle, Line
from newsdedup.adapters.formats.act_json import ACT_FIELD
from newsdedup.adapters.formats.json_object import decode_object
from newsdedup.adapters.formats.limits import Limits
from newsdedup.adapters.tables.columns import ChosenColumns, ColumnMap, list_columns
from newsdedup.adapters.tables.rows import BadRow, Row, bad_row
from newsdedup.ports.errors import InvalidItem, SourceUnusable

_SHAPES = 1_000
"""Sets of names that are remembered with the columns they offer: most files have a few."""


def read_json_lines(
    name: str, lines: Iterable[Line | Idle], columns: ColumnMap, *, limits: Limits
) -> Iterator[Row | BadRow]:
    """Yield the objects of the lines that are not blank."""
    shapes: dict[tuple[str, ...], ChosenColumns] = {}
    number = -1
    for line in lines:
        if isinstance(line, Idle) or not line.size or line.data.isspace():
            continue
        number += 1
        if number == 0 and line.data.lstrip().startswith(b"["):
            raise SourceUnusable(
                f"{name} holds one JSON array: write an object a line, as `jq -c '.[]'` does"
            )
        try:
            yield Row(name, number, _named(line, columns, shapes, limits), line.number)
        except InvalidItem as error:
            yield bad_row(Row(name, number, {}, line.number), error)


def _named(
    line: Line, columns: ColumnMap, shapes: dict[tuple[str, ...], ChosenColumns], limits: Limits
) -> dict[str, object]:
    if line.size > limits.line_bytes:
        raise InvalidItem("too_long", f"the line has more than {limits.line_bytes} bytes")
    fields = decode_object(line.data, limits)
    if ACT_FIELD in fields:
        raise InvalidItem("act", "an act changes a stream: give it to `newsdedup run`")
    shape = tuple(fields)
    chosen = shapes.get(shape)
    if chosen is None:
        if len(shapes) >= _SHAPES:
            shapes.clear()
        chosen = shapes[shape] = columns.of_row(shape)
    if not chosen.readable:
        raise InvalidItem(
            "no_text", f"nothing looks like a title or a text in {list_columns(shape)}"
        )
    return chosen.own_fields(fields)
