"""A method as a rule of its own, at its threshold."""

import pytest

from laws.streams import entry
from newsdedup.core.fingerprints.shingles import Megashingles
from newsdedup.core.matching.explanation import give_reasons
from newsdedup.core.matching.rules import MethodRule
from newsdedup.core.model import Fingerprint, Match

MEGASHINGLES = MethodRule(Megashingles(), window=20)


def signed(name: str, groups: list[int]):
    """Return an entry whose six supershingles are these numbers."""
    body = b"".join(number.to_bytes(8, "little") for number in groups)
    return entry(name, [1], at=0)._replace(version=name, sketches=(Fingerprint((1,), body),))


def explained(one, other) -> str:
    """Return the reasons that the rule gives for its answer about two entries."""
    return " ".join(give_reasons(one, other, MEGASHINGLES).why)


@pytest.mark.parametrize(
    ("equal", "said"), [(1, None), (2, Match(0.3333, "rewrite")), (6, Match(1.0, "reprint"))]
)
def test_a_match_at_a_threshold_that_no_decimal_tells_is_found(equal: int, said) -> None:
    # The threshold is 2 of 6, which rounds to less than it is.
    one = signed("a", [1, 2, 3, 4, 5, 6])
    other = signed("b", [1, 2, 3, 4, 5, 6][:equal] + [7, 8, 9, 10, 11, 12][equal:])
    assert MEGASHINGLES.match(one, other) == said


def test_an_entry_that_could_not_be_signed_matches_only_another_such_entry_of_its_text() -> None:
    # Markup may leave one of two equal texts without a first paragraph.
    whole = signed("same", [1, 2, 3, 4, 5, 6])
    bare = whole._replace(sketches=(Fingerprint((), b""),))
    assert MEGASHINGLES.match(bare, bare) == Match(1.0, "reprint")
    assert MEGASHINGLES.match(bare, whole) is MEGASHINGLES.match(whole, bare) is None
    nothing = "megashingles finds nothing to sign"
    assert explained(bare, bare) == f"{nothing}: only the same text matches."
    said = f"{nothing} in one of them: the two cannot match."
    assert explained(bare, whole) == explained(whole, bare) == said
