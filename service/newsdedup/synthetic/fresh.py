"""Items that tell something new: reports, headlines, messages of a series, round-ups."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from newsdedup.synthetic.chance import pick
from newsdedup.synthetic.frames import Book
from newsdedup.synthetic.newsroom import Newsroom, Published
from newsdedup.synthetic.planted import PlantedItem, PlantedKind, PlantedTruth
from newsdedup.synthetic.press import PressText
from newsdedup.synthetic.report import ReportLength, compose_report

_CATEGORIES = {"rates": "economy", "forecast": "weather", "alert": "weather", "score": "sport"}


class SeriesMessage(NamedTuple):
    """One issue of a series."""

    series: str
    """Its name: messages of one series differ in values only."""
    text: PressText


def next_message(book: Book, rng: Random, moment: datetime) -> SeriesMessage:
    """Return a message of a random series (exchange rates, forecast, alert) with random values."""
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


def match_messages(book: Book, rng: Random) -> tuple[SeriesMessage, SeriesMessage]:
    """Return an earlier and a later message about one match; they differ in the score only."""
    team, guest = book.lexicon.team(rng), book.lexicon.guest(rng)
    number = int(rng.random() * len(book.series["score"]))
    goals = [int(rng.random() * 2), int(rng.random() * 2)]
    arena = pick(rng, book.lexicon.teams)
    early = {"team": team, "guest": guest, "arena": arena, "a": goals[0], "b": goals[1]}
    goals[rng.random() < 0.5] += 1 + int(rng.random() * 2)
    late = {**early, "a": goals[0], "b": goals[1]}
    return _message(book, "score", number, early), _message(book, "score", number, late)


def _message(book: Book, kind: str, number: int, values: Mapping[str, object]) -> SeriesMessage:
    """Fill the template of this number among those of a kind of series with the values."""
    title, text = (part.format_map(values) for part in book.series[kind][number])
    series = f"{book.lexicon.language}-{kind}-{number}"
    return SeriesMessage(series, PressText(title, (text,), _CATEGORIES[kind]))


_HEADLINE_ONLY = ReportLength(0, 0, 0, 0, 0)


def report_length(rng: Random, *, site: bool) -> ReportLength:
    """Draw how many parts a report has; those of a site have more than those of a channel."""
    chance = rng.random
    if site:
        return ReportLength(
            facts=1 + int(chance() * 4),
            quotes=int(chance() * 3),
            particulars=2 + int(chance() * 3),
            remarks=int(chance() * 5),
            backgrounds=int(chance() * 2.6),
        )
    return ReportLength(
        facts=int(chance() * 2.0),
        quotes=int(chance() * 1.3),
        particulars=int(chance() * 1.2 + 0.9),
        remarks=int(chance() * 1.4),
        backgrounds=int(chance() * 1.06),
    )


def plant_original(room: Newsroom, language: str, moment: datetime) -> PlantedItem:
    """Make a report of a new event, and archive it, so that it may be copied."""
    return room.archive(publish_report(room, language, moment, "original"), language)


def publish_report(room: Newsroom, language: str, moment: datetime, kind: PlantedKind) -> Published:
    """Publish a report of a new event from a random source, as a new story; it is not archived.

    `kind` is the kind that its truth tells.
    """
    source = room.press.draw_source(language)
    report = compose_report(
        room.books[language], report_length(room.rng, site=source.site), room.rng, moment
    )
    return room.publish(PlantedTruth(kind, room.new_story(language)), source, moment, report)


def plant_short(room: Newsroom, language: str, moment: datetime) -> PlantedItem:
    """Make an item that is a headline alone, and remember it for `plant_copied_short`."""
    report = compose_report(room.books[language], _HEADLINE_ONLY, room.rng, moment)
    report = replace(report, paragraphs=(report.title,))
    truth = PlantedTruth("short", room.new_story(language))
    published = room.publish(truth, room.press.draw_source(language), moment, report)
    room.shorts[language].append(published)
    return published.planted


def plant_template(room: Newsroom, language: str, moment: datetime) -> PlantedItem:
    """Make a message of a random series as a new story: a near miss of the series' last message."""
    message = next_message(room.books[language], room.rng, moment)
    truth = PlantedTruth(
        "template", room.new_story(language), room.last_of_series.get(message.series)
    )
    planted = room.publish_text(truth, room.press.draw_source(language), moment, message.text)
    room.last_of_series[message.series] = _key(planted)
    return planted


def plant_score(room: Newsroom, language: str, moment: datetime) -> PlantedItem:
    """Make a message with the score of a match, and hold back the one of half an hour later.

    The later message is a story of its own: a near miss.
    """
    early, late = match_messages(room.books[language], room.rng)
    source = room.press.draw_source(language)
    planted = room.publish_text(
        PlantedTruth("score", room.new_story(language)), source, moment, early.text
    )
    truth = PlantedTruth("score", room.new_story(language), _key(planted))
    arrival = moment + timedelta(minutes=30)
    room.held.hold(room.publish_text(truth, source, arrival, late.text), arrival)
    return planted


def plant_digest(room: Newsroom, language: str, moment: datetime) -> PlantedItem | None:
    """Make a round-up of two to six earlier reports, the first paragraph of each: a near miss.

    The truth points to the first of them. Return None if fewer than two different ones are drawn.
    """
    recalled = (room.recall(language) for _ in range(3 + int(room.rng.random() * 4)))
    parts = [part for part in recalled if part is not None]
    lists, rng = room.books[language].sources, room.rng
    bullet = pick(rng, lists["bullets"])
    leads = dict.fromkeys(bullet + part.report.paragraphs[0] for part in parts)
    # What all talk of is recalled again and again; one report alone is no round-up.
    if len(leads) < 2:
        return None
    text = PressText(
        pick(rng, lists["digest_titles"]).format(
            day=room.books[language].lexicon.day(moment), clock=f"{moment:%H:%M}"
        ),
        (pick(rng, lists["digest_intros"]), *leads, pick(rng, lists["digest_outros"])),
        "digest",
    )
    truth = PlantedTruth("digest", room.new_story(language), parts[0].issue.key)
    return room.publish_text(truth, room.press.draw_source(language), moment, text)


def _key(planted: PlantedItem) -> tuple[str, str]:
    return str(planted.item["source"]), str(planted.item["id"])
