"""What the features say, in words: for a reader of the verdict, not for one of the formula."""

from collections.abc import Iterable
from typing import NamedTuple

from newsdedup.core.matching.rules import Contribution
from newsdedup.core.matching.verify.features import ViewComparison

SAID = {
    "numbers": ("their figures agree", "many of their figures have no counterpart"),
    "number_count": ("they share several figures", "they share hardly any figures"),
    "conflicts": (
        "no figure contradicts another",
        "their figures or times of day contradict each other",
    ),
    "opening": (
        "neither begins with a figure the other lacks",
        "one begins with a figure the other lacks",
    ),
    "opening_both": (
        "not both begin with a figure the other lacks",
        "each begins with a figure the other lacks",
    ),
    "dates": ("neither begins with another day", "they begin with different days"),
    "names": ("neither names anybody of its own", "each names what the other does not"),
    "subject": (
        "neither puts something else into the same phrases",
        "they say the same of something else",
    ),
    "freshness": (
        "what they share is new to their sources",
        "what they share is what their sources say again and again",
    ),
    "lead": (
        "each tells, names apart, what the other begins with",
        "they begin with what the other does not tell",
    ),
    "signature": ("they share what is weightiest", "one lacks what is weightiest in the other"),
    "head": ("their first sentences say the same", "their first sentences differ"),
    "mass": ("they share much beside names", "they share little beside names"),
    "translated": (
        "one is Russian and one Ukrainian: a translation keeps less",
        "one is Russian and one Ukrainian",
    ),
    "habit": (
        "such pairs often are copies in this stream, by source and time",
        "such pairs seldom are copies in this stream, by source and time",
    ),
}
"""What a feature says when it speaks for a duplicate, and against one, beside the mean pair."""

UNCOUNTED = "neither counts anything"
"""What the features of figures say together where there are none to agree or to differ."""

NOTHING_COUNTED = {"numbers": 1.0, "number_count": 0.0, "conflicts": 0.0}
"""Their values there."""

NO_PHRASE = "they share no phrase"
"""What `freshness` says where nothing is shared that could be fresh."""

MOSTLY = "most of their figures agree"
"""What `numbers` says for a duplicate where some figure has no counterpart."""

TELLING = 0.25
"""Log-odds below which a feature says nothing worth a line."""


class _Line(NamedTuple):
    said: str
    of: tuple[Contribution, ...]

    @property
    def logit(self) -> float:
        return sum(each.logit for each in self.of)


def describe_contributions(
    contributions: Iterable[Contribution], compared: ViewComparison
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what speaks for one message and what speaks against it, the strongest first."""
    lines = _lines([each for each in contributions if abs(each.logit) >= TELLING], compared)
    lines.sort(key=lambda line: -abs(line.logit))
    return (
        tuple([_written(line) for line in lines if line.logit > 0]),
        tuple([_written(line) for line in lines if line.logit <= 0]),
    )


def _lines(telling: list[Contribution], compared: ViewComparison) -> list[_Line]:
    together = tuple([each for each in telling if _uncounted(each, compared)])
    lines = [_Line(_said(each, compared), (each,)) for each in telling if each not in together]
    return [*lines, _Line(UNCOUNTED, together)] if together else lines


def _uncounted(each: Contribution, compared: ViewComparison) -> bool:
    """Return whether a feature is what it is because neither text counts anything."""
    figures = compared.figures
    counted = figures.agreed or figures.left or figures.right
    return not counted and NOTHING_COUNTED.get(each.feature) == each.value


def _said(each: Contribution, compared: ViewComparison) -> str:
    if each.feature == "freshness" and not compared.phrases.shared:
        return NO_PHRASE
    if each.feature == "numbers" and each.value < 1 and each.logit > 0:
        return MOSTLY
    return SAID[each.feature][0 if each.logit > 0 else 1]


def _written(line: _Line) -> str:
    weighed = [f"{each.feature} {each.value:.2f}: {each.logit:+.2f}" for each in line.of]
    return f"{line.said} ({', '.join(weighed)})"
