"""What becomes of the items of each source: how many are originals, and how late the copies are."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from statistics import median

from newsdedup.core.model import ItemKey, Micros
from newsdedup.core.moments import MICROSECOND
from newsdedup.core.stories.records import Record


@dataclass(frozen=True, slots=True)
class SourceShare:
    """The items of one source in the window."""

    items: int
    originals: int
    delay: timedelta | None
    """The median time of its duplicates behind the first of their stories; None without any."""

    @property
    def duplicates(self) -> int:
        """Return the number of items that follow others."""
        return self.items - self.originals

    def as_json(self) -> dict[str, object]:
        """Return the share as JSON for programs."""
        delay = None if self.delay is None else self.delay.total_seconds()
        return {
            "items": self.items,
            "originals": self.originals,
            "duplicates": self.duplicates,
            "median_delay_seconds": delay,
        }


def source_shares(records: Iterable[Record]) -> dict[str, SourceShare]:
    """Return the share of each source among the records of a window; retracted items are none."""
    times: dict[ItemKey, Micros] = {}
    copies: dict[str, list[tuple[ItemKey, Micros]]] = defaultdict(list)
    items: dict[str, int] = defaultdict(int)
    for record in records:
        if record.retracted:
            continue
        source, at = record.key.source, record.entry.effective_at
        items[source] += 1
        times[record.key] = at
        if record.verdict == "duplicate" and record.original is not None:
            copies[source].append((record.original, at))
    shares = {}
    for source, number in items.items():
        copied = copies[source]
        delays = [at - times[original] for original, at in copied if original in times]
        delay = int(median(delays)) * MICROSECOND if delays else None
        shares[source] = SourceShare(number, number - len(copied), delay)
    return shares
