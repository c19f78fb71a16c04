from newsdedup.synthetic.lexicon_file import read_bundled
from newsdedup.synthetic.phrasing import (
    MOST_VARIANTS,
    add_choices,
    make_choices,
    parse_rings,
    parse_sentence,
    variants,
)
from synthetic.seeded import seeded

KNOWN = parse_rings(["вырос|увеличился|поднялся", "said|noted", "big|large"])


def test_a_word_of_a_ring_becomes_a_free_choice() -> None:
    assert add_choices("Рост вырос на 3", KNOWN) == "Рост [вырос|увеличился|поднялся] на 3"


def test_a_capital_stays_a_capital() -> None:
    assert add_choices("Вырос спрос", KNOWN) == "[Вырос|Увеличился|Поднялся] спрос"


def test_a_choice_gains_options() -> None:
    assert add_choices("he [said|told us]", KNOWN) == "he [said|noted|told us]"


def test_a_slot_and_a_fact_in_words_stay_as_they_are() -> None:
    template = "{said:вырос/big} <said> {who:said/big}"
    assert add_choices(template, KNOWN) == template


def test_only_the_first_word_of_a_ring_is_replaced() -> None:
    assert add_choices("it noted", KNOWN) == "it noted"


def test_a_part_of_a_word_is_not_a_word() -> None:
    assert add_choices("bigger said-so unsaid", KNOWN) == "bigger said-so unsaid"


def test_a_phrase_has_a_variant_for_each_way_but_no_flood_of_them() -> None:
    assert variants("a big man said", KNOWN) == [
        "a big man said", "a big man noted", "a large man said", "a large man noted",
    ]  # fmt: skip
    assert variants("nothing here", KNOWN) == ["nothing here"]
    assert len(variants(" ".join(["said"] * 7), KNOWN)) <= MOST_VARIANTS


def test_every_option_is_chosen_sooner_or_later() -> None:
    template = parse_sentence(add_choices("a big man said", KNOWN))
    rng = seeded(1)
    assert {make_choices(template, rng) for _ in range(100)} == set(
        variants("a big man said", KNOWN)
    )


def test_a_ring_has_different_words() -> None:
    for language in ("ru", "uk", "en"):
        for line in read_bundled(language, "rings.toml")["rings"]:
            words = line.split("|")
            assert len(words) == len(set(words)) >= 2, line
