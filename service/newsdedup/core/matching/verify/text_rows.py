"""The row of an entry under rule `verified`: header, packed sketch, sums over its lemmas.

All fields have the same offset in every row, so that those of many entries are read as arrays.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from newsdedup.core.facts.fact import CODE_BYTES, MOST_CODES
from newsdedup.core.matching.rows import HEADER, Rows, pack_header
from newsdedup.core.matching.verify.copy_rates import PAIR_KINDS
from newsdedup.core.matching.verify.phrases import SAMPLE_SIZE, TIERS
from newsdedup.core.matching.verify.sketches import LEMMAS_AT, PHRASES_AT, WORDS_AT
from newsdedup.core.matching.verify.view import LEMMAS, WEIGHT_MASK
from newsdedup.core.model import Entry

MOST_WORDS = LEMMAS + SAMPLE_SIZE
"""Most lemmas and phrases of a text."""

_SKETCH = np.dtype(
    [
        ("bucket", "<u4"),
        ("shifts", "<i2", (PAIR_KINDS,)),
        ("lemmas", "u1"),
        ("phrases", "u1"),
        ("facts", "u1"),
        ("tiers", "u1", (TIERS,)),
        ("size", "<u2"),
        ("limit", "<u4"),
        ("opening", "<u4"),
        ("first", "<u8"),
        ("names", "<u8"),
        ("words", "<u4", (MOST_WORDS,)),
    ]
)
"""A packed sketch (sketches.py) up to its facts: lemmas, and behind the last of them the phrases.

`first` has a bit for each lemma of the first sentence, `names` for each lemma that is a name.
"""
ROW = np.dtype(
    [
        *HEADER.descr,
        *_SKETCH.descr,
        ("codes", "<i8", (MOST_CODES,)),
        ("weight", "<u2"),
        ("first_weight", "<u2"),
        ("names_weight", "<u2"),
        ("lead_weight", "<u2"),
    ]
)
"""The weights are sums over all lemmas, those of the first sentence, the names, and those of the
first sentence that are no names."""
_PACKED = np.dtype([*HEADER.descr, *_SKETCH.descr, ("halves", ">u2", (MOST_CODES, 3))])
"""What `_pack_text` packs; the rest of a row is computed from it. A code is three halves."""

_COLUMNS = np.arange(LEMMAS, dtype=np.uint64)


def make_text_rows(entries: Sequence[Entry]) -> Rows:
    """Return the rows of entries, whose last sketches are the verifier's."""
    packed = np.frombuffer(b"".join([_pack_text(entry) for entry in entries]), _PACKED)
    rows = np.empty(len(entries), ROW)
    for name in (*(HEADER.names or ()), *(_SKETCH.names or ())):
        rows[name] = packed[name]
    halves = packed["halves"].astype(np.int64)
    rows["codes"] = halves[..., 0] << 32 | halves[..., 1] << 16 | halves[..., 2]
    lemmas = packed["words"][:, :LEMMAS]
    weights = (lemmas & WEIGHT_MASK) * (packed["lemmas"][:, None] > _COLUMNS)
    first, names = _bits(packed["first"]), _bits(packed["names"])
    rows["weight"] = weights.sum(1)
    rows["first_weight"] = (weights * first).sum(1)
    rows["names_weight"] = (weights * names).sum(1)
    rows["lead_weight"] = (weights * (first & ~names)).sum(1)
    return rows


def _pack_text(entry: Entry) -> bytes:
    """Return an entry's row as bytes: header, sketch and codes of facts, filled up with zeros."""
    body = entry.sketches[-1].body
    codes = WORDS_AT + 4 * (body[LEMMAS_AT] + body[PHRASES_AT])
    return b"".join(
        (
            pack_header(entry),
            body[:codes].ljust(_SKETCH.itemsize, b"\0"),
            body[codes:].ljust(MOST_CODES * CODE_BYTES, b"\0"),
        )
    )


def _bits(flags: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return a row of flags for each number: its lowest bits, one for each lemma of a text."""
    return (flags[:, None] >> _COLUMNS & np.uint64(1)).astype(bool)
