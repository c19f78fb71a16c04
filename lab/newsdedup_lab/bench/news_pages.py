"""Pages as news sites build them, of invented phrases, with the words of their articles.

Each layout is a kind of page that news sites use. It is made in several languages. Pages that list
articles are among them: they hold none themselves.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from newsdedup_lab.bench.article_layouts import ARTICLE_LAYOUTS
from newsdedup_lab.bench.crowded_layouts import CROWDED_LAYOUTS
from newsdedup_lab.bench.page_frames import (
    MadePage,
    link_elements,
    page_bottom,
    page_top,
)
from newsdedup_lab.bench.page_phrases import PAGE_PHRASES, PagePhrases


class NewsPage(NamedTuple):
    """A page and what an extractor should find in it."""

    layout: str
    lang: str
    html: str
    expected: str
    """The text of its article without the headline; "" for a page that lists articles."""
    neutral: str
    """Captions, names and times: text that an extractor may find or not."""


def news_pages() -> Iterator[NewsPage]:
    """Yield every layout in three languages."""
    for number, (name, make) in enumerate(_LAYOUTS.items()):
        for step in (0, 1, 3):
            words = PAGE_PHRASES[(number + step) % len(PAGE_PHRASES)]
            made = make(words)
            head = f"<title>{words.title} — {words.menu[0]}</title>{made.head}"
            yield NewsPage(
                name,
                words.lang,
                f'<!doctype html><html lang="{words.lang}" dir="{words.direction}"><head>'
                f'<meta charset="utf-8">{head}</head><body>{made.body}</body></html>',
                "\n".join(made.expected),
                "\n".join((words.title, *made.neutral)),
            )


def _front_page(words: PagePhrases) -> MadePage:
    cards = "".join(
        f'<article class="card"><h2><a href="/{n}">{one}</a></h2><p>{text}</p></article>'
        for n, (one, text) in enumerate(zip(words.related * 3, words.comments * 5, strict=True))
    )
    return MadePage(f"{page_top(words)}<main>{cards}</main><footer>{words.footer}</footer>", ())


def _section(words: PagePhrases) -> MadePage:
    rows = "".join(
        f'<div class="item"><a href="/{n}">{one}</a><span>{n}:30</span></div>'
        for n, one in enumerate(words.related * 4)
    )
    return MadePage(f'{page_top(words)}<h1>{words.menu[1]}</h1><div class="list">{rows}</div>', ())


def _link_list(words: PagePhrases) -> MadePage:
    return MadePage(
        (
            f"{page_top(words)}<main><h1>{words.menu[2]}</h1>"
            f"<ul>{link_elements(words.related * 4)}</ul></main>"
        ),
        (),
    )


def _search_results(words: PagePhrases) -> MadePage:
    rows = "".join(
        f'<li><h3><a href="/{n}">{one}</a></h3><p>{text[:90]}…</p></li>'
        for n, (one, text) in enumerate(zip(words.related * 2, words.paragraphs * 2, strict=False))
    )
    return MadePage(
        f"{page_top(words)}<h1>{words.menu[3]}</h1><ol>{rows}</ol><footer>{words.footer}</footer>",
        (),
    )


def _digest_of_day(words: PagePhrases) -> MadePage:
    rows = "".join(
        f'<p><time>1{n}:05</time> <a href="/{n}">{one}</a></p>'
        for n, one in enumerate(words.related * 2)
    )
    return MadePage(f'{page_top(words)}<div class="feed">{rows}</div>{page_bottom(words)}', ())


_LISTS: Final[dict[str, Callable[[PagePhrases], MadePage]]] = {
    "front page": _front_page,
    "section": _section,
    "list of links": _link_list,
    "search results": _search_results,
    "list of the day": _digest_of_day,
}
_LAYOUTS: Final = {**ARTICLE_LAYOUTS, **CROWDED_LAYOUTS, **_LISTS}
