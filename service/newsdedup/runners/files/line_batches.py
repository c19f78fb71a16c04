"""Lines in batches, and each batch with the one that follows, so that its analysis begins early."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from newsdedup.adapters.files.lines import Idle, Line
from newsdedup.ports.errors import InvalidItem, SourceUnusable, is_bug
from newsdedup.ports.streams import Decoder

_T = TypeVar("_T")

BATCH_BYTES = 16 << 20
"""A batch is closed when its lines hold so much, however few they are."""


def batches(lines: Iterable[Line | Idle], *, size: int) -> Iterator[list[Line]]:
    """Yield lines in batches of up to `size`, fewer if they fill 16 MiB or the input is idle."""
    batch: list[Line] = []
    bytes_in_batch = 0
    for line in lines:
        if isinstance(line, Line):
            batch.append(line)
            bytes_in_batch += len(line.data)
        full = len(batch) >= size or bytes_in_batch >= BATCH_BYTES
        if batch and (full or isinstance(line, Idle)):
            yield batch
            batch, bytes_in_batch = [], 0
    if batch:
        yield batch


def with_following(parts: Iterator[Sequence[_T]]) -> Iterator[tuple[Sequence[_T], Sequence[_T]]]:
    """Yield each batch with the next one, which is read ahead; the last with an empty one.

    If reading ahead raises SourceUnusable, the batch at hand is yielded before that is raised.
    """
    batch = next(parts, ())
    while batch:
        failure: SourceUnusable | None = None
        try:
            following = next(parts, ())
        except SourceUnusable as error:
            following, failure = (), error
        yield batch, following
        if failure is not None:
            raise failure
        batch = following


def without_half_written(
    lines: Iterable[Line | Idle], decoder: Decoder[Line], left: list[Line]
) -> Iterator[Line | Idle]:
    """Yield the lines; append a last one without line end or whole JSON to `left` instead."""
    for line in lines:
        if isinstance(line, Line) and line.is_open and _is_half(line, decoder):
            left.append(line)
        else:
            yield line


def _is_half(line: Line, decoder: Decoder[Line]) -> bool:
    """Return whether a line without end is only the beginning of JSON text."""
    try:
        decoder.decode(line)
    except InvalidItem as error:
        # Cut within a character or an escape it is no UTF-8 either.
        return error.code in ("not_json", "not_utf8", "bad_csv")
    except Exception as error:
        if not is_bug(error):
            raise
    return False
