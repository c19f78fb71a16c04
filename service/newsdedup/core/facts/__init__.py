from newsdedup.core.facts.codes import frozen, packed, unpacked
from newsdedup.core.facts.comparison import Comparison, compare
from newsdedup.core.facts.fact import Fact, Kind
from newsdedup.core.facts.found import said_facts
from newsdedup.core.facts.moves import Moved, moved, unit_names
from newsdedup.core.facts.named import names
from newsdedup.core.facts.named_days import NamedDays, named_days
from newsdedup.core.facts.told import Told, told
from newsdedup.core.facts.written import canonical, numbers, said_numbers, signed_numbers

__all__ = [
    "Comparison",
    "Fact",
    "Kind",
    "Moved",
    "NamedDays",
    "Told",
    "canonical",
    "compare",
    "frozen",
    "moved",
    "named_days",
    "names",
    "numbers",
    "packed",
    "said_facts",
    "said_numbers",
    "signed_numbers",
    "told",
    "unit_names",
    "unpacked",
]
