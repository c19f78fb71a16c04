"""Web pages of invented sites, whole or spoilt in one element."""

import json

from newsdedup.feeder.pages.article import read_article

ADDRESS = "https://visti.example/news/1042"
TITLE = "Міст через Вельну знову відкрили"
COST = "Роботи коштували 120 мільйонів гривень, повідомила"
CRACKS = "міст зачинили ще торік, коли під час огляду знайшли тріщини у двох опорах."
PARAGRAPHS = (
    f'Міст через річку Вельну відкрили. {COST} <a href="../mayor#top">міська рада</a>.',
    f'За даними <a href="https://daily.example/77?utm_medium=rss">«Щоденника»</a>, {CRACKS}',
    "Речниця ради сказала, що наступного року відремонтують ще два мости через ту саму річку.",
)
TEXT = (
    f"Міст через річку Вельну відкрили. {COST} міська рада.\nЗа даними «Щоденника», {CRACKS}\n"
    + PARAGRAPHS[2]
)


def page(head="", *, above="", lang="uk", title=TITLE, paragraphs=PARAGRAPHS):
    """Return a page as text; `head` stands in the head, `above` between headline and text."""
    return (
        f'<!doctype html><html lang="{lang}"><head><title>{title} — Вісті Вельни</title>{head}'
        '</head><body><nav><ul><li><a href="/">Головна</a></li><li><a href="/s">Спорт</a></li>'
        f"</ul></nav><main><h1>{title}</h1>{above}<article>"
        + "".join(f"<p>{one}</p>" for one in paragraphs)
        + "</article></main><footer>© Вісті Вельни</footer></body></html>"
    )


def json_ld(**fields):
    """Return the element that describes an article by schema.org."""
    facts = json.dumps({"@type": "NewsArticle", **fields}, ensure_ascii=False)
    return f'<script type="application/ld+json">{facts}</script>'


def article(text, *, encoding="utf-8", content_type="text/html", address=ADDRESS):
    body = text if isinstance(text, bytes) else text.encode(encoding)
    return read_article(body, content_type=content_type, address=address)
