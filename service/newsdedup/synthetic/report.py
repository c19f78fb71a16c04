"""A report: the facts of an event, told in lines that remember how they can be told otherwise."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random
from typing import NamedTuple

from newsdedup.synthetic.chance import pick, some
from newsdedup.synthetic.events import Facts, draw, moved
from newsdedup.synthetic.frames import Book, Frame
from newsdedup.synthetic.phrasing import Pair, Sentence, said, settled


class Line(NamedTuple):
    """One sentence or two: both phrasings, the one chosen, and the template it became."""

    pair: Pair
    phrasing: int
    template: str

    @property
    def sentence(self) -> Sentence:
        """Return the phrasing chosen."""
        return self.pair[self.phrasing]


class Length(NamedTuple):
    """How much a report says: facts of its own, quotes, names, common remarks, background."""

    facts: int
    quotes: int
    particulars: int
    remarks: int
    backgrounds: int


@dataclass(frozen=True, slots=True)
class Report:
    """What a journalist wrote, before any source dresses it."""

    book: Book
    frame: Frame
    facts: Facts
    lines: tuple[Line, ...]
    """The headline, the lead, and all others."""
    title: str
    paragraphs: tuple[str, ...]
    background: str = ""
    """A paragraph of common knowledge, the last one; empty if there is none."""


def written(book: Book, length: Length, rng: Random, moment: datetime) -> Report:
    """Return a report of something new that happened at a moment."""
    frame = pick(rng, book.frames)
    angle = int(rng.random() * len(frame.titles))
    pairs = some(rng, frame.particulars, length.particulars)
    pairs += some(rng, frame.facts, length.facts)
    pairs[1:1] = some(rng, frame.quotes, length.quotes)
    pairs[:0] = frame.titles[angle], frame.leads[angle % len(frame.leads)]
    pairs += some(rng, frame.remarks, length.remarks)
    lines = tuple([line(pair, int(rng.random() * 2), rng) for pair in pairs])
    backgrounds = some(rng, frame.backgrounds, length.backgrounds)
    facts: dict[str, object] = {}
    # When it was is drawn whether or not it is told: a copy made tomorrow must not move it.
    needs = ["day", "clock"]
    for told in lines:
        needs += told.pair[told.phrasing].needs
    for told_once in backgrounds:
        needs += told_once.needs
    draw(facts, frame.makers, needs, rng, moment)
    background = ""
    if backgrounds:
        background = " ".join([said(settled(sentence, rng), facts) for sentence in backgrounds])
    return laid_out(book, frame, facts, lines, background)


def line(pair: Pair, phrasing: int, rng: Random) -> Line:
    """Return a line told in one of its phrasings."""
    return Line(pair, phrasing, settled(pair[phrasing], rng))


def laid_out(
    book: Book, frame: Frame, facts: Facts, lines: tuple[Line, ...], background: str = ""
) -> Report:
    """Return the report its lines make: headline, lead, then two lines a paragraph."""
    title, *sentences = [said(line.template, facts) for line in lines]
    paragraphs = sentences[:1]
    paragraphs += [" ".join(sentences[at : at + 2]) for at in range(1, len(sentences), 2)]
    if background:
        paragraphs.append(background)
    return Report(book, frame, facts, lines, title, tuple(paragraphs), background)


ANY_MOMENT = datetime(2026, 11, 1, tzinfo=UTC)
"""Every report knows its day and hour, so that the moment of a copy never shows."""


def retitle(report: Report, rng: Random) -> Report:
    """Return the same text under the other headline, or under a catchier one."""
    headline = _otherwise(report.lines[0], rng)
    title = said(headline.template, _known(report, (headline,), rng))
    if rng.random() < 0.4:
        title = f"{pick(rng, report.book.sources['openers'])} {title}"
    elif rng.random() < 0.3:
        title = f"{title}. {pick(rng, report.book.sources['heads'])}"
    return replace(report, title=title)


def cut_short(report: Report, rng: Random) -> Report:
    """Return the report without its last paragraphs; most of it stays."""
    whole = len(report.paragraphs)
    kept = max(2, whole - 1 - int(rng.random() * whole / 3))
    if kept >= whole:
        return report
    lines = report.lines[: 2 * kept]
    return replace(report, lines=lines, paragraphs=report.paragraphs[:kept], background="")


def rewrite(report: Report, rng: Random) -> Report:
    """Return the same facts in other words and another order, without the background."""
    headline, lead, *rest = [_otherwise(told, rng) for told in report.lines]
    lines = (headline, lead, *some(rng, rest, len(rest)))
    return laid_out(report.book, report.frame, _known(report, lines, rng), lines)


def _otherwise(told: Line, rng: Random) -> Line:
    return line(told.pair, 1 - told.phrasing, rng)


def _known(report: Report, lines: tuple[Line, ...], rng: Random) -> dict[str, object]:
    """Return the facts of the report, and those only another phrasing speaks of."""
    facts = dict(report.facts)
    for told in lines:
        draw(facts, report.frame.makers, told.sentence.needs, rng, ANY_MOMENT)
    return facts


def follow_up(report: Report, rng: Random, moment: datetime) -> Report:
    """Return what was reported later: other numbers, a new lead, old lines below it."""
    later = [line((told, told), 0, rng) for told in pick(rng, report.frame.later)]
    # What comes later names other people: old lines are those about the event itself.
    old = [told for told in report.lines[2:] if told.pair not in report.frame.particulars]
    kept = old[: 2 + int(rng.random() * len(old))]
    lines = (*later, *kept)
    now = {"day": report.book.lexicon.day(moment), "clock": f"{moment.hour}:{moment.minute:02}"}
    facts = moved(report.frame.moves, _known(report, lines, rng) | now, rng)
    return laid_out(report.book, report.frame, facts, lines)


def change_numbers(report: Report, rng: Random) -> Report:
    """Return the same lines with other numbers in them: a correction that matters."""
    facts = moved(report.frame.moves, report.facts, rng)
    return laid_out(report.book, report.frame, facts, report.lines)


def add_correction(report: Report, rng: Random) -> Report:
    """Return the report with a line under it that owns up to a slip."""
    slip = pick(rng, report.book.sources["corrections"])
    return replace(report, paragraphs=(*report.paragraphs, slip))


def reuse_background(report: Report, rng: Random, moment: datetime) -> Report:
    """Return a report of something else over the same paragraph of background."""
    other = written(report.book, Length(1, 0, 1, 0, 0), rng, moment)
    paragraphs = (*other.paragraphs, report.background)
    return replace(other, paragraphs=paragraphs, background=report.background)


def has_visible_moves(report: Report) -> bool:
    """Return whether a number of the report can move so that a reader sees it.

    A headline does not count: channels without headlines would show the same text.
    """
    told = [line.template for line in report.lines[1:]]
    return any("{" + name in template for name, _ in report.frame.moves for template in told)
