"""The acts that change stories: of a source, and of an editor."""

from dataclasses import dataclass, replace

from newsdedup.core.matching.digest import have_same_messages
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, Fingerprint, ItemKey, Micros, Stamp, Version
from newsdedup.core.stories.board import Board, without_place
from newsdedup.core.stories.records import EditorMarks, Record

KEPT_VERSIONS = 8
"""Versions remembered of one item: enough for an edited live report, bounded for a hostile one."""


@dataclass(frozen=True, slots=True)
class Publish:
    """A version of an item has arrived."""

    entry: Entry
    life: int = 0
    """The bucket in which the item is admitted, if nothing is kept of it."""


@dataclass(frozen=True, slots=True)
class Retract:
    """A source withdraws an item: nothing of its content may be stored any longer."""

    key: ItemKey


@dataclass(frozen=True, slots=True)
class Split:
    """An editor says that an item stands alone."""

    key: ItemKey
    at: Micros


@dataclass(frozen=True, slots=True)
class Merge:
    """An editor says that two items tell one story."""

    key: ItemKey
    other: ItemKey
    at: Micros


@dataclass(frozen=True, slots=True)
class Pin:
    """An editor says that an item is the original of its story."""

    key: ItemKey
    at: Micros


Act = Publish | Retract | Split | Merge | Pin


def subject(act: Act) -> ItemKey:
    """Return the key of the item that an act is about."""
    return act.entry.key if isinstance(act, Publish) else act.key


NAME_CHARS = 100
"""Characters of a name that an error tells: as the reason of a dead letter it must fit into one."""


class UnknownItem(Exception):
    """Raised for an act about an item that the store does not hold."""

    def __init__(self, key: ItemKey) -> None:
        name, source = key.id[:NAME_CHARS], key.source[:NAME_CHARS]
        super().__init__(f"nothing is kept of item {name!r} of source {source!r}")
        self.key = key


def apply_act(act: Act, board: Board, rule: Rule) -> set[ItemKey]:
    """Put an act on the board and return the items that must be judged again.

    Raise UnknownItem if the act names an item that the store does not hold.
    """
    match act:
        case Publish():
            return _publish(act, board, rule)
        case Retract(key):
            return _retract(key, board, rule)
        case Split(key, at):
            record = _required(key, board)
            edit = record.edit or EditorMarks()
            _say(board, record, replace(edit, alone_at=max(at, edit.alone_at or at)))
            return {key}
        case Merge(key, other, at):
            left = _required(key, board)
            right = _required(other, board)
            _link(board, left, other, at)
            _link(board, right, key, at)
            return {*_orphans(left, board), *_orphans(right, board)}
        case Pin(key, at):
            record = _required(key, board)
            edit = record.edit or EditorMarks()
            _say(board, record, replace(edit, pinned_at=max(at, edit.pinned_at or at)))
            return _orphans(record, board)


def _publish(act: Publish, board: Board, rule: Rule) -> set[ItemKey]:
    """Add a version to its item and return the items that must be judged again.

    A corrected copy stays in its story: while the newest version still matches an older one, the
    older one stands for the item. So the order in which versions arrive does not matter.
    """
    entry = act.entry
    record = board.known(entry.key)
    if record is None:
        board.put(Record(entry, life=act.life))
        return {entry.key}
    if record.retracted:
        board.put(Record(entry, revision=record.revision, life=record.life))
        return {entry.key}
    if record.knows(entry.version):
        return set()
    kept = add_version(record, entry, rule)
    board.put(kept)
    if kept.entry is record.entry:
        return set()
    return {entry.key, *_displace(record, board, rule, becomes=kept)}


def add_version(record: Record, entry: Entry, rule: Rule) -> Record:
    """Return the record with one more version, sorted among the others by its stamp."""
    before = sorted((record.entry, *record.past), key=_stamp)[1 - KEPT_VERSIONS :]
    versions = sorted((*before, entry), key=_stamp)
    newest = versions[-1]
    standing = next(known for known in versions if _same_message(known, newest, rule))
    past = tuple(known for known in versions if known is not standing)
    current = None if newest is standing else newest.version
    return record._replace(entry=standing, past=past, current=current)


def _stamp(entry: Entry) -> tuple[Stamp, Version]:
    return (entry.stamp, entry.version)


def _same_message(known: Entry, newest: Entry, rule: Rule) -> bool:
    """Return whether an older version may stand for the newest one.

    A digest must hold the same messages in both: other items are compared with the version that
    stands.
    """
    if known.version == newest.version:
        return True
    if not have_same_messages(known.passages, newest.passages):
        return False
    match = rule.match(known, newest)
    return match is not None and match.duplicate


def _displace(record: Record, board: Board, rule: Rule, *, becomes: Record) -> set[ItemKey]:
    """Replace the entry that stands for an item, or erase it, and return who must be judged again.

    Its followers, and the leaders linked to it, were compared with the former entry.
    """
    followers = board.followers(record.key)
    linked = board.linked(record.entry, rule)
    for displaced in (becomes, *followers):
        board.put(without_place(displaced))
    for leader in linked:
        board.put(leader._replace(match=None, similar=None))
    return {one.key for one in (*followers, *linked)}


def _required(key: ItemKey, board: Board) -> Record:
    record = board.known(key)
    if record is None or record.retracted:
        raise UnknownItem(key)
    return record


def _orphans(record: Record, board: Board) -> set[ItemKey]:
    """Unplace the followers of a leader that has left the window, and return their keys.

    An editor's act about one of them concerns a story, and a story needs a leader.
    """
    if record.leader is None or board.known(record.leader) is not None:
        return set()
    orphans = board.followers(record.leader)
    for orphan in orphans:
        board.put(without_place(orphan))
    return {orphan.key for orphan in orphans}


def _retract(key: ItemKey, board: Board, rule: Rule) -> set[ItemKey]:
    """Erase an item and the editor's marks on it; a second retraction changes nothing.

    Its key and revision stay, so that an item published again continues its revisions.
    """
    record = board.known(key)
    if record is None or record.retracted:
        return set()
    again = _displace(record, board, rule, becomes=erase_record(record))
    for linked, _ in record.edit.links if record.edit else ():
        other = board.known(linked)
        if other is not None and other.edit is not None:
            links = tuple(link for link in other.edit.links if link[0] != key)
            _say(board, other, replace(other.edit, links=links))
    return again


def erase_record(record: Record) -> Record:
    """Return the record of a withdrawn item: its key and revision, without any content."""
    entry = record.entry
    bare = entry._replace(
        version=Version(""),
        terms=(),
        numbers=(),
        names=(),
        marks=(Fingerprint((), b""),) * len(entry.marks),
        passages=(),
    )
    return Record(bare, revision=record.revision, life=record.life, retracted=True)


def _say(board: Board, record: Record, edit: EditorMarks) -> None:
    board.put(record._replace(edit=edit, edited=True))


def _link(board: Board, record: Record, other: ItemKey, at: Micros) -> None:
    """Set on one side of a merge that two stories are one; the latest act on a pair holds."""
    edit = record.edit or EditorMarks()
    said = dict(edit.links)
    said[other] = max(at, said.get(other, at))
    _say(board, record, replace(edit, links=tuple(sorted(said.items()))))
