import gc
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from types import FrameType

import pytest

from newsdedup import (
    Deduplicator,
    InvalidItem,
    ItemKey,
    NewsItem,
    SettingsInvalid,
    UnknownItem,
    deduplicated,
)
from newsdedup.adapters.words.package_data import shipped_model
from newsdedup.core.matching.verify.model import render_model
from newsdedup.core.stories.commands import Retract
from newsdedup.engine.collector import COLLECTOR_THRESHOLD

BRIDGE = "The mayor opened the bridge over the river after a repair that cost four million"


def item(name: str, hour: int) -> dict[str, object]:
    return {"source": "a", "id": name, "text": BRIDGE, "published_at": f"2025-01-06T{hour:02}:00Z"}


@pytest.fixture
def deduplicator() -> Deduplicator:
    return Deduplicator()


def test_a_copy_is_a_duplicate_of_what_was_judged_before(deduplicator: Deduplicator) -> None:
    first, copy = deduplicator.judge(item("1", 9)), deduplicator.judge(item("2", 10))
    assert (first.verdict, first.is_duplicate, first.original) == ("original", False, "1")
    assert (copy.verdict, copy.is_duplicate, copy.original) == ("duplicate", True, "1")
    assert first.story == copy.story
    assert copy.relation == "reprint"


def test_an_item_judged_again_gets_its_verdict(deduplicator: Deduplicator) -> None:
    assert deduplicator.judge(item("1", 9)) == deduplicator.judge(item("1", 9))


def interrupt(deduplicator: Deduplicator, *, after: int) -> None:
    """Judge an item; KeyboardInterrupt is raised at the call of a function, `after` so many."""
    calls = count()

    def watch(_frame: FrameType, event: str, _arg: object) -> None:
        if event == "call" and next(calls) == after:
            raise KeyboardInterrupt

    sys.setprofile(watch)
    try:
        deduplicator.judge(item("2", 10))
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)


def test_an_interrupted_deduplicator_goes_on_or_refuses(deduplicator: Deduplicator) -> None:
    expected = [deduplicator.judge(item(name, 10)) for name in ("1", "2", "3")]
    answers = set()
    for after in range(0, 900, 15):
        interrupted = Deduplicator()
        interrupted.judge(item("1", 10))
        interrupt(interrupted, after=after)
        try:
            assert [interrupted.judge(item(name, 10)) for name in ("1", "2", "3")] == expected
            answers.add("goes on")
        except RuntimeError:
            with pytest.raises(RuntimeError, match="was interrupted"):
                interrupted.tell(Retract(ItemKey("a", "1")))
            answers.add("refuses")
    assert answers == {"goes on", "refuses"}


def test_a_late_original_corrects_its_copies(deduplicator: Deduplicator) -> None:
    deduplicator.judge(item("copy", 10))
    [changed] = deduplicator.judge(item("first", 9)).corrections
    assert (changed.item.id, changed.verdict) == ("copy", "duplicate")


def test_a_command_may_be_given_as_a_value_or_as_a_mapping(deduplicator: Deduplicator) -> None:
    for command in (
        Retract(ItemKey("a", "1")),
        {"newsdedup": "retract", "source": "a", "id": "1"},
    ):
        deduplicator.judge(item("1", 9))
        deduplicator.judge(item("2", 10))
        [freed] = deduplicator.tell(command)
        assert (freed.item.id, freed.verdict) == ("2", "original")
        deduplicator.tell(Retract(ItemKey("a", "2")))


def test_a_command_on_what_is_not_kept_is_an_error(deduplicator: Deduplicator) -> None:
    command = {"newsdedup": "split", "item": {"source": "a", "id": "1"}, "at": "2025-01-06"}
    with pytest.raises(UnknownItem):
        deduplicator.tell(command)


def test_items_are_judged_and_commands_are_accepted(deduplicator: Deduplicator) -> None:
    with pytest.raises(TypeError, match="tell"):
        deduplicator.judge({"newsdedup": "retract", "id": "1"})
    with pytest.raises(TypeError, match="judge"):
        deduplicator.tell(item("1", 9))


def test_what_is_no_item_is_refused(deduplicator: Deduplicator) -> None:
    with pytest.raises(InvalidItem):
        deduplicator.judge({"id": "1"})


def test_the_model_that_is_named_judges(tmp_path: Path) -> None:
    shipped = shipped_model()
    blind = replace(shipped, version="blind", bias=-30.0, weights=(0.0,) * len(shipped.weights))
    file = tmp_path / "own.json"
    file.write_text(render_model(blind), "utf-8")
    own, usual = Deduplicator(model=str(file)), Deduplicator()
    for deduplicator in (own, usual):
        deduplicator.judge(item("1", 9))
    copy = {**item("2", 10), "text": f"{BRIDGE} of euros, he said"}
    judged = own.judge(copy)
    assert (judged.verdict, usual.judge(copy).verdict) == ("original", "duplicate")
    assert judged.judgement.rule.startswith("verified-3/blind-")
    with pytest.raises(SettingsInvalid, match=r"rule\.model"):
        deduplicated([], model=str(tmp_path / "none.json"))


@pytest.mark.parametrize("depth", [65, 400, 20_000])
def test_an_item_that_is_nested_too_deep_is_refused(deduplicator: Deduplicator, depth: int) -> None:
    nested: object = "value"
    for _ in range(depth):
        nested = [nested]
    with pytest.raises(InvalidItem) as refused:
        deduplicator.judge({**item("1", 9), "extra": nested})
    assert refused.value.code == "too_deep"


def test_an_item_may_be_a_value(deduplicator: Deduplicator) -> None:
    assert deduplicator.judge(NewsItem(ItemKey("a", "1"), "Bridge", BRIDGE)).verdict == "original"


def test_texts_in_scripts_without_words_are_copies_only_if_they_are_the_same(
    deduplicator: Deduplicator,
) -> None:
    texts = ("በሶማሊያ የቦምብ ፍንዳታ", "ရန်ကုန်မြို့တွင် မီးလောင်", "ភ្នំពេញ", "👍", "😀", "👍", "ភ្នំពេញ")
    items = [{"source": "a", "id": str(n), "text": text} for n, text in enumerate(texts)]
    originals = [deduplicator.judge(item).original for item in items]
    assert originals == ["0", "1", "2", "3", "4", "3", "2"]


def test_half_of_a_surrogate_pair_is_refused_and_may_stand_in_a_value(
    deduplicator: Deduplicator,
) -> None:
    for method in (deduplicator.judge, deduplicator.tell):
        with pytest.raises(InvalidItem) as refused:
            method({"text": "\ud800"})
        assert refused.value.code == "not_utf8"
    half = NewsItem(ItemKey("\ud800", "\udfff"), "\ud800", f"{BRIDGE}\udfff")
    assert deduplicator.judge(half).verdict == "original"


def test_an_edit_taken_back_is_the_old_version_until_the_item_is_withdrawn(
    deduplicator: Deduplicator,
) -> None:
    before = {**item("1", 9), "updated_at": "2025-01-06T10:00Z"}
    edit = {**before, "text": f"{BRIDGE} and a half", "updated_at": "2025-01-06T12:00Z"}
    back = {**before, "updated_at": "2025-01-06T13:00Z"}
    first, changed = deduplicator.judge(before), deduplicator.judge(edit)
    assert deduplicator.judge(back) == first
    deduplicator.tell({"newsdedup": "retract", "source": "a", "id": "1"})
    again = deduplicator.judge(back).judgement
    assert again.version == first.judgement.version
    assert again.revision.n > changed.judgement.revision.n


def test_what_an_editor_parts_is_an_original_by_an_editor(deduplicator: Deduplicator) -> None:
    deduplicator.judge(item("1", 9))
    deduplicator.judge(item("2", 10))
    split = {"newsdedup": "split", "item": {"source": "a", "id": "2"}, "at": "2025-01-06"}
    [parted] = deduplicator.tell(split)
    assert (parted.verdict, parted.relation, parted.decided_by) == ("original", "similar", "editor")
    # Without the leader that it would follow the rule says the same as the editor.
    [alone] = deduplicator.tell(Retract(ItemKey("a", "1")))
    assert (alone.verdict, alone.relation, alone.decided_by) == ("original", "none", "rule")


def test_what_an_editor_joins_keeps_the_relation_that_the_rule_found(
    deduplicator: Deduplicator,
) -> None:
    deduplicator.judge(item("1", 9))
    moved = deduplicator.judge({**item("2", 10), "text": BRIDGE.replace("four", "nine")})
    assert (moved.verdict, moved.relation) == ("original", "update")
    items = [{"source": "a", "id": "1"}, {"source": "a", "id": "2"}]
    merge = {"newsdedup": "merge", "items": items, "at": "2025-01-06"}
    [joined] = deduplicator.tell(merge)
    assert (joined.verdict, joined.relation, joined.decided_by) == ("duplicate", "update", "editor")


def test_the_collector_runs_less_often_unless_the_program_decides() -> None:
    before = gc.get_threshold()
    try:
        gc.set_threshold(700)
        Deduplicator(tune_collector=False)
        assert gc.get_threshold()[0] == 700
        Deduplicator()
        assert gc.get_threshold()[0] == COLLECTOR_THRESHOLD
        for chosen in (0, 1_000_000):
            gc.set_threshold(chosen)
            Deduplicator()
            assert gc.get_threshold()[0] == chosen
    finally:
        gc.set_threshold(*before)


@pytest.mark.parametrize("make", [Deduplicator, partial(deduplicated, [])])
def test_an_argument_of_no_meaning_is_refused(make: Callable[..., object]) -> None:
    for wrong in ({"rule": "Verified"}, {"window": timedelta(0)}, {"duplicate": 99}):
        with pytest.raises(SettingsInvalid, match=r"rule.(name|window|duplicate) = .*: expected"):
            make(**wrong)
    for wrong in ({"similar": 7}, {"duplicate": 13}):  # a signature has twelve terms
        with pytest.raises(SettingsInvalid, match=r"expected similar <= duplicate <= 12"):
            make(rule="terms", **wrong)
    with pytest.raises(TypeError, match=r"window must be a timedelta, .*not '72h'"):
        make(window="72h")
    for number in ("6", 6.5):
        with pytest.raises(TypeError, match=r"duplicate must be a whole number, .*not "):
            make(duplicate=number)
