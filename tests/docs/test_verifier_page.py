import re

import pytest

from core.verify.viewing import seen_as
from docs.pages import page
from newsdedup.core.matching.verify.features import AGAINST, Features, compare_views

SECTIONS = re.compile(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(
    r"```text\nA: (?P<left>[^\n]*)\nB: (?P<right>[^\n]*)\n(?:uses: (?P<uses>\d)\n)?```\n"
    r".*\*\*(?P<value>[0-9.]+)\*\*",
    re.DOTALL,
)
EXPLAINED = dict(SECTIONS.findall(page("verifier.md")))


def test_every_feature_is_explained_in_its_order():
    assert tuple(EXPLAINED) == Features._fields


@pytest.mark.parametrize("name", EXPLAINED)
def test_a_feature_is_what_was_worked_out_by_hand(name: str) -> None:
    example = EXAMPLE.search(EXPLAINED[name])
    assert example is not None
    uses = int(example["uses"] or 0)
    later = seen_as(example["right"], lambda _: uses)
    found = compare_views(seen_as(example["left"]), later).features
    assert getattr(found, name) == pytest.approx(float(example["value"]), abs=0.0006)


@pytest.mark.parametrize("name", EXPLAINED)
def test_a_feature_that_speaks_against_a_copy_says_so(name: str) -> None:
    assert ("*Against.*" in EXPLAINED[name]) == (name in AGAINST)
