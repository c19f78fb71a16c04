"""Reports of events, and what others derive from them: copies of the story and near misses."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random
from typing import NamedTuple

from newsdedup.synthetic.chance import pick, sample
from newsdedup.synthetic.events import EventFacts, draw_facts, move_numbers
from newsdedup.synthetic.frames import Book, Frame
from newsdedup.synthetic.phrasing import PhrasingPair, Sentence, make_choices, render_sentence


class ReportLine(NamedTuple):
    """A line of a report: both phrasings, which one is chosen, and its text with slots open."""

    pair: PhrasingPair
    phrasing: int
    template: str

    @property
    def sentence(self) -> Sentence:
        """Return the chosen phrasing."""
        return self.pair[self.phrasing]


class ReportLength(NamedTuple):
    """How many facts, quotes, names, common remarks and background sentences a report has."""

    facts: int
    quotes: int
    particulars: int
    remarks: int
    backgrounds: int


@dataclass(frozen=True, slots=True)
class NewsReport:
    """What a journalist wrote, before a source adds its layout."""

    book: Book
    frame: Frame
    facts: EventFacts
    lines: tuple[ReportLine, ...]
    """The headline, the lead, then all other lines."""
    title: str
    paragraphs: tuple[str, ...]
    background: str = ""
    """A paragraph of common knowledge, the last one; empty if there is none."""


def compose_report(book: Book, length: ReportLength, rng: Random, moment: datetime) -> NewsReport:
    """Draw a report of a new event at this moment, with as many parts as `length` says."""
    frame = pick(rng, book.frames)
    angle = int(rng.random() * len(frame.titles))
    pairs = sample(rng, frame.particulars, length.particulars)
    pairs += sample(rng, frame.facts, length.facts)
    pairs[1:1] = sample(rng, frame.quotes, length.quotes)
    pairs[:0] = frame.titles[angle], frame.leads[angle % len(frame.leads)]
    pairs += sample(rng, frame.remarks, length.remarks)
    lines = tuple([choose_line(pair, int(rng.random() * 2), rng) for pair in pairs])
    backgrounds = sample(rng, frame.backgrounds, length.backgrounds)
    facts: dict[str, object] = {}
    # Day and hour are always drawn: a copy made tomorrow must not change them.
    needs = ["day", "clock"]
    for line in lines:
        needs += line.pair[line.phrasing].needs
    for sentence in backgrounds:
        needs += sentence.needs
    draw_facts(facts, frame.makers, needs, rng, moment)
    background = ""
    if backgrounds:
        background = " ".join(
            [render_sentence(make_choices(sentence, rng), facts) for sentence in backgrounds]
        )
    return lay_out(book, frame, facts, lines, background)


def choose_line(pair: PhrasingPair, phrasing: int, rng: Random) -> ReportLine:
    """Return a line in phrasing 0 or 1 of the pair, with its free choices drawn."""
    return ReportLine(pair, phrasing, make_choices(pair[phrasing], rng))


def lay_out(
    book: Book, frame: Frame, facts: EventFacts, lines: tuple[ReportLine, ...], background: str = ""
) -> NewsReport:
    """Render the lines with the facts: headline, lead, two lines a paragraph, then background."""
    title, *sentences = [render_sentence(line.template, facts) for line in lines]
    paragraphs = sentences[:1]
    paragraphs += [" ".join(sentences[at : at + 2]) for at in range(1, len(sentences), 2)]
    if background:
        paragraphs.append(background)
    return NewsReport(book, frame, facts, lines, title, tuple(paragraphs), background)


ANY_MOMENT = datetime(2026, 11, 1, tzinfo=UTC)
"""A placeholder: every report has its day and hour already, so this moment never shows."""


def retitle(report: NewsReport, rng: Random) -> NewsReport:
    """Return the report under the other phrasing of its headline, sometimes with words added."""
    headline = _rephrase(report.lines[0], rng)
    title = render_sentence(headline.template, _complete_facts(report, (headline,), rng))
    if rng.random() < 0.4:
        title = f"{pick(rng, report.book.sources['openers'])} {title}"
    elif rng.random() < 0.3:
        title = f"{title}. {pick(rng, report.book.sources['heads'])}"
    return replace(report, title=title)


def cut_short(report: NewsReport, rng: Random) -> NewsReport:
    """Return the report without its last paragraphs; the same report if it has only two."""
    whole = len(report.paragraphs)
    length = max(2, whole - 1 - int(rng.random() * whole / 3))
    if length >= whole:
        return report
    lines = report.lines[: 2 * length]
    return replace(report, lines=lines, paragraphs=report.paragraphs[:length], background="")


def rewrite(report: NewsReport, rng: Random) -> NewsReport:
    """Return the same facts in their other phrasings and another order, without the background."""
    headline, lead, *rest = [_rephrase(line, rng) for line in report.lines]
    lines = (headline, lead, *sample(rng, rest, len(rest)))
    return lay_out(report.book, report.frame, _complete_facts(report, lines, rng), lines)


def _rephrase(line: ReportLine, rng: Random) -> ReportLine:
    """Return the line in its other phrasing."""
    return choose_line(line.pair, 1 - line.phrasing, rng)


def _complete_facts(
    report: NewsReport, lines: tuple[ReportLine, ...], rng: Random
) -> dict[str, object]:
    """Return the facts of the report, and newly drawn ones that only these lines mention."""
    facts = dict(report.facts)
    for line in lines:
        draw_facts(facts, report.frame.makers, line.sentence.needs, rng, ANY_MOMENT)
    return facts


def follow_up(report: NewsReport, rng: Random, moment: datetime) -> NewsReport:
    """Return a later report of the event: other numbers, new headline and lead, some old lines."""
    later = [
        choose_line((sentence, sentence), 0, rng) for sentence in pick(rng, report.frame.later)
    ]
    # What comes later names other people: old lines are those about the event itself.
    old = [line for line in report.lines[2:] if line.pair not in report.frame.particulars]
    retold = old[: 2 + int(rng.random() * len(old))]
    lines = (*later, *retold)
    now = {"day": report.book.lexicon.day(moment), "clock": f"{moment.hour}:{moment.minute:02}"}
    facts = move_numbers(report.frame.moves, _complete_facts(report, lines, rng) | now, rng)
    return lay_out(report.book, report.frame, facts, lines)


def change_numbers(report: NewsReport, rng: Random) -> NewsReport:
    """Return the same lines with other numbers; `has_visible_moves` tells whether any is shown."""
    facts = move_numbers(report.frame.moves, report.facts, rng)
    return lay_out(report.book, report.frame, facts, report.lines)


def add_correction(report: NewsReport, rng: Random) -> NewsReport:
    """Return the report with one more paragraph, which corrects a slip such as a wrong name."""
    slip = pick(rng, report.book.sources["corrections"])
    return replace(report, paragraphs=(*report.paragraphs, slip))


def reuse_background(report: NewsReport, rng: Random, moment: datetime) -> NewsReport:
    """Return a report of another event that ends with the same paragraph of background."""
    other = compose_report(report.book, ReportLength(1, 0, 1, 0, 0), rng, moment)
    paragraphs = (*other.paragraphs, report.background)
    return replace(other, paragraphs=paragraphs, background=report.background)


def has_visible_moves(report: NewsReport) -> bool:
    """Return whether the text shows a number that `change_numbers` and `follow_up` change.

    A headline does not count: channels without headlines would show the same text.
    """
    templates = [line.template for line in report.lines[1:]]
    return any("{" + name in template for name, _ in report.frame.moves for template in templates)
