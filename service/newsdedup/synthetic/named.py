"""People, places and authorities as sentences use them: each value knows its forms.

A template asks for a form by attribute or by format: `{who.gen}`, `{city.at}`,
`{who:said/said}` (by gender). Named tuples, since every item needs a dozen of them.
"""

from typing import NamedTuple

_VOWELS = "аеиіоуєїюяэaeiou"


class Person(NamedTuple):
    """A first and a last name with the cases nom, gen, dat, acc, ins."""

    first: tuple[str, ...]
    stem: str
    endings: tuple[str, ...]
    female: bool

    def __str__(self) -> str:
        """Return the full name in the nominative."""
        return f"{self.first[0]} {self.stem}{self.endings[0]}"

    def __format__(self, spec: str) -> str:
        """Return the full name, or the form of `male/female` that fits."""
        return spec.split("/")[self.female] if spec else str(self)

    def _case(self, case: int) -> str:
        return f"{self.first[case]} {self.stem}{self.endings[case]}"

    @property
    def gen(self) -> str:
        """Return the genitive."""
        return self._case(1)

    @property
    def dat(self) -> str:
        """Return the dative."""
        return self._case(2)

    @property
    def acc(self) -> str:
        """Return the accusative."""
        return self._case(3)

    @property
    def ins(self) -> str:
        """Return the instrumental."""
        return self._case(4)

    @property
    def last(self) -> str:
        """Return the last name alone."""
        return self.stem + self.endings[0]

    @property
    def short(self) -> str:
        """Return the initial and the last name."""
        return f"{self.first[0][0]}. {self.stem}{self.endings[0]}"

    @property
    def last_gen(self) -> str:
        """Return the genitive of the last name alone."""
        return self.stem + self.endings[1]

    @property
    def last_dat(self) -> str:
        """Return the dative of the last name alone."""
        return self.stem + self.endings[2]

    @property
    def last_ins(self) -> str:
        """Return the instrumental of the last name alone."""
        return self.stem + self.endings[4]


def preposition_for(name: str, prepositions: tuple[str, str]) -> str:
    """Return the preposition that fits the first letter of a name."""
    return prepositions[name[0].lower() in _VOWELS]


class Town(NamedTuple):
    """A town or a village with the cases nom, gen, acc, ins, loc."""

    stem: str
    endings: tuple[str, ...]
    prepositions: tuple[str, str]
    """What stands before a consonant and before a vowel in "at"."""

    def __str__(self) -> str:
        """Return the nominative."""
        return self.stem + self.endings[0]

    @property
    def gen(self) -> str:
        """Return the genitive."""
        return self.stem + self.endings[1]

    @property
    def acc(self) -> str:
        """Return the accusative."""
        return self.stem + self.endings[2]

    @property
    def ins(self) -> str:
        """Return the instrumental."""
        return self.stem + self.endings[3]

    @property
    def loc(self) -> str:
        """Return the locative, without its preposition."""
        return self.stem + self.endings[4]

    @property
    def adj(self) -> str:
        """Return the stem of the adjective, in lower case."""
        return (self.stem + self.endings[5]).lower()

    @property
    def at(self) -> str:
        """Return the preposition and the locative, as in "in Dover": where things happen."""
        loc = self.loc
        return f"{preposition_for(loc, self.prepositions)} {loc}"


class Thing(NamedTuple):
    """A device or a material with the cases nom, gen, ins; things are masculine and lifeless."""

    stem: str
    endings: tuple[str, ...]

    def __str__(self) -> str:
        """Return the nominative, which is the accusative too."""
        return self.stem + self.endings[0]

    @property
    def gen(self) -> str:
        """Return the genitive."""
        return self.stem + self.endings[1]

    @property
    def ins(self) -> str:
        """Return the instrumental."""
        return self.stem + self.endings[2]


class Body(NamedTuple):
    """An authority: the locative and the genitive of its name."""

    loc: str
    gen: str
    preposition: str

    def __str__(self) -> str:
        """Return the name, for languages without cases."""
        return self.loc

    @property
    def at(self) -> str:
        """Return where news is said: the preposition and the locative."""
        return f"{self.preposition} {self.loc}"


class Team(NamedTuple):
    """A club and the town it comes from."""

    name: str
    home: Town

    def __str__(self) -> str:
        """Return the name of the club."""
        return self.name


class Day(NamedTuple):
    """The day of an event: its date, and when in the week it was."""

    date: str
    week: str

    def __str__(self) -> str:
        """Return the date without the year."""
        return self.date
