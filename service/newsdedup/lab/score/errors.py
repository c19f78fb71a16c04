"""The pairs on which the engine and people differ, with both texts, for reading."""

from collections.abc import Iterable, Iterator

from newsdedup.core.item_names import written
from newsdedup.core.matching.explanation import give_reasons
from newsdedup.core.model import ItemKey
from newsdedup.core.stories.records import Record
from newsdedup.lab.collections.pairs import LabelledPair
from newsdedup.lab.score.score import Replay

SHOWN = 1_200
"""Characters shown of a text."""


def errors(pairs: Iterable[LabelledPair], replay: Replay) -> Iterator[dict[str, object]]:
    """Yield what was judged otherwise than people did, in the order of the pairs."""
    for pair in pairs:
        if not replay.knows(pair):
            continue
        found = replay.in_one_story(pair)
        if found == pair.duplicate:
            continue
        match, hours = replay.match(pair), replay.hours(pair)
        yield {
            "error": "false duplicate" if found else "missed",
            "why": _why_found(pair, replay) if found else _why_missed(pair, replay),
            "label": pair.label,
            "weight": pair.weight,
            "score": match.score,
            "relation": match.relation,
            "candidate": replay.retrievable(pair),
            "hours": None if hours is None else round(hours, 2),
            "items": [_shown(entry.key, replay) for entry in replay.entries(pair)],
        }


def _why_found(pair: LabelledPair, replay: Replay) -> str:
    earlier, later = replay.records(pair)
    if later.leader == earlier.key:
        return "the later one was given to the earlier one: they match"
    if later.leader == earlier.leader:
        return f"both were given to {_leader(later)}"
    return f"the earlier one was given to {_leader(earlier)}, the later one to {_leader(later)}"


def _why_missed(pair: LabelledPair, replay: Replay) -> str:
    """Return the first thing on the way to one story that was missing."""
    if not replay.within_window(pair):
        return "they are further apart in time than the window"
    if not replay.match(pair).duplicate:
        dated = replay.hours(pair) is not None
        said = give_reasons(*replay.entries(pair), replay.rule, dated=dated)
        return " ".join(("they do not match (A is the earlier one):", *said.why))
    if not replay.retrievable(pair):
        return "they match, but share no key: a look-up by the later one does not find the earlier"
    earlier, later = replay.records(pair)
    if not later.leads:
        given = f"the later one was given to {_leader(later)}"
        if later.match is not None:
            given += f", which it matches by {later.match.score:g}"
        return f"they match by {replay.match(pair).score:g}, but {given}"
    if not earlier.leads:
        return (
            f"they match, but the earlier one was given to {_leader(earlier)}, and only leaders "
            "are compared: the later one leads"
        )
    return "they match, but both lead: the later one led others before"


def _leader(record: Record) -> str:
    return "itself" if record.leads or record.leader is None else written(record.leader)


def _shown(key: ItemKey, replay: Replay) -> dict[str, str | None]:
    item, record = replay.analyzed[key].item, replay.judged[key]
    return {
        "source": key.source,
        "id": key.id,
        "story": record.story,
        "matched": None if record.leads or record.leader is None else written(record.leader),
        "title": _cut(item.title),
        "text": _cut(item.text),
    }


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
