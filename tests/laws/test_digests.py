"""What holds of digests over every store, in any order of arrival."""

from collections.abc import Callable
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from laws.round_ups import REPORTS, RULE, TITLES, analyzed, digest
from laws.streams import (
    by_definition,
    partition,
    played,
    published,
    records_of,
    sqlite_store,
    state,
)
from laws.test_lateness import SHARED
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.sqlite.state import SqliteState
from newsdedup.core.matching.digest import MOST_MESSAGES
from newsdedup.core.moments import to_micros
from newsdedup.core.stories.commands import Retract
from newsdedup.engine.analyzer import Analyzed, entry_of
from newsdedup.engine.deduplicate import LATENESS, Deduplicate

LANGUAGES = sorted(REPORTS)
POOL = (
    *REPORTS["en"],
    *REPORTS["ru"][:2],
    digest("en"),
    digest("ru"),
    digest("en", bullet="• "),
    digest("en", title="Our Monday letter"),
    "\n\n".join((TITLES["en"], *REPORTS["en"][:2], REPORTS["ru"][2])),
    "\n\n".join((TITLES["en"], *reversed(REPORTS["en"]))),
)
"""Reports, digests of them, copies of a digest, and digests that share some of their messages."""

streams = st.lists(
    st.tuples(st.sampled_from(POOL), st.integers(0, 90), st.sampled_from("st")), max_size=10
).map(
    lambda drawn: [
        analyzed(f"i{number}", text, minutes=minutes, source=source)
        for number, (text, minutes, source) in enumerate(drawn)
    ]
)


def engine(kind: str) -> Deduplicate:
    store = MemoryStore(RULE) if kind == "memory" else sqlite_store(RULE)
    ledger = MemoryLedger() if isinstance(store, MemoryStore) else store.ledger
    return Deduplicate(rule=RULE, store=store, ledger=ledger)


@pytest.fixture(params=["memory", "sqlite", *SHARED])
def opened(request) -> Callable[[], Deduplicate]:
    if request.param in SHARED:
        shared = request.getfixturevalue(request.param)
        return partial(shared.engine, RULE, lateness=LATENESS)
    return partial(engine, request.param)


def entry(one: Analyzed):
    return entry_of(one, at=to_micros(one.item.published_at))


@given(streams, st.randoms(use_true_random=False))
def test_the_stories_are_those_of_the_definition_in_any_order(items, random):
    entries = [entry(one) for one in items]
    expected = by_definition(entries, RULE)
    random.shuffle(entries)
    store = played(published(entries), RULE)
    assert {key: record.leader for key, record in state(store).items()} == expected


@given(streams)
def test_a_digest_and_what_is_none_share_a_story_only_as_plain_copies(items):
    entries = {one.item.key: entry(one) for one in items}
    for key, leader in partition(played(published(entries.values()), RULE)).items():
        one, other = entries[key], entries[leader]
        if bool(one.passages) != bool(other.passages):
            assert one.version == other.version or RULE.verify(one, other).is_plain


@given(items=streams)
def test_every_store_tells_the_same_of_digests(opened, items):
    memory, other = engine("memory"), opened()
    for one in [*items, *items[-3:]]:
        ours, theirs = memory.publish(one), other.publish(one)
        assert [event.payload for event in ours] == [event.payload for event in theirs]


def judged(deduplicate, one: Analyzed):
    return deduplicate.publish(one)[0].payload


def reports(lang: str, *, minutes: int = 0) -> list[Analyzed]:
    return [
        analyzed(f"r{number}", text, minutes=minutes + number, source="agency")
        for number, text in enumerate(REPORTS[lang])
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_digest_after_its_parts_is_an_original_that_lists_their_stories(opened, lang):
    deduplicate = opened()
    stories = [judged(deduplicate, one).story.id for one in reports(lang)]
    judgement = judged(deduplicate, analyzed("d", digest(lang), minutes=60))
    assert (judgement.verdict, judgement.relation) == ("original", "part")
    assert [(each.message, each.story) for each in judgement.contains] == list(
        enumerate(stories, 1)
    )
    assert [each.leader.id for each in judgement.contains] == ["r0", "r1", "r2"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_part_after_its_digest_leads_its_own_story_and_links_to_it(opened, lang):
    deduplicate = opened()
    whole = judged(deduplicate, analyzed("d", digest(lang), minutes=0))
    assert (whole.verdict, whole.relation, whole.contains) == ("original", "none", ())
    for one in reports(lang, minutes=60):
        judgement = judged(deduplicate, one)
        assert (judgement.verdict, judgement.relation) == ("original", "part")
        assert judgement.matched.id == "d"
        assert judgement.matched.evidence.fingerprints == ("passage",)
        assert judgement.contains is UNSET
        assert judgement.story.id != whole.story.id


def test_a_part_joins_the_story_that_it_matches(opened):
    deduplicate = opened()
    first, *_ = reports("en")
    judged(deduplicate, first)
    judged(deduplicate, analyzed("d", digest("en"), minutes=30))
    judgement = judged(deduplicate, analyzed("copy", REPORTS["en"][0], minutes=60))
    assert (judgement.verdict, judgement.story.original.id) == ("duplicate", "r0")


def test_a_copy_of_a_digest_joins_it_and_lists_the_stories_too(opened):
    deduplicate = opened()
    for one in reports("en"):
        judged(deduplicate, one)
    judged(deduplicate, analyzed("d", digest("en"), minutes=30))
    copy = judged(deduplicate, analyzed("copy", digest("en", bullet="• "), minutes=60, source="t"))
    assert (copy.verdict, copy.story.original.id) == ("duplicate", "d")
    assert [each.leader.id for each in copy.contains] == ["r0", "r1", "r2"]


def test_a_digest_lists_what_is_known_when_it_is_judged_and_keeps_to_it(opened):
    deduplicate = opened()
    first, second, _ = reports("en")
    judged(deduplicate, first)
    whole = analyzed("d", digest("en"), minutes=30)
    assert [each.leader.id for each in judged(deduplicate, whole).contains] == ["r0"]
    judged(deduplicate, second)
    (again,) = deduplicate.publish(whole)
    assert again.repeated
    assert [each.leader.id for each in again.payload.contains] == ["r0"]


def test_a_correction_tells_the_stories_that_were_listed(opened):
    deduplicate = opened()
    for one in reports("en"):
        judged(deduplicate, one)
    judged(deduplicate, analyzed("d", digest("en"), minutes=30))
    late = analyzed("late", digest("en", bullet="• "), minutes=20, source="t")
    _, corrected, *_ = deduplicate.publish(late)
    assert corrected.payload.item.id == "d"
    assert corrected.payload.verdict == "duplicate"
    assert [each.leader.id for each in corrected.payload.contains] == ["r0", "r1", "r2"]


def test_each_message_of_the_longest_digest_is_found(opened):
    towns = [f"Q{chr(97 + n)}x" for n in range(MOST_MESSAGES)]
    texts = [f"The {town}berg {town}fisch {town}holm {town}dorf {town}stadt." for town in towns]
    deduplicate = opened()
    judged(deduplicate, analyzed("d", "\n".join((TITLES["en"], *texts)), minutes=0))
    for number, text in enumerate(texts):
        judgement = judged(deduplicate, analyzed(f"r{number}", text, minutes=30))
        assert (judgement.relation, judgement.matched.id) == ("part", "d")


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_digest_among_its_parts_changes_no_story(order):
    first, second, _ = reports("en")
    three = [first, second, analyzed("d", digest("en"), minutes=1, source="t")]
    kept = partition(played(published([entry(three[index]) for index in order]), RULE))
    assert kept == {one.item.key: one.item.key for one in three}


def test_a_digest_is_found_after_a_restart(tmp_path: Path):
    path = tmp_path / "state"
    before = SqliteState(path, RULE, made_by="a test")
    one = Deduplicate(rule=RULE, store=before, ledger=before.ledger)
    judged(one, analyzed("d", digest("en"), minutes=0))
    before.commit(before.progress)
    before.close()
    after = SqliteState(path, RULE, made_by="a test")
    again = Deduplicate(rule=RULE, store=after, ledger=after.ledger)
    judgement = judged(again, analyzed("r", REPORTS["en"][1], minutes=30))
    after.close()
    assert (judgement.relation, judgement.matched.id) == ("part", "d")


def test_nothing_of_the_messages_is_kept_of_a_retracted_digest():
    whole = entry(analyzed("d", digest("en"), minutes=0))
    store = played([*published([whole]), Retract(whole.key)], RULE)
    assert [record.entry.passages for record in records_of(store)] == [()]
