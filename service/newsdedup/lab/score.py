"""Labelled pairs against the engine: what the stream finds, and what the rule says directly."""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from newsdedup.adapters.memory_store import MemoryStore
from newsdedup.core.acts import Publish
from newsdedup.core.judge import decide
from newsdedup.core.model import Entry, ItemKey
from newsdedup.core.records import Known, Record
from newsdedup.core.rules import Rule
from newsdedup.core.scores import Outcome, score
from newsdedup.core.window import BUCKETS
from newsdedup.deduplicate import answered
from newsdedup.ports import SourceUnusable


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two items that people compared; `slices` are the other columns of the file."""

    left: str
    right: str
    duplicate: bool
    weight: float
    slices: dict[str, str]


SLICES = ("set", "lang", "label_a")


def labelled_pairs(path: Path) -> list[LabelledPair]:
    """Return the pairs of a TSV with the columns id1, id2, dup and perhaps weight.

    Pairs on which people differ (dup neither 0 nor 1) are left out.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
            return [_pair(row) for row in rows if row["dup"] in ("0", "1")]
    except OSError as error:
        raise SourceUnusable(f"{path}: cannot be read: {error}") from error
    except (KeyError, ValueError, UnicodeDecodeError) as error:
        raise SourceUnusable(
            f"{path}: needs columns id1, id2, dup; found trouble at {error}"
        ) from error


def _pair(row: dict[str, str]) -> LabelledPair:
    slices = {name: row[name] for name in SLICES if row.get(name)}
    weight = float(row.get("weight") or 1)
    return LabelledPair(row["id1"], row["id2"], row["dup"] == "1", weight, slices)


def replayed(entries: Iterable[Entry], rule: Rule) -> dict[ItemKey, Record]:
    """Return how each item was judged, the items coming in the total order, causally.

    In that order nothing comes late, so the first verdict is the last.
    """
    store = MemoryStore(rule)
    width = max(1, rule.window // BUCKETS)
    judged: dict[ItemKey, Record] = {}
    for entry in sorted(entries, key=lambda entry: entry.order):
        bucket = entry.effective_at // width
        store.expire(before=bucket - BUCKETS - 1)
        store.store(answered(decide(Publish(entry), rule), store), bucket=bucket)
        judged[entry.key] = store.answer(Known(entry.key))[0]
    return judged


def report(
    pairs: Sequence[LabelledPair], entries: Sequence[Entry], rule: Rule
) -> dict[str, object]:
    """Return the scores of the stream and of the bare decision, whole and by slice."""
    by_id = {entry.key.id: entry for entry in entries}
    known = [pair for pair in pairs if pair.left in by_id and pair.right in by_id]
    judged = replayed(entries, rule)

    def retrieved(pair: LabelledPair) -> bool:
        return _in_one_story(by_id[pair.left], by_id[pair.right], judged)

    def decided(pair: LabelledPair) -> bool:
        match = rule.match(by_id[pair.left], by_id[pair.right])
        return match is not None and match.duplicate

    return {
        "pairs": len(known),
        "pairs_without_items": len(pairs) - len(known),
        "rule": rule.version,
        **_scores(_outcomes(known, retrieved)),
        "decision": _scores(_outcomes(known, decided)),
        "slices": dict(_sliced(known, retrieved)),
    }


def _in_one_story(left: Entry, right: Entry, judged: dict[ItemKey, Record]) -> bool:
    """Return whether the later was judged a duplicate and both are in one story."""
    later = max(left, right, key=lambda entry: entry.order)
    same = judged[left.key].story == judged[right.key].story
    return same and judged[later.key].verdict == "duplicate"


def _outcomes(
    pairs: Iterable[LabelledPair], found: Callable[[LabelledPair], bool]
) -> list[Outcome]:
    return [Outcome(pair.duplicate, found(pair), pair.weight) for pair in pairs]


def _scores(outcomes: Sequence[Outcome]) -> dict[str, object]:
    return {
        "plain": asdict(score(outcomes)),
        "weighted": asdict(score(outcomes, weighted=True)),
    }


def _sliced(
    pairs: Iterable[LabelledPair], found: Callable[[LabelledPair], bool]
) -> Iterator[tuple[str, object]]:
    """Yield the scores of each value of each slice, with how many pairs were found."""
    parts: dict[str, list[LabelledPair]] = defaultdict(list)
    for pair in pairs:
        for name, value in pair.slices.items():
            parts[f"{name}={value}"].append(pair)
    for name in sorted(parts):
        outcomes = _outcomes(parts[name], found)
        hits = sum(outcome.found for outcome in outcomes)
        yield name, {"pairs": len(outcomes), "found": hits, **_scores(outcomes)}
