"""Boilerplate: datelines before the news, credits and invitations to a channel around it."""

import re

from newsdedup.core.text.tail_shapes import BUTTONS, OUTLET, RESTS

_LONGEST_TAIL = 320
"""Characters of the longest line that may be boilerplate; a longer one is news."""

# A line that opens with a quotation mark is a quotation, and no boilerplate.
_first_word = re.compile(r"[^\w\"']*([^\W_]+)")

# Possessive, or a row of names would be tried with each bracket and comma inside and outside.
_PROPER_NAME = r"[\"(]*[A-ZА-ЯІЇЄҐ\d][^\s.!?]*+(?:\.[A-Za-zА-Яа-я]{2,6})?\)?\"?,?"
_SMALL = (
    r"(?:пресс-служб[аы]|прес-служб[аи]|пресс-центр|сайт|агентств[оа]|телеграм-канал|канал|издание"
    r"|портал|газета|журнал|управлени[ея]|и|і|й|в|у|на|по|со|ссылкой|of|the|and|via|news|/|-|&)"
)
# Источник: РИА Новости. Джерело: пресс-служба ДСНС. But not: "Источник: взрыв произошел в порту".
_source = re.compile(
    r"(?i:источники?|джерел[оа]|source|via|фото|photo|авторы?|автори|текст|видео|відео"
    r"|по материалам|за матеріалами)(?:, [Фф]ото)?(?: ?:| -) ?"
    rf"(?:{_SMALL} )*{_PROPER_NAME}(?: (?:{_SMALL}|{_PROPER_NAME})){{0,8}}[.]?"
)
_SOURCES = (
    "источник источники джерело джерела source via фото photo автор авторы автори текст"
    " видео відео по за"
)
_FIRST_WORDS = frozenset([*RESTS, *_SOURCES.split(" "), *[label.split()[0] for label in BUTTONS]])
_SUBSCRIBE = (
    r"подпи(?:шись|шитесь|сывай(?:тесь|ся))|підпи(?:шись|шіться|суй(?:тесь|теся|ся))"
    r"|(?:можете|можно|можна|забудьте) (?:подписаться|підписатис[яь])"
    r"|sign up (?:today|now|here|for|to receive)|subscribe to (?:our|us)"
)
_call = re.compile(_SUBSCRIBE)
_BARE = rf"(?:{_SUBSCRIBE}|подписаться|підписатис[яь]|subscribe|sign up)[.!]*"
# "Мой город - подписаться". A name before a stop is short, or it would be a sentence.
_named_call = re.compile(
    rf"[^\s.!?|:]+(?: [^\s.!?|:]+){{0,2}}[.!] {_BARE}"
    rf"|(?:[^.!?|:]{{1,24}}\. )?[^.!?|:]{{1,40}}(?:[|:]| -) ?{_BARE}"
)
_outlet = re.compile(OUTLET)
_quoted = re.compile(r"сказа|заяви|написа|призва|добави|додав|пишет|\b(?:said|wrote|told)\b")
_question = re.compile(r"(?:хотите|хочешь|хочете|интересно|цікаво|want)\b.*\?")
_ours = re.compile(r"\b(?:наш|our\b|newsletter)")


def _sells(line: str) -> bool:
    """Return whether a line of up to 320 characters is a button, a credit or an invitation."""
    if len(line) > _LONGEST_TAIL:
        return False
    # A longer line with © is a caption that names an owner.
    return ("©" in line and len(line) <= 140) or _opens_as_sale(line)


def _opens_as_sale(line: str) -> bool:
    """Return whether a line or sentence is worded as a button, a credit or an invitation."""
    first = _first_word.match(line)
    if first is None or (word := first[1].lower()) not in _FIRST_WORDS:
        return False
    lower = line.lower()
    rest = RESTS.get(word)
    return (
        (rest is not None and rest.fullmatch(lower, first.end()) is not None)
        or lower.strip(" .:!") in BUTTONS
        or _source.fullmatch(line) is not None
    )


def _may_call(text: str) -> bool:
    """Return whether a text may contain a call to subscribe: a quick test."""
    # Every call holds one of these stems: most sentences need no closer look.
    return "дпи" in text or "ДПИ" in text or "ubscri" in text or "ign up" in text


def _invites(sentence: str) -> bool:
    """Return whether a sentence invites to subscribe, and does not quote somebody who does."""
    if not _may_call(sentence):
        return False
    lower = sentence.lower()
    called = _call.search(lower) and _outlet.search(lower)
    return called is not None and _quoted.search(lower) is None


def _leads_to_call(sentence: str) -> bool:
    """Return whether a sentence like "Хотите знать больше?" only leads to an invitation."""
    lower = sentence.lower()
    ours = _ours.search(lower) is not None and _outlet.search(lower) is not None
    return ours or _question.fullmatch(lower) is not None


_MONTH = (
    r"(?:январ[ья]|феврал[ья]|марта?|апрел[ья]|ма[йя]|ию[нл][ья]|августа?|сентябр[ья]|октябр[ья]"
    r"|ноябр[ья]|декабр[ья]|янв|фев|мар|апр|июн|июл|авг|сен|сент|окт|ноя|нояб|дек"
    r"|січ(?:ень|ня)|лют(?:ий|ого)|берез(?:ень|ня)|квіт(?:ень|ня)|трав(?:ень|ня)|черв(?:ень|ня)"
    r"|лип(?:ень|ня)|серп(?:ень|ня)|верес(?:ень|ня)|жовт(?:ень|ня)|листопада?|груд(?:ень|ня))\.?"
)
_ENGLISH_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_YEAR = r"(?:,? ?[12]\d{3}(?: ?(?:г|р)\.| года| року)?)?"
_DATE = rf"[0-3]?\d {_MONTH}{_YEAR}"
_ENGLISH_DATE = rf"(?:{_ENGLISH_MONTH} [0-3]?\d|[0-3]?\d {_ENGLISH_MONTH}){_YEAR}"
_UPPER = "A-ZА-ЯІЇЄҐ"
_WORD = rf"[{_UPPER}][\w'-]{{0,30}}+"
_CAPITALS = rf"[{_UPPER}][{_UPPER}./'-]{{1,30}}(?: [{_UPPER}./'-]{{2,30}}){{0,3}}"
_CITY = rf"{_WORD}(?: {_WORD}){{0,3}}(?: \([^()\n]{{1,40}}\))?[.,:]? "
_NAME = rf"\"?{_WORD}(?:\.(?:[Rr][Uu]|[Uu][Aa]|[Cc]om|[Oo]rg))?\"?"
_AGENCY = rf"{_NAME}(?:,? {_NAME}){{0,4}}"
_START = rf"(?=[\"'(]*[{_UPPER}\d])"
_SIGNED = rf"[.,]?(?: ?/ ?{_AGENCY} ?/\.?(?: -)?| \({_AGENCY}\)[.:]?(?: -)?)"
_NAMED = rf"(?:[.,]? -|[.,]|(?<=[гр]\.)) {_AGENCY}(?:[.:]| -)"
_WIRE = r"\([A-Z][\w ./&-]{1,30}\)(?: --?|:|(?<=\(AP\)))"
_DATELINES = (
    # МОСКВА, 5 ноября. /ТАСС/. Текст. - Москва. 1 ноября. INTERFAX.RU - Текст.
    # МОСКВА, 1 ноя - РИА Новости. Текст. - КИЇВ. 3 листопада. УНН. Текст.
    rf"{_CITY}{_DATE}(?:{_SIGNED}|{_NAMED})",
    # 1 ноября. Interfax.ru - Текст.
    rf"{_DATE}\. {_AGENCY} -",
    # МОСКВА, 5 ноября - Текст.
    rf"{_CAPITALS}[.,] {_DATE}(?:[.:]| -|\. -)",
    # PORTLAND, Ore. (AP) - Text. MOSCOW, Nov 1 (Reuters) - Text. Nov. 14 (UPI) -- Text.
    rf"(?:{_CAPITALS}(?:, [A-Z][\w. ]{{1,24}}?)?,? ?)?(?:{_ENGLISH_DATE} ?)?{_WIRE}",
    # LOS ANGELES, Nov 15 - Text. KUALA LUMPUR (Nov 15): Text. CAIRO - 15 November 2019: Text.
    rf"{_CAPITALS}(?:,| -)? \(?{_ENGLISH_DATE}\)?(?: --?|:)",
    # NEW ORLEANS -- Text. MADISON, Wis. - Text.
    rf"{_CAPITALS}(?:(?:, [A-Z][\w ]{{1,20}}\.?)? --|, [A-Z][a-z]{{1,6}}\. -)",
)
_dateline = re.compile(rf"(?:{'|'.join(_DATELINES)}) ?{_START}")
_PERSON = r"[A-Z][\w.'-]{0,20}(?: [A-Z][\w.'-]{0,20}){1,3}"
_byline = re.compile(rf"By {_PERSON}(?:(?:,|,? and| &) {_PERSON}){{0,4}}")


def strip_datelines(text: str) -> str:
    """Return the text without the datelines it begins with, as "МОСКВА, 5 ноя - РИА Новости.".

    Only known forms are removed, of a city with a date and an agency, and only if what is left
    begins like a sentence. "Москва, 5 ноября, стала..." stays whole.
    """
    start = 0
    while (dateline := _dateline.match(text, start)) is not None:
        start = dateline.end()
    return text[start:]


_alphanumeric = re.compile(r"[^\W_]")


def strip_boilerplate(text: str) -> str:
    """Return a text without dateline, byline, credits and invitations; it may become empty.

    Rules are static, so that a text always cleans to the same text. They take whole lines, last
    sentences and the frame before the first one, never words out of a sentence.
    """
    lines: list[str] = []
    for line in text.split("\n"):
        if not lines:
            line = strip_datelines(line)  # noqa: PLW2901 - the same line without its frame
            if line.startswith("By ") and _byline.fullmatch(line):
                continue
        if line and not _sells(line):
            lines.append(line)
    while lines and (rest := _strip_invitations(lines[-1])) != lines[-1]:
        lines[-1:] = [rest] if rest and not _sells(rest) else []
    return "\n".join(lines)


def _strip_invitations(line: str) -> str:
    """Return the line without credits and invitations at its end; "" without a letter or digit."""
    end = len(line)
    while end:
        # A slice of bounded length: a long line made of invitations is read once.
        tail = line[max(0, end - _LONGEST_TAIL) : end]
        stop = max(tail.rfind(". ", 0, -1), tail.rfind("! ", 0, -1), tail.rfind("? ", 0, -1))
        if stop < 0 and end > _LONGEST_TAIL:
            break
        last = tail[stop + 2 :] if stop >= 0 else tail
        if end == len(line):
            if end <= _LONGEST_TAIL and _may_call(line) and _named_call.fullmatch(line.lower()):
                return ""
            if not (_opens_as_sale(last) or _invites(last)):
                return line
        elif not (_opens_as_sale(last) or _invites(last) or _leads_to_call(last)):
            break
        end -= len(last) + (stop >= 0)
    return line[:end] if _alphanumeric.search(line, 0, end) else ""
