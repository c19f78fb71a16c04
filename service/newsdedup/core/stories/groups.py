"""Names of stories, their originals, and the stories that editors' merges join."""

from collections.abc import Sequence

import xxhash

from newsdedup.core.model import ItemKey, Micros, Order, StoryId
from newsdedup.core.stories.overlay import Overlay
from newsdedup.core.stories.records import Record


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
    for record in overlay.decided():
        if record.leads:
            overlay.put(_named(record, overlay))
    edited = False
    for record in overlay.decided():
        leader = _in_story(record, overlay)
        edited = edited or overlay.before(record.key) is not None
        edited = edited or (leader is not None and leader.edited)
    # A first item in a story that no editor touched is nearly all there is: nothing to join.
    if edited:
        _join_edited(overlay)


def _named(leader: Record, overlay: Overlay) -> Record:
    """Return a leader with the name of its story; a new leader takes over a name or makes one."""
    before = overlay.before(leader.key)
    if before is not None and before.leads:
        return leader
    name = _name_taken_over(leader.key, overlay) or story_name(leader)
    return leader._replace(name=name)


def _name_taken_over(key: ItemKey, overlay: Overlay) -> StoryId | None:
    """Return the story name of the earliest former leader that now follows this one, else None."""
    for follower in overlay.decided():
        before = overlay.before(follower.key)
        if follower.leader == key and before is not None and before.leads and follower.key != key:
            return before.name
    return None


def _in_story(record: Record, overlay: Overlay) -> Record | None:
    """Put a record into the overlay with the story and original of its leader; return the leader.

    None if the record has no leader. An editor's mark on the record marks the leader as edited.
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
    """Apply editors' merges and pins to every story that a changed record left or entered."""
    done: set[ItemKey] = set()
    for leader in _touched_leaders(overlay):
        if leader not in done:
            members = _union(leader, overlay)
            done.update(member.key for member in members if member.leads)
            _publish_as_one(members, overlay)


def _touched_leaders(overlay: Overlay) -> list[ItemKey]:
    """Return the edited leaders of changed records and of the items linked to them, by key.

    Of their states before and after: a story that lost a link must part from the other.
    """
    keys: set[ItemKey] = set()
    for state in _states(overlay):
        keys.update({state.leader} if state.leader else ())
        for linked, _ in state.edit.links if state.edit else ():
            other = overlay.known(linked)
            keys.update({other.leader} if other and other.leader else ())
    touched = []
    for key in sorted(keys):
        leader = overlay.known(key)
        if leader is not None and leader.leads and leader.edited:
            touched.append(key)
    return touched


def _states(overlay: Overlay) -> list[Record]:
    """Return the changed records in their states before and after the decision."""
    after = overlay.decided()
    before = (overlay.before(record.key) for record in after)
    return [*after, *(state for state in before if state is not None)]


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
            frontier.extend(_linked(record, overlay))
    return sorted(members.values(), key=lambda record: record.entry.order)


def _linked(record: Record, overlay: Overlay) -> list[ItemKey]:
    """Return the leaders of the items that an editor merged with this one and did not split."""
    leaders: list[ItemKey] = []
    for key, at in record.edit.links if record.edit else ():
        other = overlay.known(key)
        if other is None or other.leader is None:
            continue
        if at > max(_parted(record), _parted(other)):
            leaders.append(other.leader)
    return leaders


def _parted(record: Record) -> Micros:
    """Return the time of the latest split of an item; a time before all others if there is none.

    A merge of the same moment does not hold.
    """
    if record.edit is None or record.edit.alone_at is None:
        return -(1 << 62)
    return record.edit.alone_at


def _publish_as_one(members: Sequence[Record], overlay: Overlay) -> None:
    """Put all members into the overlay with one story: the name of the earliest leader's.

    Their original is the one pinned last, else the earliest. Members are in the total order.
    """
    first = next(record for record in members if record.leads)
    pinned = [record for record in members if record.edit and record.edit.pinned_at is not None]
    original = max(pinned, key=_pin, default=members[0])
    for record in members:
        overlay.put(record._replace(story=first.name, original=original.key))


def _pin(record: Record) -> tuple[Micros, Order]:
    """Return the sort key of a pinned record: the time of the pin, then the total order."""
    at = record.edit.pinned_at if record.edit else None
    return (0 if at is None else at, record.entry.order)
