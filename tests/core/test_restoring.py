"""What a command is after the state was lost, from the events that reported it."""

import msgspec
import pytest

from core.verify.retold import REPORTS, RULE, entry
from newsdedup import Deduplicator, ItemKey, NewsItem
from newsdedup.core.events import Judgement, StoryRef, item_ref
from newsdedup.core.model import Match
from newsdedup.core.stories.commands import Command, Pin, Split
from newsdedup.core.stories.publication import generation_of, life, restore_record
from newsdedup.core.stories.records import Record

FIRST, COPY = ItemKey("a", "1"), ItemKey("b", "2")


def judgements_after(command: Command) -> dict[ItemKey, Judgement]:
    """Return the judgements of a report and its copy after a command."""
    deduplicator = Deduplicator()
    for key in (FIRST, COPY):
        deduplicator.judge(NewsItem(key, "", REPORTS[0].text))
    said = [one for one in deduplicator.tell(command) if isinstance(one, Judgement)]
    return {ItemKey(one.item.source, one.item.id): one for one in said}


@pytest.mark.parametrize(
    ("command", "leads"), [(Split(COPY, at=1), True), (Pin(COPY, at=1), False)]
)
def test_who_leads_after_an_editor_s_word_is_restored(command: Command, leads: bool) -> None:
    said = judgements_after(command)[COPY]
    assert (said.verdict, said.decided_by) == ("original", "editor")
    copy = restore_record(said, entry(REPORTS[0].text, source="b", name="2"), None, RULE)
    assert copy.leads == leads
    assert copy.verdict == "original"
    assert (copy.similar if leads else copy.leader) == FIRST


def test_who_joined_through_a_variant_follows_its_leader_again() -> None:
    variant = entry(REPORTS[0].text, source="c", name="3")
    said = judgements_after(Pin(COPY, at=1))[COPY]
    assert said.matched is not None
    through = msgspec.structs.replace(
        said,
        verdict="duplicate",
        decided_by="rule",
        relation="reprint",
        story=StoryRef(said.story.id, item_ref(FIRST)),
        matched=msgspec.structs.replace(said.matched, source="c", id="3"),
    )
    copy = entry(REPORTS[0].text, source="b", name="2")
    follower = Record(variant, leader=FIRST, match=Match(0.6, "rewrite"))
    restored = restore_record(through, copy, None, RULE, matched=follower)
    assert (restored.leader, restored.similar) == (FIRST, variant.key)
    pinned = restore_record(through, copy, None, RULE, matched=Record(variant, leader=variant.key))
    assert (pinned.leader, pinned.similar) == (variant.key, None)


@pytest.mark.parametrize("bucket", [0, 20_514, -1, -420_527, (3 << 30) - 1, -(1 << 30)])
@pytest.mark.parametrize("past", [0, 1, 7])
def test_an_epoch_tells_its_generation_and_the_bucket_of_the_item(bucket: int, past: int) -> None:
    epoch = (past << 32) + bucket
    assert (generation_of(epoch), life(epoch)) == (past, bucket)
