"""Records in MessagePack: as the state in SQLite stores them, and as they are kept in memory."""

from typing import Final

import msgspec

from newsdedup.core.model import Entry, Fingerprint, ItemKey, Language, Micros, Stamp, Version
from newsdedup.core.stories.records import Record

encode_record: Final = msgspec.msgpack.Encoder().encode
"""Returns the stored bytes of a record."""
decode_record: Final = msgspec.msgpack.Decoder(Record).decode
"""Returns the record of stored bytes; raises msgspec.MsgspecError if they hold none."""


class _Sketch(msgspec.Struct, array_like=True):
    """A fingerprint, its keys undecoded."""

    keys: msgspec.Raw
    body: bytes


class _Entry(msgspec.Struct, array_like=True):
    """The fields of an Entry; what no row is made of stays undecoded."""

    key: ItemKey
    version: Version
    stamp: msgspec.Raw
    effective_at: Micros
    lang: Language
    terms: msgspec.Raw
    numbers: msgspec.Raw
    names: msgspec.Raw
    sketches: tuple[_Sketch, ...]
    passages: tuple[msgspec.Raw, ...]


class _Record(msgspec.Struct, array_like=True):
    """The first field of a Record; the others are skipped."""

    entry: _Entry


_decode_part: Final = msgspec.msgpack.Decoder(_Record).decode


def decode_for_row(encoded: bytes) -> Record:
    """Return of a stored record what filter rows are made of (rows.py), in a third of the time.

    Stamp, terms, numbers, names, keys of sketches and all but the entry are missing, unless it is a
    digest. Raise msgspec.MsgspecError as `decode_record` does.
    """
    part = _decode_part(encoded).entry
    if part.passages:
        return decode_record(encoded)
    sketches = tuple([Fingerprint((), sketch.body) for sketch in part.sketches])
    at, none = part.effective_at, Stamp(0, 0)
    return Record(Entry(part.key, part.version, none, at, part.lang, (), (), (), sketches))
