"""Pages whose articles are built in the ways that news sites use."""

import json
from collections.abc import Callable
from typing import Final

from newsdedup_lab.bench.page_frames import (
    MadePage,
    elements,
    framed,
    json_ld,
    link_elements,
    page_bottom,
    page_top,
)
from newsdedup_lab.bench.page_phrases import PagePhrases


def _plain(words: PagePhrases) -> MadePage:
    return MadePage(
        framed(words, f"<article>{elements('p', words.paragraphs)}</article>"), words.paragraphs
    )


def _divisions(words: PagePhrases) -> MadePage:
    inner = (
        f'<div class="post"><div class="post-text">{elements("p", words.paragraphs)}</div></div>'
    )
    body = (
        f'<div id="nav">{link_elements(words.menu, "span")}'
        f'</div><div class="wrap"><h1>{words.title}</h1>'
    )
    return MadePage(
        f'{body}{inner}<div class="right">{link_elements(words.related, "div")}</div></div>',
        words.paragraphs,
    )


def _divisions_as_paragraphs(words: PagePhrases) -> MadePage:
    inner = elements("div", words.paragraphs, ' class="paragraph"')
    return MadePage(framed(words, f'<div class="story-body">{inner}</div>'), words.paragraphs)


def _line_breaks(words: PagePhrases) -> MadePage:
    inner = f'<div class="news-text">{"<br/><br/>".join(words.paragraphs)}</div>'
    return MadePage(framed(words, inner), words.paragraphs)


def _tables_as_layout(words: PagePhrases) -> MadePage:
    text = "<br><br>".join(words.paragraphs)
    body = (
        f'<table width="100%"><tr><td colspan="3"><b>{" | ".join(words.menu)}</b></td></tr><tr>'
        f'<td width="150">{link_elements(words.related, "div")}'
        '</td><td><table><tr><td><font size="5">'
        f"<b>{words.title}</b></font></td></tr><tr><td><font>{text}</font></td></tr></table></td>"
        f'<td width="120">{words.advertisement}</td></tr>'
        f'<tr><td colspan="3">{words.footer}</td></tr>'
    )
    return MadePage(f"{body}</table>", words.paragraphs)


def _tables_with_paragraphs(words: PagePhrases) -> MadePage:
    body = (
        f'<table><tr><td class="left">{link_elements(words.menu, "p")}</td><td class="center">'
        f"<h2>{words.title}</h2>{elements('p', words.paragraphs)}</td><td>"
        f"{link_elements(words.related, 'p')}</td></tr></table><center>{words.footer}</center>"
    )
    return MadePage(body, words.paragraphs)


def _live_blog(words: PagePhrases) -> MadePage:
    times = [f"{18 - number}:{number}7" for number in range(5)]
    posts = "".join(
        (
            f'<div class="live-post" id="p{number}"><time>{at}'
            f"</time><h3>{heading}</h3><p>{text}</p></div>"
        )
        for number, (at, heading, text) in enumerate(
            zip(times, (*words.headings, *words.points), words.paragraphs[1:], strict=True)
        )
    )
    lead = f"<p>{words.paragraphs[0]}</p>"
    body = framed(words, f'<article>{lead}<div class="live-blog">{posts}</div></article>')
    return MadePage(body, (*words.paragraphs, *words.headings, *words.points), times)


def _gallery(words: PagePhrases) -> MadePage:
    pictures = "".join(
        f'<figure><img src="/{number}.jpg" alt=""><figcaption>{text}</figcaption></figure>'
        for number, text in enumerate(words.paragraphs[1:])
    )
    body = f'<article><p>{words.paragraphs[0]}</p><div class="gallery">{pictures}</div></article>'
    return MadePage(framed(words, body), words.paragraphs)


def _paywall_with_facts(words: PagePhrases) -> MadePage:
    wall = f'<div class="paywall"><p>{words.subscription}</p></div>'
    head = json_ld(headline=words.title, articleBody=" ".join(words.paragraphs))
    body = f"<article>{elements('p', words.paragraphs[:2])}{wall}</article>"
    return MadePage(framed(words, body), words.paragraphs, (), head)


def _only_facts(words: PagePhrases) -> MadePage:
    head = json_ld(headline=words.title, articleBody="\n\n".join(words.paragraphs))
    return MadePage(
        f'{page_top(words)}<div id="root"></div>{page_bottom(words)}', words.paragraphs, (), head
    )


def _facts_in_graph(words: PagePhrases) -> MadePage:
    graph = [
        {"@type": "WebSite", "name": words.menu[0]},
        {
            "@type": ["ReportageNewsArticle"],
            "articleBody": "".join(f"&lt;p&gt;{one}&lt;/p&gt;" for one in words.paragraphs),
        },
    ]
    written = json.dumps({"@graph": graph}, ensure_ascii=False)
    head = f'<script type="application/ld+json">{written}</script>'
    return MadePage(
        f'{page_top(words)}<div id="app"><p>{words.cookies}</p></div>', words.paragraphs, (), head
    )


def _lists(words: PagePhrases) -> MadePage:
    text = words.paragraphs
    inner = (
        f"{elements('p', text[:3])}<ul>{elements('li', words.points)}</ul>{elements('p', text[3:])}"
    )
    return MadePage(framed(words, f"<article>{inner}</article>"), (*text, *words.points))


def _numbered_list(words: PagePhrases) -> MadePage:
    items = elements("li", (*words.points, *words.paragraphs[2:]))
    inner = f"<p>{words.paragraphs[0]}</p><p>{words.paragraphs[1]}</p><ol>{items}</ol>"
    body = f'<div class="entry-content">{inner}</div>'
    return MadePage(framed(words, body), (*words.paragraphs, *words.points))


def _headings(words: PagePhrases) -> MadePage:
    text = words.paragraphs
    first, second = words.headings
    inner = (
        f"{elements('p', text[:2])}<h2>{first}</h2><blockquote><p>{text[2]}</p></blockquote>"
        f"<p>{text[3]}</p><h2>{second}</h2>{elements('p', text[4:])}"
    )
    return MadePage(framed(words, f"<section>{inner}</section>"), (*text, *words.headings))


def _results_table(words: PagePhrases) -> MadePage:
    rows = "".join(
        f"<tr><td>{name}</td><td>{number}37</td></tr>"
        for number, name in enumerate(words.points, 2)
    )
    text = words.paragraphs[:4]
    cells = [f"{name} {number}37" for number, name in enumerate(words.points, 2)]
    inner = f"<article>{elements('p', text)}<table>{rows}</table></article>"
    return MadePage(framed(words, inner), (*text, *cells))


def _microdata(words: PagePhrases) -> MadePage:
    text = elements("p", words.paragraphs)
    inner = (
        '<div itemscope itemtype="https://schema.org/NewsArticle">'
        '<span itemprop="author">Ori</span>'
        f'<div class="x1 y2" itemprop="articleBody">{text}</div></div><div class="x1 y3">'
        f"{elements('p', words.comments)}</div>"
    )
    return MadePage(framed(words, inner), words.paragraphs, ["Ori"])


def _application(words: PagePhrases) -> MadePage:
    state = json.dumps({"props": {"text": " ".join(words.paragraphs)}}, ensure_ascii=False)
    body = framed(
        words, f'<div class="css-1k2">{elements("p", words.paragraphs, " class=css-9")}</div>'
    )
    script = f'<script id="__NEXT_DATA__" type="application/json">{state}</script>'
    return MadePage(f"{body}<noscript>{words.cookies}</noscript>{script}", words.paragraphs)


def _interview(words: PagePhrases) -> MadePage:
    text = words.paragraphs
    asked = (*words.headings, words.points[0])
    inner = "".join(
        f"<p><b>— {question}?</b></p><p>— {one}</p>"
        for question, one in zip(asked, text[:3], strict=True)
    )
    return MadePage(
        framed(words, f'<div class="text">{inner}{elements("p", text[3:])}</div>'), (*asked, *text)
    )


def _many_links(words: PagePhrases) -> MadePage:
    linked = [
        f'<p><a href="/t/{n}">{one[: len(one) // 3]}</a>{one[len(one) // 3 :]}</p>'
        for n, one in enumerate(words.paragraphs)
    ]
    return MadePage(framed(words, f"<article>{''.join(linked)}</article>"), words.paragraphs)


def _factbox(words: PagePhrases) -> MadePage:
    box = (
        f'<div class="infobox"><h3>{words.headings[0]}</h3>'
        f"<ul>{elements('li', words.points)}</ul></div>"
    )
    text = words.paragraphs
    inner = f"<article>{elements('p', text[:3])}{box}{elements('p', text[3:])}</article>"
    return MadePage(framed(words, inner), (*text, words.headings[0], *words.points))


ARTICLE_LAYOUTS: Final[dict[str, Callable[[PagePhrases], MadePage]]] = {
    "plain": _plain,
    "divisions": _divisions,
    "divisions as paragraphs": _divisions_as_paragraphs,
    "line breaks": _line_breaks,
    "tables as layout": _tables_as_layout,
    "tables with paragraphs": _tables_with_paragraphs,
    "live blog": _live_blog,
    "gallery": _gallery,
    "paywall, text in JSON-LD": _paywall_with_facts,
    "only JSON-LD": _only_facts,
    "graph of JSON-LD": _facts_in_graph,
    "lists": _lists,
    "numbered list": _numbered_list,
    "headings and quotation": _headings,
    "table of results": _results_table,
    "microdata": _microdata,
    "application": _application,
    "interview": _interview,
    "many links": _many_links,
    "fact box": _factbox,
}
