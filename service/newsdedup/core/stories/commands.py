"""The commands that change stories: an item is published or retracted, or an editor intervenes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from newsdedup.core.matching.digest import have_same_messages
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, Fingerprint, ItemKey, Micros, Version
from newsdedup.core.stories.records import EditorFlags, Overlay, Record, without_leader

KEPT_VERSIONS = 8
"""Most versions stored of one item: enough for an edited live report, and a bound on abuse."""


@dataclass(frozen=True, slots=True)
class Publish:
    """A version of an item has arrived."""

    entry: Entry
    life: int = 0
    """The bucket in which the item is admitted, if no record of it is stored."""

    @property
    def key(self) -> ItemKey:
        """Return the key of the item, as other commands have it."""
        return self.entry.key


@dataclass(frozen=True, slots=True)
class Retract:
    """The source withdraws an item: its content must be erased."""

    key: ItemKey


@dataclass(frozen=True, slots=True)
class Split:
    """An editor removes an item from its story: it joins no story by itself."""

    key: ItemKey
    at: Micros


@dataclass(frozen=True, slots=True)
class Merge:
    """An editor merges the stories of two items."""

    key: ItemKey
    other: ItemKey
    at: Micros


@dataclass(frozen=True, slots=True)
class Pin:
    """An editor makes an item the original of its story."""

    key: ItemKey
    at: Micros


Command = Publish | Retract | Split | Merge | Pin


NAME_CHARS = 100
"""Most characters of an id in an error message, which must fit into a dead letter."""


class UnknownItem(Exception):
    """A command names an item that is not stored, or was retracted."""

    def __init__(self, key: ItemKey) -> None:
        name, source = key.id[:NAME_CHARS], key.source[:NAME_CHARS]
        super().__init__(f"nothing is kept of item {name!r} of source {source!r}")
        self.key = key


def apply_command(command: Command, overlay: Overlay, rule: Rule) -> set[ItemKey]:
    """Apply a command to the records of the overlay; return the keys of items to judge again.

    Raise UnknownItem if an editor's command names an item that is not stored, or was retracted.
    """
    match command:
        case Publish():
            return _publish(command, overlay, rule)
        case Retract(key):
            return _retract(key, overlay, rule)
        case Split(key, at):
            _edit(key, overlay, lambda one: replace(one, alone_at=max(at, one.alone_at or at)))
            return {key}
        case Merge(key, other, at):
            left = _edit(key, overlay, lambda flags: _with_link(flags, other, at))
            right = _edit(other, overlay, lambda flags: _with_link(flags, key, at))
            return {*_release_orphans(left, overlay), *_release_orphans(right, overlay)}
        case Pin(key, at):
            record = _edit(
                key, overlay, lambda one: replace(one, pinned_at=max(at, one.pinned_at or at))
            )
            return _release_orphans(record, overlay)


def _edit(key: ItemKey, overlay: Overlay, change: Callable[[EditorFlags], EditorFlags]) -> Record:
    """Change the flags of an item in the overlay; return its record as it was before.

    Raise UnknownItem if it is not stored, or was retracted.
    """
    record = overlay.known(key)
    if record is None or record.retracted:
        raise UnknownItem(key)
    overlay.put(record._replace(edit=change(record.edit or EditorFlags()), edited=True))
    return record


def _with_link(flags: EditorFlags, other: ItemKey, at: Micros) -> EditorFlags:
    """Return the flags with a link to another item; of two times of the link the later counts."""
    links = dict(flags.links)
    links[other] = max(at, links.get(other, at))
    return replace(flags, links=tuple(sorted(links.items())))


def _publish(command: Publish, overlay: Overlay, rule: Rule) -> set[ItemKey]:
    """Put a version of an item into the overlay; return the keys of items to judge again.

    While the newest version still matches an older one, the older one represents the item, so that
    a corrected item stays in its story: then there is nothing to judge again. The result does not
    depend on the order in which versions arrive.
    """
    entry = command.entry
    record = overlay.known(entry.key)
    if record is None or record.retracted:
        life, revision = (record.life, record.revision) if record else (command.life, 0)
        overlay.put(Record(entry, revision=revision, life=life))
        return {entry.key}
    if record.knows(entry.version):
        return set()
    updated = add_version(record, entry, rule)
    overlay.put(updated)
    if updated.entry is record.entry:
        return set()
    return {entry.key, *_replace_record(record, overlay, rule, becomes=updated)}


def add_version(record: Record, entry: Entry, rule: Rule) -> Record:
    """Return a copy of the record with one more version, of which the latest eight are stored.

    The entry that represents the item is the oldest version that matches the newest by `rule`.
    """
    age = attrgetter("stamp", "version")
    before = sorted((record.entry, *record.past), key=age)[1 - KEPT_VERSIONS :]
    versions = sorted((*before, entry), key=age)
    newest = versions[-1]
    chosen = next(known for known in versions if _same_message(known, newest, rule))
    past = tuple(known for known in versions if known is not chosen)
    current = None if newest is chosen else newest.version
    return record._replace(entry=chosen, past=past, current=current)


def _same_message(known: Entry, newest: Entry, rule: Rule) -> bool:
    """Return whether an older version may represent the newest one: the same, or its duplicate.

    Versions of a digest must also consist of the same messages, because other items are matched
    with the messages of the version that represents the digest.
    """
    if known.version == newest.version:
        return True
    if not have_same_messages(known.passages, newest.passages):
        return False
    match = rule.match(known, newest)
    return match is not None and match.duplicate


def _replace_record(
    record: Record, overlay: Overlay, rule: Rule, *, becomes: Record
) -> set[ItemKey]:
    """Replace a record by `becomes`, outside any story; return the keys of items to judge again.

    These are its followers, which lose their leader, those linked to it and those that joined its
    story through it, which lose that match, and what its source has updated: the engine had
    compared them with the entry that is now replaced.
    """
    followers = overlay.followers(record.key)
    # Their index keys met when they were judged, so the same look-ups find them again.
    near = overlay.leaders(record.entry, rule)
    if record.is_compared:
        near = list({one.key: one for one in (*near, *overlay.members(record.entry))}.values())
    linked = overlay.remember([one for one in near if one.similar == record.key])
    updates = overlay.remember(_updates_of(record, near, rule) if record.is_compared else ())
    for displaced in (becomes, *followers):
        overlay.put(without_leader(displaced))
    for one in linked:
        if one.leader != record.key:
            overlay.put(one._replace(match=None, similar=None))
    return {one.key for one in (*followers, *linked, *updates)}


def _updates_of(record: Record, near: Sequence[Record], rule: Rule) -> list[Record]:
    """Return the later records near one with which its own source updates it."""
    matching, order = rule.matcher(record.entry), record.entry.order
    later = [one for one in near if one.key.source == record.key.source and one.entry.order > order]
    return [
        one
        for one in later
        if (match := matching(one.entry)) is not None and match.relation == "update"
    ]


def _release_orphans(record: Record, overlay: Overlay) -> set[ItemKey]:
    """Take leader and match from the items of a story whose leader is no longer stored.

    Return their keys, to be judged again: a story that an editor names needs a leader.
    """
    if record.leader is None or overlay.known(record.leader) is not None:
        return set()
    orphans = overlay.followers(record.leader)
    for orphan in orphans:
        overlay.put(without_leader(orphan))
    return {orphan.key for orphan in orphans}


def _retract(key: ItemKey, overlay: Overlay, rule: Rule) -> set[ItemKey]:
    """Erase an item and the editors' links to it; return the keys of items to judge again.

    Its key and revision stay, so that the revisions of an item published again go on growing. A
    second retraction changes nothing.
    """
    record = overlay.known(key)
    if record is None or record.retracted:
        return set()
    again = _replace_record(record, overlay, rule, becomes=erase_record(record))
    for linked, _ in record.edit.links if record.edit else ():
        other = overlay.known(linked)
        if other is not None and other.edit is not None:
            links = tuple(link for link in other.edit.links if link[0] != key)
            overlay.put(other._replace(edit=replace(other.edit, links=links), edited=True))
    return again


def erase_record(record: Record) -> Record:
    """Return the record of a retracted item: its key, time and revision, without any content."""
    entry = record.entry
    bare = entry._replace(
        version=Version(""),
        terms=(),
        numbers=(),
        names=(),
        sketches=(Fingerprint((), b""),) * len(entry.sketches),
        passages=(),
    )
    return Record(bare, revision=record.revision, life=record.life, retracted=True)
