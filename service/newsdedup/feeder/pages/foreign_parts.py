"""What stands on the page of an article and is no part of it: teasers, dialogues, offers, menus.

The rules know no site. A block that is nothing but a link leads elsewhere; neighbours of one form
that each begin with such a link are teasers of other articles; what is hidden is not read; of a
table that is the layout of the page, the cell with most of its text counts. A page that consists of
nothing else lists articles, and holds none.
"""

import re
from collections import defaultdict
from typing import Final, NamedTuple

from lxml import etree, html

_HEADINGS: Final = frozenset({"h2", "h3", "h4", "h5", "h6"})
_BLOCKS: Final = _HEADINGS | frozenset(
    {"p", "div", "ul", "ol", "li", "section", "aside", "table", "tr", "td", "dl", "dd", "dt"}
    | {"article", "figure"}
)
_FRAMES: Final = frozenset({"nav", "dialog", "footer"})
_HIDDEN: Final = re.compile(r"display\s{0,9}:\s{0,9}none", re.IGNORECASE)
_OFFER: Final = re.compile(r"paywall|regwall|subscri|newsletter|signup|sign-up", re.IGNORECASE)
_LINK_SHARE: Final = 0.8
"""Of its characters: a block with more of them in links is nothing but links."""
_LEAST_LINK_CHARS: Final = 8
"""Of a block of links: shorter ones are numbers of pages, which cost nothing."""
_LONGEST_LINK: Final = 300
"""Characters: around more text a link was not closed."""
_LONGEST_OFFER: Final = 400
_LONGEST_TEASER: Final = 600
"""Characters outside its link."""
_LONGEST_LABEL: Final = 20
"""Characters before the link of a teaser: a time, a section."""
_LEAST_TEASERS: Final = 3
_FOREIGN_SHARE: Final = 0.5
"""Of the characters of a page: what has more is not foreign, whatever it looks like."""
_CELL_SHARE: Final = 0.6
"""Of the characters of a page that are in no link: with so many a cell is what is read."""


class _Size(NamedTuple):
    """Characters of an element, and those of them in links."""

    chars: int
    linked: int


_Sizes = dict[html.HtmlElement, _Size]


def drop_foreign_parts(tree: html.HtmlElement, *, is_live: bool = False) -> int:
    """Remove from a page what is no part of its article; return how many teasers there were.

    The posts of a page that `is_live` look like teasers and stay.
    """
    body = next(tree.iter("body"), tree)
    for frame in [one for one in body.iter(*_FRAMES) if not _is_of_article(one)]:
        _empty(frame)
    sizes = _measure(body)
    _drop(body, [one for one in body.iter() if _is_hidden(one) or _is_offer(one, sizes)], sizes)
    sizes = _measure(body)
    teasers = [] if is_live else _teasers(body, sizes)
    # A heading that is a link may be that of a part of the article.
    links = [one for one in body.iter(*(_BLOCKS - _HEADINGS)) if _is_only_links(sizes[one])]
    for one in (*teasers, *links, *_next_articles(body)):
        _empty(one)
    _keep_main_cell(body)
    return len(teasers)


def _is_of_article(frame: html.HtmlElement) -> bool:
    """Return whether a frame is the footer of an article, which may hold its corrections."""
    return frame.tag == "footer" and any(one.tag == "article" for one in frame.iterancestors())


def _measure(body: html.HtmlElement) -> _Sizes:
    sizes: _Sizes = {}
    for _, element in etree.iterwalk(body, events=("end",)):
        chars = linked = 0
        if element.tag != "script":
            chars = _length(element.text)
            for child in element:
                size = sizes[child]
                chars += size.chars + _length(child.tail)
                linked += size.linked
        if element.tag == "a" and chars <= _LONGEST_LINK and _leads_elsewhere(element):
            linked = chars
        sizes[element] = _Size(chars, linked)
    return sizes


def _length(text: str | None) -> int:
    """Return how many characters a text has without whitespace around it."""
    return len(text.strip()) if text else 0


def _leads_elsewhere(link: html.HtmlElement) -> bool:
    """Return whether a link has an address that is not within its page."""
    address = link.get("href", "").strip()
    return bool(address) and not address.startswith("#")


def _is_hidden(element: html.HtmlElement) -> bool:
    """Return whether an element says that it is not shown."""
    stated = element.attrib
    return (
        "hidden" in stated
        or stated.get("aria-hidden") == "true"
        or ("style" in stated and _HIDDEN.search(stated["style"]) is not None)
    )


def _is_offer(element: html.HtmlElement, sizes: _Sizes) -> bool:
    """Return whether an element is a short offer of a subscription, by its class or id.

    A long one is the text that only subscribers may read.
    """
    names = f"{element.get('class', '')} {element.get('id', '')}"
    return (
        len(names) > 1
        and _OFFER.search(names) is not None
        and sizes[element].chars <= _LONGEST_OFFER
    )


def _drop(body: html.HtmlElement, elements: list[html.HtmlElement], sizes: _Sizes) -> None:
    """Remove elements, but not those with most of the text of the page."""
    most = _FOREIGN_SHARE * sizes[body].chars
    for element in elements:
        if sizes[element].chars <= most:
            _empty(element)


def _empty(element: html.HtmlElement) -> None:
    """Leave nothing of an element but where it stood: to join the text around it costs squares."""
    element.clear(keep_tail=True)
    element.tag = "span"


def _is_only_links(size: _Size) -> bool:
    return size.linked >= _LEAST_LINK_CHARS and size.linked >= _LINK_SHARE * size.chars


def _teasers(body: html.HtmlElement, sizes: _Sizes) -> list[html.HtmlElement]:
    """Return the elements that announce other articles: several neighbours of one form."""
    teasers = []
    for parent in body.iter():
        if len(parent) < _LEAST_TEASERS or not sizes[parent].linked:
            continue
        forms = defaultdict(list)
        for child in parent:
            size = sizes[child]
            if child.tag in _BLOCKS and size.linked and size.chars - size.linked <= _LONGEST_TEASER:
                forms[child.tag, child.get("class")].append(child)
        for alike in forms.values():
            announcing = [one for one in alike if _begins_with_link(one, sizes)]
            if len(announcing) >= max(_LEAST_TEASERS, _LINK_SHARE * len(alike)):
                teasers.extend(announcing)
    return teasers


def _next_articles(body: html.HtmlElement) -> list[html.HtmlElement]:
    """Return the articles with a headline after the first one, which a reader scrolls on to."""
    articles = [one for one in body.iter("article") if next(one.iter("h1"), None) is not None]
    if not articles:
        return []
    first = set(articles[0].iter("article"))
    return [one for one in articles if one not in first]


def _begins_with_link(element: html.HtmlElement, sizes: _Sizes) -> bool:
    """Return whether an element begins with a block that is only a link, perhaps after a time."""
    before = 0
    for one in element.iter():
        size = sizes[one]
        if one.tag in _BLOCKS and _is_only_links(size):
            return True
        if one.tag == "a" and size.linked >= _LEAST_LINK_CHARS:
            return _chars_after(one, sizes) <= _LONGEST_LABEL
        before += _length(one.text)
        if before > _LONGEST_LABEL:
            return False
    return False


def _chars_after(link: html.HtmlElement, sizes: _Sizes) -> int:
    """Return how many characters follow a link in its line: many if it stands in a sentence."""
    chars, one = 0, link
    while one is not None and one.tag not in _BLOCKS:
        chars += _length(one.tail)
        for after in one.itersiblings():
            if after.tag in _BLOCKS or after.tag == "br":
                return chars
            chars += sizes[after].chars - sizes[after].linked + _length(after.tail)
        one = one.getparent()
    return chars


def _keep_main_cell(body: html.HtmlElement) -> None:
    """Leave of a page whose layout is a table only the cell with most of its text."""
    sizes = _measure(body)
    least = _CELL_SHARE * (sizes[body].chars - sizes[body].linked)
    cells = [one for one in body.iter("td") if sizes[one].chars - sizes[one].linked >= least > 0]
    if not cells:
        return
    main = cells[-1]  # the innermost: they lie within each other
    main.tail = None
    main.tag = "div"
    for one in list(body):
        body.remove(one)
    body.text = None
    body.append(main)
