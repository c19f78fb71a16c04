"""What kinds of events a batch had, for its counts."""

from collections import Counter
from typing import NamedTuple

from newsdedup.core.events import Event, Judgement


class Kind(NamedTuple):
    """What is counted of an event; all but the first is told of first judgements only."""

    event: str
    verdict: str = ""
    relation: str = ""
    lang: str = ""


REPEATED = Kind("repeated")


def kind_of(event: Event) -> Kind:
    """Return the kind of an event."""
    said = event.payload
    if event.repeated:
        return REPEATED
    if isinstance(said, Judgement) and said.event == "item.judged":
        return Kind(said.event, said.verdict, said.relation, said.lang)
    return Kind(said.event)


def counted(kinds: Counter[Kind]) -> Counter[str]:
    """Return the counters that kinds add to: by event, and by verdict, relation and language."""
    counts: Counter[str] = Counter()
    for kind, number in kinds.items():
        counts[kind.event] += number
        if kind.verdict:
            counts[kind.verdict] += number
            counts[f"relation_{kind.relation}"] += number
            counts[f"lang_{kind.lang}"] += number
    return counts
