"""Texts as views, by the words of the package."""

from collections.abc import Callable
from datetime import date

from newsdedup import ItemKey, NewsItem
from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
from newsdedup.adapters.words.package_data import shipped_background
from newsdedup.core.document import Analyzer
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.matching.verify.view import TextView, sort_phrases, view_document
from newsdedup.core.text.tokens import tokens
from newsdedup.core.words.weights import signature

VOCABULARY = shipped_vocabulary(shipped_background())
ANALYZER = Analyzer(VOCABULARY)
DAY = date(2031, 5, 15)

FIRE = (
    "Пожар на складе в Заозерске: пострадали пять человек\n"
    "На складе лакокрасочного завода в Заозерске загорелась кровля. Пострадали 5 рабочих, "
    "сообщил начальник гарнизона Олег Рябинин. Площадь пожара составила 1,2 тысячи квадратных "
    "метров. Причиной возгорания стала неисправная проводка, завод остановил два цеха."
)


def seen_as(text: str, uses: Callable[[int], int] | None = None) -> TextView:
    """Return the view of a text; `uses` returns how often its source used a phrase before."""
    document = ANALYZER.document(NewsItem(ItemKey("a", "1"), "", text))
    stated = extract_facts(document.text, tokens(document.text), published=DAY)
    view = view_document(document, signature(document.terms), stated, VOCABULARY)
    if uses is None:
        return view
    return view._replace(phrases=sort_phrases(view.phrases, list(map(uses, view.phrases.hashes))))
