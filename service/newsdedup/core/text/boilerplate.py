"""What surrounds the news: datelines before it, invitations and credits among and after it."""

import re

from newsdedup.core.text.datelines import is_byline, strip_datelines
from newsdedup.core.text.tails import (
    LONGEST_TAIL,
    invites,
    leads_to_call,
    names_and_calls,
    opens_as_sale,
    sells,
)

_any_letter = re.compile(r"[^\W_]")


def without_boilerplate(text: str) -> str:
    """Return the text without dateline, credits and invitations; all of the text if only they are.

    Rules are static, so that a text always cleans to the same text. They take whole lines, last
    sentences and the frame before the first one, never words out of a sentence.
    """
    return strip_boilerplate(text) or text


def strip_boilerplate(text: str) -> str:
    """Return what the text tells, without boilerplate; it may be nothing."""
    lines: list[str] = []
    for line in text.split("\n"):
        if not lines:
            line = strip_datelines(line)  # noqa: PLW2901 - the same line without its frame
            if is_byline(line):
                continue
        if line and not sells(line):
            lines.append(line)
    while lines and (kept := _uninvited(lines[-1])) != lines[-1]:
        lines[-1:] = [kept] if kept and not sells(kept) else []
    return "\n".join(lines)


def _uninvited(line: str) -> str:
    """Return the line without the sentences at its end that sell or call to a channel."""
    end = len(line)
    while end:
        # A slice of bounded length: a long line made of invitations is read once.
        tail = line[max(0, end - LONGEST_TAIL) : end]
        stop = max(tail.rfind(". ", 0, -1), tail.rfind("! ", 0, -1), tail.rfind("? ", 0, -1))
        if stop < 0 and end > LONGEST_TAIL:
            break
        last = tail[stop + 2 :] if stop >= 0 else tail
        if end == len(line):
            if end <= LONGEST_TAIL and names_and_calls(line):
                return ""
            if not (opens_as_sale(last) or invites(last)):
                return line
        elif not (opens_as_sale(last) or invites(last) or leads_to_call(last)):
            break
        end -= len(last) + (stop >= 0)
    return line[:end] if _any_letter.search(line, 0, end) else ""
