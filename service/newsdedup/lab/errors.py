"""The pairs on which the engine and people differ, with both texts, for reading."""

from collections.abc import Iterable, Iterator

from newsdedup.core.model import ItemKey
from newsdedup.lab.pairs import LabelledPair
from newsdedup.lab.score import Replay

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
        match = replay.match(pair)
        yield {
            "error": "false duplicate" if found else "missed",
            "label": pair.label,
            "weight": pair.weight,
            "score": match.score,
            "relation": match.relation,
            "candidate": replay.retrievable(pair),
            "hours": round(replay.hours(pair), 2),
            "items": [_shown(entry.key, replay) for entry in replay.entries(pair)],
        }


def _shown(key: ItemKey, replay: Replay) -> dict[str, str]:
    item = replay.analyzed[key].item
    return {
        "source": key.source,
        "id": key.id,
        "title": item.title[:SHOWN],
        "text": item.text[:SHOWN],
    }
