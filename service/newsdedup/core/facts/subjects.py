"""What a number counts where no unit stands behind it: people, a noun, the row of a table."""

from newsdedup.core.facts.around import Around
from newsdedup.core.facts.roles import role
from newsdedup.core.facts.stems import stem
from newsdedup.core.facts.units import adjective, noun

_NO_LABELS = frozenset(
    (
        *("в", "во", "у", "с", "со", "з", "із", "до", "к", "по", "на", "за"),
        *("от", "від", "о", "об", "и", "а", "і", "та"),
        *("почти", "майже", "около", "близько", "более", "понад", "свыше"),
    )
)
"""Words with which a line may begin that label no row of a table."""


def subject(around: Around, word: str, unit: str) -> str:
    """Return the unit, or what the words around say of people and of what has none.

    `word` is the one behind the number and its scale.
    """
    if unit not in ("person", ""):
        return unit
    # "100 пожарных и 31 машина": the adjective is the noun.
    return role(around) or unit or (noun(word) if adjective(word) else "") or _row(around)


def _row(around: Around) -> str:
    """Return what the word before the number says is counted, as in "Brent - 73", or ""."""
    word = around.label
    # The first word of a line is the label of a row: "Net 1,234,567".
    said = around.before.rstrip(" :-.")
    before = said[: len(said) - len(word)]
    first = before.endswith("\n") or (not before and around.numeral.start == len(around.before))
    return stem(word) if first and word not in _NO_LABELS else noun(word)
