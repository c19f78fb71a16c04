"""Items made of an earlier one: copies of its story, and near misses of it."""

from datetime import datetime, timedelta

from newsdedup.synthetic.chance import pick
from newsdedup.synthetic.fresh import publish_report
from newsdedup.synthetic.newsroom import Newsroom, Published
from newsdedup.synthetic.noise import NOISES
from newsdedup.synthetic.planted import PlantedItem, PlantedKind, PlantedTruth
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

_COPIED_COPIES = 0.2
"""Share of copies that may be copied themselves."""
_NOISES_OF_REPRINTS = (0, 0, 1, 1, 2)
"""How many kinds of noise a reprint gathers."""
_TRIES = 10
"""How often a report with a paragraph of background is looked for."""
_COPIES_OF_LATE: tuple[PlantedKind, ...] = ("reprint", "reprint", "retitled", "cut", "rewrite")
_MINUTES_LATE = (6, 240)
"""How long a late original stays away."""


def plant_copy(
    kind: PlantedKind, room: Newsroom, language: str, moment: datetime
) -> PlantedItem | None:
    """Make a copy of a random recent report of the language; None while there are too few reports.

    The kind is "reprint", "retitled", "cut" or "rewrite"; a report that is too short to be cut is
    reprinted. One copy in five is archived, so that it may be copied itself.
    """
    earlier = room.recall(language)
    if earlier is None:
        return None
    copy = _copy(room, kind, earlier, moment)
    if room.rng.random() < _COPIED_COPIES:
        return room.archive(copy, language)
    return copy.planted


def _copy(room: Newsroom, kind: PlantedKind, earlier: Published, moment: datetime) -> Published:
    """Publish a copy of an earlier report, in its story, from another source.

    Noise is added to all kinds but rewrites. If the report is too short to be cut, or for any other
    kind, the copy is a reprint of the text.
    """
    report, rng = earlier.report, room.rng
    if kind == "retitled":
        report = retitle(report, rng)
    elif kind == "cut":
        report = cut_short(report, rng)
        kind = kind if report is not earlier.report else "reprint"
    elif kind == "rewrite":
        report = rewrite(report, rng)
    source = room.press.draw_source(earlier.issue.source.language, other_than=earlier.issue.source)
    truth = PlantedTruth(kind, earlier.planted.truth.story, earlier.issue.key)
    copy = room.publish(truth, source, moment, report, after=earlier.issue.published)
    for _ in range(pick(rng, _NOISES_OF_REPRINTS) if kind != "rewrite" else 0):
        copy.planted.item["text"] = pick(rng, NOISES)(str(copy.planted.item["text"]), rng)
    return copy


def plant_copied_short(room: Newsroom, language: str, moment: datetime) -> PlantedItem | None:
    """Make a reprint of a recent headline-only item by another source; None while there is none."""
    if not room.shorts[language]:
        return None
    return _copy(room, "reprint", pick(room.rng, room.shorts[language]), moment).planted


def plant_late_original(room: Newsroom, language: str, moment: datetime) -> PlantedItem:
    """Make a copy that arrives at `moment`, and hold its original back for 6 to 240 minutes more.

    The original was published from two minutes to about half an hour before `moment`. In half of
    the cases a second copy is held back too, and arrives between the two. None of them is archived,
    so they are not copied again.
    """
    rng = room.rng
    early = moment - timedelta(minutes=2 + rng.random() * 30)
    original = publish_report(room, language, early, "late_original")
    low, high = _MINUTES_LATE
    due = moment + timedelta(minutes=low + (high - low) * rng.random() ** 2)
    room.held.hold(original.planted, due)
    if rng.random() < 0.5:
        between = moment + (due - moment) * rng.random()
        room.held.hold(_copy(room, pick(rng, _COPIES_OF_LATE), original, between).planted, between)
    return _copy(room, pick(rng, _COPIES_OF_LATE), original, moment).planted


def plant_edit(room: Newsroom, language: str, moment: datetime) -> PlantedItem | None:
    """Make a new version of an earlier item, of the same story: it adds the correction of a slip.

    Return None while there are too few reports.
    """
    earlier = room.recall(language)
    if earlier is None:
        return None
    truth = PlantedTruth("edit", earlier.planted.truth.story, earlier.issue.key)
    return room.publish_version(truth, earlier, add_correction(earlier.report, room.rng), moment)


def plant_moved_edit(room: Newsroom, language: str, moment: datetime) -> PlantedItem | None:
    """Make a new version of an earlier item with other numbers: same id, but a new story.

    Return None while there are too few reports, or if the drawn one shows no number to change.
    """
    earlier = room.recall(language)
    if earlier is None or not has_visible_moves(earlier.report):
        return None
    truth = PlantedTruth("moved_edit", room.new_story(language), earlier.issue.key)
    return room.publish_version(truth, earlier, change_numbers(earlier.report, room.rng), moment)


def plant_redelivery(room: Newsroom, language: str, _: datetime) -> PlantedItem | None:
    """Repeat an earlier item unchanged, as feeds may do; None while there are too few reports."""
    earlier = room.recall(language)
    if earlier is None:
        return None
    truth = PlantedTruth("redelivery", earlier.planted.truth.story, earlier.issue.key)
    return PlantedItem(dict(earlier.planted.item), truth)


def plant_update(room: Newsroom, language: str, moment: datetime) -> PlantedItem | None:
    """Make a later report, with other numbers, of an event reported before: a story of its own.

    In half of the cases it comes from the same source. It is archived; None with too few reports.
    """
    earlier = room.recall(language)
    if earlier is None:
        return None
    report = follow_up(earlier.report, room.rng, moment)
    again = room.rng.random() < 0.5
    source = earlier.issue.source if again else room.press.draw_source(language)
    truth = PlantedTruth("update", room.new_story(language), earlier.issue.key)
    later = room.publish(truth, source, moment, report, after=earlier.issue.published)
    return room.archive(later, language)


def plant_shared_background(room: Newsroom, language: str, moment: datetime) -> PlantedItem | None:
    """Make a report of another event that ends with the background paragraph of an earlier report.

    Its story is its own (a near miss). Return None if ten draws find no report with background.
    """
    tries = (room.recall(language) for _ in range(_TRIES))
    earlier = next((one for one in tries if one is not None and one.report.background), None)
    if earlier is None:
        return None
    report = reuse_background(earlier.report, room.rng, moment)
    truth = PlantedTruth("background", room.new_story(language), earlier.issue.key)
    return room.publish(truth, room.press.draw_source(language), moment, report).planted
