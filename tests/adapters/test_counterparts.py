"""The shipped list of counterparts, compared with the dictionaries of the package."""

from newsdedup.adapters.words.lemmatizers import shipped_lemmas, shipped_vocabulary
from newsdedup.adapters.words.package_data import (
    shipped_background,
    shipped_counterparts,
    shipped_stop_words,
)
from newsdedup.core.words.vocabulary import NO_COUNTERPARTS, Folding
from newsdedup.data.lang import rows


def test_every_counterpart_is_a_lemma_of_the_russian_dictionary():
    lemmas = shipped_lemmas()
    wrong = {ru for ru in shipped_counterparts().values() if lemmas.lemma(ru, "ru") != ru}
    assert not wrong


def test_no_lemma_is_listed_twice():
    listed = [word for section in rows("counterparts.pairs").values() for word in section]
    assert len(listed) == 2 * len(shipped_counterparts())


def test_nothing_is_listed_that_the_rules_find_anyway():
    rules, stop_words = Folding(shipped_background(), NO_COUNTERPARTS), shipped_stop_words()
    needless = [
        uk
        for uk, ru in shipped_counterparts().items()
        if rules.fold(uk, "uk") == rules.fold(ru, "ru") and not stop_words.stops(ru, ru, "ru")
    ]
    assert not needless


def test_names_of_people_and_towns_are_one_in_both_languages():
    known = shipped_vocabulary(shipped_background())
    pairs = [
        ("зеленський", "зеленский"),
        ("порошенко", "порошенко"),
        ("києві", "киеве"),
        ("харкові", "харькове"),
        ("львові", "львове"),
        ("миколаєва", "николаева"),
        ("дніпрі", "днепре"),
        ("німеччині", "германии"),
        ("володимира", "владимира"),
        ("олександром", "александром"),
    ]
    for ukrainian, russian in pairs:
        (here,), (there,) = known.terms([ukrainian], "uk"), known.terms([russian], "ru")
        assert here.key == there.key, (here, there)
