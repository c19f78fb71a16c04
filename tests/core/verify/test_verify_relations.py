import pytest

from core.verify.viewing import FIRE, seen_as
from newsdedup.core.matching.verify.contradictions import find_contradiction
from newsdedup.core.matching.verify.features import compare_views
from newsdedup.core.matching.verify.relations import choose_relation, is_plain_copy

MOVED = FIRE.replace("пять человек", "девять человек").replace("5 рабочих", "9 рабочих")
LONGER = (
    f"{FIRE}\nВ Туле открыли выставку самоваров. Музей показал работы мастеров прошлого столетия. "
    "Синоптики обещают дожди и похолодание по всей губернии. Футболисты местного клуба уступили "
    "гостям из соседней республики. Библиотека объявила набор волонтёров на летние чтения. "
    "Аграрии собрали рекордный урожай подсолнечника, элеваторы работают круглосуточно. Театр "
    "закрыл сезон премьерой оперетты, зрители аплодировали стоя."
)


def related(left, right, *, duplicate=False, by_text=0.5, seen=None):
    one, other = seen_as(left), seen_as(right) if seen is None else seen_as(right, seen)
    found = compare_views(one, other)
    apart = find_contradiction(found, one, other, same_source=True, translated=False)
    return choose_relation(
        found,
        one,
        other,
        same_source=True,
        duplicate=duplicate,
        contradiction=apart,
        text_probability=by_text,
    )


def test_a_duplicate_is_a_reprint_or_a_rewrite_by_its_phrases():
    assert related(FIRE, FIRE, duplicate=True) == "reprint"
    retold = "В Заозерске горит лакокрасочный завод, пятеро рабочих ранены."
    assert related(FIRE, retold, duplicate=True) == "rewrite"


def test_a_moved_quantity_is_an_update():
    assert related(FIRE, MOVED) == "update"


def test_a_message_inside_a_longer_text_is_a_part():
    assert related(FIRE, LONGER) == "part"


def test_a_flash_of_other_quantities_is_no_part_of_the_report():
    assert related(MOVED, LONGER) == "update"


def test_two_news_of_a_town_on_other_days_are_no_update():
    elections = "Выборы мэра Озерска пройдут 14 сентября.\nКомиссия приняла документы у кандидатов."
    fares = "В Озерске мэр обещает подорожание 21 сентября.\nДепо закупит трамваи и троллейбусы."
    assert compare_views(seen_as(elections), seen_as(fares)).features.dates == 1
    assert related(elections, fares) == "similar"


def test_what_is_hardly_alike_is_nothing():
    assert related(FIRE, FIRE, by_text=0.0) == "none"
    assert related(FIRE, FIRE, by_text=0.5) == "similar"


def test_a_template_is_nothing():
    assert related(FIRE, FIRE, seen=lambda _: 9) == "none"


def test_a_plain_copy_is_one_whatever_the_stream_has_shown():
    copy, moved, stale = seen_as(FIRE), seen_as(MOVED), seen_as(FIRE, lambda _: 9)
    assert is_plain_copy(compare_views(copy, copy), copy, copy)
    assert not is_plain_copy(compare_views(copy, moved), copy, moved)
    assert not is_plain_copy(compare_views(copy, stale), copy, stale)


@pytest.mark.parametrize(
    ("one", "other"), [("занял 3-е место", "занял 5-е место"), ("2019 года", "2024 года")]
)
def test_a_plain_copy_gives_no_other_rank_or_year(one, other):
    left, right = [
        seen_as(f"{FIRE} Лучшим начальником {said} стал Рябинин.") for said in (one, other)
    ]
    assert is_plain_copy(compare_views(left, left), left, left)
    assert not is_plain_copy(compare_views(left, right), left, right)
    unsaid = seen_as(f"{FIRE} Лучшим начальником стал Рябинин.")
    assert is_plain_copy(compare_views(left, unsaid), left, unsaid)
