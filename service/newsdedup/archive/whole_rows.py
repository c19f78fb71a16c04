"""All rows of a query in one step, where there are many.

SQLite lets go of the interpreter at each row: a query of 30,000 rows would wait for busy threads as
often. Here SQLite makes one text of JSON of them.
"""

import sqlite3
from collections.abc import Sequence
from typing import Final

import msgspec

_NUMBERS: Final = msgspec.json.Decoder(list[list[int]])


def whole_rows(
    connection: sqlite3.Connection, columns: str, rows: str, parameters: Sequence[object] = ()
) -> list[list[int]]:
    """Return rows of whole numbers in any order: those of `SELECT columns FROM rows`."""
    (joined,) = connection.execute(
        "SELECT '[' || coalesce(group_concat(whole_row), '') || ']' FROM"
        f" (SELECT json_array({columns}) AS whole_row FROM {rows})",
        parameters,
    ).fetchone()
    return _NUMBERS.decode(joined)
