"""Which side of a pair is to blame, what a dead letter says of a bug, and when it is too many."""

from dataclasses import dataclass, field

import pytest

from newsdedup import ItemKey
from newsdedup.core.matching.rules import TermsRule
from newsdedup.core.model import Entry, Stamp, Version
from newsdedup.core.stories.records import Record
from newsdedup.engine.set_aside import SetAside
from newsdedup.ports.errors import Rejection, StateUnusable
from newsdedup.ports.isolation import InternalErrorLimit, TooManyInternalErrors, internal_error

FAILED = Rejection("internal_error", "internal error: ValueError at a:b:1 (decide)", "decide")


@dataclass(frozen=True, slots=True)
class RaisingRule(TermsRule):
    """Rule `terms` with pairs that raise, each side by its name."""

    pairs: frozenset[tuple[str, str]] = field(default=frozenset())

    def match(self, left, right):
        if {(left.key.id, right.key.id), (right.key.id, left.key.id)} & self.pairs:
            raise ValueError
        return TermsRule.match(self, left, right)


def raising(*pairs: str) -> RaisingRule:
    """Return a rule that raises for pairs of names: "new old"."""
    return RaisingRule(pairs=frozenset(tuple(pair.split()) for pair in pairs))


def entry(name: str) -> Entry:
    return Entry(ItemKey("a", name), Version(name), Stamp(0, 0), 0, "en", (1, 2, 3), (), ())


NEAR = [Record(entry(name)) for name in ("old", "other", "third")]


def set_aside(found: SetAside) -> list[str]:
    return [key.id for key in found.keys]


def test_a_stored_entry_that_raises_with_itself_is_to_blame():
    found = SetAside()
    assert found.find(entry("new"), NEAR, raising("new old", "old old"))
    assert set_aside(found) == ["old"]
    assert found.take_new() == 1
    assert found.take_new() == 0


def test_a_stored_entry_that_raises_with_another_one_near_is_to_blame():
    found = SetAside()
    assert found.find(entry("new"), NEAR, raising("new old", "third old"))
    assert set_aside(found) == ["old"]


@pytest.mark.parametrize("pairs", [("new new", "new old"), ("new old", "new other")])
def test_an_item_that_raises_with_itself_or_with_several_entries_is_to_blame(pairs):
    found = SetAside()
    assert not found.find(entry("new"), NEAR, raising(*pairs))
    assert set_aside(found) == []


def test_of_a_pair_alone_the_item_is_to_blame_until_a_second_item_meets_the_entry():
    found, rule = SetAside(), raising("new old", "next old")
    assert not found.find(entry("new"), NEAR, rule)
    assert not found.find(entry("new"), NEAR, rule)
    assert found.find(entry("next"), NEAR, rule)
    assert set_aside(found) == ["old"]


def test_what_the_environment_raises_is_no_bug_of_an_item():
    for error in (OSError(28, "no space"), MemoryError(), StateUnusable("damaged"), ImportError()):
        with pytest.raises(type(error)):
            internal_error(error, "decode")


def test_a_dead_letter_names_the_innermost_line_of_ours_and_not_the_message():
    rule = TermsRule()
    try:
        rule.match(entry("a"), None)
    except AttributeError as error:
        rejection = internal_error(error, "compare")
    assert rejection.code == "internal_error"
    begin = "internal error: AttributeError at newsdedup.core.matching.rules:TermsRule.matcher"
    assert rejection.reason.startswith(begin)
    assert "effective_at" not in rejection.reason


@pytest.mark.parametrize("batch", [1, 7, 500])
def test_a_failure_in_five_records_is_too_many_and_one_in_six_is_not(batch):
    def note(every: int) -> None:
        limit = InternalErrorLimit()
        records = [FAILED if n % every == 0 else None for n in range(1000)]
        for first in range(0, len(records), batch):
            limit.note(records[first : first + batch])

    note(6)
    with pytest.raises(TooManyInternalErrors, match="20 of the last 100 records"):
        note(5)


def test_entries_that_are_set_aside_count_like_records():
    limit = InternalErrorLimit()
    limit.note([None] * 10, 19)
    with pytest.raises(TooManyInternalErrors):
        limit.note([None] * 10, 1)
