from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.words.background import EMPTY_BACKGROUND, Background, LanguageCounts
from newsdedup.core.words.lemmas import Lemmas, StopWords
from newsdedup.core.words.vocabulary import NO_COUNTERPARTS, Folding, Vocabulary
from newsdedup.core.words.weights import signature

RUSSIAN = ("организация", "лис", "лес", "город", "час", "время", "место", "киев", "путин", "новый")
TABLE = Background(
    {
        "ru": LanguageCounts(
            9_000, 90_000, {lemma: (50 + n, 60) for n, lemma in enumerate(RUSSIAN)}
        ),
        "uk": LanguageCounts(
            1_000, 9_000, {"місто": (40, 50), "щопта": (7, 8), "організація": (90, 95)}
        ),
    },
    "by hand",
)
COUNTERPARTS = {"місто": "город", "час": "время", "тиждень": "неделя", "наразі": "сейчас"}
FOLDING = Folding(TABLE, COUNTERPARTS)

ALPHABET = "абвгґдеєжзиіїйклмнопрстуфхцчшщьюяыэъ'"
lemmas = st.text(ALPHABET, min_size=1, max_size=12) | st.sampled_from([*RUSSIAN, *COUNTERPARTS])
languages = st.sampled_from(["ru", "uk", "en", "other"])


@given(lemmas, languages)
def test_the_fold_of_a_fold_is_itself_and_never_empty(lemma, spelled):
    fold = FOLDING.fold(lemma, spelled)
    assert fold
    assert FOLDING.fold(fold, "ru") == fold or spelled in ("en", "other")


@given(lemmas, languages)
def test_a_fold_is_the_same_in_every_process(lemma, spelled):
    again = Folding(TABLE, dict(reversed(COUNTERPARTS.items())))
    assert again.fold(lemma, spelled) == FOLDING.fold(lemma, spelled)
    fold = FOLDING.fold(lemma, spelled)
    assert again.frequency(fold) == FOLDING.frequency(fold)


@given(st.sampled_from(RUSSIAN))
def test_a_russian_lemma_of_the_table_is_its_own_fold(lemma):
    assert FOLDING.fold(lemma, "ru") == lemma
    assert FOLDING.frequency(lemma) == TABLE.frequency(lemma)


@given(lemmas)
def test_other_languages_keep_their_words(lemma):
    assert FOLDING.fold(lemma, "en") == FOLDING.fold(lemma, "other") == lemma


def test_a_cognate_takes_the_russian_lemma_and_its_frequency():
    assert FOLDING.fold("організація", "uk") == "организация"
    assert FOLDING.frequency("организация") == TABLE.frequency("организация")


def test_of_several_respellings_the_commonest_word_is_taken():
    # ліс may be лис, лес or лос; лес stands in 52 documents, лис in 51.
    assert FOLDING.fold("ліс", "uk") == "лес"


def test_false_friends_go_by_the_list_and_by_their_language():
    assert FOLDING.fold("час", "uk") == "время"
    assert FOLDING.fold("час", "ru") == "час"
    assert FOLDING.fold("місто", "uk") == "город"


def test_a_name_that_no_table_knows_folds_alike_in_both_languages():
    pairs = [("зеленський", "зеленский"), ("сопель", "сопель"), ("тичина", "тычина")]
    for ukrainian, russian in pairs:
        fold = FOLDING.fold(ukrainian, "uk")
        assert fold == FOLDING.fold(russian, "ru")
        assert FOLDING.frequency(fold) is None


def test_a_counterpart_out_of_the_table_folds_as_russian():
    assert FOLDING.fold("тиждень", "uk") == FOLDING.fold("неделя", "ru")


def test_what_only_ukrainian_news_knows_is_as_common_as_there():
    fold = FOLDING.fold("щопта", "uk")
    assert FOLDING.frequency(fold) == TABLE.frequency("щопта")


def test_without_a_table_and_a_list_something_is_folded_still():
    bare = Folding(EMPTY_BACKGROUND, NO_COUNTERPARTS)
    assert bare.fold("путін", "uk") == bare.fold("путин", "ru") == "путин"


def test_the_version_changes_with_the_list():
    assert Folding(TABLE, {"а": "б"}).version != FOLDING.version
    assert Folding(TABLE, dict(reversed(COUNTERPARTS.items()))).version == FOLDING.version


def words(**further):
    stops = StopWords({"ru": frozenset({"сейчас"}), "uk": frozenset()})
    return Vocabulary(Lemmas({}), stops, TABLE, counterparts=COUNTERPARTS, **further)


def test_twins_have_the_keys_and_weights_of_each_other_and_lemmas_of_their_own():
    known = words()
    here = known.terms(["організація", "місто", "київ", "путін", "ґрунт"], "uk")
    there = known.terms(["организация", "город", "киев", "путин", "грунт"], "ru")
    assert [(term.key, term.weight) for term in here] == [(t.key, t.weight) for t in there]
    assert [term.lemma for term in here] == ["організація", "місто", "київ", "путін", "ґрунт"]


def test_what_translates_a_stop_word_is_one():
    assert words().terms(["наразі", "місто"], "uk") == words().terms(["місто"], "uk")


def test_a_word_and_its_translation_in_one_text_are_one_term_of_the_signature():
    known = words()
    terms = known.terms(["місто", "организация", "місто", "город"], "uk")
    signed = signature(terms)
    assert [term.lemma for term in signed.terms] in (
        [["город", "организация"], ["организация", "город"]]
    )
    assert len({term.key for term in signed.terms}) == len(signed.terms)
