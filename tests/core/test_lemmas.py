import pytest

from newsdedup.core.model import Language
from newsdedup.core.words.lemmas import Lemmas, spelling


class Tag:
    """Labels a form with the requested language."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def version(self) -> str:
        return self.name

    def lemma(self, form: str) -> str:
        return f"{form}/{self.name}"


LEMMAS = Lemmas({"ru": Tag("ru"), "uk": Tag("uk"), "en": Tag("en")})


@pytest.mark.parametrize(
    ("form", "lang", "expected"),
    [
        ("київ", "ru", "uk"),  # characters of one language only decide, whatever the document
        ("объезд", "uk", "ru"),
        ("президент", "ru", "ru"),
        ("президент", "uk", "uk"),
        ("президент", "en", "ru"),
        ("президент", "other", "other"),
        ("bridges", "en", "en"),
        ("bridges", "other", "other"),
        ("iphone", "ru", None),  # a foreign name in a Cyrillic text stays as written
        ("iphone", "uk", None),
        ("μέγα", "ru", None),
        ("2024-й", "ru", "ru"),
        ("мостът", "bg", "bg"),  # not Russian, though its letters are
        ("көпір", "kk", "kk"),
        ("brücken", "de", "de"),
        ("президент", "de", "ru"),
    ],
)
def test_the_alphabet_decides_before_the_document(
    form: str, lang: Language, expected: Language | None
) -> None:
    assert spelling(form, lang) == expected


def lemma_in(lemmas: Lemmas, form: str, lang: Language) -> str:
    """Return the lemma of a form that stands in a document of this language."""
    return lemmas.lemma(form, spelling(form, lang))


def test_a_form_takes_the_lemmatizer_of_its_language() -> None:
    assert lemma_in(LEMMAS, "київ", "ru") == "київ/uk"
    assert lemma_in(LEMMAS, "мосты", "uk") == "мосты/ru"
    assert lemma_in(LEMMAS, "iphone", "ru") == "iphone"


def test_a_language_without_a_lemmatizer_keeps_its_forms() -> None:
    assert lemma_in(LEMMAS, "brücken", "other") == "brücken"


def test_a_language_is_added_by_passing_its_lemmatizer() -> None:
    german = Lemmas({**LEMMAS.lemmatizers, "other": Tag("de")})
    assert lemma_in(german, "brücken", "other") == "brücken/de"
    assert lemma_in(german, "iphone", "ru") == "iphone"


def test_overrides_are_asked_first() -> None:
    lemmas = Lemmas(LEMMAS.lemmatizers, {"ru": {"бпла": "бпла"}, "uk": {"року": "рік"}})
    assert lemma_in(lemmas, "бпла", "ru") == "бпла"
    assert lemma_in(lemmas, "року", "uk") == "рік"
    assert lemma_in(lemmas, "року", "ru") == "року/ru"


def test_the_version_changes_with_the_lemmatizers_and_the_overrides() -> None:
    other = Lemmas({**LEMMAS.lemmatizers, "ru": Tag("another dictionary")})
    overridden = Lemmas(LEMMAS.lemmatizers, {"ru": {"бпла": "бпла"}})
    assert len({LEMMAS.version, other.version, overridden.version}) == 3
    assert LEMMAS.version == Lemmas({"en": Tag("en"), "uk": Tag("uk"), "ru": Tag("ru")}).version


def test_the_stemmers_of_the_table_are_not_part_of_the_version() -> None:
    more = Lemmas(LEMMAS.lemmatizers, stemmers={"de": Tag("de")})
    assert lemma_in(more, "brücken", "de") == "brücken/de"
    assert more.version == LEMMAS.version
