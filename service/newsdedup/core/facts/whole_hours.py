"""Times of day that are told in whole hours: "в 10 часов", "с 9 до 18 часов", "до 20-ї години"."""

import re

from newsdedup.core.facts.around import Around
from newsdedup.core.facts.days import DAY_AND_MONTH
from newsdedup.core.facts.fact import MILLION

_HOUR = 60
_LATEST = 24
_EARLIEST = 5
"""Of "в 2 часа" nobody knows which of two it is, or how long it takes."""
_IN_FULL = 21
"""From here on the day has "час" and "часа" behind a time that is not also a span: "в 21 час"."""
_AT = {
    **dict.fromkeys(("в", "во"), ("часов", "ч")),
    **dict.fromkeys(("к", "ко"), ("часам", "ч")),
    **dict.fromkeys(("о", "об"), ("годині",)),
    **dict.fromkeys(("с", "со"), ("часов", "ч")),
    **dict.fromkeys(("з", "із", "зі"), ("години",)),
    "на": ("годину",),
}
"""Words before an hour, and how they have the word for it where no span is meant."""
_SINGULAR = frozenset(("час", "часа", "часу"))
_NO_TIMES = frozenset(
    (
        *("пути", "езды", "лета", "полета", "ходьбы", "работы", "подряд", "шляху", "їзди"),
        *("обязательных", "исправительных", "общественных", "громадських"),
    )
)
"""Words behind hours that were spent."""
_lasting = re.compile(
    r"(?:разниц|різниц|длит|продолж|протяж|опозд|задерж|затрим|запізн|срок|смен|интерв|пауз"
    r"|перерыв|очеред|рекорд|уложи|объем|стаж|лимит|ограничен)\w*(?: \w+)? (?:в|во) \Z"
)
_changed = re.compile(
    r"(?:рос|увелич|збільш|сниз|зниз|сокра|скоро|уменьш|зменш|продл|подовж|повы|удлин)"
)
_BEFORE = 48
"""Characters before a range of hours in which is told that it grew or shrank."""
_begun = re.compile(
    r"(?<!\w)(?:с|со|з|із|зі) [0-9]{1,2}(?:-\w{1,2})?(?: ч\.?| час(?:ов|а)| години)? (?:до|по) \Z"
)
_day_behind = re.compile(rf" ?[^\W\d_]+\.? {DAY_AND_MONTH}")
_plain = re.compile(
    r"[0-9]{1,2}(?:-\w{1,2})? ?(?:ч\b|час|годин)\w*+\.?+"
    r"(?! (?:утра|дня|вечера|ночи|ранку|вечора|ночі))"
)
_hyphened = re.compile(r"([01]?[0-9]|2[0-3])-(0[0-9])\Z")
_at = re.compile(r"(?<!\w)(?:в|во|о|об|у|к|ко|с|со|з|із|до|по|на|после|після|около|близько) \Z")
_LONGEST = 9


def by_hours(around: Around) -> int | None:
    """Return the minutes since midnight of "в 10 часов", but not of "14 часов" that it took."""
    hour, rest = divmod(around.numeral.value, MILLION)
    if rest or not 0 <= hour < _LATEST:
        return None
    word, behind, _ = around.words
    if behind in _NO_TIMES:
        return None
    named = _closed(around) if around.label in ("до", "по") else _named(around, hour, word)
    return hour * _HOUR if named else None


def _named(around: Around, hour: int, word: str) -> bool:
    """Return whether the word before the hour and the form of the word behind it name a time."""
    words = _AT.get(around.label, ())
    if not words:
        return False
    if hour < _EARLIEST or word not in words:
        return hour >= _IN_FULL and word in _SINGULAR and "ч" in words
    if around.label in ("в", "во"):
        return _lasting.search(around.before) is None
    return around.label not in ("с", "со") or not _of_change(around)


def _closed(around: Around) -> bool:
    """Return whether the number ends a range of hours, or a day stands behind it."""
    if _day_behind.match(around.lower, around.end):
        return True
    if around.words[0].startswith("годин") and around.words[0] != "години":
        return False
    return _begun.search(around.before) is not None and not _of_change(around)


def _of_change(around: Around) -> bool:
    """Return whether a span grew or shrank: "увеличили смену с 8 до 12 часов"."""
    start = around.numeral.start
    return _changed.search(around.lower, max(0, start - _BEFORE), start) is not None


def of_the_whole_day(lower: str, start: int) -> bool:
    """Return whether the hour that begins there has no part of the day behind it: "18 часов"."""
    return _plain.match(lower, start) is not None


def hyphened(lower: str, literal: str, start: int) -> int | None:
    """Return the minutes since midnight of "19-00", and of "9-05" behind a preposition."""
    found = _hyphened.match(literal)
    if found is None:
        return None
    if found[2] != "00" and not _at.search(lower, max(0, start - _LONGEST), start):
        return None
    return int(found[1]) * _HOUR + int(found[2])
