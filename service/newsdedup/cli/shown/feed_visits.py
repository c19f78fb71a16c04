"""How a cycle over feeds goes: notes in the log, and its counts at the end."""

import logging
import re
from collections import Counter
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from newsdedup.cli.output import counted, printable_line

if TYPE_CHECKING:
    from newsdedup.feeder.polling.feed_visitor import Visit
    from newsdedup.feeder.scheduling.stored_feed import StoredFeed

LOG: Final = logging.getLogger("newsdedup.feed")
_QUERY: Final = re.compile(r"\?[^\s?:]\S*?(?=:?(\s|$))")
"""The query of an address in a message, which may hold a key."""
_NAMED: Final = 10
"""Failing feeds, and paused hosts, that the sentence at the end names."""


class CycleStats:
    """Counts the visits of a run of the feeder; `to` is the output of its items.

    The counts of an engine in this process are also added to `total`, if it is passed.
    """

    def __init__(self, to: str, total: "Counter[str] | None" = None) -> None:
        self._to = to
        self._outcomes: Counter[str] = Counter()
        self._verdicts: Counter[str] = Counter()
        self._total = Counter[str]() if total is None else total
        self._items = 0
        self._failing: dict[str, str] = {}
        self._waiting: dict[str, tuple[str, datetime]] = {}
        """Host and next visit of the feeds that got no request, as their host asked for a pause."""
        self._began = monotonic()

    def visited(self, visit: "Visit") -> None:
        """Count a visit; log it.

        The level is info if it brought entries, or if the feed begins to fail, is gone, is merged
        or recovers; else it is debug. A feed whose host is paused was not visited: it waits.
        """
        feed = visit.feed
        if visit.outcome == "paused":
            self._waits(feed)
            return
        self._waiting.pop(feed.subscribed, None)
        self._outcomes[visit.outcome] += 1
        self._items += visit.new_entries
        if visit.outcome in ("failed", "gone", "merged"):
            self._failing[feed.subscribed] = feed.problem
            changed = feed.failures == 1 or visit.outcome != "failed"
        else:
            changed = self._failing.pop(feed.subscribed, None) is not None
        LOG.log(
            logging.INFO if changed or visit.new_entries else logging.DEBUG,
            "visited feed=%s outcome=%s entries=%d problem=%s",
            feed.logged_address,
            visit.outcome,
            visit.new_entries,
            _QUERY.sub("?...", feed.problem) or "-",
        )

    def _waits(self, feed: "StoredFeed") -> None:
        """Note and log a feed whose host asked for a pause."""
        # Comes with the extra of feeders.
        from newsdedup.feeder.fetching.address_guard import host_name

        host = host_name(feed.address)
        self._waiting[feed.subscribed] = (host, feed.next_at)
        LOG.debug("waits feed=%s host=%s until=%s", feed.logged_address, host, feed.next_at)

    def judged(self, counts: "Counter[str]") -> None:
        """Count the verdicts of a batch; the counts are those of the engine."""
        self._total.update(counts)
        self._verdicts.update({name: counts[name] for name in ("original", "duplicate", "dead")})

    @property
    def failed(self) -> int:
        """Return how many feeds failed at their last visit."""
        return len(self._failing)

    @property
    def all_failed(self) -> bool:
        """Return whether feeds were visited, none succeeded, and none waits."""
        good = self._outcomes["content"] + self._outcomes["unchanged"]
        return bool(self._failing) and not good and not self._waiting

    def as_json(self) -> dict[str, Any]:
        """Return the counts, keyed by their names in JSON."""
        return {
            "to": self._to,
            "visited": self._outcomes.total(),
            "outcomes": dict(sorted(self._outcomes.items())),
            "items": self._items,
            **({"verdicts": dict(self._verdicts)} if self._verdicts else {}),
            "failed": self.failed,
            "failing": dict(self._failing),
            "waiting": {name: at.isoformat() for name, (_, at) in sorted(self._waiting.items())},
            "seconds": round(monotonic() - self._began, 3),
        }

    def sentence(self, *, next_due: datetime | None) -> str:
        """Return the counts in words, then up to ten failing feeds and paused hosts, a line each.

        If no feed was visited, say when the next one is due; `next_due` is None if none is.
        """
        visits = self._outcomes.total()
        if not visits and next_due is not None:
            return f"no feed is due before {next_due:%Y-%m-%d %H:%M} UTC; --all visits them all"
        seconds = monotonic() - self._began
        parts = [
            f"{counted(visits, 'feed')} visited in {seconds:,.1f} s",
            f"{counted(self._items, 'item')} written to {self._to}",
        ]
        if self._verdicts:
            originals, copies = self._verdicts["original"], self._verdicts["duplicate"]
            parts.append(f"{counted(originals, 'original')}, {counted(copies, 'duplicate')}")
        lines = ["; ".join(parts)]
        if self._failing:
            lines.append(f"{self.failed:,} of {counted(visits, 'feed')} failed:")
        named = sorted(self._failing.items())[:_NAMED]
        lines += [
            "  " + _QUERY.sub("?...", printable_line(f"{address}: {problem}"))
            for address, problem in named
        ]
        if len(self._failing) > _NAMED:
            lines.append("  ... newsdedup feeds status shows all")
        return "\n".join([*lines, *self._pauses()])

    def _pauses(self) -> list[str]:
        """Return how many feeds wait, and until when, a line for each of up to ten hosts."""
        times: dict[str, list[datetime]] = {}
        for host, at in self._waiting.values():
            times.setdefault(host, []).append(at)
        return [
            f"{counted(len(of_host), 'feed waits', 'feeds wait')} until "
            f"{max(of_host).astimezone(UTC):%H:%M} UTC: {host} asked for a pause"
            for host, of_host in sorted(times.items())[:_NAMED]
        ]
