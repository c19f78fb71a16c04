"""What a language can name: people, places, firms, works, clubs, days and amounts."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from random import Random
from typing import NamedTuple

from newsdedup.synthetic.chance import pick, zipf
from newsdedup.synthetic.named import Body, Day, Person, Team, Thing, Town, preposition_for
from newsdedup.synthetic.numerals import Numerals, Units

RANK_STRIDE = 1_000_003
"""A prime no list's length divides: neighbours in rank share no part of their names."""

ZIPF_SHIFT = 300
"""How flat the top of the list is: the news names few people twice."""


class NameList(NamedTuple):
    """Common stems, and the two halves of which all other names are composed."""

    common: tuple[str, ...]
    heads: tuple[str, ...]
    tails: tuple[str, ...]
    variants: int
    """How many paradigms, patterns or the like a stem can be followed by."""
    composed: int
    """How many names the halves give."""
    ratio: float
    """What Zipf's law makes of the size of the list: 1 + size / SHIFT."""

    def draw(self, rng: Random) -> tuple[str, int]:
        """Return a random stem and the number of its variant, those of low rank more often."""
        # chance.zipf with its power taken apart, and `at` at length: a report draws ten names.
        common, heads, tails, variants, composed, ratio = self
        rank = int(ZIPF_SHIFT * ratio ** rng.random()) - ZIPF_SHIFT
        left = rank - len(common)
        if left < 0:
            return common[rank], rank % variants
        left, variant = divmod(left * RANK_STRIDE % composed, variants)
        head, tail = divmod(left, len(tails))
        return heads[head] + tails[tail], variant

    def at(self, rank: int) -> tuple[str, int]:
        """Return the stem and the variant of a rank: common stems first, then composed ones."""
        left = rank - len(self.common)
        if left < 0:
            return self.common[rank], rank % self.variants
        left, variant = divmod(left * RANK_STRIDE % self.composed, self.variants)
        head, tail = divmod(left, len(self.tails))
        return self.heads[head] + self.tails[tail], variant


def compose_names(
    common: Iterable[str], columns: list[list[str]], variants: int, *, capital: bool = False
) -> NameList:
    """Return a list of the common names and of all combinations of one part from each column.

    `variants` is the number of paradigms or patterns of each stem; `capital` is for proper names.
    """
    known = tuple(map(_capital, common) if capital else common)
    heads = tuple(map("".join, product(*columns[:-1])))
    heads = tuple(map(_capital, heads)) if capital else heads
    composed = variants * len(heads) * len(columns[-1])
    return NameList(
        common=known,
        heads=heads,
        tails=tuple(columns[-1]),
        variants=variants,
        composed=composed,
        ratio=1 + (len(known) + composed) / ZIPF_SHIFT,
    )


def _capital(stem: str) -> str:
    """Return the stem with a capital, each part of it if it is compound."""
    return stem.title() if "-" in stem or " " in stem else stem.capitalize()


Forms = tuple[str, ...]

_REGIONS = 1_000
"""Regions are few, whatever the number of villages."""

_KNOWN_CITIES = 0.35
"""Share of events in the towns everybody knows."""

_FAMOUS = 30
"""How flat the top of the list of first names is."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The names of one language, and how they are inflected."""

    language: str
    prepositions: tuple[str, str]
    months: Forms
    weekdays: Forms
    date: str
    numerals: Numerals
    percent: Units
    money: Units
    firsts: tuple[tuple[Forms, bool], ...]
    """Forms, and whether they are a woman's; common names first."""
    surnames: NameList
    surname_endings: tuple[tuple[Forms, Forms], ...]
    cities: tuple[Town, ...]
    villages: NameList
    village_endings: tuple[Forms, ...]
    region_pattern: str
    street_patterns: Forms
    firms: NameList
    firm_patterns: Forms
    things: NameList
    thing_endings: tuple[Forms, ...]
    agencies: NameList
    brands: NameList
    medicines: NameList
    adjectives: Forms
    nouns: tuple[tuple[str, str], ...]
    """Nouns with the ending of the adjective before them."""
    work_patterns: Forms
    teams: Forms
    team_pattern: str

    def person(self, rng: Random) -> Person:
        """Return a random person, more often one with common names."""
        first, female = self.firsts[zipf(rng, len(self.firsts), _FAMOUS)]
        stem, paradigm = self.surnames.draw(rng)
        endings = self.surname_endings[paradigm][female]
        return Person(first, stem, endings, female)

    def man(self, rng: Random) -> Person:
        """Return a random man, for men's football."""
        somebody = self.person(rng)
        while somebody.female:
            somebody = self.person(rng)
        return somebody

    def city(self, rng: Random) -> Town:
        """Return a random town: one that is often in the news, or else any village."""
        if rng.random() < _KNOWN_CITIES:
            return self.cities[zipf(rng, len(self.cities))]
        return self.village(rng)

    def village(self, rng: Random) -> Town:
        """Return a random place that few have heard of."""
        stem, paradigm = self.villages.draw(rng)
        return Town(stem, self.village_endings[paradigm], self.prepositions)

    def region(self, rng: Random) -> str:
        """Return a random region; in Russian and Ukrainian the stem of its adjective."""
        stem, paradigm = self.villages.at(zipf(rng, _REGIONS))
        return self.region_pattern.format(stem + self.village_endings[paradigm][5])

    def street(self, rng: Random) -> str:
        """Return a street named after a random person, in one form for all cases."""
        return pick(rng, self.street_patterns).format(who=self.person(rng))

    def firm(self, rng: Random) -> str:
        """Return the name of a random firm."""
        stem, variant = self.firms.draw(rng)
        return self.firm_patterns[variant].format(stem)

    def thing(self, rng: Random) -> Thing:
        """Return a random device or material."""
        stem, paradigm = self.things.draw(rng)
        return Thing(stem, self.thing_endings[paradigm])

    def agency(self, rng: Random) -> str:
        """Return the initials of a random authority or institute."""
        return self.agencies.draw(rng)[0]

    def brand(self, rng: Random) -> str:
        """Return a random make, in Latin letters in every language."""
        return self.brands.draw(rng)[0]

    def medicine(self, rng: Random) -> Thing:
        """Return a random medicine."""
        return Thing(self.medicines.draw(rng)[0], self.thing_endings[0])

    def work(self, rng: Random) -> str:
        """Return a random title of a play, a film or an exhibition."""
        ending, noun = pick(rng, self.nouns)
        adjective = pick(rng, self.adjectives) + ending
        return pick(rng, self.work_patterns).format(
            adj=adjective.capitalize(), noun=noun, Noun=noun.capitalize(), who=self.person(rng)
        )

    def team(self, rng: Random) -> Team:
        """Return a random club that plays at home."""
        return self._club(rng, self.teams[::2])

    def guest(self, rng: Random) -> Team:
        """Return a random club that plays away; its name is never one that `team` gives."""
        return self._club(rng, self.teams[1::2])

    def _club(self, rng: Random, names: Forms) -> Team:
        """Return a club with one of the names, of a random town."""
        home = self.city(rng)
        return Team(self.team_pattern.format(pick(rng, names), home=home), home)

    def day(self, moment: datetime) -> Day:
        """Return the day of a moment as reports write it: date without year, and weekday."""
        date = self.date.format(day=moment.day, month=self.months[moment.month - 1])
        return Day(date, self.weekdays[moment.weekday()])

    def body(self, text: str) -> Body:
        """Parse an authority that is written LOCATIVE|GENITIVE, or as one form for both."""
        loc, _, gen = text.partition("|")
        return Body(loc, gen or loc, preposition_for(loc, self.prepositions))
