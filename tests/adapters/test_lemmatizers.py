import subprocess
import sys

import pytest
from pymorphy3 import MorphAnalyzer

from newsdedup.adapters.words import lemmatizers
from newsdedup.adapters.words.lemmatizers import PymorphyLemmatizer, SnowballStemmer, shipped_lemmas
from newsdedup.core.words.lemmas import Lemmatizer
from newsdedup.data.languages import LANGUAGE_ROWS

FORMS = {
    "ru": "указа подписанные ёлки кошками криптобиржами неведомогородский 5-летний нью-йорке",
    "uk": "указу підписані містами київського криптобіржами в'ячеслава п'яти невідомоградський",
    "en": "signed orders running cities unhappiness cryptoexchanges o'clock naïvely",
}
LEMMATIZERS: dict[str, Lemmatizer] = {
    "ru": PymorphyLemmatizer("ru"),
    "uk": PymorphyLemmatizer("uk"),
    "en": SnowballStemmer("english"),
}


@pytest.mark.parametrize("language", FORMS)
class TestEveryLemmatizer:
    def test_lemmas_are_lower_case_not_empty_and_free_of_yo(self, language: str) -> None:
        for form in FORMS[language].split():
            lemma = LEMMATIZERS[language].lemma(form)
            assert lemma
            assert lemma == lemma.lower()
            assert "ё" not in lemma

    def test_the_lemma_is_one_of_those_that_the_dictionary_has(self, language: str) -> None:
        for form in FORMS[language].split():
            lemmatizer = LEMMATIZERS[language]
            assert lemmatizer.lemma(form) in (lemmatizer.lemmas(form) or {lemmatizer.lemma(form)})

    def test_a_word_of_no_language_gets_some_lemma(self, language: str) -> None:
        for form in ("ъъъ", "xyz", "-", "'", "ы" * 1_000, "東京", "1"):
            assert LEMMATIZERS[language].lemma(form)

    def test_the_version_names_the_library_and_its_data(self, language: str) -> None:
        assert any(digit in LEMMATIZERS[language].version for digit in "0123456789")


@pytest.mark.parametrize("language", ["ru", "uk"])
def test_the_version_names_the_dictionary_that_is_used_without_loading_it(language: str) -> None:
    lemmatizer = PymorphyLemmatizer("uk" if language == "uk" else "ru")
    lemmatizers._morphology.cache_clear()
    lemmatizers._dictionary_version.cache_clear()
    version = lemmatizer.version
    assert lemmatizers._morphology.cache_info().currsize == 0
    meta = MorphAnalyzer(lang=language).dictionary.meta
    assert version == f"pymorphy3 {language} {meta['source_revision']} {meta['compiled_at']}"


ODD = "а я в е ё А Я А.С. ё-ё кто-то по-новому 5-й xiv iv abc - ' ъъъ пол-литра супер-пупер гґг Ян"
BEGINNINGS = ("аб", "во", "го", "не", "по", "ра", "ст", "те")


@pytest.mark.parametrize("language", ["ru", "uk"])
def test_the_short_way_to_a_lemma_leads_where_the_full_parse_does(language: str) -> None:
    full = MorphAnalyzer(lang=language)
    words = [word for begin in BEGINNINGS for word in full.dictionary.words.keys(begin)[::199]]
    forms = [*words, *[word.replace("ё", "е").replace("ґ", "г") for word in words], *ODD.split()]
    short = LEMMATIZERS[language]
    parsed = [(form, full.parse(form)[0].normal_form.replace("ё", "е")) for form in forms]
    assert [(form, short.lemma(form)) for form in forms] == parsed


def test_forms_of_a_russian_word_meet_in_its_lemma() -> None:
    russian = LEMMATIZERS["ru"]
    assert {russian.lemma(form) for form in ("указ", "указа", "указом")} == {"указ"}
    assert russian.lemma("ёлки") == "елка"


def test_forms_of_a_ukrainian_word_meet_in_its_lemma() -> None:
    ukrainian = LEMMATIZERS["uk"]
    assert {ukrainian.lemma(form) for form in ("місто", "міста", "містами")} == {"місто"}


def test_english_words_are_stemmed() -> None:
    assert {LEMMATIZERS["en"].lemma(form) for form in ("sign", "signed", "signing")} == {"sign"}


def test_another_language_is_added_by_its_snowball_name() -> None:
    assert SnowballStemmer("german").lemma("brücken") == SnowballStemmer("german").lemma("brücke")


STEMMED = {
    "ar": "الرئيس رئيس بالرئيس",
    "be": "мостам мостамі",
    "bg": "мостовете мостовата",
    "cs": "mosty mostech mostu",
    "da": "regeringen regeringens regering",
    "de": "brücken brücke",
    "el": "γέφυρα γέφυρες γέφυρας",
    "es": "puentes puente",
    "eu": "zubia zubiak zubiaren",
    "fi": "sillat silta",
    "fr": "l'annonce annonce d'annonces",
    "he": "הממשלה ממשלה והממשלה",
    "hi": "सरकारों सरकार",
    "hu": "hidak hidakat",
    "is": "ráðherra ráðherrann ráðherrar",
    "it": "ponti ponte",
    "lv": "tiltam tilta",
    "nl": "bruggen brug",
    "no": "regjeringen regjeringens regjering",
    "pl": "premierowi premiera premierem",
    "pt": "pontes ponte",
    "ro": "podurile podurilor",
    "sl": "mostovi mostovih",
    "sr": "мостови мостове mostovi",
    "sv": "regeringen regeringens regering",
    "tr": "köprüler köprüleri köprü",
    "uz": "кўприклар кўприкдан кўприкни",
}


@pytest.mark.parametrize("lang", STEMMED)
def test_forms_of_one_word_meet_in_their_stem(lang: str) -> None:
    assert len({shipped_lemmas().lemma(form, lang) for form in STEMMED[lang].split()}) == 1


@pytest.mark.parametrize("lang", LANGUAGE_ROWS)
def test_each_stemmer_of_the_table_keeps_the_laws(lang: str) -> None:
    stemmer = shipped_lemmas().stemmers[lang]
    for form in ("a", "-", "'", "x" * 64, "naïve", "мостами", "橋", "جسر", "הגשר", "l'", "वि", "1"):
        lemma = stemmer.lemma(form)
        assert lemma
        assert lemma == lemma.lower()
        assert "ё" not in lemma
        assert lemma == stemmer.lemma(form)
    assert any(digit in stemmer.version for digit in "0123456789")
    assert not stemmer.lemmas("x")


@pytest.mark.parametrize(
    ("lang", "form", "lemma"),
    [
        ("ru", "бпла", "бпла"),
        ("ru", "нашли", "найти"),
        ("uk", "року", "рік"),
        ("uk", "війни", "війна"),
    ],
)
def test_what_the_dictionaries_get_wrong_is_overridden(lang: str, form: str, lemma: str) -> None:
    lemmas = shipped_lemmas()
    assert lang in ("ru", "uk")
    assert lemmas.lemma(form, "ru" if lang == "ru" else "uk") == lemma
    assert lemmas.lemmatizers["ru" if lang == "ru" else "uk"].lemma(form) != lemma


PROGRAM = """
from newsdedup.adapters.words.lemmatizers import shipped_lemmas
lemmas = shipped_lemmas()
for lang, forms in {forms!r}.items():
    print(*[lemmas.lemma(form, lang) for form in forms.split()])
print(lemmas.version)
"""


@pytest.mark.usefixtures("process")
def test_lemmas_do_not_depend_on_the_hash_seed_of_the_process() -> None:
    program = PROGRAM.format(forms=FORMS)
    answers = {
        subprocess.run(  # our own interpreter and our own program
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "1", "20061")
    }
    assert len(answers) == 1
