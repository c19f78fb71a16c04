"""Atom that is written is Atom that is read."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.formats.atom_xml import AtomEntry, AtomFeed, write_atom
from newsdedup.feeder.parsing.feed import parse_feed

AT = datetime(2026, 3, 2, 10, tzinfo=UTC)
WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1).map(
    lambda text: " ".join(text.split())
)


def read(text):
    return parse_feed(
        text.encode(), content_type=None, address="https://feeds.example/all", received_at=AT
    )


def written(*entries, title="All"):
    return write_atom(AtomFeed(id="urn:all", title=title, updated=AT), entries)


def test_what_is_written_is_read_again():
    entry = AtomEntry(
        id="urn:1",
        title="Bridge & ferry: 2 < 3",
        updated=AT,
        published=AT,
        url="https://herald.example/1?a=1&b=2",
        text="The bridge is open again.",
        author="Herald",
        lang="en",
    )
    feed = read(written(entry, title="All & more"))
    assert feed.format == "atom"
    assert feed.title == "All & more"
    assert feed.problems == ()
    (one,) = feed.entries
    assert (one.guid, one.title, one.text) == (
        "urn:1",
        "Bridge & ferry: 2 < 3",
        "The bridge is open again.",
    )
    assert (one.url, one.published, one.lang) == (entry.url, AT, "en")
    assert one.authors == ("Herald",)


def test_characters_that_xml_forbids_are_left_out():
    feed = read(written(AtomEntry(id="urn:1", title="a\x00b\x0bc\ufffe", updated=AT)))
    assert not any("forbids" in problem for problem in feed.problems)
    assert feed.entries[0].title == "abc"


@given(WORDS)
def test_any_title_is_well_formed(title):
    feed = read(written(AtomEntry(id="urn:1", title=title, updated=AT, published=AT)))
    assert not any("well-formed" in problem for problem in feed.problems)
    assert feed.entries[0].guid == "urn:1"
