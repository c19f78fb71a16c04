"""How often each kind is planted, and how long reports are."""

from dataclasses import dataclass, fields
from random import Random

from newsdedup.synthetic.report import Length


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares of the stream; what is left are originals.

    About 8 % of the items tell a story again that was told before: the 6 % with an earlier
    near-duplicate that tests/synthetic measured on real streams, and rewrites on top.
    """

    reprint: float = 0.024
    retitled: float = 0.010
    cut: float = 0.010
    rewrite: float = 0.016
    copied_short: float = 0.006
    late_original: float = 0.006
    edit: float = 0.003
    redelivery: float = 0.004
    update: float = 0.022
    moved_edit: float = 0.002
    background: float = 0.030
    short: float = 0.070
    digest: float = 0.008
    template: float = 0.030
    score: float = 0.004

    def cumulative(self) -> tuple[tuple[float, str], ...]:
        """Return the kinds with the sums of the shares up to each."""
        total, sums = 0.0, []
        for field in fields(self):
            total += getattr(self, field.name)
            sums.append((total, field.name))
        return tuple(sums)


DEFAULT = Rates()
DEMO = Rates(
    reprint=0.06,
    retitled=0.03,
    cut=0.04,
    rewrite=0.06,
    copied_short=0.015,
    late_original=0.03,
    edit=0.025,
    redelivery=0.025,
    update=0.05,
    moved_edit=0.03,
    background=0.05,
    short=0.04,
    digest=0.025,
    template=0.04,
    score=0.015,
)
"""Shares for a small stream to look at: each kind is there several times."""


def length(rng: Random, *, site: bool) -> Length:
    """Return how long a report of a site or of a channel is."""
    chance = rng.random
    if site:
        return Length(
            facts=1 + int(chance() * 4),
            quotes=int(chance() * 3),
            particulars=2 + int(chance() * 3),
            remarks=int(chance() * 5),
            backgrounds=int(chance() * 2.6),
        )
    return Length(
        facts=int(chance() * 2.0),
        quotes=int(chance() * 1.3),
        particulars=int(chance() * 1.2 + 0.9),
        remarks=int(chance() * 1.4),
        backgrounds=int(chance() * 1.06),
    )
