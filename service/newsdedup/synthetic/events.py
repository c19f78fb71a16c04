"""The facts of one event: drawn once, and changed when the story goes on."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from random import Random

from newsdedup.synthetic.chance import log_uniform, pick
from newsdedup.synthetic.lexicon import Lexicon
from newsdedup.synthetic.named import Body
from newsdedup.synthetic.numerals import Amount, CountedThings
from newsdedup.synthetic.phrasing import Wordings

EventFacts = Mapping[str, object]
"""Values by the names the templates use."""
Maker = Callable[[Random, datetime], object]
"""Draws one fact of an event of that moment."""
PhrasePool = tuple[tuple[Wordings, ...], ...]
"""Facts in words that are as likely, each in its variants."""

_LETTERS = "ABCDEFGHKLMNPRSTVWXZ"


def fact_makers(
    lexicon: Lexicon,
    bodies: tuple[Body, ...],
    slots: Mapping[str, str],
    pools: Mapping[str, PhrasePool],
) -> Mapping[str, Maker]:
    """Return how each fact is drawn; every event has a place, a day and someone to ask."""
    always = {
        "city": "city", "region": "region", "voice": "person", "day": "day", "clock": "clock",
    }  # fmt: skip
    table: dict[str, Maker] = {
        name: fact_maker(lexicon, *kind.split()) for name, kind in {**always, **slots}.items()
    }
    table["body"] = lambda rng, _: pick(rng, bodies)
    for name, pool in pools.items():
        table[name] = _one_of(pool)
    return table


def _one_of(pool: PhrasePool) -> Maker:
    def one(rng: Random, _: datetime) -> Wordings:
        ways = pool[int(rng.random() * len(pool))]
        return ways[int(rng.random() * len(ways))] if len(ways) > 1 else ways[0]

    return one


def fact_maker(lexicon: Lexicon, kind: str, *limits: str) -> Maker:
    """Return how a fact of a kind is drawn, its number within limits."""
    if limits:
        return _numbers(lexicon, kind, int(limits[0]), int(limits[1]))
    if kind == "day":
        return lambda _, moment: lexicon.day(moment)
    if kind == "clock":
        return _clock
    if kind == "code":
        return lambda rng, _: (
            f"{pick(rng, _LETTERS)}{pick(rng, _LETTERS)}-{log_uniform(rng, 10, 10_000)}"
        )
    if kind == "docket":
        return lambda rng, _: f"{1 + int(rng.random() * 40)}-{log_uniform(rng, 100, 90_000)}"
    draw: Callable[[Random], object] = getattr(lexicon, kind)
    return lambda rng, _: draw(rng)


def _clock(rng: Random, moment: datetime) -> str:
    """Return a time of the same day, not later than the report of it."""
    hour, minute = divmod(int(rng.random() * (60 * moment.hour + moment.minute + 1)), 60)
    return f"{hour}:{minute:02}"


def _numbers(lexicon: Lexicon, kind: str, low: int, high: int) -> Maker:
    numerals, money, percent = lexicon.numerals, lexicon.money, lexicon.percent
    if kind == "digit":
        return lambda rng, _: str(low + int(rng.random() * (high - low + 1)))
    if kind == "count":
        return lambda rng, _: CountedThings(
            plural_number(log_uniform(rng, low, high + 1)), numerals
        )
    units = {"money": money, "percent": percent}[kind]
    return lambda rng, _: Amount(fractional_tenths(log_uniform(rng, 10 * low, 10 * high)), units)


def draw_facts(
    facts: dict[str, object],
    table: Mapping[str, Maker],
    needs: Iterable[str],
    rng: Random,
    moment: datetime,
) -> None:
    """Add the facts some sentence needs; those already known stay as they are."""
    for name in needs:
        if name not in facts:
            facts[name] = table[name](rng, moment)


def move_numbers(
    moves: Iterable[tuple[str, str]], facts: EventFacts, rng: Random
) -> dict[str, object]:
    """Return the facts of the same event later: the numbers that can move are others."""
    later = dict(facts)
    for name, mode in moves:
        share = 0.15 + 0.6 * rng.random()
        if mode == "shift" and rng.random() < 0.5:
            share = -share / 2
        value = facts.get(name)
        if isinstance(value, Amount):
            later[name] = value._replace(tenths=_other(value, share))
        elif isinstance(value, CountedThings):
            n = value.n if mode == "step" else int(value.n * (1 + share))
            n = plural_number(n + 1)
            # A small number that hardly shrinks is the same again: it grows instead.
            later[name] = value._replace(n=n if n != value.n else plural_number(value.n + 1))
    return later


def _other(amount: Amount, share: float) -> int:
    """Return the tenths of an amount moved by a share, never those it has now."""
    now, most = amount.tenths, amount.units.most
    tenths = min(fractional_tenths(int(now * (1 + share)) + 1), most)
    if tenths != now:
        return tenths
    return fractional_tenths(now + 1 if now < most else now // 2)


def plural_number(n: int) -> int:
    """Return the nearest number from n on that goes with a plural in all our languages."""
    return n + 1 if n % 10 == 1 and n % 100 != 11 else n


def fractional_tenths(tenths: int) -> int:
    """Return a nearby amount above one whose decimal is not 0."""
    return max(11, tenths if tenths % 10 else tenths + 3)
