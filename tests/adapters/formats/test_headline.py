import json

import pytest

from newsdedup.adapters.formats.item_json import headline


@pytest.mark.parametrize(
    ("item", "title"),
    [
        ({"title": "Пожар в Туле", "text": "Подробности"}, "Пожар в Туле"),
        ({"headline": "Fire in Tula", "articleBody": "more"}, "Fire in Tula"),
        ({"text": "\n  Міст відкрили\nще"}, "Міст відкрили"),
        ({"title": "long " * 200}, ("long " * 60)[:299] + "…"),
        ({"newsdedup": "retract", "id": "1"}, ""),
    ],
)
def test_the_title_is_found_under_every_name(item, title):
    assert headline(json.dumps(item).encode()) == title


@pytest.mark.parametrize("received", [b"", b"{", b"[]", b"{}", b"\xff"])
def test_what_holds_no_item_has_no_title(received):
    assert headline(received) == ""


def test_what_was_accepted_under_wider_limits_keeps_its_title():
    item = {"title": "Tram line approved", "text": "x " * 2_000_000}
    assert headline(json.dumps(item).encode()) == "Tram line approved"
