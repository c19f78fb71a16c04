"""A report: the facts of an event, told in lines that remember how they can be told otherwise."""

from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import NamedTuple

from newsdedup.synthetic.chance import pick, some
from newsdedup.synthetic.events import Facts, draw
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
