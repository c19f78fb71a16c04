from newsdedup import ItemKey, NewsItem
from newsdedup.bootstrap.rules import item_analyzer
from newsdedup.config import build_settings
from newsdedup.engine.analyzer import entry_of

ITEM = NewsItem(
    ItemKey("example", "1"), "", "Die Brücke über den Fluss ist nach der Sanierung wieder offen"
)


def test_a_language_is_other_where_earlier_releases_read_what_is_stored() -> None:
    now = item_analyzer(build_settings({})).analyze(ITEM)
    before = item_analyzer(build_settings({}), names_languages=False).analyze(ITEM)
    assert (now.document.lang, before.document.lang) == ("de", "other")
    assert entry_of(before, at=0).lang == "other"
    assert before.document.terms == now.document.terms
    assert before.sketches == now.sketches


def test_russian_is_named_in_any_case() -> None:
    russian = NewsItem(ItemKey("example", "2"), "", "Мост через реку открыли после ремонта")
    analyzer = item_analyzer(build_settings({}), names_languages=False)
    assert analyzer.analyze(russian).document.lang == "ru"
