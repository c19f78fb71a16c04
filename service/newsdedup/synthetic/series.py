"""Messages of one form and other values: rates, forecasts, alerts, scores."""

from collections.abc import Mapping
from datetime import datetime
from random import Random
from typing import NamedTuple

from newsdedup.synthetic.chance import pick
from newsdedup.synthetic.frames import Book
from newsdedup.synthetic.press import Text

CATEGORIES = {"rates": "economy", "forecast": "weather", "alert": "weather", "score": "sport"}


class Message(NamedTuple):
    """One issue of a series."""

    series: str
    """Its name: messages of one series differ in values only."""
    text: Text


def issue(book: Book, rng: Random, moment: datetime) -> Message:
    """Return the next message of some series: a rate, a forecast or an alert."""
    kind = pick(rng, ("rates", "forecast", "forecast", "alert"))
    number = int(rng.random() * len(book.series[kind]))
    lexicon, mark = book.lexicon, book.lexicon.percent.mark
    warmth = int(rng.random() * 30) - 8
    rate = 60 + rng.random() * 45
    values = {
        "a": f"{rate:.2f}".replace(".", mark),
        "b": f"{rate * (1.05 + rng.random() * 0.1):.2f}".replace(".", mark),
        "c": f"{rate * (0.75 + rng.random() * 0.2):.2f}".replace(".", mark),
        "p": f"{warmth:+}",
        "m": f"{warmth - 3 - int(rng.random() * 7):+}",
        "w": str(2 + int(rng.random() * 24)),
        "h": str(30 + int(rng.random() * 68)),
        "q": str(735 + int(rng.random() * 35)),
        "city": lexicon.city(rng),
        "region": lexicon.region(rng),
        "street": lexicon.street(rng),
        "day": lexicon.day(moment),
        "clock": f"{moment.hour}:{5 * (moment.minute // 5):02}",
    }
    return _message(book, kind, number, values)


def score(book: Book, rng: Random) -> tuple[Message, Message]:
    """Return two messages about one match, half an hour apart: they differ in the score only."""
    team, guest = book.lexicon.team(rng), book.lexicon.guest(rng)
    number = int(rng.random() * len(book.series["score"]))
    goals = [int(rng.random() * 2), int(rng.random() * 2)]
    arena = pick(rng, book.lexicon.teams)
    early = {"team": team, "guest": guest, "arena": arena, "a": goals[0], "b": goals[1]}
    goals[rng.random() < 0.5] += 1 + int(rng.random() * 2)
    late = {**early, "a": goals[0], "b": goals[1]}
    return _message(book, "score", number, early), _message(book, "score", number, late)


def _message(book: Book, kind: str, number: int, values: Mapping[str, object]) -> Message:
    title, text = (part.format_map(values) for part in book.series[kind][number])
    series = f"{book.lexicon.language}-{kind}-{number}"
    return Message(series, Text(title, (text,), CATEGORIES[kind]))
