"""How a stream is measured: the same code measured the real streams and measures the made one."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

POSTINGS = 400
"""Texts remembered of each 3-gram: what stands in more of them tells nothing."""

_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")


def words(item: Mapping[str, object]) -> list[str]:
    """Return the lower-case forms of title and text; a title that opens the text counts once."""
    title, text = str(item["title"]), str(item["text"])
    whole = text if text.startswith(title) else f"{title} {text}"
    return _WORD.findall(whole.lower())


def quantile(values: Iterable[int], share: float) -> int:
    """Return the value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[int(share * (len(ordered) - 1))]


@dataclass(frozen=True, slots=True)
class Growth:
    """Running words and distinct forms after so many items."""

    running: int
    distinct: int


def growth(texts: Sequence[Sequence[str]], after: Sequence[int]) -> list[Growth]:
    """Return how the vocabulary grew."""
    forms: set[str] = set()
    running, found = 0, []
    for number, text in enumerate(texts, start=1):
        forms.update(text)
        running += len(text)
        if number in after:
            found.append(Growth(running, len(forms)))
    return found


def heaps_exponent(early: Growth, late: Growth) -> float:
    """Return b of Heaps' law, forms = k * words ** b, between two points."""
    return log(late.distinct / early.distinct) / log(late.running / early.running)


def nearest(texts: Iterable[Sequence[str]]) -> list[float]:
    """Return for each text the largest Jaccard index of word 3-grams with an earlier one."""
    seen: dict[tuple[str, ...], list[int]] = {}
    sizes: list[int] = []
    best = []
    for number, text in enumerate(texts):
        grams = {tuple(text[at : at + 3]) for at in range(len(text) - 2)} or {tuple(text)}
        shared: Counter[int] = Counter()
        for gram in grams:
            postings = seen.setdefault(gram, [])
            if len(postings) < POSTINGS:
                shared.update(postings)
                postings.append(number)
        best.append(
            max((n / (len(grams) + sizes[other] - n) for other, n in shared.items()), default=0.0)
        )
        sizes.append(len(grams))
    return best


def short_share(texts: Sequence[Sequence[str]]) -> float:
    """Return the share of texts with fewer than 12 words of four characters or more."""
    return sum(sum(len(word) > 3 for word in text) < 12 for text in texts) / len(texts)
