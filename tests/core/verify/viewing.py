"""Texts as views, by the words of the package."""

from datetime import date

from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
from newsdedup.adapters.words.package_data import shipped_background
from newsdedup.core.document import Analyzer
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.matching.verify.phrases import EarlierUses, never_used
from newsdedup.core.matching.verify.view import TextView, view_document
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.core.text.words import tokens
from newsdedup.core.words.signature import signature

VOCABULARY = shipped_vocabulary(shipped_background())
ANALYZER = Analyzer(VOCABULARY)
DAY = date(2031, 5, 15)

FIRE = (
    "Пожар на складе в Заозерске: пострадали пять человек\n"
    "На складе лакокрасочного завода в Заозерске загорелась кровля. Пострадали 5 рабочих, "
    "сообщил начальник гарнизона Олег Рябинин. Площадь пожара составила 1,2 тысячи квадратных "
    "метров. Причиной возгорания стала неисправная проводка, завод остановил два цеха."
)


def seen_as(text: str, seen: EarlierUses = never_used) -> TextView:
    document = ANALYZER.document(NewsItem(ItemKey("a", "1"), "", text))
    said = extract_facts(document.text, tokens(document.text), published=DAY)
    return view_document(document, signature(document.terms), said, VOCABULARY, seen=seen)
