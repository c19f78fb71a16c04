"""What came of a stream whose workers and servers were struck, compared with an undisturbed run."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli.in_process import run
from newsdedup import ItemKey
from newsdedup.core.stories.publication import generation_of
from runners.stored_state import Stories
from runners.streaming import Event, stories, verdicts

Version = tuple[str, str, str]
"""Source and id of an item, and one of its versions."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What an undisturbed embedded run makes of the items."""

    versions: frozenset[Version]
    stories: Stories


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run, in the terms of docs/reliability.md."""

    produced: int
    """Item versions that were written to the input."""
    verdicts: int
    """Distinct event ids of first verdicts."""
    unique: int
    """Item versions that have a verdict."""
    lost: int
    conflicting: int
    """Event ids, or revisions of an item version, that were published with two bodies."""
    redelivered: int
    """First verdicts that were published once more."""
    rejudged: int
    """First verdicts of versions that had one before Redis began a new generation."""
    doubled: int
    """Item versions with two first verdicts in one generation."""
    otherwise: int
    """Items that are in another story, or under another original, than in the embedded run."""
    same_stories: bool
    """Whether the stories are those that they must be."""
    asked: int = 0
    """What workers and the doctor were asked between and during blows."""
    misreported: int = 0
    """Answers of theirs that did not agree with what was done."""

    @property
    def sound(self) -> bool:
        """Return whether every promise was kept."""
        broken = self.lost or self.conflicting or self.doubled or self.misreported
        return not broken and self.same_stories


def undisturbed(
    items: Sequence[Mapping[str, Any]], folder: Path, *, rule: str = "terms"
) -> Expected:
    """Return what an embedded run makes of the same items."""
    lines = "\n".join(json.dumps(item, ensure_ascii=False) for item in items)
    (folder / "items.jsonl").write_text(lines, "utf-8")
    done = run("run", "items.jsonl", "--to", "alone.jsonl", "--rule", rule, cwd=folder)
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode())
    lines_out = (folder / "alone.jsonl").read_text("utf-8").splitlines()
    events = [Event(b"", json.loads(line), {}) for line in lines_out]
    return Expected(frozenset(first_verdicts(events)), stories(verdicts(events)))


def outcome(
    events: Sequence[Event], expected: Expected, *, decided: Stories | None = None
) -> Outcome:
    """Return what was published, compared with what should have been.

    The stories must be those `decided`, by default those of the embedded run.
    """
    judged = [one.dedup for one in events if one.dedup["event"] == "item.judged"]
    ids = {one["event_id"]: (version_of(one), one["revision"]["epoch"]) for one in judged}
    generations = Counter((version, generation_of(epoch)) for version, epoch in ids.values())
    found = stories(verdicts(events))
    unique = set(first_verdicts(events)) & expected.versions
    return Outcome(
        produced=len(expected.versions),
        verdicts=len(ids),
        unique=len(unique),
        lost=len(expected.versions - unique),
        conflicting=conflicting(events),
        redelivered=len(judged) - len(ids),
        rejudged=len(generations) - len({version for version, _ in generations}),
        doubled=sum(count > 1 for count in generations.values()),
        otherwise=len(differing(found, expected.stories)),
        same_stories=found == (expected.stories if decided is None else decided),
    )


def differing(one: Stories, other: Stories) -> set[ItemKey]:
    """Return the items whose original is not the same in both."""
    originals = {key: original for original, items in one.items() for key in items}
    others = {key: original for original, items in other.items() for key in items}
    return {key for key, original in originals.items() if others.get(key) != original}


def first_verdicts(events: Iterable[Event]) -> Counter[Version]:
    """Return how often each item version was judged."""
    return Counter(version_of(one.dedup) for one in events if one.dedup["event"] == "item.judged")


def version_of(dedup: Mapping[str, Any]) -> Version:
    """Return the item version that an event is about."""
    return dedup["item"]["source"], dedup["item"]["id"], dedup["version"]


def conflicting(events: Iterable[Event]) -> int:
    """Return how many event ids and revisions were published with two bodies."""
    bodies: dict[object, Mapping[str, Any]] = {}
    torn: set[object] = set()
    for one in events:
        dedup = one.dedup
        names: list[object] = [dedup["event_id"]]
        if "revision" in dedup:
            revision = (dedup["revision"]["epoch"], dedup["revision"]["n"])
            names.append((*version_of(dedup), revision))
        torn.update(name for name in names if bodies.setdefault(name, one.value) != one.value)
    return len(torn)
