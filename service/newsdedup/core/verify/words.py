"""What the features say, in words: for a reader of the verdict, not for one of the formula."""

from newsdedup.core.rules import Contribution

SAID = {
    "numbers": ("their figures agree", "many of their figures have no counterpart"),
    "number_count": ("they share several figures", "they share hardly any figures"),
    "conflicts": ("no figure contradicts another", "they give different figures for one thing"),
    "opening": ("they begin with the same figures", "one begins with a figure the other lacks"),
    "opening_both": (
        "neither begins with a figure of its own",
        "each begins with a figure the other lacks",
    ),
    "dates": ("they speak of the same day", "they begin with different days"),
    "names": ("neither names anybody of its own", "each names what the other does not"),
    "subject": (
        "neither puts something else into the same phrases",
        "they say the same of something else",
    ),
    "freshness": (
        "what they share is new to their sources",
        "what they share is what their sources say again and again",
    ),
    "lead": ("one holds the other's beginning", "they begin with other words"),
    "signature": ("they share what is weightiest", "one lacks what is weightiest in the other"),
    "head": ("their first sentences say the same", "their first sentences differ"),
    "mass": ("they share much", "they share little"),
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

TELLING = 0.25
"""Log-odds below which a feature says nothing worth a line."""


def worded(contributions: tuple[Contribution, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what speaks for one message and what speaks against it, the strongest first."""
    telling = [each for each in contributions if abs(each.logit) >= TELLING]
    return (
        tuple([_line(each, 0) for each in telling if each.logit > 0]),
        tuple([_line(each, 1) for each in telling if each.logit < 0]),
    )


def _line(each: Contribution, side: int) -> str:
    return f"{SAID[each.feature][side]} ({each.feature} {each.value:.2f}: {each.logit:+.2f})"
