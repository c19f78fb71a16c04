"""A pasted text against what is archived: with the state of a run, without, and by the engine."""

import re
from pathlib import Path

import pytest

from cli.small_stream import BRIDGE, FIRE, TRAM
from newsdedup.server.pages.check import _shown_relation
from server.pages.test_pages_over_http import ask
from server.served import Served, serving

COPY = f"{FIRE[0]}\n{FIRE[1]}"
UKRAINIAN = f"{BRIDGE[0]}\n{BRIDGE[1]}"
STRANGE = "Choir of Sundholm buys the old lighthouse\nNobody knows what it will sing there."


def check(site: str, text: str, **headers: str):
    return ask(site, "/check.json", {"against": "archive", "a": text}, **headers).json()


def test_a_copy_gets_the_verdict_that_the_state_would_give_it(served: Served) -> None:
    view = check(served.address, COPY)
    assert view["judgement"]["verdict"] == "duplicate"
    assert view["judgement"]["matched"]["id"] == "r1"
    assert (view["nearest"]["source"], view["nearest"]["id"]) == ("tula.example", "r1")
    assert view["pair"]["explanation"]["why"] == ["They say the same, word for word."]


def test_nothing_of_a_pasted_text_is_stored(served: Served) -> None:
    before = served.ask("/v1/stats").json()
    check(served.address, STRANGE)
    again = check(served.address, STRANGE)
    assert again["judgement"]["verdict"] == "original"
    assert served.ask("/v1/stats").json() == before


@pytest.mark.parametrize(
    ("text", "item"),
    [(COPY, "r1"), (UKRAINIAN, "7"), (f"{TRAM[0]}\n{TRAM[1].replace('March', 'May')}", "e1")],
)
def test_without_a_state_the_nearest_item_of_the_archive_is_compared(
    text: str, item: str, archive_folder: Path
) -> None:
    with serving(archive_folder) as server:
        view = check(server.address, text)
        assert view["judgement"] is None
        assert view["nearest"]["id"] == item
        assert view["pair"]["explanation"]["shared"]
        assert view["pair"]["reasons"]
        page = ask(server.address, "/check", {"against": "archive", "a": text})
        assert "The state of a stream gave no verdict" in page.body


def test_a_text_like_nothing_in_the_archive_is_near_to_nothing(archive_folder: Path) -> None:
    with serving(archive_folder) as server:
        view = check(server.address, STRANGE)
        assert (view["nearest"], view["pair"], view["looked"]) == (None, None, True)
        page = ask(server.address, "/check", {"against": "archive", "a": STRANGE})
        assert "Nothing in the archive shares its weightiest terms." in page.body


def test_a_state_that_cannot_be_asked_leaves_the_archive(archive_folder: Path, tmp_path) -> None:
    (tmp_path / "news.archive").write_bytes((archive_folder / "news.archive").read_bytes())
    with serving(tmp_path, state=True) as server:
        view = check(server.address, COPY)
        assert (view["judgement"], view["nearest"]["id"]) == (None, "r1")
        assert "no such" in view["state_problem"]


def test_a_text_that_shows_nothing_gets_no_verdict_and_the_reason(served: Served) -> None:
    page = ask(served.address, "/check", {"against": "archive", "a": "<p></p>"}).body
    assert "The state of a stream gave no verdict" in page
    assert "show nothing" in page


def test_a_blank_text_is_not_looked_up(served: Served) -> None:
    view = check(served.address, " \n ")
    assert (view["looked"], view["against"]) == (False, "archive")


@pytest.mark.parametrize("lang", ["uk", "ru"])
def test_the_reasons_of_a_check_are_in_the_language_of_the_page(lang: str, served: Served) -> None:
    page = ask(served.address, "/check", {"against": "archive", "a": COPY}, Cookie=f"lang={lang}")
    sentences = page.body.partition('class="sentences"')[2].partition("</ul>")[0]
    assert sentences
    assert 'lang="en"' not in sentences


def test_hostile_text_is_shown_as_text(served: Served) -> None:
    text = f"{TRAM[0]}\n</textarea><script>alert(1)</script> \u202e{TRAM[1]}"
    page = ask(served.address, "/check", {"against": "archive", "a": text})
    assert "<script>alert" not in page.body
    assert page.status == 200


def test_one_list_gives_the_reasons_without_names_of_features(served: Served) -> None:
    text = f"{TRAM[0]}\n{TRAM[1].replace('March', 'May')}"
    view = check(served.address, text)
    page = ask(served.address, "/check", {"a": text}).body
    assert page.count('<table class="reasons">') == 1
    assert view["pair"]["reasons"]
    said = " ".join(view["pair"]["sentences"])
    assert [
        one["feature"] for one in view["pair"]["reasons"] if f"({one['feature']} " in said
    ] == []
    shown = page.partition('class="sentences"')[2].partition("</section>")[0]
    assert not re.search(r"[a-z_]+ -?\d\.\d\d: [+-]", shown)


@pytest.mark.parametrize(
    ("relation", "score", "shown"),
    [
        ("update", 0.03, "none"),
        ("update", None, "none"),
        ("update", 0.21, "update"),
        ("part", 0.03, "part"),
        ("reprint", 0.9, "reprint"),
    ],
)
def test_an_update_is_shown_only_of_texts_that_may_be_of_one_thing(relation, score, shown) -> None:
    assert _shown_relation(relation, score) == shown


def test_a_text_is_checked_against_the_archive_unless_there_are_two(served: Served) -> None:
    assert ask(served.address, "/check.json").json()["against"] == "archive"
    assert ask(served.address, "/check.json?against=text").json()["against"] == "text"
    assert ask(served.address, "/check.json?a=one&b=two").json()["against"] == "text"
