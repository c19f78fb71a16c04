"""A text without its beginning is a copy of the whole, or a part of it; a bulletin is no copy."""

import pytest

from core.verify.retold import RULE, duplicate, entry, judged
from newsdedup.core.matching.explanation import give_reasons
from newsdedup.core.stories.choice import STANDS_IN

SENTENCES = (
    "The harbour of Osterby closed on Monday after a crane fell into the main dock.",
    "Divers searched the basin for the operator, a man of 41, until late in the evening.",
    "Port director Marta Lind said that the crane had been inspected twice this spring.",
    "Inspectors found rust on two bolts then, and the owner promised to replace them.",
    "The owner, Kettle Corp, did not answer questions about the repair on Tuesday.",
    "Ferries to the islands leave from the fishing pier until the dock is cleared.",
    "Islanders complain that the pier has no shelter and that buses do not stop there.",
    "A floating crane from Brantford will lift the wreck as soon as the wind drops.",
    "Insurers expect damage of 12 million crowns, most of it to a grain elevator.",
    "Grain traders have sent three ships to Halden, where silos are almost full.",
    "Farmers fear that prices fall before the harvest is loaded and paid for.",
    "The council meets in the old customs house to discuss help for dockers.",
)
WHOLE = "Crane falls into dock at Osterby\n" + " ".join(SENTENCES)
BULLETIN = (
    "Rates of the bank\nA dollar costs {} crowns, a euro {} crowns and a pound {} crowns, the bank "
    "said. Gold rose by {} percent and silver by {} percent; a barrel of oil costs {} dollars."
)


@pytest.mark.parametrize("first", [3, 6])
@pytest.mark.parametrize("source", ["a", "b"])
def test_the_rest_of_a_text_is_a_reprint_whoever_publishes_it(first: int, source: str) -> None:
    rest = "\n" + " ".join(SENTENCES[first:])
    found = RULE.match(entry(WHOLE), entry(rest, source=source, name="2", hours=1))
    assert found is not None
    assert (found.duplicate, found.relation) == (True, "reprint")


REPORT = tuple(
    f"{what} of {place} earned {earned} million crowns and paid {paid} thousand to {who}."
    for what, place, earned, paid, who in (
        ("The quarry", "Halden", 211, 34, "masons"),
        ("The dairy", "Osterby", 187, 58, "drivers"),
        ("The foundry", "Brantford", 342, 71, "founders"),
        ("The sawmill", "Lunin", 129, 26, "carters"),
        ("The brewery", "Marstad", 463, 83, "coopers"),
        ("The tannery", "Velna", 154, 47, "saddlers"),
        ("The ropeyard", "Kettle", 118, 29, "riggers"),
        ("The glassworks", "Norland", 276, 62, "blowers"),
        ("The mill", "Oster", 135, 39, "millers"),
        ("The bindery", "Quist", 147, 53, "gilders"),
        ("The cannery", "Lind", 238, 66, "fishermen"),
        ("The shipyard", "Andris", 519, 94, "welders"),
        ("The printworks", "Veide", 161, 44, "setters"),
        ("The pottery", "Holm", 126, 37, "potters"),
        ("The smithy", "Harbour", 113, 23, "farriers"),
        ("The distillery", "Dock", 291, 78, "tasters"),
    )
)
"""A report that states more than is stored of it."""


@pytest.mark.parametrize(("source", "taken"), [("b", True), ("a", False)])
def test_what_is_not_stored_of_a_long_report_contradicts_no_excerpt_of_another_source(
    source: str, taken: bool
) -> None:
    rest = entry("\n" + " ".join(REPORT[7:]), source=source, name="2", hours=1)
    assert RULE.verify(entry("Year of the plants\n" + " ".join(REPORT)), rest).is_excerpt is taken


def test_an_excerpt_is_surer_than_what_the_model_says_of_it() -> None:
    found = judged(WHOLE, "\n" + " ".join(SENTENCES[6:]))
    assert found is not None
    assert found.score >= STANDS_IN


def test_a_short_excerpt_is_a_part() -> None:
    found = judged(WHOLE, "\n" + " ".join(SENTENCES[8:]))
    assert found is not None
    assert (found.duplicate, found.relation) == (False, "part")


def test_a_text_that_adds_to_an_earlier_one_is_no_excerpt_of_it() -> None:
    less = "\n" + " ".join(SENTENCES[6:])
    assert not RULE.verify(entry(less), entry(WHOLE, source="b", name="2", hours=1)).is_excerpt


def test_an_excerpt_with_a_number_of_its_own_is_none() -> None:
    rest = "\n" + " ".join(SENTENCES[5:]).replace("12 million", "19 million")
    assert not RULE.verify(entry(WHOLE), entry(rest, source="b", name="2", hours=1)).is_excerpt


def test_the_reasons_name_an_excerpt() -> None:
    rest = entry("\n" + " ".join(SENTENCES[6:]), source="b", name="2", hours=1)
    said = "The later text is taken over from the earlier one, word for word."
    assert said in give_reasons(entry(WHOLE), rest, RULE).why


def test_a_bulletin_whose_numbers_differ_is_no_copy() -> None:
    one = BULLETIN.format("9.41", "10.22", "12.05", "1.7", "3.9", "71.2")
    other = BULLETIN.format("9.58", "10.37", "12.61", "2.4", "5.1", "77.9")
    assert duplicate(one, one)
    assert not duplicate(one, other)
    assert not duplicate(one, other.replace("Rates of the bank", "Rates of the bank on Friday"))
    moved = entry(other, source="b", name="2", hours=1)
    assert RULE.verify(entry(one), moved).contradiction in ("figures", "values")


def test_a_long_report_with_other_numbers_behind_the_same_beginning_is_no_copy() -> None:
    opening, rates = " ".join(SENTENCES[:4]), BULLETIN.partition("\n")[2]
    one, other = (
        f"Crane falls into dock at Osterby\n{opening} {rates.format(*values)}"
        for values in (
            ("9.41", "10.22", "12.05", "1.7", "3.9", "71.2"),
            ("9.58", "10.37", "12.61", "2.4", "5.1", "77.9"),
        )
    )
    later = entry(other, source="b", name="2", hours=1)
    assert RULE.verify(entry(one), later).contradiction == "values"
    assert any(
        "numbers and days are others" in line for line in give_reasons(entry(one), later, RULE).why
    )


def test_two_other_numbers_in_the_same_words_make_another_message_and_one_does_not() -> None:
    text = "Crane in the dock\n" + " ".join((SENTENCES[0], *SENTENCES[4:9], *SENTENCES[10:]))
    text = text.replace("as soon as", "for 9 thousand crowns, with a winch of oak, as soon as")
    one = text.replace("9 thousand crowns", "8 thousand crowns")
    both = one.replace("12 million crowns", "17 million crowns")
    found = {
        name: RULE.verify(entry(text), entry(other, source="b", name="2", hours=1)).contradiction
        for name, other in (("one", one), ("both", both))
    }
    assert found == {"one": None, "both": "values"}


def test_other_years_days_and_numbers_of_things_that_differ_make_another_message() -> None:
    form = (
        "Crane in the dock\n{} It lifted {} containers on 2 days, was built in {}, bought in {}"
        " and weighs {} tons."
    )
    told = " ".join((*SENTENCES[2:4], *SENTENCES[5:8], *SENTENCES[9:]))
    one = form.format(told, "412", "1987", "2003", "57")
    other = form.format(told, "538", "1991", "2011", "83")
    found = {
        name: RULE.verify(entry(one), entry(text, source="b", name="2", hours=1)).contradiction
        for name, text in (("same", one), ("year", one.replace("1987", "1991")), ("all", other))
    }
    assert found == {"same": None, "year": None, "all": "values"}
