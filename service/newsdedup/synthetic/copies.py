"""Items made of an earlier one: copies of its story, and near misses of it."""

from collections.abc import Callable
from datetime import datetime, timedelta

from newsdedup.synthetic.chance import pick
from newsdedup.synthetic.fresh import reported
from newsdedup.synthetic.newsroom import Kept, Newsroom
from newsdedup.synthetic.noise import NOISES
from newsdedup.synthetic.planted import Kind, Planted, Truth
from newsdedup.synthetic.report import (
    add_correction,
    change_numbers,
    cut_short,
    follow_up,
    has_visible_moves,
    retitle,
    reuse_background,
    rewrite,
)

COPIES_KEPT = 0.2
"""Share of copies that may be copied themselves."""
NOISY = (0, 0, 1, 1, 2)
"""How many kinds of noise a reprint gathers."""
TRIES = 10
"""How often a report with a paragraph of background is looked for."""
LATE: tuple[Kind, ...] = ("reprint", "reprint", "retitled", "cut", "rewrite")
MINUTES_HELD = (6, 240)
"""How long a late original stays away."""


def copied(kind: Kind) -> Callable[[Newsroom, str, datetime], Planted | None]:
    """Return how a copy of a kind is planted."""

    def plant(room: Newsroom, language: str, moment: datetime) -> Planted | None:
        kept = room.recalled(language)
        if kept is None:
            return None
        copy = _copy(room, kind, kept, moment)
        if room.rng.random() < COPIES_KEPT:
            return room.file(copy, language)
        return copy.planted

    return plant


def _copy(room: Newsroom, kind: Kind, kept: Kept, moment: datetime) -> Kept:
    report, rng = kept.report, room.rng
    if kind == "retitled":
        report = retitle(report, rng)
    elif kind == "cut":
        report = cut_short(report, rng)
        kind = kind if report is not kept.report else "reprint"
    elif kind == "rewrite":
        report = rewrite(report, rng)
    source = room.press.source(kept.issue.source.language, other_than=kept.issue.source)
    truth = Truth(kind, kept.planted.truth.story, kept.issue.key)
    copy = room.report(truth, source, moment, report, after=kept.issue.published)
    for _ in range(pick(rng, NOISY) if kind != "rewrite" else 0):
        copy.planted.item["text"] = pick(rng, NOISES)(str(copy.planted.item["text"]), rng)
    return copy


def copied_short(room: Newsroom, language: str, moment: datetime) -> Planted | None:
    """Plant a headline somebody else had."""
    if not room.shorts[language]:
        return None
    return _copy(room, "reprint", pick(room.rng, room.shorts[language]), moment).planted


def late_original(room: Newsroom, language: str, moment: datetime) -> Planted:
    """Plant a copy, and hold the original back: published before, it arrives after."""
    rng = room.rng
    early = moment - timedelta(minutes=2 + rng.random() * 30)
    kept = reported(room, language, early, "late_original")
    low, high = MINUTES_HELD
    due = moment + timedelta(minutes=low + (high - low) * rng.random() ** 2)
    room.held.hold(kept.planted, due)
    if rng.random() < 0.5:
        between = moment + (due - moment) * rng.random()
        room.held.hold(_copy(room, pick(rng, LATE), kept, between).planted, between)
    return _copy(room, pick(rng, LATE), kept, moment).planted


def edit(room: Newsroom, language: str, moment: datetime) -> Planted | None:
    """Plant a new version of an item that owns up to a slip: its story stays."""
    kept = room.recalled(language)
    if kept is None:
        return None
    truth = Truth("edit", kept.planted.truth.story, kept.issue.key)
    return room.version(truth, kept, add_correction(kept.report, room.rng), moment)


def moved_edit(room: Newsroom, language: str, moment: datetime) -> Planted | None:
    """Plant a new version of an item with other numbers: a near miss of its own past."""
    kept = room.recalled(language)
    if kept is None or not has_visible_moves(kept.report):
        return None
    truth = Truth("moved_edit", room.story(language), kept.issue.key)
    return room.version(truth, kept, change_numbers(kept.report, room.rng), moment)


def redelivery(room: Newsroom, language: str, _: datetime) -> Planted | None:
    """Plant an item again as it was."""
    kept = room.recalled(language)
    if kept is None:
        return None
    truth = Truth("redelivery", kept.planted.truth.story, kept.issue.key)
    return Planted(dict(kept.planted.item), truth)


def update(room: Newsroom, language: str, moment: datetime) -> Planted | None:
    """Plant what was reported later about an event: a near miss, and a story of its own."""
    kept = room.recalled(language)
    if kept is None:
        return None
    report = follow_up(kept.report, room.rng, moment)
    again = room.rng.random() < 0.5
    source = kept.issue.source if again else room.press.source(language)
    truth = Truth("update", room.story(language), kept.issue.key)
    later = room.report(truth, source, moment, report, after=kept.issue.published)
    return room.file(later, language)


def background(room: Newsroom, language: str, moment: datetime) -> Planted | None:
    """Plant a report of something else over a paragraph used before: a near miss."""
    tries = (room.recalled(language) for _ in range(TRIES))
    kept = next((kept for kept in tries if kept is not None and kept.report.background), None)
    if kept is None:
        return None
    report = reuse_background(kept.report, room.rng, moment)
    truth = Truth("background", room.story(language), kept.issue.key)
    return room.report(truth, room.press.source(language), moment, report).planted
