"""Dictionaries, tables and models that are read once for all that runs in a process.

Nothing changes them. This comes before anything that imports them by name.
"""

from collections.abc import Mapping
from functools import cache

import pymorphy3

from newsdedup.adapters.words import package_data
from newsdedup.core.words import vocabulary
from newsdedup.core.words.background import Background
from newsdedup.core.words.vocabulary import Folding

pymorphy3.MorphAnalyzer = cache(pymorphy3.MorphAnalyzer)
package_data.shipped_background = cache(package_data.shipped_background)

_shipped: list[Folding] = []


def folding(background: Background, counterparts: Mapping[str, str]) -> Folding:
    """Return the shipped folding, which sorts its tables at the first word, or another one."""
    own = Folding(background, counterparts)
    if background is not package_data.shipped_background():
        return own
    if not _shipped or _shipped[0].version != own.version:
        _shipped[:] = [own]
    return _shipped[0]


vocabulary.Folding = folding
