"""What files of events say of their items."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from newsdedup.adapters.formats.event_json import decode_payload
from newsdedup.core.events import ItemRef, Judgement, StoryRef
from newsdedup.core.item_names import possible_keys

_NO_EVENT = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for a line that is no event."""


@dataclass(frozen=True, slots=True)
class NewestVerdict:
    """The newest event about an item, with the title it came with."""

    judgement: Judgement
    title: str
    revision: tuple[int, int]


class _EventLine(msgspec.Struct):
    """The parts of a line of events that a table shows."""

    dedup: msgspec.Raw
    title: str = ""
    text: str = ""


def newest_verdicts(events: Path) -> dict[tuple[str, str], NewestVerdict]:
    """Return the newest verdict on each item in a file of events; the keys are source and id.

    Changed originals, retractions, and lines that are no events are skipped. Raise OSError if the
    file cannot be read.
    """
    newest: dict[tuple[str, str], NewestVerdict] = {}
    with events.open("rb") as lines:
        for encoded in lines:
            try:
                line = msgspec.json.decode(encoded, type=_EventLine)
                judgement = decode_payload(line.dedup)
            except _NO_EVENT:
                continue
            if not isinstance(judgement, Judgement):
                continue
            key = (judgement.item.source, judgement.item.id)
            at = (judgement.revision.epoch, judgement.revision.n)
            before = newest.get(key)
            if before is None or before.revision < at:
                title = line.title or line.text.partition("\n")[0]
                newest[key] = NewestVerdict(judgement, title, at)
    return newest


class LastVerdict(msgspec.Struct):
    """What a line of events says of an item."""

    event: str
    item: ItemRef
    verdict: str = ""
    story: StoryRef | None = None


class _Line(msgspec.Struct):
    """A line of events, of which only the verdict is decoded."""

    dedup: LastVerdict


def find_published(name: str, outputs: Iterable[Path]) -> tuple[Path, LastVerdict] | None:
    """Return the last verdict on an item (ID or SOURCE/ID) in files of events, and its file.

    Return None if there is none, or if the source withdrew the item. Lines and files that cannot
    be read are skipped.
    """
    try:
        keys = {(key.source, key.id) for key in possible_keys(name)}
        ids = {msgspec.json.encode(one) for one in (name, *(each for _, each in keys))}
    except UnicodeEncodeError:
        return None  # ids are Unicode
    found = None
    for path in filter(Path.is_file, outputs):
        with suppress(OSError), path.open("rb") as lines:
            for line in lines:
                if not any(one in line for one in ids):
                    continue
                with suppress(*_NO_EVENT):
                    verdict = msgspec.json.decode(line, type=_Line).dedup
                    if verdict.item.id == name or (verdict.item.source, verdict.item.id) in keys:
                        found = None if verdict.event == "item.retracted" else (path, verdict)
    return found
