"""The kinds of items by the names of their rates: each is a function that plants one."""

from collections.abc import Callable, Mapping
from datetime import datetime

from newsdedup.synthetic import copies, fresh
from newsdedup.synthetic.newsroom import Newsroom
from newsdedup.synthetic.planted import Planted

Plant = Callable[[Newsroom, str, datetime], Planted | None]
"""Plants an item of a language at a moment, or nothing if there is nothing to make it of."""

PLANTS: Mapping[str, Plant] = {
    "reprint": copies.copied("reprint"),
    "retitled": copies.copied("retitled"),
    "cut": copies.copied("cut"),
    "rewrite": copies.copied("rewrite"),
    "copied_short": copies.copied_short,
    "late_original": copies.late_original,
    "edit": copies.edit,
    "redelivery": copies.redelivery,
    "update": copies.update,
    "moved_edit": copies.moved_edit,
    "background": copies.background,
    "short": fresh.short,
    "digest": fresh.digest,
    "template": fresh.template,
    "score": fresh.score,
}
