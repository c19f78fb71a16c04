"""Names of stories, their originals, and the stories that editors' merges join."""

from collections.abc import Iterator

import xxhash

from newsdedup.core.model import ItemKey, StoryId
from newsdedup.core.stories.records import Overlay, Record


def story_name(leader: Record) -> StoryId:
    """Return the name of the story that a leader founds: a hash of its key, bucket and revision."""
    source, name = leader.entry.key
    text = f"{len(source)} {source} {name} {leader.life} {leader.revision}"
    return StoryId(f"{xxhash.xxh3_64_intdigest(text.encode('utf-8', 'surrogatepass')):016x}")


def regroup(overlay: Overlay) -> None:
    """Put each changed record into the overlay again with its story and its original.

    A name belongs to the first leader and outlives it: a leader that takes over takes the name.
    Names are not independent of the order of arrival.
    """
    names = _names_taken_over(overlay)
    for record in overlay.decided():
        before = overlay.before(record.key)
        if record.leads and (before is None or not before.leads):
            overlay.put(record._replace(name=names.get(record.key) or story_name(record)))
    edited = False
    for record in overlay.decided():
        leader = _put_into_story(record, overlay)
        edited = edited or overlay.before(record.key) is not None
        edited = edited or (leader is not None and leader.edited)
    # A first item in a story that no editor touched is nearly all there is: nothing to join.
    if edited:
        _join_edited(overlay)


def _names_taken_over(overlay: Overlay) -> dict[ItemKey, StoryId]:
    """Return by leader the story name of the earliest former leader that now follows it."""
    names: dict[ItemKey, StoryId] = {}
    for follower in overlay.decided():
        before = overlay.before(follower.key)
        if before is not None and before.leads and follower.leader and not follower.leads:
            names.setdefault(follower.leader, before.name)
    return names


def _put_into_story(record: Record, overlay: Overlay) -> Record | None:
    """Put a record into the overlay with the story and original of its leader; return the leader.

    None if the record has no leader. The leader of a record with flags of editors counts as edited.
    """
    if record.leader is None:
        return None
    leader = record if record.leads else overlay.known(record.leader)
    if leader is None:
        return None
    if record.edit is not None and not leader.edited:
        leader = leader._replace(edited=True)
        overlay.put(leader)
    record = leader if record.leads else record
    overlay.put(record._replace(name=leader.name, story=leader.name, original=leader.key))
    return leader


def _join_edited(overlay: Overlay) -> None:
    """Apply editors' merges and pins to every story that a changed record left or entered.

    Each story that links join gets the name of its earliest leader; its original is the item pinned
    last, else the earliest.
    """
    done: set[ItemKey] = set()
    for key in sorted(_touched_leaders(overlay)):
        leader = overlay.known(key)
        if key in done or leader is None or not leader.leads or not leader.edited:
            continue
        members = _union(key, overlay)
        done.update(member.key for member in members if member.leads)
        first = next(record for record in members if record.leads)
        pins = [
            (one.edit.pinned_at, one.entry.order, one.key)
            for one in members
            if one.edit is not None and one.edit.pinned_at is not None
        ]
        original = max(pins)[-1] if pins else members[0].key
        for record in members:
            overlay.put(record._replace(story=first.name, original=original))


def _touched_leaders(overlay: Overlay) -> set[ItemKey]:
    """Return the leaders of changed records and of the items linked to them.

    Records count as they were before, too: a story that lost a link must part from the other.
    """
    after = overlay.decided()
    before = [overlay.before(record.key) for record in after]
    keys: set[ItemKey | None] = set()
    for state in (*after, *before):
        if state is not None:
            linked = [overlay.known(key) for key, _ in state.edit.links] if state.edit else []
            keys.update([state.leader, *(other.leader for other in linked if other)])
    return {key for key in keys if key is not None}


def _union(start: ItemKey, overlay: Overlay) -> list[Record]:
    """Return all records of the stories that editors' links join to this one, in the total order.

    `start` is the leader of this story. Links are followed from story to story.
    """
    members: dict[ItemKey, Record] = {}
    frontier = [start]
    while frontier:
        leader = overlay.known(frontier.pop())
        if leader is None or leader.key in members:
            continue
        story = [leader, *overlay.followers(leader.key)]
        members.update((record.key, record) for record in story)
        for record in story:
            frontier.extend(_linked_leaders(record, overlay))
    return sorted(members.values(), key=lambda record: record.entry.order)


def _linked_leaders(record: Record, overlay: Overlay) -> Iterator[ItemKey]:
    """Yield the leaders of the items that an editor merged with this one and did not split later.

    A merge of the moment of a split does not count.
    """
    for key, at in record.edit.links if record.edit else ():
        other = overlay.known(key)
        if other is not None and other.leader is not None:
            splits = [one.edit.alone_at for one in (record, other) if one.edit is not None]
            if all(split is None or split < at for split in splits):
                yield other.leader
