from newsdedup_lab.bench.news_pages import NewsPage, news_pages
from newsdedup_lab.bench.page_texts import (
    OURS,
    extractors,
    precision_and_recall,
    score_pages,
)


def test_articles_are_found_in_every_layout_and_lists_are_not_taken_for_them():
    pages = list(news_pages())
    assert len({page.layout for page in pages if page.expected}) > 30
    assert {page.lang for page in pages} == {"en", "de", "uk", "ru", "ar", "zh"}
    # The layouts in one language each: that is the whole measurement in a third of the time.
    scores = score_pages(pages[::3], {OURS: extractors()[OURS]})[OURS]
    worse = [(one.page.layout, one.page.lang, one.f1) for one in scores if one.f1 < 0.95]
    assert worse == []
    assert min(precision_and_recall(scores)) > 0.98


def test_words_are_counted_once_each_and_neutral_ones_not_at_all():
    page = NewsPage("plain", "zh", "<p>", expected="міст відкрили 桥通车", neutral="Фото Ори")
    found = {"x": lambda _: "Міст міст відкрили 桥。 Фото: Ори. Реклама"}
    (score,) = score_pages([page], found)["x"]
    assert (score.expected, score.extracted, score.right) == (5, 5, 3)
    assert precision_and_recall([score]) == (0.6, 0.6)
    listed = page._replace(expected="")
    assert [
        score_pages([listed], {"x": lambda _, text=text: text})["x"][0].f1 for text in ("", "міст")
    ] == [1, 0]
