"""Where the text around "2-1" and "24:22" speaks of a contest."""

import re

_contest = re.compile(
    r"сч[её]т|матч|гол[ыао]?\b|забил|выигр|побед|проигр|рахун|перемог|програ|зіграл|сыгра|тайм|ничь"
    r"|ниць|\bsets?\b|score|\bbeat|\bwin|\bwon\b|\bdraw|defeat|victor|\blead|\blost\b|\bgoal|match"
)
_NEAR = 60
"""Characters around "2-1" in which a contest must be spoken of."""
_score_said = re.compile(r"(?:сч[её]т|рахун|scor)\w{0,6}(?: (?:was|is|был|був|стал))?[ :-]{1,3}\Z")
_side = re.compile(r"[1-9][0-9]?:[1-9][0-9]\Z")
"""What may be a time and a score: "20:25", but not "9:05"."""
_ended = re.compile(
    r"(?:обыгра|выигра|победи|переигра|разгроми|одоле|проигра|уступи|обігра|вигра|перемог|переміг"
    r"|розгроми|програ|поступи|здола|\bbeat|\bwon\b|\blost\b|\bdefeat)(?P<said>[^.\n;]*+)\Z"
)
_begun = re.compile(r"начал|начн|старт|почат|почн|время|результат|start|kick|begin|time")
_when = (
    *(" в ", " во ", " о ", " у ", " к ", " ко ", " с ", " со ", " до ", " по ", " за ", " на "),
    *(" at ", " by ", " in ", " from ", " to ", " till ", " of ", " with ", "-"),
)
_hour = re.compile(r" ?(?:мск|час|ч\b|год|по |утра|вечера|дня|ранку|вечора|gmt|utc|[ap]\.?m\b)")
_parts = re.compile(r"\(([0-9]{1,3}:[0-9]{1,3}(?:[,;]? ?[0-9]{1,3}:[0-9]{1,3})*)\)")
_LONGEST_PARTS = 40
_no_time = re.compile(r"(?:2[4-9]|[3-9][0-9]|[0-9]{3}):|:(?:[6-9][0-9]|[0-9](?![0-9])|[0-9]{3})")
_whole = re.compile(r"(?<![0-9:])[0-9]{1,3}:[0-9]{1,3} \Z")


def contest_near(lower: str, start: int, end: int) -> bool:
    """Return whether what stands around a literal speaks of a contest."""
    return _contest.search(lower, max(0, start - _NEAR), end + _NEAR) is not None


def is_score(lower: str, literal: str, start: int) -> bool:
    """Return whether what looks like a time of day is a score.

    It is right behind that word, behind a verb that says who won, or in brackets among the sets of
    a match: "(25:20, 20:25, 25:19)".
    """
    if _score_said.search(lower, max(0, start - _NEAR), start):
        return True
    if not _side.match(literal):
        return False
    return _among_sets(lower, start) or _behind_a_win(lower, start, start + len(literal))


def _behind_a_win(lower: str, start: int, end: int) -> bool:
    if _hour.match(lower, end) or lower.endswith(_when, 0, start):
        return False
    ended = _ended.search(lower, max(0, start - _NEAR), start)
    return ended is not None and not _begun.search(ended["said"])


def _among_sets(lower: str, start: int) -> bool:
    opened = lower.rfind("(", max(0, start - _LONGEST_PARTS), start)
    parts = _parts.match(lower, opened) if opened >= 0 else None
    if parts is None or parts.end() < start:
        return False
    whole = _whole.search(lower, max(0, opened - 8), opened)
    return _no_time.search(parts[1]) is not None or (
        whole is not None and _no_time.search(whole[0]) is not None
    )
