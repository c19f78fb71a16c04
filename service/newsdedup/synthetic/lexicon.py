"""What a language can name: people, places, firms, works, clubs, days and amounts."""

from dataclasses import dataclass, replace
from datetime import datetime
from math import prod
from random import Random
from typing import Any

from newsdedup.synthetic.bundled import bundled
from newsdedup.synthetic.chance import pick, zipf
from newsdedup.synthetic.named import Body, Day, Person, Place, Team, Thing
from newsdedup.synthetic.names import Names
from newsdedup.synthetic.numerals import Numerals, Units

Forms = tuple[str, ...]

REGIONS = 1_000
"""Regions are few, whatever the number of villages."""

KNOWN_CITIES = 0.35
"""Share of events in the towns everybody knows."""

MOST = {"percent": 999, "money": 9_999_999}


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The names of one language, and how they are inflected."""

    language: str
    prepositions: tuple[str, str]
    """What stands before a consonant and before a vowel in "at"."""
    months: Forms
    weekdays: Forms
    date: str
    numerals: Numerals
    percent: Units
    money: Units
    firsts: tuple[tuple[Forms, bool], ...]
    surnames: Names
    surname_endings: tuple[tuple[Forms, Forms], ...]
    cities: tuple[Place, ...]
    villages: Names
    village_endings: tuple[Forms, ...]
    region_pattern: str
    street_patterns: Forms
    firms: Names
    firm_patterns: Forms
    things: Names
    thing_endings: tuple[Forms, ...]
    adjectives: Forms
    nouns: tuple[tuple[str, str], ...]
    """Nouns with the ending of the adjective before them."""
    work_patterns: Forms
    teams: Forms
    team_pattern: str

    def person(self, rng: Random) -> Person:
        """Return somebody."""
        first, female = pick(rng, self.firsts)
        stem, paradigm = self.surnames.draw(rng)
        endings = self.surname_endings[paradigm][female]
        return Person(first, _capital(stem), endings, female)

    def man(self, rng: Random) -> Person:
        """Return a man, for men's football."""
        somebody = self.person(rng)
        while somebody.female:
            somebody = self.person(rng)
        return somebody

    def city(self, rng: Random) -> Place:
        """Return a town: one that is often in the news, or any other."""
        if rng.random() < KNOWN_CITIES:
            return self.cities[zipf(rng, len(self.cities))]
        return self.village(rng)

    def village(self, rng: Random) -> Place:
        """Return a place few have heard of."""
        stem, paradigm = self.villages.draw(rng)
        return self.place(_capital(stem), self.village_endings[paradigm])

    def place(self, stem: str, endings: Forms) -> Place:
        """Return a place with the preposition its name asks for."""
        return Place(stem, endings, self.preposition(stem or endings[4]))

    def preposition(self, following: str) -> str:
        """Return the word for "at" before a name."""
        return self.prepositions[following[0].lower() in "аеиіоуєїюяэaeiou"]

    def region(self, rng: Random) -> str:
        """Return a region; in Russian and Ukrainian the stem of its adjective."""
        stem, paradigm = self.villages.at(zipf(rng, REGIONS))
        return self.region_pattern.format(_capital(stem) + self.village_endings[paradigm][5])

    def street(self, rng: Random) -> str:
        """Return a street named after somebody, in one form for all cases."""
        return pick(rng, self.street_patterns).format(who=self.person(rng))

    def firm(self, rng: Random) -> str:
        """Return a firm."""
        stem, variant = self.firms.draw(rng)
        return self.firm_patterns[variant].format(_capital(stem))

    def thing(self, rng: Random) -> Thing:
        """Return a device or a material."""
        stem, paradigm = self.things.draw(rng)
        return Thing(stem, self.thing_endings[paradigm])

    def work(self, rng: Random) -> str:
        """Return the title of a play, a film or an exhibition."""
        ending, noun = pick(rng, self.nouns)
        adjective = pick(rng, self.adjectives) + ending
        return pick(rng, self.work_patterns).format(
            adj=adjective.capitalize(), noun=noun, Noun=noun.capitalize(), who=self.person(rng)
        )

    def team(self, rng: Random) -> Team:
        """Return a club that plays at home."""
        return self._club(rng, self.teams[::2])

    def guest(self, rng: Random) -> Team:
        """Return a club that plays away; it never has the name of the hosts."""
        return self._club(rng, self.teams[1::2])

    def _club(self, rng: Random, names: Forms) -> Team:
        home = self.city(rng)
        return Team(self.team_pattern.format(pick(rng, names), home=home), home)

    def day(self, moment: datetime) -> Day:
        """Return how reports of the day call it."""
        date = self.date.format(day=moment.day, month=self.months[moment.month - 1])
        return Day(date, self.weekdays[moment.weekday()])

    def body(self, text: str) -> Body:
        """Return an authority from its locative and genitive."""
        loc, _, gen = text.partition("|")
        return Body(loc, gen or loc, self.preposition(loc))


def read_lexicon(language: str) -> Lexicon:
    """Return the bundled lexicon of a language."""
    raw = bundled(language, "lexicon.toml")
    surnames, places, firms = raw["surnames"], raw["places"], raw["firms"]
    things, works = raw["things"], raw["works"]
    lexicon = Lexicon(
        language=language,
        prepositions=(raw["prepositions"][0], raw["prepositions"][1]),
        months=tuple(raw["months"]),
        weekdays=tuple(raw["weekdays"]),
        date=raw["date"],
        numerals=Numerals(tuple(raw["small"]), raw["thousands"]),
        percent=_units(raw["amounts"], "percent"),
        money=_units(raw["amounts"], "money"),
        firsts=tuple(
            (tuple(stem + ending for ending in group["endings"]), group["female"])
            for group in raw["first"]
            for stem in group["stems"]
        ),
        surnames=_names(surnames, len(surnames["endings"])),
        surname_endings=tuple(
            (tuple(pair["male"]), tuple(pair["female"])) for pair in surnames["endings"]
        ),
        cities=(),
        villages=_names(places, len(places["endings"])),
        village_endings=tuple(map(tuple, places["endings"])),
        region_pattern=places["region"],
        street_patterns=tuple(places["streets"]),
        firms=_names(firms, len(firms["patterns"])),
        firm_patterns=tuple(firms["patterns"]),
        things=_names(things, len(things["endings"])),
        thing_endings=tuple(map(tuple, things["endings"])),
        adjectives=tuple(works["adjectives"]),
        nouns=tuple((group[0], noun) for group in works["nouns"] for noun in group[1:]),
        work_patterns=tuple(works["patterns"]),
        teams=tuple(raw["teams"]["names"]),
        team_pattern=raw["teams"]["pattern"],
    )
    cities = tuple(lexicon.place("", tuple(forms.split("|"))) for forms in places["cities"])
    return replace(lexicon, cities=cities)


def _capital(stem: str) -> str:
    return stem.title() if "-" in stem or " " in stem else stem.capitalize()


def _names(raw: dict[str, Any], variants: int) -> Names:
    columns = tuple(tuple(column) for column in raw["columns"])
    composed = variants * prod(len(column) for column in columns)
    return Names(tuple(raw.get("common", ())), columns, variants, composed)


def _units(raw: dict[str, Any], name: str) -> Units:
    short, long, large_short, large_long = raw[name]
    return Units(raw["mark"], short, long, large_short, large_long, raw["over"], MOST[name])
