"""What an item said before, as its page tells it."""

import re

from newsdedup.server.pages.versions import _around_changes
from newsdedup.server.pages.word_diff import DiffPart, DiffWord
from server.pages.test_pages_over_http import ask

EDITED = "/item?source=Lunin+Post&id=edited"


def test_an_edited_item_shows_each_edit_in_the_order_of_its_source(site) -> None:
    edits = ask(site, EDITED.replace("/item", "/item.json")).json()["edits"]
    assert [one["at"] for one in edits["edits"]] == [
        f"2026-11-03T19:{at}:00Z" for at in ("40", "30", "20")
    ]
    changed = [
        [
            " ".join(word["text"] for word in part["words"])
            for part in one["changes"]
            if part["kind"] in ("removed", "added")
        ]
        for one in edits["edits"]
    ]
    assert changed[2] == ["twelve", "thirteen"]
    assert changed[1] == ["on Friday", "thirteen", "fourteen"]


def test_a_page_marks_what_an_edit_removed_and_added(site) -> None:
    page = ask(site, EDITED, Cookie="lang=en").body
    section = page.partition('id="edits"')[2].partition("</section>")[0]
    assert re.findall(r"<(?:del|ins)>([^<]+)</", section)[2:] != []
    assert "thirteen" in section
    assert 'id="edits"' not in ask(site, "/item?source=Lunin+Post&id=none").body


def test_words_that_stayed_are_left_out_but_for_those_around_a_change() -> None:
    words = tuple(DiffWord(f"w{at}", " ") for at in range(40))
    part = DiffPart("same", words)
    middle = _around_changes(part, begins=False, ends=False).words
    assert [word.text for word in middle] == [
        *(f"w{at}" for at in range(12)),
        "\u2026",
        *(f"w{at}" for at in range(28, 40)),
    ]
    assert _around_changes(part, begins=True, ends=False).words[0].text == "\u2026"
    assert _around_changes(part, begins=False, ends=True).words[-1].text == "\u2026"
    removed = DiffPart("removed", words)
    assert _around_changes(removed, begins=False, ends=False) is removed
