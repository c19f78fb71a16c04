"""Datelines: the place, date and agency an agency puts before the first sentence."""

import re

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
_PLACE = rf"{_WORD}(?: {_WORD}){{0,3}}(?: \([^()\n]{{1,40}}\))?[.,:]? "
_NAME = rf"\"?{_WORD}(?:\.(?:[Rr][Uu]|[Uu][Aa]|[Cc]om|[Oo]rg))?\"?"
_AGENCY = rf"{_NAME}(?:,? {_NAME}){{0,4}}"
_START = rf"(?=[\"'(]*[{_UPPER}\d])"

_SIGNED = rf"[.,]?(?: ?/ ?{_AGENCY} ?/\.?(?: -)?| \({_AGENCY}\)[.:]?(?: -)?)"
_NAMED = rf"(?:[.,]? -|[.,]|(?<=[гр]\.)) {_AGENCY}(?:[.:]| -)"
_WIRE = r"\([A-Z][\w ./&-]{1,30}\)(?: --?|:|(?<=\(AP\)))"

_DATELINES = (
    # МОСКВА, 5 ноября. /ТАСС/. Текст. - Москва. 1 ноября. INTERFAX.RU - Текст.
    # МОСКВА, 1 ноя - РИА Новости. Текст. - КИЇВ. 3 листопада. УНН. Текст.
    rf"{_PLACE}{_DATE}(?:{_SIGNED}|{_NAMED})",
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
    """Return the text without the datelines it begins with.

    Only the frame of known shapes goes: a place with a date and an agency, and what is left must
    begin like a sentence. "Москва, 5 ноября, стала..." stays whole.
    """
    start = 0
    while (dateline := _dateline.match(text, start)) is not None:
        start = dateline.end()
    return text[start:]


def is_byline(line: str) -> bool:
    """Return whether the line says by whom the text is, and nothing else."""
    return line.startswith("By ") and _byline.fullmatch(line) is not None
