import json
from math import exp
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import newsdedup
from core.verify.viewing import FIRE, seen_as
from newsdedup.core.matching.verify.features import AGAINST, Features, compare_views
from newsdedup.core.matching.verify.model import (
    Model,
    parse_model,
    probability,
    render_model,
)

SHIPPED = parse_model(
    (Path(newsdedup.__file__).parent / "data" / "verifier.json").read_text(encoding="utf-8")
)
PLAIN = Model(
    version="test",
    bias=-2.0,
    weights=tuple(-1.0 if name in AGAINST else 1.0 for name in Features._fields),
    means=(0.5,) * len(Features._fields),
    habit=1.5,
    base=0.4,
    threshold=0.6,
)
NONE = Features(*(0.0,) * len(Features._fields))


def test_the_logit_is_the_bias_and_the_weighed_features():
    found = NONE._replace(head=0.5, mass=3.0, dates=1.0)
    assert PLAIN.logit(found) == -2.0 + 0.5 + 3.0 - 1.0


def test_a_probability_is_rounded_and_never_overflows():
    assert probability(0.0) == 0.5
    assert probability(1.0) == round(1 / (1 + exp(-1.0)), 4)
    assert probability(1e9) == 1.0
    assert probability(-1e9) == 0.0


def test_contributions_are_given_against_the_mean_pair_the_strongest_first():
    found = PLAIN.contributions(Features(*PLAIN.means)._replace(head=1.0), shift=-1.0)
    assert found[0].feature == "habit"
    assert found[0].logit == -1.5
    assert found[1].feature == "head"
    assert found[1].logit == 0.5
    assert {each.logit for each in found[2:]} == {0.0}


def test_a_model_survives_its_file():
    assert parse_model(render_model(PLAIN)) == PLAIN


@pytest.mark.parametrize("missing", ["bias", "weights", "habit", "threshold"])
def test_a_file_that_lacks_something_is_refused(missing):
    read = json.loads(render_model(PLAIN))
    del read[missing]
    with pytest.raises(ValueError, match=f"it lacks '{missing}'"):
        parse_model(json.dumps(read))


@pytest.mark.parametrize("text", ["", "Пожар", "{'version': 1}"])
def test_what_is_no_json_is_refused_as_such(text):
    with pytest.raises(ValueError, match="it is no JSON: "):
        parse_model(text)


def test_weights_that_point_the_wrong_way_are_refused():
    read = json.loads(render_model(PLAIN))
    read["weights"]["head"] = -1.0
    with pytest.raises(ValueError, match="wrong sign: head"):
        parse_model(json.dumps(read))


def test_a_feature_that_is_newer_than_the_model_weighs_nothing():
    read = json.loads(render_model(PLAIN))
    del read["weights"]["head"], read["means"]["head"]
    model = parse_model(json.dumps(read))
    assert model.logit(NONE._replace(head=1.0)) == model.logit(NONE)


def test_weights_of_other_features_are_refused():
    read = json.loads(render_model(PLAIN))
    read["weights"]["beauty"] = 1.0
    with pytest.raises(ValueError, match="no such feature: beauty"):
        parse_model(json.dumps(read))


@given(st.sampled_from(Features._fields), st.floats(0, 5), st.floats(0, 5))
def test_no_feature_speaks_the_wrong_way(name, one, other):
    low, high = sorted((one, other))
    less, more = (SHIPPED.logit(NONE._replace(**{name: value})) for value in (low, high))
    assert (more <= less) if name in AGAINST else (more >= less)


def test_the_shipped_model_knows_a_copy_from_another_report():
    same = compare_views(seen_as(FIRE), seen_as(FIRE)).features
    assert probability(SHIPPED.logit(same)) > 0.95
    other = compare_views(
        seen_as(FIRE), seen_as("В Туле открыли выставку самоваров XIX века.")
    ).features
    assert probability(SHIPPED.logit(other)) < 0.01


def test_the_shipped_model_takes_a_changed_quantity_for_another_message():
    moved = FIRE.replace("пять человек", "девять человек").replace("5 рабочих", "9 рабочих")
    before = SHIPPED.logit(compare_views(seen_as(FIRE), seen_as(FIRE)).features)
    after = SHIPPED.logit(compare_views(seen_as(FIRE), seen_as(moved)).features)
    assert after < before - 2
