from hypothesis import given
from hypothesis import strategies as st

from core.verify.viewing import ANALYZER, FIRE, seen_as
from laws.streams import entry
from newsdedup import ItemKey, NewsItem
from newsdedup.core.matching.verify.sketches import (
    VerifierSketch,
    pack_sketch,
    read_phrases,
    read_sketch,
    update_sketch,
)
from newsdedup.core.matching.verify.view import TextView, sort_phrases
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.weights import signature

STATISTICS = 16
"""Bytes of a sketch before its view."""
SHIFTS = (0.5, -0.25, 0.0, -3.0, 1.0, 0.01)


def packed(view: TextView, *, bucket: int = 0) -> Fingerprint:
    return pack_sketch(VerifierSketch(view, SHIFTS, bucket))


def keys_of(text):
    document = ANALYZER.document(NewsItem(ItemKey("a", "1"), "", text))
    return tuple(term.key for term in signature(document.terms).terms)


@given(st.text(alphabet="абвгдabcd0123456789 .,:%\n", max_size=500), st.integers(0, 4))
def test_a_sketch_survives_its_bytes(text, uses):
    made = VerifierSketch(seen_as(text, lambda _: uses), SHIFTS, uses)
    blank = entry("an item", keys_of(text), at=0)
    assert read_sketch(blank._replace(sketches=(pack_sketch(made),))) == made


@given(st.text(alphabet="абвгдabcd0123456789 .,:%\n", max_size=500), st.integers(0, 5))
def test_phrases_grow_stale_in_the_bytes_as_they_do_in_the_view(text, every):
    made = seen_as(text)
    assert read_phrases(packed(made)) == made.phrases
    stale = sort_phrases(made.phrases, [every and phrase % every for phrase in made.phrases.hashes])
    updated = packed(made._replace(phrases=stale), bucket=every)
    assert update_sketch(packed(made), stale, shifts=SHIFTS, bucket=every) == updated
    assert update_sketch(updated, None, shifts=SHIFTS, bucket=0) == packed(
        made._replace(phrases=stale)
    )


def test_the_fullest_view_takes_500_bytes_at_most():
    numbers = " ".join(f"Пострадали {n} рабочих." for n in range(101, 160))
    names = " ".join(f"житель Заозерска{a}{b}" for a in "абвгдежз" for b in "абвгдежз")
    sentence = " ".join(f"слово{a}{b}" for a in "абвгдежзик" for b in "абвгдежзик")
    view = seen_as(f"Рабочий Петров, {names} {sentence}. {numbers}")
    assert len(view.lemmas) == 48
    assert len(view.lead) == 24
    assert len(view.facts) == 24
    assert len(packed(view).body) <= 500 + STATISTICS


def test_an_ordinary_view_is_smaller():
    assert len(packed(seen_as(FIRE)).body) < 400 + STATISTICS
