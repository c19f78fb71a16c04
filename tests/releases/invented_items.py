"""What a release judges while it is recorded, and what its successors judge after it."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from newsdedup.synthetic.stream import generate_stream

_LANGUAGES: Final = ("ru", "uk", "en")
_DRAWN: Final = 60
_SEED: Final = 5


def recorded_items() -> list[dict[str, Any]]:
    """Return invented items of three languages with copies, an update, and a retraction."""
    planted = [one for one in generate_stream(_DRAWN, seed=_SEED) if one.truth.kind == "original"]
    drawn = [dict(one.item) for one in planted]
    originals = [next(one for one in drawn if one["lang"] == lang) for lang in _LANGUAGES]
    copies = [copy_of(item, "copy.example", minutes=40) for item in originals]
    updated = {**originals[0], "updated_at": _later(originals[0], minutes=50)}
    updated["text"] += " Продолжение обещали семь из двенадцати участников встречи."
    withdrawn = copy_of(originals[1], "withdrawn.example", minutes=60)
    gone = {"newsdedup": "retract", "source": withdrawn["source"], "id": withdrawn["id"]}
    return [*originals, *copies, updated, withdrawn, gone]


def copies_of(items: list[dict[str, Any]], source: str) -> list[dict[str, Any]]:
    """Return a later copy of each item that is an original."""
    originals = [one for one in items if "title" in one][: len(_LANGUAGES)]
    return [copy_of(item, source, minutes=120) for item in originals]


def copy_of(item: Mapping[str, Any], source: str, *, minutes: int) -> dict[str, Any]:
    """Return an item of another source with the same title and text, so much later."""
    at = _later(item, minutes=minutes)
    item_id = f"{item['source']} {item['id']}"
    texts = {name: item[name] for name in ("title", "text")}
    return {"source": source, "id": item_id, "published_at": at, **texts}


def _later(item: Mapping[str, Any], *, minutes: int) -> str:
    at = datetime.fromisoformat(item["published_at"])
    return (at + timedelta(minutes=minutes)).isoformat()
