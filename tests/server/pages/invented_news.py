"""Invented news, hostile items among them."""

from datetime import datetime, timedelta

from newsdedup.synthetic.stream import demo_stream

BRIDGE = (
    "The bridge over the river Velna in Marstad reopened on Monday after a repair that took 14 "
    "months and cost 32 million crowns, mayor Ida Holm said."
)
REPRINTERS = ("Mirror of the Day", "Зеркало дня")
HOSTILE = (
    {
        "source": "<script>alert(1)</script>",
        "id": "1",
        "url": "javascript:alert(1)",
        "title": "<script>alert(2)</script><img src=x onerror=alert(3)> Bridge reopens",
        "text": f"{BRIDGE} <iframe src='http://evil.example/'></iframe>",
        "links": ["javascript:alert(4)", "http://fine.example/a", "data:text/html,<script>5"],
    },
    {
        "source": "../..",
        "id": "a/../b?x=1&y=2#z.json",
        "url": 'https://evil.example/"><script>alert(6)</script>',
        "title": 'Bridge reopens "><svg onload=alert(7)>',
        "text": f"{BRIDGE.replace('14', '15')} {{{{ 7 * 7 }}}} {{% raw %}}",
    },
    {
        "source": "\u202eelpmaxe.live",
        "id": "3",
        "title": "\u202eThe title runs backwards \u2066 and is never closed \x1b[31m",
        "text": "\u202eTwelve ferries left the harbour of Lunin on Tuesday, the mayor said.",
    },
    {
        "source": "w" * 400,
        "id": "4",
        "title": "W" * 9_000,
        "text": "x" * 990_000 + " the harbour of Lunin has 12 ferries",
        "links": ["http://long.example/" + "a" * 1_800],
    },
)
"""What nobody sane publishes; every text of it must be shown harmlessly."""


EDITED: list[dict[str, object]] = [
    {
        "source": "Lunin Post",
        "id": "edited",
        "published_at": "2026-11-03T19:00:00Z",
        "updated_at": f"2026-11-03T19:{at}:00Z",
        "title": title,
        "text": f"The museum of Lunin opens on Friday. {text} The old one stood on the square.",
    }
    for at, title, text in (
        ("10", "Museum opens", "It has twelve rooms."),
        ("30", "Museum opens on Friday", "It has fourteen rooms."),
        ("20", "Museum opens", "It has thirteen rooms."),
        ("40", "Museum opens on Friday", "It has fourteen rooms and a garden."),
    )
]
"""An item and its edits, one of which comes late."""


def invented_items() -> list[dict[str, object]]:
    """Return the demonstration's stream with the hostile items behind it.

    Who reports a story first names where it is from; who repeats it names nothing, the two
    reprinters least of all.
    """
    hostile = [
        {**item, "published_at": f"2026-11-03T20:0{at}:00Z"} for at, item in enumerate(HOSTILE)
    ]
    news, stories = [], set()
    for planted in demo_stream():
        first = planted.truth.story not in stories
        stories.add(planted.truth.story)
        links = [f"https://agency.example/{at}" for at in range(3)] if first else []
        news.append({**planted.item, "links": links})
    first_reports = [item for item in news if item["links"]]
    for number, name in enumerate(REPRINTERS):
        news += [_reprint(item, name, number) for item in first_reports[number :: 9 + number]]
    return news + EDITED + hostile


def _reprint(item: dict[str, object], name: str, number: int) -> dict[str, object]:
    """Return an item as a reprinter has it, 40 minutes later or more."""
    at = datetime.fromisoformat(str(item["published_at"])) + timedelta(minutes=40 + 25 * number)
    return {
        **item,
        "id": f"copy-{item['source']}-{item['id']}",
        "source": name,
        "url": "",
        "links": [],
        "published_at": at.isoformat(),
    }
