"""Changed news through the whole engine, pair by pair (scripts/fuzz --engine).

Each pair is analyzed, packed, compared by every rule, explained and published (pair_checks.py); any
exception is a defect, as is a pair that takes seconds of the processor. The pair is made smaller
while it shows the same defect, and written to a folder as two lines that `newsdedup run` reads. The
same seed makes the same pairs of the same items.
"""

import argparse
import json
import random
import signal
import sys
import time
import traceback
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from laws.changed_items import changed_pair, invented_items, read_items
from laws.pair_checks import check_pair, check_stream, line_of, machinery

MOST_SECONDS = 10.0
"""Of the processor, for all checks of a pair of at most 24,000 characters each."""
_THOROUGH = 8
"""Of so many pairs one is explained and published by every rule, the others by two."""
_STREAM = 60
"""Of so many pairs one is judged in a stream, behind as many items."""
_SMALLER = 150
"""Trials to make a pair smaller."""
_MOMENTS = (
    *[datetime(2026, month, day, hour, 50, tzinfo=UTC)
      for month, day, hour in ((11, 1, 12), (10, 31, 23), (11, 3, 0), (12, 31, 23), (3, 1, 2))],
    datetime(2024, 2, 29, 12, tzinfo=UTC),
    datetime(2023, 3, 1, tzinfo=UTC),
    datetime(1600, 1, 1, tzinfo=UTC),
    datetime(1800, 1, 1, tzinfo=UTC),
    datetime(2100, 12, 31, 23, 59, tzinfo=UTC),
)  # fmt: skip
_MINUTES = (0, 0, 1, 30, 60, 600, 1_440, 4_320, 4_321, 10_080, 600_000)
_SOURCES = ("a", "a", "b", "zoned", "рога", "")
_LANGUAGES = ("", "", "", "ru", "uk", "en", "de", "xx-" + "y" * 30)


class TooSlow(Exception):
    """Raised into a pair that takes more than MOST_SECONDS of the processor."""


def lines_of(pair, draw):
    """Return a pair of items as lines of JSON, with sources, times and languages drawn."""
    begin, lines = draw.choice(_MOMENTS), []
    for name, (title, text) in zip("12", pair, strict=True):
        fields = {"lang": draw.choice(_LANGUAGES)}
        if draw.random() < 0.1:
            fields["published_at"] = None
        minutes = draw.choice(_MINUTES) if name == "2" else 0
        lines.append(
            line_of(title, text, name=name, source=draw.choice(_SOURCES), minutes=minutes,
                    begin=begin, **fields)
        )  # fmt: skip
    return lines


def defect_of(lines, *, thorough):
    """Return what is wrong with a pair, the error and where it was raised; None if nothing is."""
    try:
        check_pair(*lines, thorough=thorough)
    except Exception as error:  # noqa: BLE001 - whatever the engine raises is a defect
        return describe(error)
    return None


def describe(error):
    """Return an error as one line: its kind and the last line of the code that raised it."""
    if isinstance(error, TooSlow):
        return f"TooSlow: {error}"
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno} {last.line}"


def make_smaller(lines, defect, *, thorough):
    """Return a pair with less text that shows the same defect."""
    best, trials = list(lines), 0
    size = 1 << 12
    while size and trials < _SMALLER:
        smaller = False
        for index in (0, 1):
            for field in ("text", "title"):
                begin = 0
                while trials < _SMALLER:
                    item = json.loads(best[index])
                    words = item[field].split(" ")
                    if begin >= len(words) or not item[field]:
                        break
                    item[field] = " ".join(words[:begin] + words[begin + size :])
                    candidate = list(best)
                    candidate[index] = json.dumps(item).encode()
                    trials += 1
                    if defect_of(candidate, thorough=thorough) == defect:
                        best, smaller = candidate, True
                    else:
                        begin += size
        size = size if smaller and size < 1 << 3 else size // 2
    return best


def fuzz(*, seed, seconds=float("inf"), most=float("inf"), folder=None, items=None, report=print):
    """Check changed pairs for some time or up to a number; return stats of them.

    With a folder each pair takes MOST_SECONDS at most, and the first of those that show a defect
    are written there; without one the first defect is raised.
    """
    items = items or invented_items()
    draw = random.Random(seed)  # noqa: S311  # the same seed must make the same pairs
    relations, defects, slowest = Counter(), Counter(), 0.0
    machinery()
    ends, number, stream = time.monotonic() + seconds, 0, []
    while time.monotonic() < ends and number < most:
        number += 1
        lines = lines_of(changed_pair(items, draw), draw)
        thorough = number % _THOROUGH == 0
        stream = [*stream[-_STREAM:], *lines]
        streams = number % _STREAM == 0
        began = time.process_time()
        try:
            if folder is not None:
                signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
            relations[check_pair(*lines, thorough=thorough)] += 1
            if streams:
                lines = stream
                check_stream(lines)
        except (Exception, TooSlow) as error:
            if folder is None:
                raise
            signal.setitimer(signal.ITIMER_PROF, 0)
            defect = describe(error)
            defects[defect] += 1
            if defects[defect] <= 3:
                pair = lines is not stream and not isinstance(error, TooSlow)
                smaller = make_smaller(lines, defect, thorough=thorough) if pair else lines
                path = folder / f"fuzz-engine-{seed}-{number}.jsonl"
                path.write_bytes(b"\n".join(smaller) + b"\n")
                report(f"{path}: {defect}: {str(error)[:300]}")
        finally:
            if folder is not None:
                signal.setitimer(signal.ITIMER_PROF, 0)
        slowest = max(slowest, time.process_time() - began)
    return {
        "pairs": number,
        "items": len(items),
        "relations": dict(relations.most_common()),
        "defects": sum(defects.values()),
        "kinds_of_defects": len(defects),
        "slowest_seconds": round(slowest, 3),
    }


def stop_slow(*_):
    raise TooSlow(f"more than {MOST_SECONDS} s of the processor")


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/fuzz --engine",
        description="Check changed pairs of news by the whole engine for some minutes.",
        epilog="examples: scripts/fuzz --engine --minutes 10; scripts/fuzz --engine --items FILE",
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="how long")
    parser.add_argument("--seed", type=int, default=None, help="of the changes; the time if none")
    parser.add_argument("--folder", type=Path, default=Path(), help="where bad pairs go")
    parser.add_argument(
        "--items", type=Path, help="news to change, in JSON lines; a synthetic stream if none"
    )
    chosen = parser.parse_args()
    seed = chosen.seed if chosen.seed is not None else int(time.time())
    items = None if chosen.items is None else read_items(chosen.items)
    signal.signal(signal.SIGPROF, stop_slow)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    found = fuzz(seed=seed, seconds=60 * chosen.minutes, folder=chosen.folder, items=items)
    sys.stdout.write(json.dumps({"seed": seed, "minutes": chosen.minutes, **found}) + "\n")
    return 1 if found["defects"] else 0


if __name__ == "__main__":
    sys.exit(main())
