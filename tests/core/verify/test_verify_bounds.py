"""No bound is below what the full comparison finds, for made-up news and for any words."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.verify.viewing import seen_as
from laws.streams import entry
from newsdedup import ItemKey
from newsdedup.adapters.words.package_data import shipped_model
from newsdedup.bootstrap.rules import make_rule
from newsdedup.config import Settings
from newsdedup.core.matching.rows import Rows
from newsdedup.core.matching.verify.bounds import BoundTables, has_bounds
from newsdedup.core.matching.verify.contradictions import find_contradiction, may_be_called_off
from newsdedup.core.matching.verify.features import compare_views, signature_cover
from newsdedup.core.matching.verify.quantity_bounds import QuantityTables
from newsdedup.core.matching.verify.relations import PLAIN_PHRASES
from newsdedup.core.matching.verify.sketches import VerifierSketch, make_text_rows, pack_sketch
from newsdedup.core.matching.verify.view import TextView, sum_weights
from newsdedup.core.model import Entry, Version
from newsdedup.synthetic.stream import generate_stream

MODEL = shipped_model()
RULE = make_rule(Settings())
CLOSE = 1e-9

WORDS = (
    *(
        "мэр",
        "открыл",
        "мост",
        "ремонт",
        "14",
        "месяцев",
        "32",
        "миллиона",
        "крон",
        "1,2",
        "тысячи",
    ),
    *("понедельник", "15 мая", "в 10:40", "в 11:20", "авария", "погибли", "5", "7", "человек"),
    *("Рябинин", "Заозерск", "the", "Mayor", "opened", "bridge", "17th", "18th", "package", "2:1"),
    *("5%", "5", "-5", "dollars", "12,345", "12", "thousand", "отбой", "тревога", ".", ".", "\n"),
    *("\nUPDATE 2-", "(дополнено)\n"),
)
texts = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)
uses = st.sampled_from([0, 1, 2, 3, 5])


def entries_of(views: list[TextView]) -> list[Entry]:
    blank = entry("an item", {1, 2}, at=0)
    sketches = [pack_sketch(VerifierSketch(view)) for view in views]
    return [blank._replace(sketches=(sketch,)) for sketch in sketches]


def rows_of(views: list[TextView]) -> Rows:
    return make_text_rows(entries_of(views))


def check(one: TextView, others: list[TextView], *, same: bool) -> None:
    rows = rows_of(others)
    bounds = BoundTables(one, MODEL).bound(rows, np.full(len(others), same))
    quantities = QuantityTables(one.facts, one.opening).bound(rows)
    for index, other in enumerate(others):
        for earlier, later in ((one, other), (other, one)):
            for repeated in (False, same):
                compared = compare_views(earlier, later, same_source=same, repeated=repeated)
                features = compared.features
                assert bounds.logit[index] >= MODEL.logit(features) - CLOSE
                assert bounds.lead_overlap[index] == pytest.approx(features.head)
                assert bounds.signature[index] >= signature_cover(earlier, later) - CLOSE
                assert bounds.phrases[index] == compared.phrases.shared
                assert bounds.fresh[index] >= compared.phrases.fresh
                assert bounds.freshness[index] >= features.freshness
                covers = (compared.cover_earlier, compared.cover_later)
                assert bounds.cover[index] == pytest.approx(max(covers))
                assert bounds.sizes[index] == other.size
                assert quantities.agreed[index] >= compared.quantities.agreed
                assert quantities.agreement[index] >= compared.quantities.agreement
                assert quantities.conflicts[index] <= compared.quantities.conflicts
                assert features.opening_both or not quantities.opening_both[index]
                apart = find_contradiction(
                    compared, earlier, later, same_source=same, translated=False
                )
                assert apart is not None or not bounds.contradicts[index]
                moved = features.conflicts or features.opening_both or features.dates
                assert bounds.moved[index] or not (moved or apart == "edited")
                assert may_be_called_off(one) or apart != "over"
                assert bounds.fresh[index] >= PLAIN_PHRASES or apart != "news"


def test_what_speaks_for_a_duplicate_by_the_shipped_model_is_bounded():
    assert has_bounds(MODEL)


@given(texts, st.lists(texts, min_size=1, max_size=4), st.booleans(), uses, uses)
def test_no_bound_is_below_what_two_texts_of_any_words_share(one, others, same, ours, theirs):
    views = [seen_as(other, lambda phrase: phrase % (theirs + 1)) for other in others]
    check(seen_as(one, lambda phrase: phrase % (ours + 1)), views, same=same)


quantities = st.builds(
    "{} {}".format,
    st.one_of(
        st.integers(0, 120), st.sampled_from(["9.8", "99", "100", "1,2 тысячи", "-4", "1000"])
    ),
    st.sampled_from(["человек", "рублей", "%", "км", "", "домов", "градусов", "млн долларов"]),
)


@given(st.lists(quantities, max_size=6), st.lists(quantities, max_size=6))
def test_no_bound_is_below_what_two_texts_of_quantities_share(one, other):
    check(seen_as(". ".join(one)), [seen_as(". ".join(other))], same=False)


@cache
def made_up_views() -> list[TextView]:
    items = [planted.item for planted in generate_stream(150)]
    said = [f"{item.get('title', '')}\n{item.get('text', '')}" for item in items]
    return [seen_as(text, lambda phrase: phrase % 3) for text in said]


@pytest.mark.usefixtures("long")
def test_no_bound_is_below_what_made_up_news_share():
    views = made_up_views()
    for one in views[::5]:
        check(one, views, same=False)


def test_most_pairs_of_made_up_news_are_ruled_out():
    views = made_up_views()
    rows, false = rows_of(views), np.zeros(len(views), bool)
    bounds = [BoundTables(view, MODEL).bound(rows, false) for view in views]
    open_pairs = sum(int((bound.logit > -3).sum()) - 1 for bound in bounds)
    assert open_pairs < 0.1 * len(views) ** 2


def test_quantities_of_one_kind_that_differ_are_known_to_conflict():
    one = seen_as("В аварии погибли 12 человек, 40 ранены. Движение закрыто в 10:40.")
    others = ("Погибли 14 человек.", "Погибли 12 человек.", "Закрыли в 11:20.", "Мост открыт.")
    quantities = QuantityTables(one.facts, one.opening).bound(
        rows_of([seen_as(text) for text in others])
    )
    assert quantities.conflicts.tolist() == [1, 0, 1, 0]


def test_messages_of_one_template_contradict_each_other():
    said = "Прогноз: {}. Днём до {} градусов, ветер северный, {} м/с. Одевайтесь теплее, друзья!"
    one = seen_as(said.format("Шуя", 5, 12))
    others = [said.format("Шуя", 5, 12), said.format("Орёл", 9, 3), said.format("Орёл", 5, 12)]
    rows = rows_of([seen_as(text) for text in others])
    contradicts = BoundTables(one, MODEL).bound(rows, np.full(3, fill_value=True)).contradicts
    assert contradicts.tolist() == [False, True, False]


@pytest.mark.parametrize(("uses", "prospects"), [(0, 2), (3, 0)])
def test_a_form_that_its_source_fills_in_again_and_again_is_not_compared(uses, prospects):
    said = "{}. Ждём ваших ответов, самые интересные опубликуем вечером на канале газеты."
    asked = (
        "Мэр Рябинин открыл новый мост через реку",
        "В театре показали премьеру оперы о шахтёрах",
        "Школьники вырастили рекордный урожай тыквы",
    )
    one, *others = entries_of([seen_as(said.format(each), lambda _: uses) for each in asked])
    one, *others = [
        each._replace(key=ItemKey("a", str(number)), version=Version(str(number)))
        for number, each in enumerate((one, *others))
    ]
    found = RULE.candidate_filter.prospects(one, make_text_rows(others))
    assert len(found.indexes) == prospects
    assert sum(RULE.match(one, other) is not None for other in others) == prospects


def test_a_row_holds_what_the_sketch_of_its_entry_says():
    view = seen_as("Мэр Рябинин открыл мост. Ремонт шёл 14 месяцев и стоил 32 миллиона крон.")
    (row,) = rows_of([view])
    assert tuple(row["words"][: row["lemmas"]]) == view.lemmas
    assert tuple(row["codes"][: row["facts"]]) == view.facts
    assert (row["weight"], row["first_weight"]) == (view.weight, view.lead_weight)
    assert row["names_weight"] == sum_weights(view.names)
    assert row["lead_weight"] == sum_weights(set(view.lead).difference(view.names))


def test_a_text_without_anything_is_bounded():
    check(seen_as(""), [seen_as(""), seen_as("Пожар на складе. Пострадали 5 рабочих.")], same=True)
    check(seen_as("Пожар на складе. Пострадали 5 рабочих."), [seen_as("")], same=False)
