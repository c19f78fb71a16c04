import pytest

from newsdedup.core.facts.codes import encode_facts
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.units import STEM, stem
from newsdedup.core.text.words import tokens

FORMS = (
    "дом дома домов домам домами домах",
    "дрон дрона дрони дронов дронів дронам",
    "дача дачи дач дачам дачами",
    "село села сел сёл селам сіл селах",
    "школа школы школ школи шкіл",
    "раз раза разов разу рази разів",
    "голова головы голов голів",
    "слово слова слов слів",
    "доба доби діб",
    "лодка лодки лодок",
    "письмо письма писем",
    "окно окна окон",
    "звезда звезды звёзд",
    "серия серии серий",
    "авария аварии аварий авариями",
    "семья семьи семей семьям",
    "здание здания зданий",
    "случай случая случаев",
    "танк танка танков",
    "ракета ракеты ракет ракетами",
    "рабочий рабочие рабочего рабочих рабочими",
    "деревня деревни деревень",
    "делегат делегаты делегатов",
    "будинок будинки будинків",
    "goal goals",
    "week weeks",
    "house houses",
    "mile miles",
    "number numbers",
)


@pytest.mark.parametrize("forms", FORMS)
def test_the_forms_of_a_noun_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


def test_other_nouns_have_other_stems() -> None:
    stems = [stem(forms.split()[0]) for forms in FORMS]
    assert len(set(stems)) == len(stems)
    assert max(map(len, stems)) == STEM
    assert stem("партии") != stem("партизан")


@pytest.mark.parametrize("word", ["class", "virus", "gas", "miners", "brent", "é", "их", "на", ""])
def test_words_of_other_languages_and_short_ones_are_only_cut(word: str) -> None:
    assert stem(word) == word[:STEM]


def test_a_long_word_of_endings_takes_no_time() -> None:
    assert stem("ами" * 2_000 + "q") == "амиам"


def conflicts(left: str, right: str) -> int:
    codes = [encode_facts(extract_facts(text, tokens(text))) for text in (left, right)]
    return compare_facts(codes[0], codes[1]).conflicts


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("сбили 3 дрона", "сбили 12 дронов"),
        ("сбили 21 дрон", "сбили 12 дронов"),
        ("сгорели 4 дома", "сгорели 17 домов"),
        ("сгорели 4 жилых дома", "сгорели 17 жилых домов"),
        ("сгорели 4 дачи", "сгорели 17 дач"),
        ("без света 4 села", "без света 45 сёл"),
        ("без світла 4 села", "без світла 45 сіл"),
        ("вырос в 2 раза", "вырос в 5 раз"),
        ("зріс у 2 рази", "зріс у 5 разів"),
    ],
)
def test_two_and_five_of_the_same_contradict_each_other(left: str, right: str) -> None:
    assert conflicts(left, right) == 1


@pytest.mark.parametrize(
    ("left", "right"), [("4 для школ", "9 для дач"), ("4 или больше", "9 или меньше")]
)
def test_a_short_word_that_is_no_noun_counts_nothing(left: str, right: str) -> None:
    assert conflicts(left, right) == 0
