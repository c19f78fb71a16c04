"""Changed files of the corpus, read by the whole path from bytes to records (scripts/fuzz).

Any error but FeedUnusable is a defect, as is a record that the codec of items refuses, an answer
that is out of all proportion to its body, and one that takes seconds of the processor. A body that
shows one is written to a folder. The same seed makes the same bodies.
"""

import argparse
import json
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

from feeder.parsing.feed_bodies import RECEIVED
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.feeder.parsing.canonical_urls import canonical_url
from newsdedup.feeder.parsing.feed import parse_feed
from newsdedup.feeder.parsing.feed_items import feed_items
from newsdedup.feeder.parsing.parsed_feed import BOUNDS, FeedUnusable

CORPUS = Path(__file__).parents[1] / "corpus"
MOST_BYTES = 100_000
MOST_SECONDS = 2.0
GROWTH = 200
"""Characters of an answer for each byte of its body: what a feed says of itself is in all items."""
HEADERS = [None, "", "text/xml", "text/xml; charset=windows-1251", 'a/b; charset="koi8-r', "é" * 50]
ADDRESSES = ["https://visti.example/feeds/news.xml", "http://[::1]/", "https://a.example/?x=//b"]
PIECES = [
    piece.encode()
    for piece in (
        *("<", ">", "</", "/>", "&", ";", "'", '"', "=", "]]>", "<![CDATA[", "<!--", "-->", "<?"),
        *("<item>", "</item>", "<entry>", "<title>", "</title>", "<link>", "<guid>", "<pubDate>"),
        *("<url><loc>", "<feed>", "<channel>", "<rss>", "<description>", "<content type='xhtml'>"),
        *("<source url='//[1'>", "<media:group>", "<at:deleted-entry ref='' when='1'/>", "<br>"),
        *("&amp;", "&lt;", "&nbsp;", "&#0;", "&#xD800;", "&#99999999;", "&a;", "&amp;amp;amp;"),
        *(
            "<!DOCTYPE rss [",
            "<!ENTITY a 'b'>",
            "<!ENTITY % a SYSTEM 'b'>",
            "]>",
            "xmlns='",
            "xmlns:",
        ),
        *(
            " xml:base='http://[1/'",
            " xml:base='//a.example/../b/'",
            " xml:lang='" + "x" * 300 + "'",
        ),
        *(
            "https://",
            "http://[",
            "//",
            "javascript:",
            "#!",
            "?utm_source=",
            "%",
            "\u2028",
            "\ufeff",
        ),
        *(
            "99999999999999999999",
            "-1",
            "0",
            "2026-02-30",
            "24:00:00",
            "+99:99",
            " 31 лютого 2026 ",
        ),
        *("{", "}", "[", "]", ",", ":", "null", "1e999", '"items":[', '"\\ud800"', '"id":', "\\"),
        *('encoding="utf-16"', 'encoding="koi8-u"', 'encoding="gb18030"', "<?xml version='1.0'?>"),
        *("<a href='", "<a href=x ", "(a@b)", "a@b.example (", "міст", "ї", "\U0001f309"),
    )
] + [b"\0", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xd0", b"\xc0\x80", b"\x1b$B", b"\xed\xa0\x80"]


def corpus_bodies():
    """Return the bodies of the corpus, in the order of their names."""
    paths = sorted(path for path in CORPUS.glob("*/*") if not path.name.endswith("expected.json"))
    return [path.read_bytes() for path in paths]


def change(body, others, draw):
    """Return a body with one change."""
    at, to = sorted((draw.randint(0, len(body)), draw.randint(0, len(body))))
    to = min(to, at + draw.choice([1, 5, 50, 500]))
    match draw.randrange(8):
        case 0:
            return body[:at] + bytes([draw.randrange(256)]) + body[at + 1 :]
        case 1:
            return body[:at] + body[to:]
        case 2:
            times = draw.choice([2, 3, 10, 1000])
            return body[:at] + body[at:to] * times + body[to:]
        case 3:
            other = draw.choice(others)
            begin = draw.randint(0, len(other))
            return body[:at] + other[begin : begin + draw.choice([10, 100, 2000])] + body[to:]
        case 4:
            return body[:at] if draw.random() < 0.3 else body[:at] + body[to:] + body[at:to]
        case _:
            piece = draw.choice(PIECES)
            return body[:at] + piece * draw.choice([1, 1, 1, 2, 500]) + body[at:]


def make_body(bodies, draw):
    """Return a body of the corpus with some changes, at most MOST_BYTES long."""
    body = draw.choice(bodies)
    for _ in range(draw.choice([1, 2, 4, 8, 16])):
        body = change(body, bodies, draw)
    return body[:MOST_BYTES]


def read(body, *, content_type, address):
    """Return how a body was read: a format, or "refused"; raise AssertionError for a defect."""
    try:
        feed = parse_feed(body, content_type=content_type, address=address, received_at=RECEIVED)
    except FeedUnusable as error:
        return "refused" if len(str(error)) < 1_000 else str(error)
    assert len(feed.entries) + len(feed.deleted) <= BOUNDS.entries
    assert len(feed.problems) < 100
    assert all(len(problem) < 1_000 for problem in feed.problems)
    written = [json.dumps(record, ensure_ascii=False).encode() for record in feed_items(feed)]
    assert sum(map(len, written)) <= GROWTH * len(body) + 100_000
    for record in written[:200]:
        item = decode_item(record)
        url = getattr(item, "url", None)
        assert not url or canonical_url("", url) == url
    return feed.format


class TooSlow(Exception):
    """Raised into a body that takes more than MOST_SECONDS of the processor."""


def fuzz(*, seed, seconds=float("inf"), most=float("inf"), folder=None, report=print):
    """Read changed bodies for some time or up to a number; return numbers of them.

    With a folder each body takes MOST_SECONDS at most, and those that show a defect are written
    there; without one the first defect is raised.
    """
    bodies = corpus_bodies()
    draw = random.Random(seed)  # noqa: S311  # the same seed must make the same bodies
    outcomes, defects, slowest = Counter(), Counter(), 0.0
    ends, number = time.monotonic() + seconds, 0
    while time.monotonic() < ends and number < most:
        number += 1
        body = make_body(bodies, draw)
        header, address = draw.choice(HEADERS), draw.choice(ADDRESSES)
        began = time.process_time()
        try:
            if folder is not None:
                signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
            outcomes[read(body, content_type=header, address=address)] += 1
        except (Exception, TooSlow) as error:
            if folder is None:
                raise
            signal.setitimer(signal.ITIMER_PROF, 0)
            where = f"{type(error).__name__}: {str(error)[:200]}"
            defects[where] += 1
            if defects[where] <= 3:
                path = folder / f"fuzz-{seed}-{number}.bin"
                path.write_bytes(body)
                report(f"{path}: {where} (content type {header!r}, address {address})")
        finally:
            if folder is not None:
                signal.setitimer(signal.ITIMER_PROF, 0)
        slowest = max(slowest, time.process_time() - began)
    return {
        "bodies": number,
        "outcomes": dict(outcomes.most_common()),
        "defects": sum(defects.values()),
        "slowest_seconds": round(slowest, 3),
    }


def stop_slow(*_):
    raise TooSlow(f"more than {MOST_SECONDS} s of the processor")


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/fuzz",
        description="Read changed files of the corpus of feeds for some minutes.",
        epilog="examples: scripts/fuzz --minutes 10; scripts/fuzz --minutes 1 --seed 7."
        " News instead of feeds: scripts/fuzz --engine --help",
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="how long")
    parser.add_argument("--seed", type=int, default=None, help="of the changes; the time if none")
    parser.add_argument("--folder", type=Path, default=Path(), help="where bad bodies go")
    chosen = parser.parse_args()
    seed = chosen.seed if chosen.seed is not None else int(time.time())
    signal.signal(signal.SIGPROF, stop_slow)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    stats = fuzz(seed=seed, seconds=60 * chosen.minutes, folder=chosen.folder)
    sys.stdout.write(json.dumps({"seed": seed, "minutes": chosen.minutes, **stats}) + "\n")
    return 1 if stats["defects"] else 0


if __name__ == "__main__":
    sys.exit(main())
