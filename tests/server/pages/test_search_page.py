"""The page of a search: passages, hints, the order, and what was ignored."""

import re
from urllib.parse import urlencode

from server.pages.test_pages_over_http import ask


def page_of(site: str, **query: str) -> str:
    return ask(site, f"/search?{urlencode({**query, 'interface': 'en'})}").body


def test_a_hit_has_its_passage_with_the_words_marked(site) -> None:
    page = page_of(site, q="museum garden")
    assert re.search(r'class="passage"[^>]*>The <mark>museum</mark> of Lunin', page)
    assert "<mark>garden</mark>" in page


def test_a_misspelt_word_gets_a_hint_that_leads_to_the_other_search(site) -> None:
    page = page_of(site, q="musaum lunin")
    hint = re.search(r'Did you mean <a href="([^"]+)"><bdi>museum</bdi></a>', page)
    assert hint is not None
    assert ">Museum opens on Friday<" in re.sub("</?bdi>", "", ask(site, hint[1]).body)


def test_a_page_says_what_it_did_not_search_for_and_how_much_it_read(site) -> None:
    page = page_of(site, q='the "museum of lunin"')
    assert "Not searched for:" in page
    assert "<bdi>the</bdi> (in nearly every text)" in page
    assert "of these the newest 1 was read for the phrase" in page
    assert "the best of the newest" in page_of(site, q="museum", sort="relevance")


def test_a_hostile_query_is_shown_as_text(site) -> None:
    page = page_of(site, q='<script>alert(1)</script> "<img src=x> \u202ebridge" -"')
    assert "<script>alert" not in page
    assert "<img" not in page
