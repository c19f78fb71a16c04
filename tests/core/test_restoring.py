"""What a command is after the state was lost, from the events that reported it."""

import pytest

from core.verify.retold import REPORTS, RULE, entry
from newsdedup import Deduplicator, ItemKey, NewsItem
from newsdedup.core.events import Judgement
from newsdedup.core.stories.commands import Command, Pin, Split
from newsdedup.core.stories.publication import generation_of, life, restore_record

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


@pytest.mark.parametrize("bucket", [0, 20_514, -1, -420_527, (3 << 30) - 1, -(1 << 30)])
@pytest.mark.parametrize("past", [0, 1, 7])
def test_an_epoch_tells_its_generation_and_the_bucket_of_the_item(bucket: int, past: int) -> None:
    epoch = (past << 32) + bucket
    assert (generation_of(epoch), life(epoch)) == (past, bucket)
