"""What can happen to the stories: an item comes, goes, or an editor speaks."""

from collections.abc import Generator
from dataclasses import dataclass, replace

from newsdedup.core.matching.digest import have_same_messages
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, Fingerprint, ItemKey, Micros, Stamp, Version
from newsdedup.core.stories.board import Board, unplaced
from newsdedup.core.stories.records import Answer, Edit, Question, Record

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
    """An item is withdrawn by its source: nothing of it may be kept."""

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
Entering = Generator[Question, Answer, set[ItemKey]]
"""Puts an act on the board and returns the items that must be judged anew."""


TOLD = 100
"""Characters of a name that an error tells: as the reason of a dead letter it must fit into one."""


class UnknownItem(Exception):
    """An act names an item of which nothing is kept."""

    def __init__(self, key: ItemKey) -> None:
        name, source = key.id[:TOLD], key.source[:TOLD]
        super().__init__(f"nothing is kept of item {name!r} of source {source!r}")
        self.key = key


def enter(act: Act, board: Board, rule: Rule) -> Entering:
    """Put an act on the board; raise UnknownItem if it names an item that is not kept."""
    match act:
        case Publish():
            return (yield from _publish(act, board, rule))
        case Retract(key):
            return (yield from _retract(key, board, rule))
        case Split(key, at):
            record = yield from _required(key, board)
            edit = record.edit or Edit()
            _say(board, record, replace(edit, alone_at=max(at, edit.alone_at or at)))
            return {key}
        case Merge(key, other, at):
            left = yield from _required(key, board)
            right = yield from _required(other, board)
            _link(board, left, other, at)
            _link(board, right, key, at)
            return {*(yield from _orphans(left, board)), *(yield from _orphans(right, board))}
        case Pin(key, at):
            record = yield from _required(key, board)
            edit = record.edit or Edit()
            _say(board, record, replace(edit, pinned_at=max(at, edit.pinned_at or at)))
            return (yield from _orphans(record, board))


def _publish(act: Publish, board: Board, rule: Rule) -> Entering:
    """Let a version take its place among the versions of its item.

    A corrected copy stays where it was: while the newest version still matches an older one, the
    older one stands for the item. So the order in which versions arrive does not matter.
    """
    entry = act.entry
    record = yield from board.known(entry.key)
    if record is None:
        board.put(Record(entry, life=act.life))
        return {entry.key}
    if record.retracted:
        board.put(Record(entry, revision=record.revision, life=record.life))
        return {entry.key}
    if record.knows(entry.version):
        return set()
    kept = with_version(record, entry, rule)
    board.put(kept)
    if kept.entry is record.entry:
        return set()
    return {entry.key, *(yield from _displace(record, board, rule, becomes=kept))}


def with_version(record: Record, entry: Entry, rule: Rule) -> Record:
    """Return a record that knows one more version, in its place among the others."""
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

    Of a digest it must tell the same messages: a message is found by the version that stands.
    """
    if known.version == newest.version:
        return True
    if not have_same_messages(known.passages, newest.passages):
        return False
    match = rule.match(known, newest)
    return match is not None and match.duplicate


def _displace(record: Record, board: Board, rule: Rule, *, becomes: Record) -> Entering:
    """Let another entry stand for an item, or none: it leaves its place.

    Whoever followed it or was linked to it was compared with what it said before, and must be
    judged anew.
    """
    followers = yield from board.followers(record.key)
    linked = yield from board.linked(record.entry, rule)
    for displaced in (becomes, *followers):
        board.put(unplaced(displaced))
    for leader in linked:
        board.put(leader._replace(match=None, similar=None))
    return {one.key for one in (*followers, *linked)}


def _required(key: ItemKey, board: Board) -> Generator[Question, Answer, Record]:
    record = yield from board.known(key)
    if record is None or record.retracted:
        raise UnknownItem(key)
    return record


def _orphans(record: Record, board: Board) -> Entering:
    """Take the items of a story whose leader has left the window from their places.

    An editor's word about one of them concerns a story, and a story has a leader.
    """
    if record.leader is None or (yield from board.known(record.leader)) is not None:
        return set()
    orphans = yield from board.followers(record.leader)
    for orphan in orphans:
        board.put(unplaced(orphan))
    return {orphan.key for orphan in orphans}


def _retract(key: ItemKey, board: Board, rule: Rule) -> Entering:
    """Erase an item and what editors said about it; a second retraction changes nothing.

    Its name and revision stay, so that an item published again goes on counting.
    """
    record = yield from board.known(key)
    if record is None or record.retracted:
        return set()
    again = yield from _displace(record, board, rule, becomes=erased(record))
    for linked, _ in record.edit.links if record.edit else ():
        other = yield from board.known(linked)
        if other is not None and other.edit is not None:
            links = tuple(link for link in other.edit.links if link[0] != key)
            _say(board, other, replace(other.edit, links=links))
    return again


def erased(record: Record) -> Record:
    """Return what is kept of an item that was withdrawn: its name and how often it was told."""
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


def _say(board: Board, record: Record, edit: Edit) -> None:
    board.put(record._replace(edit=edit, edited=True))


def _link(board: Board, record: Record, other: ItemKey, at: Micros) -> None:
    """Remember on one side that two stories are one; the latest word on a pair stands."""
    edit = record.edit or Edit()
    said = dict(edit.links)
    said[other] = max(at, said.get(other, at))
    _say(board, record, replace(edit, links=tuple(sorted(said.items()))))
