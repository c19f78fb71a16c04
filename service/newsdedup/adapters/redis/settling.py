"""A commit as the function `settle` takes it: names of keys, numbers of arguments."""

from collections.abc import Sequence
from typing import Final

import msgspec

from newsdedup.adapters.redis.calls import Part
from newsdedup.adapters.redis.codec import RowCodec, record_bytes, watermark_bytes
from newsdedup.adapters.redis.keys import Filed, Keys, item_field, known_address, time_digits
from newsdedup.adapters.redis.lessons import encode_lesson
from newsdedup.adapters.redis.looks import addresses
from newsdedup.adapters.redis.outbox import encode_payload
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.ports.shared_store import Commit, RecordPlace, RecordUpdate

SPAN: Final = 2
"""Buckets of the engine in one span, whose keys expire as a whole: two thirds of a window."""
AHEAD: Final = 8
"""Spans that may be kept at once; what is dated beyond them shares one, however wild the dates."""
FAR: Final = 1 << 60
UNMARKED: Final = -(1 << 53)
_ENCODE = msgspec.msgpack.Encoder().encode


class Settling:
    """One call of `settle`."""

    def __init__(
        self,
        keys: Keys,
        rule: Rule,
        codec: RowCodec,
        commit: Commit,
        *,
        token: str,
        live: Sequence[int],
    ) -> None:
        self._codec = codec
        self._keys = keys
        self._rule = rule
        self._commit = commit
        self._token = token
        self._live = live
        self.dropped = [span for span in live if self._is_past(span)]
        self.placed = [self._span(put) for put in commit.updates]
        """The span of each record that is put, in their order."""
        spans = set(self.placed)
        came_from = {put.before.place.span for put in commit.updates if put.before is not None}
        # What stood in a span that is gone needs no care.
        self._spans = sorted(spans | (came_from & set(live) - set(self.dropped)))
        kept = (set(live) | spans) - set(self.dropped)
        self.becomes = written(sorted(kept))
        self.names: list[str] = list(keys.fixed)
        for span in self._spans:
            self.names.extend(keys.hashes(span))
        self._numbers: dict[str, int] = {}
        self.arguments: list[Part] = [watermark_bytes(commit.watermark)]
        """Values, by the numbers that what is said gives them; two stand before these."""
        self.filed: list[list[int]] = []
        """What those who looked before would have found, once it was said."""
        self.filings: list[tuple[int, Sequence[Filed]]] = []
        """In which sets of which span each record stands."""

    def said(self, life: Micros) -> bytes:
        """Return all but values and reads; `names` and `arguments` are complete after this."""
        puts = zip(self._commit.updates, self.placed, strict=True)
        return _ENCODE(
            {
                **self.frame(life),
                "puts": [self._put(put, span) for put, span in puts],
                "filed": self.filed,
                "dropped": [self._drop(span) for span in self.dropped],
            }
        )

    def frame(self, life: Micros) -> dict[str, object]:
        """Return what is said of a commit besides its records."""
        commit = self._commit
        mark = commit.watermark.at
        return {
            "live": written(self._live),
            "becomes": self.becomes,
            "era": commit.based_on.era,
            "seen": {"seq": commit.based_on.seq, "tip": commit.based_on.tip},
            "own": list(commit.own_tokens),
            "tip": commit.own_tokens[-1] if commit.own_tokens else commit.based_on.tip,
            "token": self._token,
            "marked": UNMARKED if mark is None else mark,
            "latest": self._latest(),
            "life": life // 1000,
            "spans": [str(span) for span in self._spans],
            "events": [
                (self.argument(encode_payload(event)), self.argument(event.received))
                for event in commit.events
            ],
            "positions": dict(commit.positions),
            "lessons": [self.argument(encode_lesson(lesson)) for lesson in commit.lessons],
        }

    def moves(self) -> list[dict[str, object]]:
        """Return of each record that is put where it goes and where it was."""
        return [
            self._move(put, span)
            for put, span in zip(self._commit.updates, self.placed, strict=True)
        ]

    def reads(self) -> bytes:
        """Return all that the decisions rest upon."""
        commit = self._commit
        return _ENCODE(
            {
                "places": [told(place) for place in commit.places],
                "looks": [addresses(self._keys, look) for look in commit.lookups],
            }
        )

    def _is_past(self, span: int) -> bool:
        floor = self._commit.floor
        return floor is not None and (span + 1) * SPAN <= floor

    def _latest(self) -> str:
        times = [put.record.entry.effective_at for put in self._commit.updates]
        return time_digits(max(times)) if times else ""

    def _span(self, put: RecordUpdate) -> int:
        """Return where a record belongs; one that keeps its bucket stays where it is."""
        before, floor = put.before, self._commit.floor
        if before is not None and before.bucket == put.bucket and before.place.span in self._live:
            return before.place.span
        span = put.bucket // SPAN
        return span if floor is None or span < floor // SPAN + AHEAD else FAR

    def _was(self, put: RecordUpdate) -> RecordPlace | None:
        """Return where a record was that is still there."""
        before = put.before
        return None if before is None or before.place.span not in self._spans else before.place

    def _move(self, put: RecordUpdate, span: int) -> dict[str, object]:
        was = self._was(put)
        stays = was is not None and was.span == span
        return {
            "span": self._spans.index(span) + 1,
            "ordinal": was.ordinal if stays and was is not None else "",
            "was": 0 if stays or was is None else self._spans.index(was.span) + 1,
            "had": "" if was is None else was.ordinal,
        }

    def _put(self, put: RecordUpdate, span: int) -> dict[str, object]:
        before, was = put.before, self._was(put)
        stays = was is not None and was.span == span
        filed = self._keys.filed(put.record, self._rule)
        former = (
            () if before is None or was is None else self._keys.filed(before.record, self._rule)
        )
        self.filings.append((span, filed))
        new = self._sets(filed, span)
        old = [] if was is None else self._sets(former, was.span)
        self._tell(put, filed, new=not stays, refiled=filed != former)
        return {
            **self._move(put, span),
            "item": self.argument(item_field(put.record.key)),
            "record": self.argument(record_bytes(put.record, bucket=put.bucket)),
            "row": self._row(put),
            "unfile": [self._key(name) for name in old if not stays or name not in new],
            "file": [self._key(name) for name in new if not stays or name not in old],
        }

    def _tell(self, put: RecordUpdate, filed: Sequence[Filed], *, new: bool, refiled: bool) -> None:
        """Let those who looked before notice what they would have found."""
        if new:
            self.filed.append([known_address(put.record.key)])
        if new or refiled:
            self.filed.extend(one.addresses for one in filed)

    def _row(self, put: RecordUpdate) -> int:
        if put.rows is None:
            return 0
        return self.argument(self._codec.encoded(put.rows)) if put.rows else -1

    def _sets(self, filed: Sequence[Filed], span: int) -> list[str]:
        names: list[str] = []
        for one in filed:
            names += self._keys.named(one.role, span, one.slots)
        return names

    def _drop(self, span: int) -> dict[str, object]:
        records, items, rows = self._keys.hashes(span)
        first = self._key(records)
        self._key(items)
        self._key(rows)
        return {"name": str(span), "first": first}

    def _key(self, name: str) -> int:
        """Return the number of a key, declared once."""
        number = self._numbers.get(name)
        if number is None:
            self.names.append(name)
            number = self._numbers[name] = len(self.names)
        return number

    def argument(self, value: bytes) -> int:
        """Return the number of a value that is sent along."""
        self.arguments.append(value)
        return 2 + len(self.arguments)


def told(place: RecordPlace) -> str:
    """Return a place as the log tells it."""
    return f"{place.span}:{place.ordinal}"


def written(live: Sequence[int]) -> str:
    """Return spans as meta data hold them."""
    return ",".join(map(str, live))


def spans(live: str) -> list[int]:
    """Return the spans that may hold records."""
    return [int(span) for span in live.split(",") if span]
