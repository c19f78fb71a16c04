"""A page whose tables are generated, between marks, and whose words are written by hand."""

import re
from collections.abc import Mapping

from newsdedup.ports import SourceUnusable

_block = re.compile(r"(<!-- lab quality: ([^\n]*?) -->\n)(.*?)(<!-- end of \2 -->)", re.DOTALL)


def generated(page: str) -> dict[str, str]:
    """Return what stands between the marks of a page, by the name in the mark."""
    return {found[2]: found[3].strip("\n") for found in _block.finditer(page)}


def filled(page: str, blocks: Mapping[str, str]) -> str:
    """Return the page with these blocks; all else stays as it is.

    Raise SourceUnusable where the page and the blocks do not name the same.
    """
    there = generated(page).keys()
    if there != blocks.keys():
        odd = ", ".join(sorted(there ^ blocks.keys()))
        raise SourceUnusable(f"the page and its generated blocks do not match: {odd}")
    return _block.sub(lambda found: f"{found[1]}\n{blocks[found[2]]}\n\n{found[4]}", page)
