"""The facts of a synthetic event: drawn at random once, and changed as its story develops."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from random import Random

from newsdedup.synthetic.chance import log_uniform, pick
from newsdedup.synthetic.lexicon import Lexicon
from newsdedup.synthetic.named import Body
from newsdedup.synthetic.numerals import Amount, CountedThings
from newsdedup.synthetic.phrasing import Wordings

EventFacts = Mapping[str, object]
"""The facts of an event by the names that the templates use."""
Maker = Callable[[Random, datetime], object]
"""Draws one fact at random, given the time of the event."""
PhrasePool = tuple[tuple[Wordings, ...], ...]
"""Equally likely facts, each with its alternative wordings."""

_LETTERS = "ABCDEFGHKLMNPRSTVWXZ"


def fact_makers(
    lexicon: Lexicon,
    bodies: tuple[Body, ...],
    slots: Mapping[str, str],
    pools: Mapping[str, PhrasePool],
) -> Mapping[str, Maker]:
    """Return by name the function that draws each fact of an event.

    `slots` gives the kind of a fact with its limits: "count 3 40". Every event also has a place, a
    time, a person to quote, and as fact "body" one of the authorities `bodies`. A fact of `pools`
    is one of its phrases.
    """
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
    """Return a function that draws a fact of the pool, and one of the wordings of that fact."""

    def one(rng: Random, _: datetime) -> Wordings:
        ways = pool[int(rng.random() * len(pool))]
        return ways[int(rng.random() * len(ways))] if len(ways) > 1 else ways[0]

    return one


def fact_maker(lexicon: Lexicon, kind: str, *limits: str) -> Maker:
    """Return the function that draws facts of a kind: "day", "money", a method of the lexicon.

    With two `limits`, the least and the largest number as text, the kind is "digit", "count",
    "money" or "percent", else KeyError; without them, a kind that the lexicon lacks raises
    AttributeError.
    """
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
    """Return a random time of day as H:MM, not later than the moment of the report."""
    hour, minute = divmod(int(rng.random() * (60 * moment.hour + moment.minute + 1)), 60)
    return f"{hour}:{minute:02}"


def _numbers(lexicon: Lexicon, kind: str, low: int, high: int) -> Maker:
    """Return the function that draws numbers from `low` to about `high`.

    The kind is "digit" (text), "count" (CountedThings), "money" or "percent" (Amount), else
    KeyError.
    """
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
    """Draw the facts named by `needs` with the makers of `table`, and add them to `facts`.

    A fact that `facts` already has stays as it is.
    """
    for name in needs:
        if name not in facts:
            facts[name] = table[name](rng, moment)


def move_numbers(
    moves: Iterable[tuple[str, str]], facts: EventFacts, rng: Random
) -> dict[str, object]:
    """Return a copy of the facts in which the numbers named by `moves` have changed.

    `moves` are pairs of a name and a mode. A count with the mode "step" grows by one or two. Any
    other number grows by 15 to 75 %; with the mode "shift" it shrinks by half that share in half of
    the cases. Facts that are neither amounts nor counts stay.
    """
    later = dict(facts)
    for name, mode in moves:
        share = 0.15 + 0.6 * rng.random()
        if mode == "shift" and rng.random() < 0.5:
            share = -share / 2
        value = facts.get(name)
        if isinstance(value, Amount):
            later[name] = value._replace(tenths=_changed_tenths(value, share))
        elif isinstance(value, CountedThings):
            n = value.n if mode == "step" else int(value.n * (1 + share))
            n = plural_number(n + 1)
            # A small number that hardly shrinks is the same again: it grows instead.
            later[name] = value._replace(n=n if n != value.n else plural_number(value.n + 1))
    return later


def _changed_tenths(amount: Amount, share: float) -> int:
    """Return the tenths of an amount changed by a share, at most its maximum, never the same."""
    now, most = amount.tenths, amount.units.most
    tenths = min(fractional_tenths(int(now * (1 + share)) + 1), most)
    if tenths != now:
        return tenths
    return fractional_tenths(now + 1 if now < most else now // 2)


def plural_number(n: int) -> int:
    """Return n, or n + 1 where Slavic grammar has the singular: after 1, 21, 31, but not 11."""
    return n + 1 if n % 10 == 1 and n % 100 != 11 else n


def fractional_tenths(tenths: int) -> int:
    """Return the tenths, raised where needed to at least 11 and to a last digit other than 0."""
    return max(11, tenths if tenths % 10 else tenths + 3)
