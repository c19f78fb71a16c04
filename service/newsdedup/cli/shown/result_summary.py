"""What was found in a finished collection, for a person in lines and for a program as JSON."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsdedup.runners.files.result import Result


def summary(result: "Result", files: Mapping[str, Path], *, seconds: float) -> dict[str, object]:
    """Return the figures of a finished collection."""
    counts = result.counts()
    items = len(result.items)
    return {
        "rows": counts["rows"],
        "originals": counts["original"],
        "duplicates": counts["duplicate"],
        "duplicate_share": round(counts["duplicate"] / items, 4) if items else 0.0,
        "stories": counts["stories"],
        "stories_with_copies": counts["copied"],
        "by_relation": _by(counts, "relation_"),
        "by_language": _by(counts, "lang_"),
        "rejected": counts["rejected"],
        "rejected_by_reason": _by(counts, "rejected_"),
        "undated": counts["undated"],
        "repeated_ids": counts["repeated_ids"],
        "files": {name: str(path) for name, path in files.items()},
        "seconds": round(seconds, 3),
        "rows_per_second": round(counts["rows"] / seconds, 1) if seconds else 0.0,
    }


def _by(counts: Counter[str], prefix: str) -> dict[str, int]:
    names = sorted(name for name in counts if name.startswith(prefix))
    return {name.removeprefix(prefix): counts[name] for name in names}


def in_words(result: "Result", files: Mapping[str, Path], *, seconds: float) -> list[str]:
    """Return the figures as lines; what needs a look is told only where it occurs."""
    counts = result.counts()
    share = counts["duplicate"] / (len(result.items) or 1)
    rate = counts["rows"] / seconds if seconds else 0.0
    found = f"{counts['original']:,} originals, {counts['duplicate']:,} duplicates ({share:.1%})"
    stories = f"in {counts['copied']:,} stories"
    lines = [f"{counts['rows']:,} rows: {found} {stories}; {rate:,.0f} rows/s"]
    if counts["rejected"]:
        codes = ", ".join(f"{n:,} {code}" for code, n in _by(counts, "rejected_").items())
        where = f": see {files['rejected']}" if files else ": with --to FOLDER they are listed"
        lines.append(f"{counts['rejected']:,} rows cannot be items ({codes}){where}")
    if counts["repeated_ids"]:
        lines.append(
            f"{counts['repeated_ids']:,} rows repeat the id of a row above: each is judged as an "
            "item of its own"
        )
    if counts["undated"]:
        lines.append(f"{counts['undated']:,} rows have no date: they go by their place in the file")
    lines.extend(f"{name:9}{path}" for name, path in files.items())
    return lines
