import pytest

from feeder.pages.page_bodies import PARAGRAPHS, TEXT, article, json_ld, page
from newsdedup.feeder.pages.foreign_parts import drop_foreign_parts
from newsdedup.feeder.pages.page_facts import is_live
from newsdedup.feeder.pages.page_tree import PageUnusable, page_tree

HEADLINES = (
    "Трамваї другого маршруту стоять",
    "Музей отримав старі мапи",
    "Мороз знищив половину врожаю",
)
SUMMARY = "Про це розповіли в управлінні, подробиці на сторінці новини."


def shown(tree):
    return "".join("".join(tree.itertext()).split())


def left(body):
    """Return the text of a page without its foreign parts, and without spaces."""
    tree = page_tree(f"<html><body>{body}</body></html>")
    drop_foreign_parts(tree)
    return shown(tree)


def cards(tag="div", link="<h3><a href='/{}'>{}</a></h3>"):
    return "".join(
        f"<{tag} class='card'>{link.format(n, one)}<p>{SUMMARY}</p></{tag}>"
        for n, one in enumerate(HEADLINES)
    )


def long_text(times=5):
    return "".join(f"<p>{number} {SUMMARY}</p>" for number in range(times))


@pytest.mark.parametrize(
    "part",
    [
        "<p><strong><a href='/1'>Трамваї другого маршруту стоять</a></strong></p>",
        "<ul><li><a href='/1'>Трамваї стоять</a></li><li><a href='/2'>Музей відкрили</a></li></ul>",
        "<nav>Головна</nav>",
        "<footer>Усі права захищено</footer>",
        "<dialog>Підтвердіть згоду</dialog>",
        "<div hidden>Підтвердіть згоду</div>",
        "<div style='color: red; display: none'>Підтвердіть згоду</div>",
        "<div aria-hidden='true'>Підтвердіть згоду</div>",
        "<div class='article-paywall'>Оформіть передплату</div>",
        "<form id='newsletter'>Підпишіться</form>",
        "<amp-ad>Вікна та двері</amp-ad>",
        cards(),
        f"<article><h1>{HEADLINES[0]}</h1><p>{SUMMARY}</p></article>",
        cards("article"),
        cards("li", "<time>10:30</time> <a href='/{}'>{}</a>"),
        cards("div", "<a href='/{}'>{}</a><br>"),
    ],
)
def test_what_is_no_part_of_an_article_is_dropped(part):
    article_of_page = f"<article><h1>Міст</h1>{long_text()}</article>"
    end = "<p>Кінець.</p>"
    assert left(article_of_page + part + end) == left(article_of_page + end)


@pytest.mark.parametrize(
    "part",
    [
        f"<p><a href='/1'>{HEADLINES[0]}</a>, {SUMMARY}</p>" * 3,
        f"<li><b><a href='/1'>{HEADLINES[0]}</a>.</b> {SUMMARY}</li>" * 3,
        f"<div><h3><a href='#p1'>{HEADLINES[0]}</a></h3><p>{SUMMARY}</p></div>" * 3,
        f"<div><h3><a href='/1'>{HEADLINES[0]}</a></h3><p>{SUMMARY * 15}</p></div>" * 3,
        "<div class='paywall'>" + SUMMARY * 10 + "</div>",
        "<div style='display:none'>" + SUMMARY * 20 + "</div>",
        "<article><footer>Виправлено помилку.</footer></article>",
        f"<a href='/1'>{SUMMARY * 10}",
        "<table><tr><td>Вельна</td><td>120</td></tr></table>",
    ],
)
def test_what_may_be_part_of_an_article_stays(part):
    tree = page_tree(f"<html><body>{part}</body></html>")
    assert left(long_text() + part) == left(long_text()) + shown(tree)


def test_of_a_table_that_is_the_layout_the_cell_of_the_text_stays():
    menu, sides = "<td>Усі розділи сайту</td>", "<td>Вікна та двері зі знижкою</td>"
    inner = f"<table><tr><td>{long_text()}</td></tr></table>"
    body = f"<table><tr>{menu}<td>{inner}</td>{sides}</tr></table>"
    assert left(body) == left(long_text())


def test_posts_of_a_live_blog_are_no_teasers():
    live = json_ld(headline="Міст").replace("NewsArticle", "LiveBlogPosting")
    tree = page_tree(page(live, paragraphs=[cards()]))
    assert is_live(tree)
    assert drop_foreign_parts(tree, is_live=True) == 0
    assert not is_live(page_tree(page()))


def test_a_page_that_lists_articles_holds_none():
    for listed in (cards(), cards("li", "<a href='/{}'>{}</a>")):
        with pytest.raises(PageUnusable):
            article(f"<html><body><h1>Новини</h1>{listed}<footer>Вісті</footer></body></html>")


def test_the_text_that_json_ld_states_counts_if_it_is_longer():
    whole = f"<p>{PARAGRAPHS[2]}</p><p>&laquo;{SUMMARY}&raquo;</p>" * 4
    read = article(page(json_ld(articleBody=whole)))
    assert read.text == "\n".join([PARAGRAPHS[2], f"«{SUMMARY}»"] * 4)
    assert article(page(json_ld(articleBody="Коротко."))).text == TEXT
