"""Bugs planted into newsdedup: one step of the pipeline raises for items whose name has TRIGGER.

`planted` plants one within a test; with `bug_environment` a process of its own has one from its
start on, and so have its helper processes.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from pathlib import Path
from typing import Any
from unittest.mock import patch

from newsdedup.adapters.files import line_decoder
from newsdedup.adapters.formats import item_json
from newsdedup.adapters.kafka import delivery
from newsdedup.adapters.redis.codec import ValueCodec
from newsdedup.archive.pending_rows import PendingRow
from newsdedup.core.matching import statistics_recorder
from newsdedup.core.matching.rules import TermsRule
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.engine import deduplicate
from newsdedup.engine.analyzer import ItemAnalyzer
from newsdedup.engine.event_writer import EventWriter
from newsdedup.feeder.parsing.entry_reader import EntryReader
from newsdedup.runners.intake import feed_records

TRIGGER = "kaboom"
"""In the id and the title of an item for which a planted bug raises."""
VARIABLE = "PLANTED_BUG"
QUOTED = "what publishers wrote"
"""In the message of every planted error, as if it quoted an item."""


def bug_environment(bug: str) -> dict[str, str]:
    """Return the variables with which a process has a bug from its start on."""
    here = Path(__file__).parent
    inherited = filter(None, [os.environ.get("PYTHONPATH")])
    path = os.pathsep.join([str(here / "at_start"), str(here.parent), *inherited])
    return {VARIABLE: bug, "PYTHONPATH": path}


@contextmanager
def planted(bug: str) -> Iterator[None]:
    """Let one step raise for marked items within a block."""
    with ExitStack() as stack:
        for owner, name, is_marked in _call_sites(bug):
            real = getattr(owner, name)
            stack.enter_context(patch.object(owner, name, _raising(real, is_marked)))
        yield


def plant(bug: str) -> None:
    """Let one step raise for marked items in this process, until it ends."""
    for owner, name, is_marked in _call_sites(bug):
        setattr(owner, name, _raising(getattr(owner, name), is_marked))


def _raising(real: Callable[..., Any], is_marked: Callable[..., bool]) -> Callable[..., Any]:
    @wraps(real)
    def step(*args: Any, **options: Any) -> Any:
        if is_marked(*args):
            raise ValueError(QUOTED)
        return real(*args, **options)

    return step


def _has_trigger(value: Any) -> bool:
    return TRIGGER in str(getattr(value, "id", value))


def _of_payload(event: Any) -> bool:
    return _has_trigger(getattr(event.payload, "item", ""))


def _call_sites(bug: str) -> list[tuple[Any, str, Callable[..., bool]]]:
    """Return the functions in which a bug is, each with what tells whether it raises."""
    recorder = statistics_recorder.StatisticsRecorder
    return {
        "decode": [(item_json, "decode_item", lambda data: TRIGGER.encode() in data)],
        "analyze": [(ItemAnalyzer, "analyze", lambda _, item, *__: TRIGGER in item.title)],
        "keys": [
            (TermsRule, "index_keys", lambda _, entry: _has_trigger(entry.key)),
            (VerifiedRule, "index_keys", lambda _, entry: _has_trigger(entry.key)),
        ],
        "compare": [
            (TermsRule, "match", lambda _, *both: any(_has_trigger(one.key) for one in both)),
            (TermsRule, "matcher", lambda _, one: _has_trigger(one.key)),
            (VerifiedRule, "verify", lambda _, *both: any(_has_trigger(one.key) for one in both)),
        ],
        # As two days of which one does not exist: with itself an entry is not compared.
        "compare_pairs": [(VerifiedRule, "verify", lambda _, *both: _has_one_trigger(*both))],
        "everywhere": [
            (TermsRule, "matcher", lambda *_: True),
            (VerifiedRule, "matcher", lambda *_: True),
        ],
        "decide": [
            (
                deduplicate,
                "decide",
                lambda command, *_: _has_trigger(getattr(command, "key", command)),
            )
        ],
        "render": [(EventWriter, "_judgement", lambda _, said, *__: _has_trigger(said.key))],
        "learn": [(recorder, "_note", lambda _, entry, *__: _has_trigger(entry.key))],
        "encode": [
            (line_decoder, "encode_event", _of_payload),
            (delivery, "encode_event", _of_payload),
        ],
        "commit": [(ValueCodec, "encode_record", lambda _, record: _has_trigger(record.key))],
        "archive": [(PendingRow, "apply", lambda _, event: _has_trigger(event.key))],
        "parse": [(EntryReader, "entry", lambda _, values: TRIGGER in values.title)],
        "parse_body": [(feed_records, "feed_items", lambda *_: True)],
    }[bug]


def _has_one_trigger(one: Any, other: Any) -> bool:
    return _has_trigger(one.key) != _has_trigger(other.key)
