"""The words of the units, in three languages and in the forms for one, two and five."""

import pytest

from core.facts.extracted import codes, conflicts, quantities
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.moves import describe_moves, find_moves
from newsdedup.core.facts.units import SCALES, STEM, measure_of, stem
from newsdedup.data.lang import meanings

UNIT_FORMS = {
    "%": "1 процент, 2 процента, 5 процентов, 1 відсоток, 2 відсотки, 5 відсотків, 1 percent,"
    " 5 pct, 5 pc, 5pc",
    "usd": "1 доллар, 2 доллара, 5 долларов, 2 долари, 5 доларів, 1 dollar, 5 dollars",
    "rub": "1 рубль, 2 рубля, 5 рублей, 5 руб., 2 рублі, 5 рублів, 1 ruble, 5 rubles",
    "uah": "1 гривна, 2 гривны, 5 гривен, 1 гривня, 2 гривні, 5 гривень, 5 hryvnias",
    "cny": "1 юань, 2 юаня, 5 юаней, 2 юані, 5 юанів, 5 yuan",
    "yen": "1 иена, 2 иены, 5 иен, 1 єна, 2 єни, 5 єн, 5 yen",
    "franc": "1 франк, 2 франка, 5 франков, 2 франки, 5 франків, 1 franc, 5 francs",
    "cent": "1 цент, 2 цента, 5 центов, 2 центи, 5 центів, 1 cent, 5 cents, 1 копейка,"
    " 2 копейки, 5 копеек, 1 копійка, 2 копійки, 5 копійок",
    "person": "1 человек, 2 человека, 5 человек, 5 людей, 5 чел., 1 людина, 1 людину,"
    " 4 людини, 5 осіб, 2 особи, 1 person, 5 people, 5 men, 5 women, 5 children",
    "year": "1 год, 21 год., 2 года, 5 лет, 1 рік, 1 року, 2 роки, 5 років, 1 year, 5 years",
    "month": "1 месяц, 2 месяца, 5 месяцев, 1 місяць, 2 місяці, 5 місяців, 5 months",
    "day": "1 день, 2 дня, 5 дней, 2 дні, 5 днів, 5 суток, 1 доба, 1 добу, 2 доби, 5 діб,"
    " 1 day, 5 days",
    "hour": "1 час, 2 часа, 5 часов, 1 година, 1 годину, 2 години, 5 годин, 1 hour, 5 hours",
    "minute": "1 минута, 1 минуту, 2 минуты, 5 минут, 1 хвилина, 2 хвилини, 5 хвилин,"
    " 1 minute, 5 minutes",
    "km": "1 километр, 2 километра, 5 километров, 2 кілометри, 5 кілометрів, 1 kilometer,"
    " 5 kilometres",
    "m": "1 метр, 2 метра, 5 метров, 2 метри, 5 метрів, 1 meter, 5 metres",
    "cm": "1 сантиметр, 2 сантиметра, 5 сантиметров, 5 сантиметрів, 5 centimetres",
    "kg": "1 килограмм, 5 килограммов, 5 кілограмів, 1 kilogram, 5 kilograms",
    "ton": "1 тонна, 1 тонну, 2 тонны, 5 тонн, 2 тонни, 1 ton, 5 tonnes",
    "ha": "1 гектар, 2 гектара, 5 гектаров, 5 гектарів, 1 hectare, 5 hectares",
    "point": "1 пункт, 2 пункта, 5 пунктов, 2 пункти, 5 пунктів, 1 point, 5 points",
    "barrel": "1 баррель, 5 баррелей, 5 барелів, 1 barrel, 5 barrels",
}


def test_no_word_of_a_unit_is_a_scale() -> None:
    assert SCALES.keys() & meanings("units.words").keys() == set()


@pytest.mark.parametrize("table", ["units.words", "units.harm"])
def test_a_word_and_its_beginning_never_mean_two_units(table: str) -> None:
    for word, unit in meanings(table).items():
        assert measure_of(word.rstrip("*")) == unit


@pytest.mark.parametrize(("unit", "said"), UNIT_FORMS.items(), ids=UNIT_FORMS)
def test_one_two_and_five_of_a_unit_are_of_that_unit(unit: str, said: str) -> None:
    assert {found for _, found in quantities(said)} == {unit}
    assert len(quantities(said)) == said.count(",") + 1


@pytest.mark.parametrize("scale", ["5 тыс. тонн", "5 тысяч тонн", "5 тис. тонн", "5 тисячами тонн"])
def test_thousands_in_every_form_are_thousands(scale: str) -> None:
    assert quantities(scale) == [(5_000, "ton")]


def test_years_of_age_conflict_however_many_they_are() -> None:
    assert conflicts("Ему 21 год", "Ему 23 года") == 1
    assert conflicts("Ему 21 год.", "Ему 22 року") == 1


def test_people_in_ukrainian_conflict_in_every_number() -> None:
    assert conflicts("загинуло 4 людини", "загинуло 5 людей") == 1
    assert conflicts("евакуювали 4 людини", "евакуювали 5 людей") == 1
    assert conflicts("евакуювали 1 людину", "евакуювали двоє людей") == 1


def test_the_underground_is_no_metre() -> None:
    assert quantities("у 5 метро Киева") != quantities("у 5 метров Киева") == [(5, "m")]


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        ("m2", "90 квадратных метров; 90 кв. м; 90 кв.м; 90 кв.м.; 90 кв м; 90 кв. метров; 90 м2"),
        ("m2", "90 квадратних метрів; 90 square meters; 90 sq m; 90 sq. metres; 90-квадратных м"),
        ("km2", "90 квадратных километров; 90 кв. км; 90 кв.км; 90 км2; 90 square kilometers"),
        ("m3", "90 кубометров; 90 кубометрів; 90 куб. м; 90 куб.м; 90 кубических метров; 90 м3"),
        ("m3", "90 кубічних метрів; 90 cubic metres; 90 cu m"),
        ("km/h", "90 км/ч; 90 км/час; 90 км / ч; 90 км/год; 90 km/h; 90 kph; 90 км в час"),
        ("km/h", "90 километров в час; 90 кілометрів на годину; 90 kilometers per hour"),
        ("km/h", "90 kilometres an hour"),
        ("m/s", "90 м/с; 90 м/сек; 90 m/s; 90 метров в секунду; 90 метрів за секунду"),
        ("km/s", "90 км/с; 90 километров в секунду"),
    ],
)
def test_an_area_a_volume_and_a_speed_have_units_of_their_own(unit: str, said: str) -> None:
    for text in said.split("; "):
        assert quantities(text) == [(90, unit)], text


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("12 тыс. кв. метров", 12_000, "m2"),
        ("1,2 млн квадратных метров", 1_200_000, "m2"),
        ("5 млрд кубометров", 5e9, "m3"),
        ("2 млрд куб. м", 2e9, "m3"),
        ("3 десятка тысяч квадратных метров", 30_000, "m2"),
        ("2 сотни тысяч квадратных метров", 200_000, "m2"),
        ("2 сотни тысяч кв. м", 200_000, "m2"),
        ("2 сотни тысяч км", 200_000, "km"),
        ("2 dozen million square meters", 24_000_000, "m2"),
        ("2 сотни тысяч квадратных ящиков", 200_000, "квадр"),
        ("$2 сотни тысяч квадратный метр", 200_000, "usd"),
    ],
)
def test_they_may_be_counted_in_thousands(text: str, value: float, unit: str) -> None:
    assert quantities(text) == [(value, unit)]


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        *(("90 метров", "m"), ("90 км", "km"), ("90 км в часы пик", "km"), ("90 км. Час", "km")),
        *(("90 м в с. Липцы", "m"), ("90 м к северу", "m"), ("90 новых метров", "m")),
        ("90 кв. в доме", ""),
    ],
)  # fmt: skip
def test_a_length_is_one_still(text: str, unit: str) -> None:
    assert quantities(text) == [(90, unit)]


def test_both_ends_of_a_range_are_speeds() -> None:
    assert quantities("90-100 км/ч") == [(90, "km/h"), (100, "km/h")]


def test_a_length_is_not_called_the_same_as_an_area_and_no_speed_is_a_way() -> None:
    assert compare_facts(codes("800 кв. м"), codes("800 метров"))[:3] == (0, 1, 1)
    assert compare_facts(codes("90 км/ч"), codes("90 км"))[:3] == (0, 1, 1)
    assert compare_facts(codes("800 кв.м"), codes("800 square metres")) == (1, 0, 0, 0)


def test_what_moved_is_reported_by_its_name() -> None:
    found = describe_moves(find_moves(codes("Площадь 800 кв. м"), codes("Площадь 900 кв. м")), ())
    assert [tuple(each) for each in found] == [("square metre", "800", "900")]


@pytest.mark.parametrize(
    "text", ["тушили 100 пожарных и 31 машина", "тушили почти 100 пожарных в лесу"]
)
def test_an_adjective_that_stands_for_a_noun_is_counted(text: str) -> None:
    assert quantities(text)[0] == (100, stem("пожарных"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("Почти 100", 100), ("собрали почти 100, сказал мэр", 100), ("З 9 до", 9), ("На 15", 15)),
        *(("евакуювали майже 40", 40), ("До 20 -", 20), ("сложили всего 7", 7)),
    ],
)
def test_prepositions_and_adverbs_are_nothing_that_is_counted(text: str, value: float) -> None:
    assert quantities(text) == [(value, "")]


def test_what_happened_to_people_is_reported_before_what_they_are() -> None:
    assert quantities("погибли четверо - двое взрослых и двое детей")[1] == (2, "killed")


NOUN_FORMS = (
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


@pytest.mark.parametrize("forms", NOUN_FORMS)
def test_the_forms_of_a_noun_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


def test_other_nouns_have_other_stems() -> None:
    stems = [stem(forms.split()[0]) for forms in NOUN_FORMS]
    assert len(set(stems)) == len(stems)
    assert max(map(len, stems)) == STEM
    assert stem("партии") != stem("партизан")


@pytest.mark.parametrize("word", ["class", "virus", "gas", "miners", "brent", "é", "их", "на", ""])
def test_words_of_other_languages_and_short_ones_are_only_cut(word: str) -> None:
    assert stem(word) == word[:STEM]


def test_a_long_word_of_endings_takes_no_time() -> None:
    assert stem("ами" * 2_000 + "q") == "амиам"


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
