"""Parquet files, a batch of rows at a time; pyarrow comes with the extra `parquet`."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, BinaryIO

from newsdedup.ports.errors import SinkUnusable

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
