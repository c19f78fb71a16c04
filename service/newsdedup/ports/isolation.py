"""Isolation: what raises unexpectedly costs one record, not the stream.

A step that raises for a record (decode, analyze, compare, decide, render, encode) is a bug of ours.
The record goes to the dead letters with the code `internal_error`, the kind of the exception and
the line that raised it, and stays undecided. Errors of the environment are no bugs of a step and
pass through. Where too many of the last records fail, it is not the record: TooManyInternalErrors
ends the process (docs/decisions/0035-isolation.md).
"""

import logging
from collections import deque
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from traceback import walk_tb
from typing import Final, Literal

from newsdedup.core.matching.index_keys import IndexKeys
from newsdedup.core.matching.rules import Rule
from newsdedup.core.stories.records import Record
from newsdedup.ports.errors import Rejection, is_bug

LOG: Final = logging.getLogger("newsdedup.isolation")
INTERNAL_ERROR: Final = "internal_error"
"""The code of dead letters about records that a bug of ours kept from being judged."""
FailedStage = Literal[
    "decode", "analyze", "compare", "decide", "render", "encode", "archive", "parse"
]
MOST_FAILED: Final = 20
"""So many failed records among the last 100 end the process."""
OF_RECORDS: Final = 100

_PACKAGE: Final = __name__.partition(".")[0]
_ROOT: Final = str(Path(__file__).parents[1])
_STAGES: Final[tuple[tuple[str, FailedStage], ...]] = (
    (f"{_PACKAGE}.core.matching", "compare"),
    (f"{_PACKAGE}.engine.event_writer", "render"),
)
"""Modules that tell the stage of a decision that raised; the last one that the error passed counts.

An error in the comparison that evidence needs is one of comparing."""


class TooManyInternalErrors(Exception):
    """So many of the last records raised internal errors that none of them can be to blame.

    It is a bug, so it is no NewsdedupError.
    """

    def __init__(self, latest: str) -> None:
        super().__init__(
            f"{MOST_FAILED} of the last {OF_RECORDS} records raised internal errors, the latest "
            f"{latest}: it is not the records. The batch in hand is not acknowledged, and comes "
            f"again after a restart; what was set aside before waits in the dead letters as "
            f"{INTERNAL_ERROR}. Run another release, and then `newsdedup dlq replay`."
        )


def internal_error(error: Exception, stage: FailedStage) -> Rejection:
    """Return the rejection of a record for which a step raised a bug; log it.

    It names the kind of the error and the innermost line of ours, and quotes nothing: the message
    of an error may hold the text of an item. Raise an error of the environment again.
    """
    if not is_bug(error):
        raise error
    where = line_of_error(error)
    LOG.error("internal_error stage=%s kind=%s at=%s", stage, type(error).__name__, where)
    reason = f"internal error: {type(error).__name__} at {where} ({stage})"
    return Rejection(INTERNAL_ERROR, reason, stage)


def line_of_error(error: BaseException) -> str:
    """Return module, function and line of the innermost frame of ours, as "a.b:function:12"."""
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        if frame.f_code.co_filename.startswith(_ROOT):
            return f"{frame.f_globals.get('__name__')}:{frame.f_code.co_qualname}:{line}"
    return "unknown"


def decision_stage(error: BaseException) -> FailedStage:
    """Return which step of a decision raised: comparing, deciding or rendering its events."""
    for frame, _ in reversed(list(walk_tb(error.__traceback__))):
        module = str(frame.f_globals.get("__name__"))
        for begin, stage in _STAGES:
            if module.startswith(begin):
                return stage
    return "decide"


class InternalErrorLimit:
    """Ends a stream in which too many of the last records failed; one for each stream."""

    def __init__(self) -> None:
        self._last: deque[bool] = deque(maxlen=OF_RECORDS)
        """Whether each of the last records failed; empty while none of them did."""

    def note(self, rejections: Sequence[Rejection | None], set_aside: int = 0) -> None:
        """Count the records of a batch in their order, None for one that was not rejected.

        Each of the `set_aside` entries counts as one more record that failed. Raise
        TooManyInternalErrors, and count nothing, if too many of the last ones failed.
        """
        if set_aside or any(self._last) or any(map(_is_internal, rejections)):
            self._last = self.check(rejections, set_aside)

    def check(self, rejections: Sequence[Rejection | None], set_aside: int = 0) -> deque[bool]:
        """Return for the last records, these included, whether each failed; count nothing.

        Raise TooManyInternalErrors as `note` does.
        """
        last, latest = self._last.copy(), "where stored entries are compared"
        failures = [*map(_is_internal, rejections), *[True] * set_aside]
        for failed, rejection in zip_longest(failures, rejections):
            last.append(failed)
            if failed and rejection is not None:
                latest = rejection.reason.partition(": ")[2]
            if failed and last.count(True) >= MOST_FAILED:
                raise TooManyInternalErrors(latest)
        return last


def _is_internal(rejection: Rejection | None) -> bool:
    """Return whether a rejection was caused by a bug of newsdedup."""
    return rejection is not None and rejection.code == INTERNAL_ERROR


def stored_index_keys(rule: Rule, record: Record) -> IndexKeys:
    """Return the index keys of a stored record; none if a bug is raised: no look-up finds it then.

    An arriving item with such a bug fails earlier: the look-up before its decision raises it.
    """
    try:
        return rule.index_keys(record.entry)
    except Exception as error:
        if not is_bug(error):
            raise
        LOG.error("entry_without_keys source=%r id=%r", *record.key)  # noqa: TRY400 - a message may quote an item
        return IndexKeys(())
