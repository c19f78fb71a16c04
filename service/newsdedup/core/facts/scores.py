"""Results of contests: which numbers between words are a score, and no time, range or fraction."""

import re

from newsdedup.data.lang import pattern, words

_NEAR = 60
"""Characters around "2-1" that are searched for a word of a contest."""
_contest = re.compile(pattern("contests.near"))
_innings = re.compile(r"([0-9]{1,3})/([0-9]{1,3})\Z")
_cricket = re.compile(pattern("contests.innings"))
_WICKETS = 10
_score_word = re.compile(
    rf"{pattern('contests.score')}(?: {pattern('contests.was')})?[ :-]{{1,3}}\Z"
)
_side = re.compile(r"[1-9][0-9]?:[1-9][0-9]\Z")
"""What may be a time and a score: "20:25", but not "9:05"."""
_ended = re.compile(rf"{pattern('contests.ended')}(?P<rest>[^.\n;]*+)\Z")
_begins = re.compile(pattern("contests.begins"))
_before_time = ("-", *[f" {word} " for word in words("contests.before_time")])
_behind_time = re.compile(rf" ?(?:{pattern('contests.behind_time')}|[ap]\.?m\b)")
_parts = re.compile(r"\(([0-9]{1,3}:[0-9]{1,3}(?:[,;]? ?[0-9]{1,3}:[0-9]{1,3})*)\)")
_no_time = re.compile(r"(?:2[4-9]|[3-9][0-9]|[0-9]{3}):|:(?:[6-9][0-9]|[0-9](?![0-9])|[0-9]{3})")
_whole = re.compile(r"(?<![0-9:])[0-9]{1,3}:[0-9]{1,3} \Z")


def is_near_contest(lower: str, start: int, end: int) -> bool:
    """Return whether a word of a contest is within 60 characters of a literal."""
    return _is_near(_contest, lower, start, end)


def _is_near(word: re.Pattern[str], lower: str, start: int, end: int) -> bool:
    """Return whether a word is within 60 characters of a literal."""
    return word.search(lower, max(0, start - _NEAR), end + _NEAR) is not None


def is_score(lower: str, literal: str, start: int) -> bool:
    """Return whether a literal that looks like a time of day, or as runs and wickets, is a score.

    A time is one if it follows the word "score", or a verb that says who won while no word near it
    says a time, or if it is in brackets among the sets of a match: "(25:20, 20:25, 25:19)". Runs
    and wickets, "147/6" or "3/54", are one near words of cricket.
    """
    if ":" not in literal:
        return "/" in literal and _is_innings(lower, literal, start)
    if _score_word.search(lower, max(0, start - _NEAR), start):
        return True
    if not _side.match(literal):
        return False
    if _among_sets(lower, start):
        return True
    end = start + len(literal)
    if _behind_time.match(lower, end) or lower.endswith(_before_time, 0, start):
        return False
    ended = _ended.search(lower, max(0, start - _NEAR), start)
    return ended is not None and not _begins.search(ended["rest"])


def _among_sets(lower: str, start: int) -> bool:
    """Return whether the literal is in brackets with results of sets, which can be no times."""
    opened = lower.rfind("(", max(0, start - 40), start)
    parts = _parts.match(lower, opened) if opened >= 0 else None
    if parts is None or parts.end() < start:
        return False
    whole = _whole.search(lower, max(0, opened - 8), opened)
    return any(_no_time.search(one) for one in (parts[1], "" if whole is None else whole[0]))


def _is_innings(lower: str, literal: str, start: int) -> bool:
    """Return whether one number may count wickets, 10 at most, and the other, higher, runs."""
    innings = _innings.match(literal)
    if innings is None:
        return False
    fewer, more = sorted(map(int, innings.groups()))
    end = start + len(literal)
    return fewer <= _WICKETS < more and _is_near(_cricket, lower, start, end)
