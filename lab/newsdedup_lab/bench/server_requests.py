"""The requests that readers of a server make: every page and every answer of the API, mixed."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode

from newsdedup.core.events import ItemRef
from newsdedup.server.pages.links import compare_url, item_url, source_url, story_url

SEARCHES: Final = {
    "ru": ("пожары на складах", "мэр города", "матч", "новые автобусы", "ветер -дождь"),
    "uk": ("нові автобуси", "міст через річку", "область", "пожежа на складі", "матч"),
    "en": ("fires in the city", "mayor", "new buses", "wind and rain", "match"),
}
"""Words of the made-up stream, rare and common ones; those of titles are added to them."""
SAVED_SEARCHES: Final = ("мэр", "автобус", "fires", "область")
"""Saved searches, each for the word that is its name."""
_SAMPLED: Final = 40
"""Stories, items and sources that are asked for: half of them the newest, half older ones."""
_OLDEST_PAGE: Final = 12
Ask = Callable[[str], Any]
"""Returns the decoded JSON of an address."""


@dataclass(frozen=True, slots=True)
class RequestKind:
    """One row of the table: the addresses among which readers choose, and how often they do."""

    name: str
    weight: int
    paths: Sequence[str]
    bodies: Sequence[bytes] = ()
    """Of a POST, instead of different paths."""


class _Sample(NamedTuple):
    """Stories, items, sources and words of an archive that requests name."""

    stories: list[str]
    items: list[Mapping[str, Any]]
    sources: list[str]
    pairs: list[tuple[str, str]]
    """Sources and whom they copied most often."""
    periods: tuple[str, str]
    """The last two days."""
    cursor: str
    words: list[str]
    phrases: list[str]
    """Two words of a title each, in quotes."""


def request_kinds(ask: Ask, *, checks: bool) -> list[RequestKind]:
    """Return the requests that an archive has answers to; POST /v1/check only with `checks`.

    `ask` reads the API. The archive must hold items.
    """
    sample = _sample(ask)
    kinds = [*_pages(sample), *_answers(sample)]
    if checks:
        kinds.append(RequestKind("POST /v1/check", 8, ["/v1/check"], _checked_items(ask, sample)))
    return [kind for kind in kinds if kind.paths]


def _pages(sample: _Sample) -> list[RequestKind]:
    """Return the kinds of requests of pages."""
    keys = [ItemRef(one["source"], one["id"]) for one in sample.items]
    words = [query for each in SEARCHES.values() for query in each]
    misspelt = [
        f"{word[:3]}{word[4:]}" for word in sample.words if len(word) > 5 and word.isalpha()
    ]
    return [
        RequestKind("/", 12, ["/"]),
        RequestKind("/ by newness, speed", 3, ["/?sort=new", "/?sort=speed"]),
        RequestKind("/ second page", 3, [f"/?sort=new&{urlencode({'cursor': sample.cursor})}"]),
        RequestKind("/ of a language", 3, [f"/?lang={lang}" for lang in SEARCHES]),
        RequestKind("/ of a source", 2, _queries("/", "source", sample.sources)),
        RequestKind("/ with a word", 2, _queries("/", "q", sample.words)),
        RequestKind("/items", 3, ["/items", "/items?verdict=original"]),
        RequestKind("/story", 12, list(map(story_url, sample.stories))),
        RequestKind("/item", 9, list(map(item_url, keys))),
        RequestKind("/compare", 3, [compare_url(*pair) for pair in pairwise(keys)]),
        *(
            RequestKind(f"/search {lang}", 3, _queries("/search", "q", words))
            for lang, words in SEARCHES.items()
        ),
        RequestKind("/search of titles", 3, _queries("/search", "q", sample.words)),
        RequestKind("/search by relevance", 2, _queries("/search?sort=relevance", "q", words)),
        RequestKind("/search of phrases", 2, _queries("/search", "q", sample.phrases)),
        RequestKind("/search misspelt", 1, _queries("/search", "q", misspelt)),
        RequestKind("/sources", 3, ["/sources"]),
        RequestKind("/items of a pair", 2, [_items_of_pair(*one) for one in sample.pairs]),
        RequestKind("/source", 3, list(map(source_url, sample.sources))),
        RequestKind("/volumes", 2, ["/volumes?step=day", "/volumes", "/volumes?step=week"]),
        RequestKind("/volumes with a word", 2, _queries("/volumes?step=day", "q", sample.words)),
        RequestKind("/volumes of two sources", 2, [_two_sources(*one) for one in sample.pairs]),
        RequestKind("/volumes of two periods", 1, [_two_periods(*sample.periods)]),
        RequestKind("tables as CSV", 1, ["/now.csv", "/items.csv", "/sources.csv?table=pairs"]),
        RequestKind("/watches", 2, ["/watches"]),
        RequestKind("/watch", 2, _queries("/watch", "name", SAVED_SEARCHES)),
        RequestKind("/digest", 1, ["/digest"]),
        RequestKind("/status", 2, ["/status"]),
        RequestKind("/check", 1, ["/check"]),
    ]


def _answers(sample: _Sample) -> list[RequestKind]:
    """Return the kinds of requests of the API."""
    items = [f"{quote(one['source'], safe='')}/{quote(one['id'], safe='')}" for one in sample.items]
    sources = [f"/v1/sources/{quote(name, safe='')}" for name in sample.sources]
    return [
        RequestKind("/v1/stories", 4, ["/v1/stories", f"/v1/stories?cursor={sample.cursor}"]),
        RequestKind(
            "/v1/stories by rank", 2, [f"/v1/stories?sort={one}" for one in ("size", "speed")]
        ),
        RequestKind("/v1/stories with reprints", 2, ["/v1/stories?relation=reprint"]),
        RequestKind("/v1/stories/{story}", 5, [f"/v1/stories/{one}" for one in sample.stories]),
        RequestKind("/v1/items", 3, ["/v1/items", "/v1/items?verdict=duplicate"]),
        RequestKind("/v1/items/{source}/{id}", 5, [f"/v1/items/{one}" for one in items]),
        *(
            RequestKind(f"/v1/search {lang}", 3, _queries("/v1/search", "q", words))
            for lang, words in SEARCHES.items()
        ),
        RequestKind("/v1/search of titles", 3, _queries("/v1/search", "q", sample.words)),
        RequestKind("/v1/sources", 2, ["/v1/sources"]),
        RequestKind("/v1/sources/{name}", 2, sources),
        RequestKind("/v1/copies", 2, ["/v1/copies", "/v1/copies?most=16"]),
        RequestKind("/v1/volumes", 2, [f"/v1/volumes?step={one}" for one in ("hour", "day")]),
        RequestKind(
            "/v1/volumes of a word", 2, _queries("/v1/volumes?step=day", "q", sample.words)
        ),
        RequestKind("/v1/stats", 2, ["/v1/stats"]),
        RequestKind("/feeds/originals.atom", 2, ["/feeds/originals.atom?lang=uk"]),
        RequestKind("/feeds/originals.json", 1, ["/feeds/originals.json"]),
    ]


def _sample(ask: Ask) -> _Sample:
    """Return stories, items, sources and words of an archive, always the same of the same one."""
    first = ask("/v1/stories?limit=100")
    stories = [one["id"] for one in first["stories"]]
    volumes = ask("/v1/volumes?step=day")["points"]
    pages = [ask("/v1/items?limit=100")]
    for point in volumes[:: max(1, len(volumes) // _OLDEST_PAGE)]:
        older = urlencode({"until": point["start"], "limit": 20})
        pages += [ask(f"/v1/items?{older}")]
    summaries = [summary for page in pages for summary in page["items"]]
    chosen = random.Random(0)  # noqa: S311 - the same requests each time
    items = [*summaries[:20], *chosen.sample(summaries, min(len(summaries), _SAMPLED - 20))]
    stories += [one["story"] for one in items]
    sources = [one["source"] for one in ask("/v1/sources")["sources"]]
    words = [word for summary in summaries for word in summary["title"].split() if len(word) > 4]
    chosen.shuffle(words)
    titles = [summary["title"].split() for summary in summaries]
    chosen.shuffle(titles)
    pairs = ask("/v1/copies?most=16")["strongest"]
    return _Sample(
        stories=chosen.sample(stories, min(len(stories), _SAMPLED)),
        items=items,
        sources=chosen.sample(sources, min(len(sources), _SAMPLED)),
        pairs=[(one["source"], one["original_source"]) for one in pairs],
        periods=(volumes[max(0, len(volumes) - 2)]["start"], volumes[-1]["start"]),
        cursor=first["next"] or "",
        words=[*words[:_SAMPLED], "область", "матч", "city"],
        phrases=[f'"{title[0]} {title[1]}"' for title in titles[:_SAMPLED] if len(title) > 1],
    )


def _checked_items(ask: Ask, sample: _Sample) -> list[bytes]:
    """Return items of the archive as another source would print them, as the body of a check."""
    bodies = []
    for summary in sample.items:
        path = f"/v1/items/{quote(summary['source'], safe='')}/{quote(summary['id'], safe='')}"
        item = ask(path)["received"]
        item |= {"source": "reader.example", "id": f"new-{summary['id']}"}
        bodies.append(json.dumps(item, ensure_ascii=False).encode())
    return bodies


def _items_of_pair(source: str, original_source: str) -> str:
    """Return the page of the items of a source that copy another one."""
    return f"/items?{urlencode({'source': source, 'copies_of': original_source})}"


def _two_sources(source: str, other: str) -> str:
    """Return the page of the volumes of two sources."""
    return f"/volumes?{urlencode({'source': source, 'other_source': other})}"


def _two_periods(since: str, later: str) -> str:
    """Return the page of the volumes of two periods, the second of which begins later."""
    return f"/volumes?{urlencode({'since': since, 'until': later, 'other_since': later})}"


def _queries(path: str, name: str, values: Sequence[str]) -> list[str]:
    """Return an address with each of the values."""
    sign = "&" if "?" in path else "?"
    return [f"{path}{sign}{urlencode({name: value})}" for value in values]


def weighted_order(kinds: Sequence[RequestKind], *, seed: int) -> list[RequestKind]:
    """Return kinds in a random order, each as often as it weighs."""
    order = [kind for kind in kinds for _ in range(kind.weight)]
    random.Random(seed).shuffle(order)  # noqa: S311 - the same order each time
    return order
