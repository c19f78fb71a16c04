"""Records of items made again from their published events, to restore a lost state."""

from collections.abc import Iterable

from newsdedup.core.events import Judgement, Retraction, Revision
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, ItemKey, Match, StoryId
from newsdedup.core.stories.commands import add_version, erase_record
from newsdedup.core.stories.records import UNNAMED, Record

LIFE_BITS = 32
"""An epoch is the generation, shifted by so many bits, plus the life of the record."""

BEFORE_1970 = 1 << 30
"""As many lives are negative: buckets of items that are older than 1970."""


def restore_record(event: Judgement, entry: Entry, before: Record | None, rule: Rule) -> Record:
    """Return the record of an item as a published judgement on it shows its state.

    `entry` is the judged version, `before` the record restored from earlier events, whose versions
    stay. An editor's command is restored as far as the verdict shows it; no event says how a leader
    that an editor made an original had matched.
    """
    bare = Record(entry)
    if before is not None and not before.retracted:
        bare = before if before.knows(entry.version) else add_version(before, entry, rule)
    # An item leads and is the original, or an editor has said otherwise. One that follows a leader
    # and was made an original has no relation; an editor's split leaves a link to the leader.
    parted = event.verdict == "original" and event.relation != "none"
    leads = (event.verdict == "original") == (event.decided_by == "rule") or parted
    other = None if event.matched is None else ItemKey(event.matched.source, event.matched.id)
    match = None if event.matched is None else Match(event.matched.score, event.relation)
    original = event.story.original
    return bare._replace(
        leader=entry.key if leads else other,
        match=match,
        similar=other if leads else None,
        name=StoryId(event.story.id) if leads else UNNAMED,
        story=StoryId(event.story.id),
        original=ItemKey(original.source, original.id),
        revision=event.revision.n + 1,
        life=life(event.revision.epoch),
        edited=event.decided_by == "editor",
    )


def restore_retraction(event: Retraction, before: Record) -> Record:
    """Return the erased record of an item, given its published retraction.

    Its revision is the next after that of the retraction.
    """
    bare = erase_record(before)
    return bare._replace(revision=event.revision.n + 1, life=life(event.revision.epoch))


def is_newer(revision: Revision, others: Iterable[Revision]) -> bool:
    """Return whether a revision is newer than all others: whether consumers would keep it.

    The epoch counts first: after a state has lost writes, or an item has left the window and come
    again, n begins anew.
    """
    return all((revision.epoch, revision.n) > (one.epoch, one.n) for one in others)


def life(epoch: int) -> int:
    """Return the life in an epoch: the bucket in which its item was admitted, maybe negative."""
    return epoch - (generation_of(epoch) << LIFE_BITS)


def generation_of(epoch: int) -> int:
    """Return the generation in an epoch: that of the state which published the event."""
    return (epoch + BEFORE_1970) >> LIFE_BITS
