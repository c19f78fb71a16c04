"""Invented news, hostile items among them."""

from newsdedup.synthetic.stream import demo_stream

BRIDGE = (
    "The bridge over the river Velna in Marstad reopened on Monday after a repair that took 14 "
    "months and cost 32 million crowns, mayor Ida Holm said."
)
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


def invented_items() -> list[dict[str, object]]:
    """Return the demonstration's stream with the hostile items behind it."""
    hostile = [
        {**item, "published_at": f"2026-11-03T20:0{at}:00Z"} for at, item in enumerate(HOSTILE)
    ]
    return [planted.item for planted in demo_stream()] + hostile
