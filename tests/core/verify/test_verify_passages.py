"""A digest and the items around it: what finds them, and what they are to each other."""

from itertools import product

import pytest

from laws.round_ups import REPORTS, RULE, TITLES, analyzed, digest
from newsdedup.core.matching.digest import count_shared_messages, passage_entry
from newsdedup.core.matching.explanation import give_reasons
from newsdedup.core.matching.index_keys import are_candidates
from newsdedup.core.matching.verified_rule import PASSAGE, VerifiedRule
from newsdedup.core.matching.verify.entry_keys import KEY_TERMS
from newsdedup.core.moments import to_micros
from newsdedup.engine.analyzer import entry_of

LANGUAGES = sorted(REPORTS)
PARTS = list(product(LANGUAGES, range(3)))


def entry(name: str, text: str, *, minutes: int = 0, source: str = "s"):
    one = analyzed(name, text, minutes=minutes, source=source)
    return entry_of(one, at=to_micros(one.item.published_at))


@pytest.mark.parametrize(("lang", "index"), PARTS)
@pytest.mark.parametrize("minutes", [-60, 60], ids=["before", "after"])
def test_each_report_of_a_digest_is_found_and_is_a_part(lang, index, minutes):
    whole, part = entry("d", digest(lang)), entry("p", REPORTS[lang][index], minutes=minutes)
    assert are_candidates(RULE.index_keys(whole), RULE.index_keys(part))
    match = RULE.match(whole, part)
    assert match == RULE.match(part, whole)
    assert match.relation == "part"
    assert RULE.find_passage(part, whole).passage == index


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_digest_and_its_first_report_are_never_duplicates(lang):
    short = "\n\n".join((TITLES[lang], REPORTS[lang][0], *[t[:60] for t in REPORTS[lang][1:]]))
    whole, part = entry("d", short), entry("p", REPORTS[lang][0], minutes=5)
    assert whole.passages
    assert RULE.match(whole, part).relation == "part"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_copy_of_a_digest_is_a_duplicate(lang):
    whole = entry("d", digest(lang))
    copy = entry("c", digest(lang, bullet="• ") + "\n\nHave a nice day.", minutes=9, source="t")
    assert RULE.match(whole, copy).duplicate
    assert RULE.find_passage(whole, copy) is None


def test_a_digest_and_an_item_that_share_neither_phrases_nor_a_passage_are_not_compared_in_full():
    rule = VerifiedRule(RULE.model, RULE.window)
    whole, other = (
        entry("d", digest("en")),
        entry("o", "A ferry to the islands ran aground at dawn."),
    )
    assert rule.match(whole, other) is None
    assert rule.match(other, whole) is None
    assert rule.pairs_compared == 0


def test_a_copy_that_does_not_call_itself_a_digest_is_still_a_copy():
    whole = entry("d", digest("en"))
    copy = entry("c", digest("en", title="Our Monday letter"), minutes=9, source="t")
    assert not copy.passages
    assert RULE.match(whole, copy).duplicate
    assert RULE.find_passage(whole, copy) is None


def test_another_report_is_no_part():
    other = (
        "A storm took the roofs of 40 houses in Halden at night. Nobody was hurt, rescuers said."
    )
    whole = entry("d", digest("en"))
    assert RULE.match(whole, entry("o", other)) is None
    assert RULE.find_passage(whole, entry("o", other)) is None


def test_a_report_of_the_next_match_is_no_part():
    later = REPORTS["en"][1].replace("4:1", "2:3").replace("March 9", "March 16")
    assert RULE.match(entry("d", digest("en")), entry("p", later)) is None


def test_digests_of_other_reports_share_no_story():
    title, *texts = digest("en").split("\n\n")
    others = (
        "A storm took the roofs of 40 houses in Halden. Nobody was hurt, rescuers said.",
        "The price of grain rose to 190 crowns a ton at the Osteria exchange.",
    )
    other = "\n\n".join((title, texts[0], *others))
    match = RULE.match(entry("d", digest("en")), entry("e", other, minutes=600))
    assert match is None or not match.duplicate


def edition(*reports: str):
    """Return a digest of the same name and time of day that brings these reports."""
    return entry("e", "\n\n".join((TITLES["en"], *reports)), minutes=600)


def test_of_two_digests_it_is_reported_how_many_messages_are_the_same():
    whole, (first, second, _) = entry("d", digest("en")), REPORTS["en"]
    storm = "A storm took the roofs of 40 houses in Halden. Nobody was hurt, rescuers said."
    grain = "The price of grain rose to 190 crowns a ton at the Osteria exchange."
    copied = edition(first, second, storm)
    assert RULE.match(whole, copied).duplicate
    assert give_reasons(whole, copied, RULE).why[0] == (
        "Both are digests; 2 of 3 messages are the same, more than half make a duplicate."
    )
    other = edition(first, storm, grain)
    assert RULE.match(whole, other).relation == "similar"
    likely = f"{RULE.verify(whole, other).model_probability:.0%}"
    count, but, *_ = give_reasons(whole, other, RULE).why
    assert count.startswith("Both are digests; 1 of 3 messages is the same, more than half make")
    assert count.endswith("This alone decides.")
    assert but.startswith(f"But for that, the probability of one message is {likely}; from ")


def test_of_digests_of_as_many_messages_either_order_counts_the_same():
    first, second, third = entry("d", digest("en")).passages
    twice, once = (first, first, second), (first, third, third)
    assert count_shared_messages(twice, once) == count_shared_messages(once, twice)


def test_an_item_that_is_no_digest_is_filed_as_without_digests():
    part = entry("p", REPORTS["en"][0])
    assert part.passages == ()
    assert RULE.index_keys(part).near == part.sketches[-1].keys
    assert set(RULE.index_keys(part).counted) <= set(part.terms)


def test_a_digest_is_filed_under_a_few_keys_of_each_message_and_each_once():
    whole = entry("d", digest("en"))
    own, filing = RULE.index_keys(whole._replace(passages=())), RULE.index_keys(whole)
    pairs = [key for passage in whole.passages for key in passage.sketch.keys]
    assert filing.near == tuple(dict.fromkeys((*own.near, *pairs)))
    assert filing.sure == own.sure
    assert len(filing.counted) <= len(own.counted) + 3 * KEY_TERMS
    assert len(set(filing.counted)) == len(filing.counted)


def test_what_a_part_rests_on_is_its_passage():
    whole, part = entry("d", digest("en")), entry("p", REPORTS["en"][2], minutes=5)
    grounds = RULE.details(part, whole)
    assert grounds == RULE.details(whole, part)
    assert grounds.fingerprints == (PASSAGE,)
    passage = RULE.verify(passage_entry(whole, 2), part)
    assert {c.feature: c.value for c in grounds.contributions if c.feature != "habit"} == (
        passage.comparison.features._asdict()
    )


def test_an_explanation_names_the_message():
    whole, part = entry("d", digest("en")), entry("p", REPORTS["en"][1], minutes=5)
    why = give_reasons(part, whole, RULE).why
    assert why[0] == "B is a digest of 3 messages: never one story with a part of it."
    assert why[1].startswith("A tells message 2 of it:")
