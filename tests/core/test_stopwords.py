import pytest

from newsdedup.adapters.words.package_data import shipped_stop_words
from newsdedup.core.text.scripts import spell_alike
from newsdedup.core.words.lemmas import StopWords

STOP_WORDS = StopWords(
    {"ru": frozenset({"который"}), "uk": frozenset({"який"}), "en": frozenset({"which"})}
)


def test_a_word_is_stopped_by_its_form_or_by_its_lemma() -> None:
    assert STOP_WORDS.stops("который", "кто-то", "ru")
    assert STOP_WORDS.stops("которого", "который", "ru")
    assert not STOP_WORDS.stops("мосты", "мост", "ru")


def test_each_language_has_its_own_words() -> None:
    assert STOP_WORDS.stops("which", "which", "en")
    assert not STOP_WORDS.stops("which", "which", "ru")


def test_ukrainian_texts_quote_russian_and_texts_of_unknown_language_may_be_any() -> None:
    assert STOP_WORDS.stops("который", "который", "uk")
    assert not STOP_WORDS.stops("який", "який", "ru")
    for word in ("который", "який", "which"):
        assert STOP_WORDS.stops(word, word, "other")


def test_short_words_and_words_without_alphabetic_characters_are_stopped() -> None:
    assert STOP_WORDS.stops("2024", "2024", "ru")
    assert STOP_WORDS.stops("1:2", "1:2", "en")
    assert STOP_WORDS.stops("на", "на", "other")
    assert not STOP_WORDS.stops("сша", "сша", "ru")
    assert not STOP_WORDS.stops("ту-154", "ту-154", "ru")


def test_lists_of_further_languages_are_loaded_when_their_texts_are_met() -> None:
    loaded: list[str] = []

    def load(lang: str) -> frozenset[str]:
        loaded.append(lang)
        return frozenset({"nach"})

    stop_words = StopWords(STOP_WORDS.lists, load)
    assert not stop_words.stops("nach", "nach", "ru")
    assert not loaded
    assert stop_words.stops("nach", "nach", "de")
    assert not stop_words.stops("which", "which", "de")
    assert stop_words.version == STOP_WORDS.version


def test_words_of_two_characters_count_where_words_are_that_short() -> None:
    for form, lang in (("大桥", "zh"), ("다리", "ko"), ("xe", "vi")):
        assert not STOP_WORDS.stops(form, form, lang)
        assert STOP_WORDS.stops(form[:1], form[:1], lang)


def test_a_short_word_behind_an_article_and_its_apostrophe_is_stopped() -> None:
    for form in ("qu'il", "d'un", "c'est", "s'y"):
        assert STOP_WORDS.stops(form, form, "fr") == (form != "c'est")
    assert not STOP_WORDS.stops("ankara'da", "ankara", "tr")


def test_pairs_of_japanese_and_chinese_grammar_are_stopped() -> None:
    assert STOP_WORDS.stops("した", "した", "ja")
    assert not STOP_WORDS.stops("火災", "火災", "ja")
    assert STOP_WORDS.stops("人的", "人的", "zh")
    assert not STOP_WORDS.stops("火灾", "火灾", "zh")


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("el", "είναι έχει αυτό ότι όταν"),
        ("ur", "تھا رہے ہیں لیکن کیونکہ"),
        ("he", "יותר לפי לאחר כדי"),
        ("hi", "उन्होंने बताया दौरान मुताबिक"),
        ("ka", "რომელიც ასევე განაცხადა"),
        ("ta", "இந்த மற்றும் தெரிவித்தார்"),
        ("sr", "после posle због zbog"),
        ("zh", "因為 雖然 我們 因为"),
        ("ro", "însă foarte între această"),
    ],
)
def test_the_shipped_lists_have_the_words_of_any_text(lang: str, text: str) -> None:
    listed = shipped_stop_words()
    for form in spell_alike(text, lang).split():
        assert listed.stops(form, form, lang), form
