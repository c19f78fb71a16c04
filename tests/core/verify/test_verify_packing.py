from hypothesis import given
from hypothesis import strategies as st

from core.verify.viewing import ANALYZER, FIRE, seen_as
from newsdedup.core.matching.verify.phrases import sort_phrases
from newsdedup.core.matching.verify.sketches import (
    pack_view,
    replace_phrases,
    unpack_phrases,
    unpack_view,
)
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.core.words.signature import signature


def keys_of(text):
    document = ANALYZER.document(NewsItem(ItemKey("a", "1"), "", text))
    return [term.key for term in signature(document.terms).terms]


@given(st.text(alphabet="абвгдabcd0123456789 .,:%\n", max_size=500), st.integers(0, 4))
def test_a_view_survives_its_bytes(text, uses):
    made = seen_as(text, lambda _: uses)
    assert unpack_view(pack_view(made), keys_of(text)) == made


@given(st.text(alphabet="абвгдabcd0123456789 .,:%\n", max_size=500), st.integers(0, 5))
def test_phrases_grow_stale_in_the_bytes_as_they_do_in_the_view(text, every):
    made = seen_as(text)
    assert unpack_phrases(pack_view(made)) == made.phrases
    stale = sort_phrases(made.phrases, [every and phrase % every for phrase in made.phrases.hashes])
    assert replace_phrases(pack_view(made), stale) == pack_view(made._replace(phrases=stale))


def test_the_fullest_view_takes_500_bytes_at_most():
    numbers = " ".join(f"Пострадали {n} рабочих." for n in range(101, 160))
    names = " ".join(f"житель Заозерска{a}{b}" for a in "абвгдежз" for b in "абвгдежз")
    sentence = " ".join(f"слово{a}{b}" for a in "абвгдежзик" for b in "абвгдежзик")
    view = seen_as(f"Рабочий Петров, {names} {sentence}. {numbers}")
    assert len(view.lemmas) == 48
    assert len(view.head) == 24
    assert len(view.facts) == 24
    assert len(pack_view(view)) <= 500


def test_an_ordinary_view_is_smaller():
    assert len(pack_view(seen_as(FIRE))) < 400
