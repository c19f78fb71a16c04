"""Pages with what news sites put around and between the paragraphs of an article."""

from collections.abc import Callable
from typing import Final

from newsdedup_lab.bench.article_layouts import ARTICLE_LAYOUTS
from newsdedup_lab.bench.page_frames import (
    MadePage,
    between,
    elements,
    framed,
    json_ld,
    link_elements,
    page_bottom,
    page_top,
    with_inserted,
)
from newsdedup_lab.bench.page_phrases import PagePhrases


def _captions(words: PagePhrases) -> MadePage:
    pictures = [
        f'<figure><img src="/{text[:3]}.jpg" alt="{text}"><figcaption>{text}</figcaption></figure>'
        for text in words.captions
    ]
    made = with_inserted(words, pictures[0])
    return MadePage(
        made.body.replace(pictures[0], pictures[1], 1),
        words.paragraphs,
        (*words.captions, *words.captions),
    )


def _paywall(words: PagePhrases) -> MadePage:
    text = words.paragraphs[:3]
    wall = (
        f'<div class="paywall"><p>{words.subscription}</p><a href="/abo">{words.menu[0]}</a></div>'
    )
    head = json_ld(headline=words.title, isAccessibleForFree=False)
    return MadePage(
        framed(words, f"<article>{elements('p', text)}{wall}</article>"), text, (), head
    )


def _amp(words: PagePhrases) -> MadePage:
    side = f'<amp-sidebar id="menu"><ul>{link_elements(words.menu)}</ul></amp-sidebar>'
    consent = f'<amp-consent id="c"><div id="ui"><p>{words.cookies}</p></div></amp-consent>'
    advert = f'<amp-ad width="300"><div>{words.advertisement}</div></amp-ad>'
    made = with_inserted(words, advert + '<amp-img src="/1.jpg"></amp-img>')
    return MadePage(f"{side}{consent}{made.body}", made.expected, made.neutral)


def _comments(words: PagePhrases) -> MadePage:
    text = words.paragraphs
    listed = "".join(
        f'<li class="comment"><b>Ori_{n}</b><p>{one}</p></li>'
        for n, one in enumerate(words.comments * 3)
    )
    body = framed(words, f"<article>{elements('p', text)}</article>")
    return MadePage(f'{body}<section id="comments"><ol>{listed}</ol></section>', text)


def _comments_in_divisions(words: PagePhrases) -> MadePage:
    listed = elements("p", words.comments * 2)
    made = ARTICLE_LAYOUTS["divisions"](words)
    block = f'<div class="comments-list"><h3>{words.menu[4]}</h3>{listed}</div>'
    return MadePage(made.body + block, made.expected)


def _related_boxes(words: PagePhrases) -> MadePage:
    return with_inserted(
        words,
        (
            f'<aside class="related"><h4>{words.menu[3]}</h4>'
            f"<ul>{link_elements(words.related[:3])}</ul></aside>"
        ),
    )


def _related_paragraphs(words: PagePhrases) -> MadePage:
    inserted = f'<p><strong>+ <a href="/news/3">{words.related[3]}</a></strong></p>'
    return with_inserted(words, inserted)


def _related_divisions(words: PagePhrases) -> MadePage:
    inserted = "".join(
        f'<div class="teaser"><a href="/n/{n}"><img src="/{n}.jpg"><span>{one}</span></a></div>'
        for n, one in enumerate(words.related[:2])
    )
    return with_inserted(words, inserted)


def _cookie_banner(words: PagePhrases) -> MadePage:
    made = ARTICLE_LAYOUTS["plain"](words)
    banner = (
        f'<div id="cookie-consent" class="modal"><h2>{words.menu[0]}'
        f"</h2><p>{words.cookies}</p><p>{words.cookies}</p></div>"
    )
    return MadePage(banner + made.body, made.expected)


def _infinite_scroll(words: PagePhrases) -> MadePage:
    text = words.paragraphs
    second = f"<article><h1>{words.related[0]}</h1>{elements('p', text[3:])}</article>"
    body = (
        f"{page_top(words)}<article><h1>{words.title}"
        f"</h1>{elements('p', text[:3])}</article>{second}"
    )
    return MadePage(f"{body}{page_bottom(words)}", text[:3])


def _nested_ads(words: PagePhrases) -> MadePage:
    advert = (
        '<div class="ad-wrapper"><div class="adslot">'
        f"<span>{words.advertisement}</span></div></div>"
    )
    pieces = [f'<div class="block"><p>{one}</p></div>' for one in words.paragraphs]
    body = f'<div class="article-body">{between(pieces, advert)}</div>'
    return MadePage(framed(words, body), words.paragraphs)


def _share_bars(words: PagePhrases) -> MadePage:
    bar = (
        '<ul class="share-buttons"><li><a href="#f">Facebook</a>'
        '</li><li><a href="#x">Telegram</a></li></ul>'
    )
    tags = f'<div class="tags">{link_elements(words.menu[1:], "span")}</div>'
    by = '<div class="byline">Ori Sample, 12:30</div>'
    text = elements("p", words.paragraphs)
    return MadePage(
        framed(words, f"<article>{bar}{by}{text}{bar}{tags}</article>"),
        words.paragraphs,
        ["Ori Sample 12 30"],
    )


def _newsletter(words: PagePhrases) -> MadePage:
    form = (
        f'<div class="newsletter-signup"><h4>{words.menu[0]}</h4><p>{words.newsletter}'
        '</p><form><input type="email"><button>OK</button></form></div>'
    )
    return with_inserted(words, form)


def _several_pages(words: PagePhrases) -> MadePage:
    pager = (
        '<div class="pagination"><a href="?p=1">1</a> <a'
        ' href="?p=2">2</a> <a href="?p=3">3</a></div>'
    )
    text = words.paragraphs[:4]
    return MadePage(framed(words, f"<article>{elements('p', text)}{pager}</article>"), text)


def _short_news(words: PagePhrases) -> MadePage:
    teasers = "".join(
        f'<div class="card"><h3><a href="/c/{n}">{one}</a></h3><p>{text}</p></div>'
        for n, (one, text) in enumerate(zip(words.related, words.comments * 2, strict=False))
    )
    body = (
        f'<div class="news-item"><p>{words.paragraphs[0]}'
        f'</p></div><div class="more-news">{teasers}</div>'
    )
    return MadePage(framed(words, body), words.paragraphs[:1])


def _hidden_dialogues(words: PagePhrases) -> MadePage:
    hidden = (
        f"<div hidden><p>{words.newsletter}</p></div><div"
        f' style="display:none"><p>{words.subscription}'
        f'</p></div><div aria-hidden="true" class="modal"><p>{words.cookies}</p></div>'
    )
    return with_inserted(words, hidden)


CROWDED_LAYOUTS: Final[dict[str, Callable[[PagePhrases], MadePage]]] = {
    "captions": _captions,
    "paywall": _paywall,
    "AMP": _amp,
    "comments": _comments,
    "comments in divisions": _comments_in_divisions,
    "related boxes": _related_boxes,
    "related paragraphs": _related_paragraphs,
    "related divisions": _related_divisions,
    "cookie banner": _cookie_banner,
    "infinite scroll": _infinite_scroll,
    "nested advertisements": _nested_ads,
    "share bars": _share_bars,
    "newsletter": _newsletter,
    "several pages": _several_pages,
    "short news": _short_news,
    "hidden dialogues": _hidden_dialogues,
}
