"""Lines and last sentences that sell the channel or name the source instead of telling the news."""

import re

from newsdedup.core.text.tail_shapes import BUTTONS, OUTLET, RESTS

LONGEST_TAIL = 320
"""Characters of the longest line that is asked; a longer one tells something."""
_LONGEST_OWNER = 140
"""A line with the sign © names an owner of rights, or is a caption with one."""

# A quotation is somebody's words: no quote stands before.
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
_SOURCES = "источник источники джерело джерела source via фото photo автор авторы автори текст"
_FIRST_WORDS = frozenset(
    [
        *RESTS,
        *_SOURCES.split(" "),
        *("видео", "відео", "по", "за"),
        *(label.split()[0] for label in BUTTONS),
    ]
)

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


def sells(line: str) -> bool:
    """Return whether the line, wherever it stands, is a button, a credit or an invitation."""
    length = len(line)
    if length > LONGEST_TAIL:
        return False
    return ("©" in line and length <= _LONGEST_OWNER) or opens_as_sale(line)


def opens_as_sale(line: str) -> bool:
    """Return whether the line, or last sentence, begins as one that sells and goes on so."""
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
    # Every call holds one of these stems: most sentences need no closer look.
    return "дпи" in text or "ДПИ" in text or "ubscri" in text or "ign up" in text


def invites(sentence: str) -> bool:
    """Return whether the sentence, standing at the end, calls the reader to some channel.

    What somebody said about subscribing is news.
    """
    if not _may_call(sentence):
        return False
    lower = sentence.lower()
    called = _call.search(lower) and _outlet.search(lower)
    return called is not None and _quoted.search(lower) is None


def names_and_calls(line: str) -> bool:
    """Return whether the line is a name and a call: "Мой город - подписаться"."""
    return _may_call(line) and _named_call.fullmatch(line.lower()) is not None


def leads_to_call(sentence: str) -> bool:
    """Return whether the sentence, standing before a call, only prepares for it.

    "Хотите знать больше?", "Больше новостей - в нашей рассылке".
    """
    lower = sentence.lower()
    if _question.fullmatch(lower):
        return True
    return _ours.search(lower) is not None and _outlet.search(lower) is not None
