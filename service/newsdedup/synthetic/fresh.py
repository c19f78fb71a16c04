"""Items that tell something new: reports, headlines, messages of a series, round-ups."""

from dataclasses import replace
from datetime import datetime, timedelta

from newsdedup.synthetic import series
from newsdedup.synthetic.archive import Kept
from newsdedup.synthetic.chance import pick
from newsdedup.synthetic.newsroom import Newsroom
from newsdedup.synthetic.planted import Kind, Planted, Truth
from newsdedup.synthetic.press import Text
from newsdedup.synthetic.rates import length
from newsdedup.synthetic.report import Length, written

HEADLINE = Length(0, 0, 0, 0, 0)


def original(room: Newsroom, language: str, moment: datetime) -> Planted:
    """Plant a report of something new."""
    return room.file(reported(room, language, moment, "original"), language)


def reported(room: Newsroom, language: str, moment: datetime, kind: Kind) -> Kept:
    """Return a report of something new, as published."""
    source = room.press.source(language)
    report = written(room.books[language], length(room.rng, site=source.site), room.rng, moment)
    return room.report(Truth(kind, room.story(language)), source, moment, report)


def short(room: Newsroom, language: str, moment: datetime) -> Planted:
    """Plant a headline alone."""
    report = written(room.books[language], HEADLINE, room.rng, moment)
    report = replace(report, paragraphs=(report.title,))
    truth = Truth("short", room.story(language))
    kept = room.report(truth, room.press.source(language), moment, report)
    room.shorts[language].append(kept)
    return kept.planted


def template(room: Newsroom, language: str, moment: datetime) -> Planted:
    """Plant the next message of a series: a near miss of the one before."""
    message = series.issue(room.books[language], room.rng, moment)
    truth = Truth("template", room.story(language), room.issued.get(message.series))
    planted = room.plain(truth, room.press.source(language), moment, message.text)
    room.issued[message.series] = _key(planted)
    return planted


def score(room: Newsroom, language: str, moment: datetime) -> Planted:
    """Plant the score of a match, and hold back the score of half an hour later."""
    early, late = series.score(room.books[language], room.rng)
    source = room.press.source(language)
    planted = room.plain(Truth("score", room.story(language)), source, moment, early.text)
    truth = Truth("score", room.story(language), _key(planted))
    arrival = moment + timedelta(minutes=30)
    room.held.hold(room.plain(truth, source, arrival, late.text), arrival)
    return planted


def digest(room: Newsroom, language: str, moment: datetime) -> Planted | None:
    """Plant a round-up of what was reported: a near miss of each of its parts."""
    recalled = (room.recalled(language) for _ in range(3 + int(room.rng.random() * 4)))
    parts = [part for part in recalled if part is not None]
    lists, rng = room.books[language].sources, room.rng
    bullet = pick(rng, lists["bullets"])
    leads = dict.fromkeys(bullet + part.report.paragraphs[0] for part in parts)
    # What all talk of is recalled again and again; one report alone is no round-up.
    if len(leads) < 2:
        return None
    text = Text(
        pick(rng, lists["digest_titles"]).format(
            day=room.books[language].lexicon.day(moment), clock=f"{moment:%H:%M}"
        ),
        (pick(rng, lists["digest_intros"]), *leads, pick(rng, lists["digest_outros"])),
        "digest",
    )
    truth = Truth("digest", room.story(language), parts[0].issue.key)
    return room.plain(truth, room.press.source(language), moment, text)


def _key(planted: Planted) -> tuple[str, str]:
    return str(planted.item["source"]), str(planted.item["id"])
