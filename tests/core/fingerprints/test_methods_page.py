import re
from pathlib import Path

from newsdedup.core.fingerprints.catalogue import METHODS, load_methods

PAGE = (Path(__file__).parents[3] / "docs" / "methods.md").read_text("utf-8")
ROWS = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", PAGE, re.MULTILINE))


def test_the_page_lists_methods_of_the_catalogue_once_each() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert len(rows) == len(set(rows))
    assert set(rows) <= set(METHODS)


def test_thresholds_and_exactness_are_those_of_the_methods() -> None:
    written = {"0.5: 6 of 12": 0.5, "above 0.8": 0.8, "1": 1.0}
    tables = PAGE.partition("## Several checksums")[2]
    for name, method in load_methods(ROWS).items():
        if f"| `{name}` |" not in tables:
            assert method.threshold == 1.0
            assert method.exact
            continue
        cells = ROWS[name].split(" | ")
        said = cells[3]
        share = written.get(said)
        if share is None:
            whole, _, part = said.partition("/")
            share = float(whole) / float(part or 1)
        assert abs(method.threshold - share) < 1e-9, name
        if len(cells) == 6:
            assert (cells[5] == "yes") == method.exact
