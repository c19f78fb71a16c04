"""News whose numbers, dates, names and signs are changed, by draws or by hypothesis.

The items come from the synthetic stream, from a few invented texts in other scripts, or from files
of real news. The words of the tables of `data/lang` are put around numbers, since they are what the
readers of facts look for.
"""

import json
import random
import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path

from newsdedup.data.lang import FOLDERS, numbered
from newsdedup.synthetic.stream import generate_stream

MOST_CHARACTERS = 12_000
_FACT_FILES = ("contests", "days", "grammar", "labels", "numbers", "times", "units")
OTHER_SCRIPTS = (
    "新桥于5月31日通车，耗资1200万元。市长表示，工程比计划提前3天完成。",
    "橋は10月31日から11月3日まで閉鎖される。５人が負傷した。",
    "다리는 11월 3일에 개통한다. 12명이 다쳤다.",
    "افتتح الجسر في ٣١ أكتوبر، وبلغت التكلفة ١٢ مليون دولار.",
    "הגשר נפתח ב-31 באוקטובר 2026, בעלות של 12 מיליון שקל.",
    "पुल ३१ अक्टूबर को खुला, लागत १२ करोड़ रुपये।",
    "Η γέφυρα άνοιξε στις 31 Οκτωβρίου, κόστισε 12 εκατ. ευρώ.",
    "สะพานเปิดวันที่ ๓๑ ตุลาคม ใช้งบ 12 ล้านบาท",
    "ხიდი 31 ოქტომბერს გაიხსნა, დაშავდა 5 ადამიანი.",
    "Կամուրջը բացվել է հոկտեմբերի 31-ին։",
    "Die Brücke ist vom 31. bis 3. November gesperrt, 1.234,56 Euro.",
    "Most zamknięto od 31 do 3 listopada, koszt 12,5 mln zł.",
)
NUMBERS = (
    *("0", "00", "1", "2", "5", "7", "12", "28", "29", "30", "31", "32", "99", "100", "365", "366"),
    *("737", "1000", "1599", "1650", "1799", "1800", "1918", "2026", "2100", "2298", "9999"),
    *("10000", "1 000", "12 500", "1,234", "1.234.567", "1,234,567.89", "3,5", "3.50", "0.0001"),
    *("999999999999999", "9999999999999999", "1" * 40, "0" * 30, "1e9", "1e999", "-5", "+5", "−7"),
    *("5-7", "7-5", "5–7", "31-3", "28 - 3", "5...7", "-5..-7", "2:1", "1:2", "10:40", "25:61"),
    *("24:00", "00:00", "23:59:59", "99:99", "19-00", "9-05", "22.00", "6.60", "0147", "2400"),
    *("1/2", "1 1/2", "7/0", "0/0", "2019-20", "2019/2020", "5%", "5 %", "100,5%", "½", "²", "Ⅳ"),
    *("٣١", "३१", "๓๑", "５", "𝟛𝟙", "①", "$5", "€1,5", "₽100", "5$", "5₽", "£1m", "$1-2bn", "№5"),
    *("5-й", "31-го", "3-е", "21st", "3rd", "2-ої", "5-", "-5-", "5,", "5.", ".5", "5м", "5тыс"),
    *("31.11.2026", "29.02.2026", "30.02", "2026-02-30", "2026-13-01", "28.12-03.01.2026"),
    *("31-03.11.2026", "01.06-05.06.2031", "12/31/1999", "00.00.0000", "1.1.1", "9/11"),
    *("+7 (914) 544-55-32", "544-55-32", "8 800 555 35 35", "5-12-23-31", "5, 12, 23, 31"),
    *("(30)", "(1)", "(-2%)", "16+", "(16+)", "1 млн 700 тыс", "92 руб. 50 коп.", "18 ч 47 мин"),
)
SIGNS = (
    *(".", ",", ";", ":", "!", "?", "…", "...", "-", "–", "—", "−", "‑", "(", ")", "[", "]", "{"),
    *('"', "'", "«", "»", "“", "”", "„", "’", "`", "/", "\\", "|", "%", "‰", "°", "°C", "+", "="),
    *("#", "@", "&", "*", "**", "_", "~", "<", ">", "$", "€", "£", "₽", "₴", "¥", "₿", "№", "§"),
    *(" ", "  ", "\n", "\n\n", "\r\n", "\t", "\u00a0", "\u2009", "\u202f", "\u3000", "\u2028"),
    *("\u200b", "\u200d", "\u200e", "\u202e", "\u2066", "\u2069", "\u00ad", "\ufeff", "\ufe0f"),
    *("\u0301", "\u0306", "\u20dd", "\0", "\x07", "\x1b[31m", "\x92", "\ud800", "\udfff", "🔥"),
    *("👨‍👩‍👧", "🇺🇦", "\U000e0041", "\U0010ffff", "ﬁ", "İ", "ß", "ǅ", "ı", "Σ", "ẞ", "가"),
)
MARKUP = (
    *("<b>", "</b>", "<br>", "<br/>", "<p>", "</p>", "<a href='x'>", "</a>", "<!--", "-->", "<"),
    *("<script>", "</script>", "<table><tr><td>", "</td><td>", "&nbsp;", "&amp;", "&#0;", "&#x1F;"),
    *("&#xD800;", "&lt;b&gt;", "&bogus;", "**", "__", "[", "](http://a.example/)", "![", "```"),
    *("\n- ", "\n* ", "\n1. ", "\n2) ", "\n# ", "\n| a | b |\n", "https://a.example/?b=1&c=2"),
    *("@channel", "#тег", "Подписывайтесь!", "Читать далее", "\n\n---\n\n", "<![CDATA[", "]]>"),
)
RANGES = (
    *("с {a} по {b} {m}", "с {a}-го по {b}-е {m}", "{a}-{b} {m}", "{a} - {b} {m}", "{a}–{b} {m}"),
    *("з {a} до {b} {m}", "з {a} по {b} {m} {y} року", "from {a} to {b} {m}", "{m} {a}-{b}"),
    *("{m} {a} to {b}, {y}", "{a} и {b} {m}", "{a}, {b} {m}", "{a} или {b} {m} {y} года"),
    *("в ночь с {a} на {b} {m}", "{a}.{n}-{b}.{n}.{y}", "{a}-{b}.{n}.{y}", "{a}/{n}/{y}"),
    *("{a}.{n}.{y}", "{y}-{n}-{a}", "{a} {m} {y} года", "{m} {a}, {y}", "{a} {m}", "{a}th of {m}"),
    *("с {a} по {b} и с {b} по {a} {m}", "между {a} и {b} {m}", "{a} против {b} {m}"),
    *("{a}..{b} {m} {y}", "{m} {y}", "в пятницу, {a} {m}", "on Friday ({a})", "завтра, {a} {m}"),
    *("до {a} {m}", "{a} {m}-{b} {m}", "с {a} {m} по {b} {m}", "{a}-е {m} {y}-го"),
)
_MONTHS = sorted(numbered("days.months"))
_digits = re.compile("[0-9]+")
_word = re.compile(r"\w+")


@cache
def table_words():
    """Return all words of the tables by which facts are read, without the signs of tables."""
    found = set()
    for folder in FOLDERS:
        for name in _FACT_FILES:
            path = files("newsdedup.data.lang") / folder / f"{name}.toml"
            if path.is_file():
                found.update(_listed(tomllib.loads(path.read_text("utf-8"))))
    return sorted(found)


def _listed(table):
    if isinstance(table, dict):
        for part in table.values():
            yield from _listed(part)
    elif isinstance(table, list):
        for part in table:
            yield from _listed(part)
    else:
        yield from (word.strip("*") for word in str(table).replace("_", " ").split())


@cache
def invented_items():
    """Return (title, text) of a synthetic stream of all languages, and of texts in others."""
    planted = [one.item for one in generate_stream(400, seed=7)]
    texts = [(str(item.get("title", "")), str(item.get("text", ""))) for item in planted]
    return [*texts, *[(text[:20], text) for text in OTHER_SCRIPTS]]


def read_items(path: Path):
    """Return (title, text) of each item in a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        items = map(json.loads, lines)
        return [(str(one.get("title") or ""), str(one.get("text") or "")) for one in items]


def date_text(draw: random.Random):
    """Return a written day or range of days, possible or not."""
    day = lambda: draw.choice([0, 1, 2, 3, 9, 28, 29, 30, 31, 32, draw.randrange(100)])  # noqa: E731
    return draw.choice(RANGES).format(
        a=day(),
        b=day(),
        m=draw.choice(_MONTHS),
        n=f"{draw.choice([0, 1, 2, 2, 3, 11, 12, 13]):02}",
        y=draw.choice([0, 1, 26, 1599, 1799, 1800, 1900, 2023, 2024, 2026, 2100, 2299, 9999]),
    )


def number_text(draw: random.Random):
    """Return a number among words that say what it counts, or a few of them joined."""
    parts = []
    for _ in range(draw.choice([1, 1, 2, 3])):
        parts += draw.choices(table_words(), k=draw.randrange(3))
        parts.append(
            draw.choice([draw.choice(NUMBERS), str(draw.randrange(10 ** draw.randint(1, 9)))])
        )
    parts += draw.choices(table_words(), k=draw.randrange(3))
    joint = draw.choice([" ", " ", " ", " ", "", "-", ", ", "\u00a0", "\n"])
    return joint.join(parts)


def piece(draw: random.Random):
    """Return something to put into a text."""
    match draw.randrange(8):
        case 0 | 1:
            return f" {date_text(draw)} "
        case 2 | 3:
            return f" {number_text(draw)} "
        case 4:
            return draw.choice(SIGNS) * draw.choice([1, 1, 1, 2, 40])
        case 5:
            return draw.choice(MARKUP)
        case 6:
            return f" {draw.choice(table_words())} "
        case _:
            return f" {draw.choice(NUMBERS)} "


def change(text: str, draw: random.Random, others):
    """Return a text with one change."""
    kind = draw.choice((_new_number, _new_number, _new_number, _new_word, _moved, _put, _put, _put))
    return kind(text, draw.randint(0, len(text)), draw, others)


def _put(text, at, draw, _others):
    return text[:at] + piece(draw) + text[at:]


def _new_number(text, at, draw, others):
    """Return the text with one number replaced by another."""
    found = list(_digits.finditer(text))
    if not found:
        return _put(text, at, draw, others)
    number = draw.choice(found)
    new = draw.choice([draw.choice(NUMBERS), str(draw.randrange(100)), date_text(draw)])
    return text[: number.start()] + new + text[number.end() :]


def _new_word(text, at, draw, others):
    """Return the text with one word in other characters or replaced by another word."""
    found = list(_word.finditer(text))
    if not found:
        return _put(text, at, draw, others)
    word = draw.choice(found)
    other = draw.choice(found)[0]
    forms = (word[0].upper(), word[0].lower(), word[0].title(), word[0][::-1], other, "")
    return (
        text[: word.start()]
        + draw.choice((*forms, draw.choice(table_words())))
        + text[word.end() :]
    )


def _moved(text, at, draw, others):
    """Return the text without a passage, with one repeated, or with one of another item."""
    to = min(len(text), at + draw.choice([1, 5, 50, 500]))
    match draw.randrange(3):
        case 0:
            return text[:at] + text[to:]
        case 1:
            return text[:to] + text[at:to] * draw.choice([1, 1, 3, 30]) + text[to:]
        case _:
            other = "\n".join(draw.choice(others))
            begin = draw.randint(0, len(other))
            return text[:at] + other[begin : begin + draw.choice([10, 100, 800])] + text[at:]


def changed_item(item, draw: random.Random, others, *, changes: int):
    """Return the (title, text) of an item with so many changes, of at most MOST_CHARACTERS each."""
    title, text = item
    for _ in range(changes):
        if draw.random() < 0.3:
            title = change(title, draw, others)[:MOST_CHARACTERS]
        else:
            text = change(text, draw, others)[:MOST_CHARACTERS]
    return title, text


def changed_pair(items, draw: random.Random):
    """Return two changed items: mostly versions of one, else two under one title, or strangers."""
    one = draw.choice(items)
    other = one if draw.random() < 0.7 else draw.choice(items)
    if draw.random() < 0.5:
        other = one[0], other[1]
    left = changed_item(one, draw, items, changes=draw.choice([0, 1, 2, 4, 8]))
    if draw.random() < 0.5 and other[1] == one[1]:
        other = left
    return left, changed_item(other, draw, items, changes=draw.choice([0, 1, 1, 2, 4, 8]))
