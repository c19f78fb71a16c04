"""Where a word for a day names none: "USA Today", "накануне праздника", "Saturday, May 17"."""

import re

from newsdedup.core.facts.days import MONTHS, WEEKDAYS

_MONTH = rf"(?:{'|'.join(MONTHS)})\b"
_DAY = r"[0-9]{1,2}(?:-?(?:го|е|st|nd|rd|th))?"
_OR = r"(?: ?- ?| (?:и|й|і|та|and|or) )"
_dated = re.compile(
    rf"(?:{_OR}(?:(?:в|во|у|on) )?(?:{'|'.join(WEEKDAYS)}))?(?:,| -)? \(?"
    rf"(?:(?:the )?{_DAY}(?:{_OR}{_DAY})? {_MONTH}|{_MONTH}\.? [0-9]"
    r"|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2})"
)
_date_before = re.compile(
    rf"(?:[0-9](?:-го|st|nd|rd|th)? {_MONTH}\.?|{_MONTH}\.? {_DAY})"
    r"(?:,? [12][0-9]{3}(?: года| року| г\.| р\.)?)?(?:,? \(|, )(?:(?:в|во|у|on|a) )?\Z"
)
_LONGEST_DATE = 40
"""Characters before a weekday in which its date stands."""
_names_before = re.compile(
    r"(?:\b(?:black|good|easter|palm|holy|super|cyber|ash|maundy|shrove|bloody"
    r"|(?:mail|independent) on)|\b(?:черн|чорн|страстн|вербн|прощен|кибер|кібер)\w*)[ -]\Z"
)
_LONGEST_NAME = 16
_papers = re.compile(r" (?:times|mail|telegraph|mirror|express|herald|tribune|independent)\b")
_EVES = frozenset(("накануне", "напередодні"))
_eve_of = re.compile(
    r" (?:[^\W\d_]+(?:ого|его|их|ых|ої|ей|ой) )?(?:праздник(?:а|ов)|свята?|выборов|виборів"
    r"|матч[ау]|игры|гри|финала|фіналу|турнира|турніру|сезона|сезону|старта|старту|визита|візиту|поездки"
    r"|поїздки|саммита|саміту|встречи|зустрічі|переговор(?:ов|ів)|заседания|засідання|голосования"
    r"|голосування|референдума|референдуму|рождества|різдва|пасхи|великодня|дня|нового|года|року"
    r"|годовщины|річниці|съезда|з'їзду|суда|суду|концерта|концерту|инаугурации|інавгурації)\b"
)


def dated(lower: str, start: int, end: int) -> bool:
    """Return whether a written day says which one a word means: "в субботу, 17 мая"."""
    if _dated.match(lower, end):
        return True
    closed = lower[end : end + 1] in (",", ")")
    return closed and _date_before.search(lower, max(0, start - _LONGEST_DATE), start) is not None


def no_day(lower: str, word: str, start: int, end: int) -> bool:
    """Return whether the word is a part of a name, or tells on the eve of what something was."""
    if word in WEEKDAYS:
        if _names_before.search(lower, max(0, start - _LONGEST_NAME), start):
            return True
        return word == "sunday" and _papers.match(lower, end) is not None
    if word == "today":
        return lower.endswith("usa ", 0, start)
    if word == "сегодня":
        return lower.endswith("россия ", 0, start) and lower.startswith('"', end)
    return word in _EVES and _eve_of.match(lower, end) is not None
