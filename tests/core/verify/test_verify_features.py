from math import log1p

from hypothesis import given
from hypothesis import strategies as st

from core.verify.viewing import FIRE, seen_as
from newsdedup.core.matching.verify.features import AGAINST, FEATURES, Features, compare_views
from newsdedup.core.matching.verify.view import (
    LEMMAS,
    LONGEST_LEAD,
    MOST_NAME_CODES,
    PER_NAT,
    WEIGHT_MASK,
    sum_weights,
)

words = st.text(alphabet="абвгдеabcdeіїєґ0123456789 .,:-\n%$", max_size=400)
anything = st.text(max_size=400)


def features(left: str, right: str) -> Features:
    return compare_views(seen_as(left), seen_as(right)).features


def test_a_copy_agrees_in_everything():
    found = features(FIRE, FIRE)
    assert {name: getattr(found, name) for name in AGAINST} == dict.fromkeys(AGAINST, 0.0)
    shares = ("numbers", "freshness", "lead", "head", "cover")
    assert {name: getattr(found, name) for name in shares} == dict.fromkeys(shares, 1.0)


def test_the_table_has_a_line_for_every_feature_in_its_order():
    assert tuple(feature.name for feature in FEATURES) == Features._fields


def test_quantities_that_agree_are_shared_and_counted():
    # Left says 5 and 1.2 thousand, right 5 and 1,200: both agree, so (2 + 1) / (2 + 1) = 1.
    found = features("Ранены 5 рабочих, сгорело 1,2 тыс. метров.", "Ранены 5 рабочих, 1200 метров.")
    assert found.numbers == 1.0
    # Both count the same thing, workers and metres, so each is worth two.
    assert found.number_count == log1p(4)


def test_a_quantity_that_agrees_says_more_where_it_is_known_what_it_counts():
    bare = "The winning numbers are 17 and 43."
    assert features(bare, "The numbers drawn were 17 and 43.").number_count == log1p(2)
    sum_stated = " The prize is 1,200 dollars."
    assert features(bare + sum_stated, "Of 17 and 43." + sum_stated).number_count == log1p(2 + 2)


def test_a_quantity_that_moved_is_a_conflict_in_the_opening():
    found = features("Пострадали 5 рабочих завода.", "Пострадали 7 рабочих завода.")
    # None agrees, one on either side is left: (0 + 1) / (0 + 1 + 1 + 1).
    assert found.numbers == 1 / 3
    assert found.conflicts == log1p(1)
    assert found.opening_both == 1.0


def test_a_quantity_that_only_one_text_states_is_no_conflict():
    found = features("Пострадали 5 рабочих завода.", "Пострадали рабочие завода.")
    assert found.opening_both == found.conflicts == 0.0


def test_texts_that_begin_with_other_days_are_of_other_days():
    assert features("Погода в Туле на 8 ноября.", "Погода в Туле на 18 ноября.").dates == 1.0
    assert features("Погода в Туле на 8 ноября.", "Погода в Туле на 8 ноября.").dates == 0.0
    assert features("Погода в Туле на 8 ноября.", "Погода в Туле.").dates == 0.0


def test_days_that_only_one_text_begins_with_count_by_their_share():
    # Of 23 and 24 November one is shared: 1 - 1 / 2.
    weekend, sunday = "Куда сходить 23-24 ноября.", "Куда сходить 24 ноября."
    assert features(weekend, sunday).dates == 0.5


def test_a_day_that_the_other_text_names_further_on_is_no_other_day():
    saturday = "Чиновник даст показания 9 ноября. Его ждут в комитете. "
    said = "Адвокат чиновника выступил 7 ноября. Клиент готов говорить. "
    assert features(saturday, said).dates == 1.0
    report = saturday + "Об этом адвокат сказал 7 ноября."
    # Two days, of which the first text begins with one that the second lacks: 1 / (1 + 1 / 2).
    assert features(report, said).dates == 2 / 3
    assert features(report, said + "Показания он даст 9 ноября.").dates == 0.0


def test_both_must_name_what_the_other_does_not():
    left, right = seen_as("Войска заняли село Дальнее."), seen_as("Войска заняли село Камыши.")
    only = compare_views(left, right).features.names
    assert only == log1p(min(sum_weights(left.names), sum_weights(right.names)) / (10 * PER_NAT))
    assert only > 0
    assert features("Войска заняли село Дальнее.", "Войска заняли село.").names == 0.0


def test_the_lead_is_what_either_first_sentence_tells_besides_its_names():
    left = seen_as("Troops took the village of Halden after a long battle.")
    right = seen_as("Troops took the village of Halden. The minister thanked the soldiers.")
    troops, village, _, battle = (code & WEIGHT_MASK for code in left.lead)
    report = troops + village
    # All that the right one begins with stands in the left one, which has a battle alongside it.
    assert compare_views(left, right).features.lead == (report / (report + battle) + 1) / 2


def test_names_alone_are_no_lead():
    headline = FIRE.partition("\n")[0]
    assert features(headline, FIRE).lead == 1.0
    other = "Заозерск: мэр Олег Рябинин рассказал о ремонте дорог"
    assert features(headline, other).lead == 0.0


def test_the_leads_overlap_by_the_weight_of_their_lemmas():
    left, right = "Сгорел старый склад краски.", "Сгорел старый завод краски."
    one, other = seen_as(left), seen_as(right)
    shared = sum_weights(set(one.lead) & set(other.lead))
    assert features(left, right).head == shared / min(
        sum_weights(one.lead), sum_weights(other.lead)
    )


def test_the_cover_is_the_share_of_the_text_that_holds_more_of_its_own():
    one, other = seen_as("Сгорел склад краски."), seen_as("Сгорел склад краски и завод рядом.")
    contained = sum_weights(set(one.lemmas) & set(other.lemmas))
    assert compare_views(one, other).features.cover == contained / sum_weights(other.lemmas) < 1


def test_the_mass_grows_with_what_is_shared():
    one = seen_as("Сгорел склад краски.")
    assert compare_views(one, one).features.mass == log1p(sum_weights(one.lemmas) / PER_NAT)


def test_the_mass_leaves_out_the_names_with_which_either_text_begins():
    left = seen_as("Troops took the village of Halden.")
    right = seen_as("Halden village: troops took it.")
    assert left.names
    assert not right.names
    said = sum_weights(left.lemmas) - sum_weights(left.names)
    assert compare_views(left, right).features.mass == log1p(said / PER_NAT)


def test_a_template_of_its_source_is_stale():
    stale = compare_views(seen_as(FIRE), seen_as(FIRE, lambda _: 3))
    assert stale.features.freshness == 0.125


def test_what_one_source_used_before_is_reused_and_of_two_only_what_both_did():
    new, stale = seen_as(FIRE), seen_as(FIRE, lambda _: 3)
    assert compare_views(new, stale).features.reuse > 0
    assert compare_views(new, stale, same_source=False).features.reuse == 0
    assert compare_views(stale, stale, same_source=False).features.reuse > 0


@given(words | anything, words | anything)
def test_features_are_symmetric_and_bounded(left, right):
    one, other = seen_as(left), seen_as(right)
    found = compare_views(one, other).features
    assert found == compare_views(other, one).features
    shares = ("numbers", "opening_both", "dates", "freshness", "lead", "head", "cover")
    assert all(0 <= getattr(found, name) <= 1 for name in shares)
    assert all(0 <= value < 8 for value in found)


@given(words | anything)
def test_a_view_is_bounded_and_the_same_twice(text):
    made = seen_as(text)
    assert made == seen_as(text)
    assert len(made.lemmas) <= LEMMAS
    assert len(made.lead) <= LONGEST_LEAD
    assert len(made.names) <= MOST_NAME_CODES
    assert set(made.opening) <= set(made.facts)


@given(words, words, st.sets(st.integers(1 << 30, 1 << 31), max_size=9))
def test_shared_text_that_is_added_to_both_never_speaks_against_them(left, right, added):
    one, other = seen_as(left), seen_as(right)
    codes = tuple(sorted(added - set(one.lemmas) - set(other.lemmas)))
    longer, longest = (
        each._replace(
            lemmas=(*each.lemmas, *codes),
            weight=each.weight + sum_weights(codes),
        )
        for each in (one, other)
    )
    before, after = compare_views(one, other), compare_views(longer, longest)
    for name, old, new in zip(Features._fields, before.features, after.features, strict=True):
        assert (new <= old) if name in AGAINST else (new >= old)
