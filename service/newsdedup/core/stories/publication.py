"""What a decision publishes, and the records that are restored from what was published."""

from collections.abc import Iterable
from operator import attrgetter
from typing import Literal, NamedTuple

from newsdedup.core.events import Contained, Judgement, Retraction, Revision, item_ref
from newsdedup.core.matching.rules import Rule, deciding_rule
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.model import Entry, ItemKey, Match, Order, StoryId, Version
from newsdedup.core.stories.commands import Command, Publish, add_version, erase_record
from newsdedup.core.stories.records import UNNAMED, Overlay, Record


class Announcement(NamedTuple):
    """One event about one version of one item; revisions of an item only grow."""

    kind: Literal["item.judged", "verdict.corrected", "item.retracted"]
    key: ItemKey
    version: Version
    revision: int
    record: Record
    """The state that is published; of a retracted item the last one."""
    superseded: bool = False
    """Whether a newer version of the item was known before this one arrived."""


class OriginalChanged(NamedTuple):
    """A story has another original than was published before."""

    story: StoryId
    original: ItemKey
    previous: ItemKey


class Decision(NamedTuple):
    """What a decision changes; to be stored at once or not at all."""

    changed: tuple[Record, ...]
    """New states, in the total order of the items."""
    announcements: tuple[Announcement, ...]
    """First of the command's own item, then of the others in the total order."""
    originals: tuple[OriginalChanged, ...]
    cut_short: int = 0
    """How many items got a leader unjudged because the cascade reached its bound."""


def make_decision(command: Command, overlay: Overlay, *, cut_short: int) -> Decision:
    """Return the records that the overlay changes, with raised revisions, and what to publish.

    Announcements about the item of the command come first. `cut_short` is as in `Decision`.
    """
    own: list[Announcement] = []
    others: list[Announcement] = []
    changed: list[Record] = []
    for record in overlay.decided():
        before = overlay.before(record.key)
        if record == before:
            continue
        news = _news(command, record, before)
        changed.append(record._replace(revision=record.revision + len(news)))
        (own if record.key == command.key else others).extend(news)
    return Decision(
        changed=tuple(changed),
        announcements=(*own, *others),
        originals=_originals(changed, overlay),
        cut_short=cut_short,
    )


def _news(command: Command, record: Record, before: Record | None) -> list[Announcement]:
    """Return the announcements about a changed record, each with its revision.

    `before` is its stored state, None for a new item. An arrived version that is not the newest
    gets two: its own, then one on the newest. The list is empty if events would show nothing new.
    """
    key, revision = record.key, record.revision
    if record.retracted and before is not None:
        return [Announcement("item.retracted", key, before.newest, revision, record)]
    if isinstance(command, Publish) and command.entry.key == key:
        arrived, newest = command.entry.version, record.newest
        late = arrived != newest
        judged = Announcement("item.judged", key, arrived, revision, record, superseded=late)
        # A reader who keeps the highest revision must end with the newest version.
        again = Announcement("verdict.corrected", key, newest, revision + 1, record)
        return [judged, again] if late else [judged]
    if before is None or _shown(record) != _shown(before):
        return [Announcement("verdict.corrected", key, record.newest, revision, record)]
    return []


_shown = attrgetter("leader", "similar", "match", "story", "original")
"""Returns the parts of a record that its events show; a change of these is published."""


def _originals(changed: list[Record], overlay: Overlay) -> tuple[OriginalChanged, ...]:
    """Return a change for each story with another original than was published, sorted by its id."""
    moved: dict[StoryId, OriginalChanged] = {}
    for record in changed:
        before = overlay.before(record.key)
        if before is None or before.original is None or record.original is None:
            continue
        if before.story == record.story and before.original != record.original:
            change = OriginalChanged(record.story, record.original, before.original)
            moved.setdefault(record.story, change)
    return tuple(moved[story] for story in sorted(moved))


def contents(digest: Entry, near: Iterable[Record], rule: Rule) -> tuple[Contained, ...]:
    """Return for each message of a digest the story whose leader tells it best, in their order.

    `near` are the records of possible leaders; of equally good leaders the earliest counts. A
    message that no known leader tells is not listed: its story may come later, or never. Only rule
    `verified` finds any.
    """
    base = deciding_rule(rule)
    if not isinstance(base, VerifiedRule):
        return ()
    best: dict[int, tuple[tuple[float, Order], Contained]] = {}
    for record in near:
        item = record.entry
        within = abs(digest.effective_at - item.effective_at) <= base.window
        match = base.find_passage(digest, item) if within else None
        if match is None:
            continue
        index, worth = match.passage + 1, (-match.score, item.order)
        if index not in best or worth < best[index][0]:
            best[index] = (worth, Contained(index, record.story, item_ref(record.key), match.score))
    return tuple([best[index][1] for index in sorted(best)])


LIFE_BITS = 32
"""An epoch is the generation, shifted by so many bits, plus the life of the record."""

BEFORE_1970 = 1 << 30
"""As many lives are negative: buckets of items that are older than 1970."""


def restore_record(
    event: Judgement,
    entry: Entry,
    before: Record | None,
    rule: Rule,
    *,
    matched: Record | None = None,
) -> Record:
    """Return the record of an item as a published judgement on it shows its state.

    `entry` is the judged version, `before` the record restored from earlier events, whose versions
    stay. An editor's command is restored as far as the verdict shows it; no event says how a leader
    that an editor made an original had matched. One that joined a story through a variant follows
    the original, which is its leader unless an editor has named another.
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
    original = ItemKey(event.story.original.source, event.story.original.id)
    through = other is not None and not leads and matched is not None and not matched.leads
    leader = original if through else other
    return bare._replace(
        leader=entry.key if leads else leader,
        match=match,
        similar=other if leads or through else None,
        name=StoryId(event.story.id) if leads else UNNAMED,
        story=StoryId(event.story.id),
        original=original,
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
