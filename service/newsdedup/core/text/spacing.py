"""White space and the marks around lines."""

import re

_bullet = re.compile(r"\A(?:[-*+|>•·‣∙]++ |>++)++")
_wordless = re.compile(r"[\W_]++\Z")


def tidy_lines(text: str) -> str:
    """Return the text with paragraphs as lines: single spaces, no bullets, words in every line."""
    text = text.replace("\t", " ")
    while "  " in text:  # each round halves every run, and text without runs pays one look
        text = text.replace("  ", " ")
    lines = []
    for line in text.split("\n"):
        if line and line[0].isalnum():
            lines.append(line.rstrip(" "))
        elif line and (words := _unbulleted(line)):
            lines.append(words)
    return "\n".join(lines)


def _unbulleted(line: str) -> str:
    line = _bullet.sub("", line.strip(" "))
    return "" if _wordless.match(line) else line
