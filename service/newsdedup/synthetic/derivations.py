"""What others make of a report: copies that tell the same, and near misses that do not."""

from dataclasses import replace
from datetime import UTC, datetime
from random import Random

from newsdedup.synthetic.chance import pick, some
from newsdedup.synthetic.events import draw, moved
from newsdedup.synthetic.phrasing import said
from newsdedup.synthetic.report import Length, Line, Report, laid_out, line, written

ANY_MOMENT = datetime(2026, 11, 1, tzinfo=UTC)
"""Every report knows its day and hour, so that the moment of a copy never shows."""


def retitled(report: Report, rng: Random) -> Report:
    """Return the same text under the other headline, or under a catchier one."""
    headline = _otherwise(report.lines[0], rng)
    title = said(headline.template, _known(report, (headline,), rng))
    if rng.random() < 0.4:
        title = f"{pick(rng, report.book.sources['openers'])} {title}"
    elif rng.random() < 0.3:
        title = f"{title}. {pick(rng, report.book.sources['heads'])}"
    return replace(report, title=title)


def cut(report: Report, rng: Random) -> Report:
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


def update(report: Report, rng: Random, moment: datetime) -> Report:
    """Return what was reported later: other numbers, a new lead, old lines below it."""
    later = [line((told, told), 0, rng) for told in pick(rng, report.frame.later)]
    # What comes later names other people: old lines are those about the event itself.
    old = [told for told in report.lines[2:] if told.pair not in report.frame.particulars]
    kept = old[: 2 + int(rng.random() * len(old))]
    lines = (*later, *kept)
    now = {"day": report.book.lexicon.day(moment), "clock": f"{moment.hour}:{moment.minute:02}"}
    facts = moved(report.frame.moves, _known(report, lines, rng) | now, rng)
    return laid_out(report.book, report.frame, facts, lines)


def changed(report: Report, rng: Random) -> Report:
    """Return the same lines with other numbers in them: a correction that matters."""
    facts = moved(report.frame.moves, report.facts, rng)
    return laid_out(report.book, report.frame, facts, report.lines)


def corrected(report: Report, rng: Random) -> Report:
    """Return the report with a line under it that owns up to a slip."""
    slip = pick(rng, report.book.sources["corrections"])
    return replace(report, paragraphs=(*report.paragraphs, slip))


def sharing(report: Report, rng: Random, moment: datetime) -> Report:
    """Return a report of something else over the same paragraph of background."""
    other = written(report.book, Length(1, 0, 1, 0, 0), rng, moment)
    paragraphs = (*other.paragraphs, report.background)
    return replace(other, paragraphs=paragraphs, background=report.background)


def moves(report: Report) -> bool:
    """Return whether a number of the report can move so that a reader sees it.

    A headline does not count: channels without headlines would show the same text.
    """
    told = [line.template for line in report.lines[1:]]
    return any("{" + name in template for name, _ in report.frame.moves for template in told)
