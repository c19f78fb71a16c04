"""Tombstones (RFC 6721): entries that their publisher withdraws, in Atom and in RSS."""

from newsdedup.feeder.parsing.element_tree import XmlElement
from newsdedup.feeder.parsing.entry_reader import EntryReader
from newsdedup.feeder.parsing.parsed_feed import DeletedEntry


def deleted_entries(feed: XmlElement, reader: EntryReader) -> tuple[DeletedEntry, ...]:
    """Return the tombstones among the children of a feed; those without a ref are a problem."""
    stones = []
    for stone in feed.children("at:deleted-entry"):
        if stone.attribute("ref"):
            at = reader.moment(stone.attribute("when"))
            stones.append(DeletedEntry(stone.attribute("ref"), at))
        else:
            reader.problems.add("A deleted entry does not say which")
    return tuple(stones)
