"""What a run found, for a person in one line and for a program as JSON."""

from collections.abc import Mapping


def run_figures(
    counts: Mapping[str, int], *, to: str, dead: str, seconds: float
) -> dict[str, object]:
    """Return the figures of a run."""
    judged = counts.get("item.judged", 0)
    duplicates = counts.get("duplicate", 0)
    return {
        "lines": counts.get("lines", 0),
        "judged": judged,
        "originals": counts.get("original", 0),
        "duplicates": duplicates,
        "duplicate_share": round(duplicates / judged, 4) if judged else 0.0,
        "repeated": counts.get("repeated", 0),
        "corrected": counts.get("verdict.corrected", 0),
        "retracted": counts.get("item.retracted", 0),
        "postings_skipped": counts.get("postings_skipped", 0),
        "cut_short": counts.get("cut_short", 0),
        "half_written": counts.get("half_written", 0),
        "dead_letters": counts.get("dead", 0),
        "dead_letters_by_reason": _by(counts, "dead_"),
        "by_relation": _by(counts, "relation_"),
        "by_language": _by(counts, "lang_"),
        "to": to,
        "dead_letters_file": dead,
        "seconds": round(seconds, 3),
        "items_per_second": round(judged / seconds, 1) if seconds else 0.0,
    }


def _by(counts: Mapping[str, int], prefix: str) -> dict[str, int]:
    return {
        name.removeprefix(prefix): counts[name]
        for name in sorted(counts)
        if name.startswith(prefix)
    }


def run_sentence(told: Mapping[str, object]) -> str:
    """Return the figures of a run as one or two lines."""
    share = float(str(told["duplicate_share"]))
    line = (
        f"{told['judged']:,} items: {told['originals']:,} originals, "
        f"{told['duplicates']:,} duplicates ({share:.1%})"
    )
    extras = [
        f"{told[name]:,} {words}"
        for name, words in (
            ("corrected", "corrected"),
            ("retracted", "retracted"),
            ("repeated", "delivered again"),
            ("postings_skipped", "posting lists too long to read"),
            ("cut_short", "placed unjudged: a cascade reached its bound"),
        )
        if told[name]
    ]
    if extras:
        line += "; " + ", ".join(extras)
    line += f"; {told['items_per_second']:,.0f} items/s"
    if told["half_written"]:
        line += (
            f"\nHalf-written last lines of inputs, left for the next run: {told['half_written']:,}"
        )
    if told["dead_letters"]:
        line += (
            f"\n{told['dead_letters']:,} bad records are in {told['dead_letters_file']}: "
            f"see `newsdedup dlq ls {told['dead_letters_file']}`"
        )
    return line
