"""What is in a background table, for a person in lines and for a program as JSON."""

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsdedup.core.words.background import Background

MOST_FREQUENT = 10
NO_WORDS = "none, so descr_words cannot be enabled: they need words of 5 documents and more"


def background_figures(table: "Background") -> dict[str, object]:
    """Return the figures of a table."""
    return {
        "version": table.version,
        "made_with": table.made_with,
        "documents": {lang: count.documents for lang, count in sorted(table.counts.items())},
        "words": {lang: count.words for lang, count in sorted(table.counts.items())},
        "lemmas": {lang: len(count.lemmas) for lang, count in sorted(table.counts.items())},
        "pivots": {"words": len(table.pivots.thresholds), "version": table.pivots.version},
        "most_frequent": most_frequent(table),
    }


def most_frequent(table: "Background") -> dict[str, dict[str, int]]:
    """Return the lemmas of most documents in each language, with the number of documents."""
    return {
        lang: {
            lemma: df
            for lemma, (df, _) in sorted(
                count.lemmas.items(), key=lambda held: (-held[1][0], held[0])
            )[:MOST_FREQUENT]
        }
        for lang, count in sorted(table.counts.items())
    }


def background_lines(table: "Background", *, size: int) -> list[str]:
    """Return the figures of a table as lines."""
    lines = [f"version    {table.version}", f"made with  {table.made_with}"]
    for lang, count in sorted(table.counts.items()):
        told = f"{count.documents:,} documents, {len(count.lemmas):,} lemmas, {count.words:,} words"
        lines.append(f"{lang:9}  {told}")
    pivots = len(table.pivots.thresholds)
    told = f"{pivots:,} words, version {table.pivots.version}" if pivots else NO_WORDS
    return [*lines, f"pivots     {told}", f"size       {size:,} bytes"]


def left_out_reasons(left_out: Counter[str]) -> str:
    """Return how many records could not be items, as part of a message."""
    codes = ", ".join(f"{n:,} {code}" for code, n in sorted(left_out.items()))
    return f"; {left_out.total():,} records cannot be items ({codes})" if codes else ""


def usage_advice(to: str, left_out: Counter[str]) -> list[str]:
    """Return what to do with a table that was written."""
    reasons = left_out_reasons(left_out).removeprefix("; ")
    lines = [reasons] if reasons else []
    return [
        *lines,
        f"written to {to}; to use it, put into newsdedup.toml:",
        "",
        "[words]",
        f'background = "{to}"',
    ]
