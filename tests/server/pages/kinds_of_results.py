"""Addresses of all that pages show: every page, and every kind of result that one may have."""

from typing import Any
from urllib.parse import urlencode

from server.pages.invented_news import BRIDGE, EDITED, HOSTILE, REPRINTERS
from server.pages.invented_watches import WATCHES
from server.pages.test_pages_over_http import addresses, ask, largest_story

LONG_AGO = "2020-01-01"


def kinds_of_results(site: str) -> dict[str, str]:
    """Return an address of each, by a name for messages."""
    story = largest_story(site)["items"]
    word = story[0]["title"].split()[0].lower()
    shown = {f"page {path}": address for path, address in addresses(site).items()}
    shown |= {
        name: f"{path}?{urlencode(values)}"
        for name, (path, values) in {
            **_lists(word),
            **_comparisons(site, story),
            **_sums(story),
            **_searches(story),
            **_checks(),
        }.items()
    }
    for at, item in enumerate(HOSTILE):
        shown[f"hostile {at}"] = "/item?" + urlencode({"source": item["source"], "id": item["id"]})
    return shown


_Kinds = dict[str, tuple[str, dict[str, Any]]]


def _lists(word: str) -> _Kinds:
    return {
        "stories by newness, of all sources": ("/", {"sort": "new", "least_sources": 1}),
        "stories by speed": ("/", {"sort": "speed"}),
        "stories of a language and a relation": ("/", {"lang": "en", "relation": "reprint"}),
        "stories of a source": ("/", {"source": REPRINTERS[0]}),
        "stories with a word, and an unknown name": ("/", {"q": word, "colour": "red"}),
        "no stories": ("/", {"until": LONG_AGO}),
        "originals alone": ("/items", {"verdict": "original"}),
        "no items": ("/items", {"until": LONG_AGO}),
        "a story of one item": ("/item", {"source": EDITED[0]["source"], "id": EDITED[0]["id"]}),
        "an unknown story": ("/story", {"id": "none"}),
        "an unreadable address": ("/volumes", {"step": "minute"}),
        "feeds in trouble": ("/feeds", {"condition": "dead"}),
        "a search without a webhook": ("/watch", {"name": WATCHES[0].name}),
        "a hostile search": ("/watch", {"name": WATCHES[2].name}),
        "a day without hits": ("/digest", {"day": LONG_AGO}),
    }


def _comparisons(site: str, story: list[dict[str, Any]]) -> _Kinds:
    def key(item: dict[str, Any]) -> str:
        return f"{len(item['source'])}:{item['source']}{item['id']}"

    russian, ukrainian = (
        ask(site, f"/items.json?lang={lang}").json()["page"]["items"][0] for lang in ("ru", "uk")
    )
    return {
        "two as one text": ("/compare", {"a": key(story[0]), "b": key(story[-1])}),
        "two languages": ("/compare", {"a": key(russian), "b": key(ukrainian)}),
    }


def _sums(story: list[dict[str, Any]]) -> _Kinds:
    source, other = story[0]["source"], story[-1]["source"]
    return {
        "sources by their items": ("/sources", {"least": 3, "order": "items"}),
        "all sources": ("/sources", {"least": 1}),
        "no sources": ("/sources", {"until": LONG_AGO}),
        "one that only reprints": ("/source", {"name": REPRINTERS[1]}),
        "the copies of a pair": ("/items", {"source": other, "copies_of": source}),
        "volumes by day": ("/volumes", {"step": "day"}),
        "volumes of two sources": ("/volumes", {"source": source, "other_source": other}),
        "volumes of two periods": (
            "/volumes",
            {"since": "2026-11-02", "until": "2026-11-03", "other_since": "2026-11-03"},
        ),
        "no volumes": ("/volumes", {"until": LONG_AGO}),
    }


def _searches(story: list[dict[str, Any]]) -> _Kinds:
    word = max(story[0]["title"].split(), key=len).strip(".,!?:;").lower()
    return {
        "a search by relevance": ("/search", {"q": word, "sort": "relevance"}),
        "a phrase": ("/search", {"q": '"bridge reopens" the'}),
        "a misspelt word": ("/search", {"q": word[:2] + word[3:]}),
        "nothing found": ("/search", {"q": "qwxzvk"}),
        "stop words": ("/search", {"q": "the and"}),
        "no words yet": ("/search", {}),
    }


def _checks() -> _Kinds:
    pasted = f"Bridge reopens\n{BRIDGE}"
    return {
        "check": ("/check", {}),
        "check of two": ("/check", {"a": pasted, "b": pasted.replace("14", "15")}),
        "check of one": ("/check", {"against": "archive", "a": pasted}),
        "check of hostile": ("/check", {"against": "archive", "a": HOSTILE[1]["text"]}),
        "check of news": ("/check", {"against": "archive", "a": "Nobody has written this so far"}),
    }
