"""Which of the texts of an entry is its text: the longest that is no mere teaser.

Length is that of the visible text. A teaser has less than 600 visible characters and ends as the
table `feeds.teaser_endings` says ("…", "read more", "читать далее"). Teasers count only where an
entry has nothing else. Of equally long texts the first one counts.
"""

from collections.abc import Iterable

from newsdedup.data.lang import words
from newsdedup.feeder.parsing.html_text import visible_text

_TEASER_CHARS = 600
_ENDINGS = tuple(sorted(words("feeds.teaser_endings")))


def choose_text(texts: Iterable[str]) -> str:
    """Return the text of an entry from all that it has, the preferred ones first; "" if none."""
    different = [text for text in dict.fromkeys(texts) if text]
    if len(different) < 2:
        return different[0] if different else ""
    first = visible_text(different[0])
    if not is_teaser(first) and all(len(text) <= len(first) for text in different[1:]):
        return different[0]
    shown = {text: visible_text(text) for text in different}
    return max(different, key=lambda text: (not is_teaser(shown[text]), len(shown[text])))


def is_teaser(visible: str) -> bool:
    """Return whether a visible text only invites to read the whole elsewhere."""
    return len(visible) < _TEASER_CHARS and visible.lower().endswith(_ENDINGS)
