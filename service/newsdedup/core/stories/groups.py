"""What the stories are called, which item is the original, and what editors joined."""

from collections.abc import Iterable

import xxhash

from newsdedup.core.model import ItemKey, Micros, Order, StoryId
from newsdedup.core.stories.board import Board
from newsdedup.core.stories.records import Record


def story_name(leader: Record) -> StoryId:
    """Return the name of the story that an item leads now; another time it gets another."""
    source, name = leader.entry.key
    said = f"{len(source)} {source} {name} {leader.life} {leader.revision}"
    return StoryId(f"{xxhash.xxh3_64_intdigest(said.encode('utf-8', 'surrogatepass')):016x}")


def regroup(board: Board) -> None:
    """Give every changed record its story and original.

    A name belongs to the first leader seen and outlives it: whoever takes over from a leader
    takes the name. Names are not part of what is independent of the order of arrival.
    """
    for record in board.decided():
        if record.leads:
            board.put(_named(record, board))
    edited = False
    for record in board.decided():
        leader = _in_story(record, board)
        edited = edited or board.before(record.key) is not None
        edited = edited or (leader is not None and leader.edited)
    # A first item in a story that no editor touched is nearly all there is: nothing to join.
    if edited:
        _join_edited(board)


def _named(leader: Record, board: Board) -> Record:
    before = board.before(leader.key)
    if before is not None and before.leads:
        return leader
    name = _name_taken_over(leader.key, board) or story_name(leader)
    return leader._replace(name=name)


def _name_taken_over(key: ItemKey, board: Board) -> StoryId | None:
    """Return the name of the earliest former leader that now follows this one."""
    for follower in board.decided():
        before = board.before(follower.key)
        if follower.leader == key and before is not None and before.leads and follower.key != key:
            return before.name
    return None


def _in_story(record: Record, board: Board) -> Record | None:
    """Put a record into its leader's story and return the leader."""
    if record.leader is None:
        return None
    leader = record if record.leads else board.known(record.leader)
    if leader is None:
        return None
    if record.edit is not None and not leader.edited:
        leader = leader._replace(edited=True)
        board.put(leader)
    record = leader if record.leads else record
    board.put(record._replace(name=leader.name, story=leader.name, original=leader.key))
    return leader


def _join_edited(board: Board) -> None:
    """Let editors' words stand in every story that a changed record left or entered."""
    done: set[ItemKey] = set()
    for leader in _touched_leaders(board):
        if leader not in done:
            members = _union(leader, board)
            done.update(member.key for member in members if member.leads)
            _publish_as_one(members, board)


def _touched_leaders(board: Board) -> list[ItemKey]:
    """Return the leaders, marked as edited, of what changed and of what is linked to it.

    Both as it was and as it is: a story that lost its link must part from the other.
    """
    keys: set[ItemKey] = set()
    for state in _states(board):
        keys.update({state.leader} if state.leader else ())
        for linked, _ in state.edit.links if state.edit else ():
            other = board.known(linked)
            keys.update({other.leader} if other and other.leader else ())
    touched = []
    for key in sorted(keys):
        leader = board.known(key)
        if leader is not None and leader.leads and leader.edited:
            touched.append(key)
    return touched


def _states(board: Board) -> list[Record]:
    """Return the changed records as they were and as they are."""
    after = board.decided()
    before = (board.before(record.key) for record in after)
    return [*after, *(state for state in before if state is not None)]


def _union(start: ItemKey, board: Board) -> list[Record]:
    """Return all records of the stories that editors' links join to this one, in order."""
    members: dict[ItemKey, Record] = {}
    frontier = [start]
    while frontier:
        leader = board.known(frontier.pop())
        if leader is None or leader.key in members:
            continue
        story = [leader, *board.followers(leader.key)]
        members.update((record.key, record) for record in story)
        for record in story:
            frontier.extend(_linked(record, board))
    return sorted(members.values(), key=lambda record: record.entry.order)


def _linked(record: Record, board: Board) -> list[ItemKey]:
    """Return the leaders of the items that editors joined to this one and did not part since."""
    leaders: list[ItemKey] = []
    for key, at in record.edit.links if record.edit else ():
        other = board.known(key)
        if other is None or other.leader is None:
            continue
        if at > max(_parted(record), _parted(other)):
            leaders.append(other.leader)
    return leaders


def _parted(record: Record) -> Micros:
    """Return since when an item stands alone; a link of the same moment does not hold."""
    if record.edit is None or record.edit.alone_at is None:
        return -(1 << 62)
    return record.edit.alone_at


def _publish_as_one(members: Iterable[Record], board: Board) -> None:
    """Give all members the story of the earliest leader and the pinned or earliest original."""
    members = list(members)
    first = next(record for record in members if record.leads)
    pinned = [record for record in members if record.edit and record.edit.pinned_at is not None]
    original = max(pinned, key=_pin, default=members[0])
    for record in members:
        board.put(record._replace(story=first.name, original=original.key))


def _pin(record: Record) -> tuple[Micros, Order]:
    at = record.edit.pinned_at if record.edit else None
    return (0 if at is None else at, record.entry.order)
