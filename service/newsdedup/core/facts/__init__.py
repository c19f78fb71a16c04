from newsdedup.core.facts.codes import frozen, packed, unpacked
from newsdedup.core.facts.comparison import Comparison, compare, same_day
from newsdedup.core.facts.fact import Fact, Kind
from newsdedup.core.facts.found import said_facts
from newsdedup.core.facts.moves import Moved, moved, unit_names
from newsdedup.core.facts.named import names
from newsdedup.core.facts.told import Told, told
from newsdedup.core.facts.written import canonical, numbers, said_numbers

__all__ = [
    "Comparison",
    "Fact",
    "Kind",
    "Moved",
    "Told",
    "canonical",
    "compare",
    "frozen",
    "moved",
    "names",
    "numbers",
    "packed",
    "said_facts",
    "said_numbers",
    "same_day",
    "told",
    "unit_names",
    "unpacked",
]
