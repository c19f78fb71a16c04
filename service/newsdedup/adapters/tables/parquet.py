"""Rows of Parquet files, a batch at a time; pyarrow comes with the extra `parquet`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice
from typing import Any, BinaryIO

from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.adapters.tables.rows import BadTableRow, TableRow
from newsdedup.core.moments import EPOCH
from newsdedup.ports.errors import SinkUnusable, SourceUnusable

_READ_ROWS = 1_024
"""Rows decoded at a time."""
_READ_BYTES = 1 << 20
"""Bytes of a column read at a time: otherwise a whole row group is held."""


def read_parquet(name: str, columns: ColumnMap) -> Iterator[TableRow | BadTableRow]:
    """Yield the rows of a file, of its columns only those that are needed."""
    with _readable(name):
        from pyarrow import parquet  # noqa: PLC0415 - an extra, and slow to import

        with parquet.ParquetFile(name, buffer_size=_READ_BYTES) as file:
            chosen = columns.of_table(file.schema_arrow.names, table=name)
            found = chosen.columns.values()
            needed = list(dict.fromkeys(column for columns in found for column, _ in columns))
            number = 0
            for batch in file.iter_batches(
                batch_size=_READ_ROWS, columns=needed, use_threads=False
            ):
                values = {column: _values(batch.column(column)) for column in batch.schema.names}
                for at in range(batch.num_rows):
                    fields = {column: cells[at] for column, cells in values.items()}
                    yield TableRow(name, number, chosen.own_fields(fields))
                    number += 1


def _values(column: Any) -> list[Any]:
    """Return the cells of a column as Python knows them."""
    import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import

    if pa.types.is_timestamp(column.type):
        # By way of whole microseconds: Python knows neither nanoseconds nor every zone.
        zone = None if column.type.tz is None else "UTC"
        whole = column.cast(pa.timestamp("us", zone), safe=False).cast(pa.int64()).to_pylist()
        return [None if at is None else EPOCH + timedelta(microseconds=at) for at in whole]
    cells: list[Any] = column.to_pylist()
    # Writers that do not mark their texts as such leave bytes.
    return [cell.decode(errors="replace") if isinstance(cell, bytes) else cell for cell in cells]


@contextmanager
def _readable(name: str) -> Iterator[None]:
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise SourceUnusable(
            f"{name}: Parquet needs pyarrow: install it with `pip install 'newsdedup[parquet]'`"
        ) from error
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise SourceUnusable(f"{name}: cannot be read: {error}") from error


_WRITE_ROWS = 50_000
"""Rows of a row group: readers skip and split by it."""


def import_pyarrow() -> Any:
    """Return pyarrow; raise SinkUnusable if it is not installed."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise SinkUnusable(
            "Parquet needs pyarrow: install it with `pip install 'newsdedup[parquet]'`, "
            "or take --format csv"
        ) from error
    return pa


def write_parquet(
    columns: Mapping[str, str], rows: Iterable[Sequence[Any]], file: BinaryIO
) -> None:
    """Write rows whose columns hold the kinds of tables.py."""
    pa = import_pyarrow()
    from pyarrow import parquet  # noqa: PLC0415 - an extra, and slow to import

    kinds = _kinds(pa)
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    left = iter(rows)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while some := list(islice(left, _WRITE_ROWS)):
            cells = zip(*some, strict=True)
            arrays = [pa.array(cell, kind) for cell, kind in zip(cells, schema.types, strict=True)]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def _kinds(pa: Any) -> dict[str, Any]:
    text, count = pa.string(), pa.int64()
    row = pa.struct([("input", text), ("row", count), ("source", text), ("id", text)])
    return {
        "text": text,
        "count": count,
        "number": pa.float64(),
        "flag": pa.bool_(),
        "moment": pa.timestamp("us", "UTC"),
        "texts": pa.list_(text),
        "rows": pa.list_(row),
    }
