"""Pairs on which the engine and annotators differ, with reasons and texts."""

from collections.abc import Iterable, Iterator

from newsdedup import ItemKey
from newsdedup.core.item_names import item_name
from newsdedup.core.matching.explanation import give_reasons
from newsdedup.core.stories.records import Record
from newsdedup_lab.collections.pairs import LabelledPair
from newsdedup_lab.score.replay import Replay

_TEXT_LIMIT = 1_200
"""Characters shown of a text."""


def explain_errors(pairs: Iterable[LabelledPair], replay: Replay) -> Iterator[dict[str, object]]:
    """Yield a JSON record for each pair that the stream decided otherwise than labelled, in order.

    It has the error ("false duplicate" or "missed"), its reason in words, the direct match, and
    both items. Pairs with an item that is not in the replay are skipped.
    """
    for pair in pairs:
        if not replay.contains(pair):
            continue
        found = replay.in_one_story(pair)
        if found == pair.duplicate:
            continue
        match, hours = replay.match(pair), replay.hours(pair)
        yield {
            "error": "false duplicate" if found else "missed",
            "why": _explain_false(pair, replay) if found else _explain_missed(pair, replay),
            "label": pair.label,
            "weight": pair.weight,
            "score": match.score,
            "relation": match.relation,
            "candidate": replay.is_candidate(pair),
            "hours": None if hours is None else round(hours, 2),
            "items": [_describe_item(entry.key, replay) for entry in replay.entries(pair)],
        }


def _explain_false(pair: LabelledPair, replay: Replay) -> str:
    """Return in words why two items that are labelled no duplicates came into one story."""
    earlier, later = replay.records(pair)
    if later.leader == earlier.key:
        return "the later one was given to the earlier one: they match"
    if later.leader == earlier.leader:
        return f"both were given to {_leader(later)}"
    return f"the earlier one was given to {_leader(earlier)}, the later one to {_leader(later)}"


def _explain_missed(pair: LabelledPair, replay: Replay) -> str:
    """Return in words the first condition for one story that labelled duplicates did not meet."""
    if not replay.within_window(pair):
        return "they are further apart in time than the window"
    if not replay.match(pair).duplicate:
        dated = replay.hours(pair) is not None
        sentence = give_reasons(*replay.entries(pair), replay.rule, dated=dated)
        return " ".join(("they do not match (A is the earlier one):", *sentence.why))
    if not replay.is_candidate(pair):
        return "they match, but share no key: a look-up by the later one does not find the earlier"
    earlier, later = replay.records(pair)
    if not later.leads:
        given = f"the later one was given to {_leader(later)}"
        if later.match is not None:
            given += f", which it matches by {later.match.score:g}"
        return f"they match by {replay.match(pair).score:g}, but {given}"
    if not earlier.leads:
        return (
            f"they match, but the earlier one was given to {_leader(earlier)}, which the later one "
            "does not match: it leads"
        )
    return "they match, but both lead: the later one led others before"


def _leader(record: Record) -> str:
    """Return the name of the leader that an item matched, or "itself" if it leads."""
    return "itself" if record.leads or record.leader is None else item_name(record.leader)


def _describe_item(key: ItemKey, replay: Replay) -> dict[str, str | None]:
    """Return source, id, story, matched leader, title and shortened text of an item."""
    item, record = replay.analyzed[key].item, replay.verdicts[key]
    return {
        "source": key.source,
        "id": key.id,
        "story": record.story,
        "matched": None if record.leads or record.leader is None else item_name(record.leader),
        "title": _shorten(item.title),
        "text": _shorten(item.text),
    }


def _shorten(text: str) -> str:
    """Return a text as the file of errors has it: cut to its beginning."""
    return text if len(text) <= _TEXT_LIMIT else f"{text[:_TEXT_LIMIT]}…"
