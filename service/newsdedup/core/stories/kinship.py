"""How two items are related in the stories: as a value and in sentences."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from newsdedup.core.item_names import item_name
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import ItemKey, StoryId
from newsdedup.core.stories.records import Record, grade

PairKind = Literal["follows", "siblings", "joined", "linked", "apart"]


@dataclass(frozen=True, slots=True)
class Placed:
    """A record, and its number in the order in which items came in."""

    record: Record
    arrived: int


@dataclass(frozen=True, slots=True)
class Kinship:
    """The relation of two items: one follows the other, both follow a third, and so on."""

    kind: PairKind
    story_a: StoryId
    story_b: StoryId
    words: tuple[str, ...]


def kinship(a: Placed, b: Placed, rule: Rule) -> Kinship:
    """Return how A and B are related in the stories, in values and in sentences."""
    one, other = a.record, b.record
    kind = _kind(one, other)
    words = (
        *_bond(kind, one, other),
        *_against_the_rule(kind, one, other, rule),
        *_arrival(a, b),
        *_edits(one, other),
    )
    return Kinship(kind, one.story, other.story, words)


def _kind(a: Record, b: Record) -> PairKind:
    """Return the closest relation of two records: leader, common leader, story or link."""
    if a.leader == b.key or b.leader == a.key:
        return "follows"
    if a.leader == b.leader:
        return "siblings"
    if a.story == b.story:
        return "joined"
    return "linked" if a.similar == b.key or b.similar == a.key else "apart"


def _bond(kind: PairKind, a: Record, b: Record) -> Iterator[str]:
    """Yield sentences on the leaders of A and B and on a link between them."""
    if kind == "follows":
        yield f"A follows B{_as(a)}." if a.leader == b.key else f"B follows A{_as(b)}."
    elif kind == "siblings" and a.leader is not None:
        yield f"Both follow {item_name(a.leader)}: A{_as(a)}, B{_as(b)}."
    elif kind == "joined":
        yield f"{_story_of('A', a)}, {_story_of('B', b)}; an editor made their stories one."
    else:
        yield f"They are in different stories: {_story_of('A', a)}, {_story_of('B', b)}."
    if kind == "linked":
        yield f"A is linked to B{_as(a)}." if a.similar == b.key else f"B is linked to A{_as(b)}."


def _as(record: Record) -> str:
    """Return " as a rewrite with score 0.7" for the match of a record; "" without one."""
    if record.match is None:
        return ""
    relation = record.match.relation
    article = {"similar": "", "update": "an "}.get(relation, "a ")
    return f" as {article}{relation} with score {record.match.score:g}"


def _story_of(name: str, record: Record) -> str:
    """Return a clause on which story a record leads or whom it follows there; `name` is A or B."""
    if record.leads or record.leader is None:
        return f"{name} leads {record.story}"
    return f"{name} follows {item_name(record.leader)} in {record.story}"


def _against_the_rule(kind: PairKind, a: Record, b: Record, rule: Rule) -> Iterator[str]:
    """Yield a sentence on why two records that match as duplicates are not in one story."""
    match = rule.match(a.entry, b.entry)
    if kind not in ("apart", "linked") or match is None or not match.duplicate:
        return
    in_order = a.entry.order < b.entry.order
    first, earlier, second, later = ("A", a, "B", b) if in_order else ("B", b, "A", a)
    if later.edit is not None and later.edit.alone_at is not None:
        yield f"They match, but an editor said that {second} stands alone."
    elif not earlier.leads:
        limit = f"; {first} stands in for it by a score of .85, where no leader matches as well"
        yield (
            f"They match, but stories do not chain: {first} is no leader, and {second} was "
            f"compared with {_leader(earlier)} instead{limit if earlier.is_variant else ''}."
        )
    elif later.match is not None and grade(later.match.score) < grade(match.score):
        yield f"They match, but {second} updates what its own source has said in that story."
    elif not later.leads:
        yield f"They match, but {second} matches {_leader(later)} better, or as well and earlier."
    else:
        yield f"They match, but {second} was not judged again: too many waited (run.cascade)."


def _leader(record: Record) -> str:
    """Return the name of a record's leader, or "nobody"."""
    return "nobody" if record.leader is None else item_name(record.leader)


def _arrival(a: Placed, b: Placed) -> Iterator[str]:
    """Yield a sentence on which item is earlier and whether it also came in first."""
    in_order = a.record.entry.order < b.record.entry.order
    first, second = ("A", "B") if in_order else ("B", "A")
    if in_order == (a.arrived < b.arrived):
        yield f"{first} is the earlier one and came in first."
    else:
        yield f"{first} is the earlier one, but {second} was judged before {first} came in."


def _edits(a: Record, b: Record) -> Iterator[str]:
    """Yield a sentence on the original if A and B are in one story, then one for each edit."""
    if a.story == b.story and a.original is not None:
        known: dict[ItemKey, str] = {a.key: "A", b.key: "B"}
        yield f"The original of their story is {known.get(a.original, item_name(a.original))}."
    for name, record in (("A", a), ("B", b)):
        if record.current is not None:
            yield f"{name} was edited; an earlier version that the newest still matches counts."
        if record.edit is not None and record.edit.pinned_at is not None:
            yield f"An editor said that {name} is the original of its story."
