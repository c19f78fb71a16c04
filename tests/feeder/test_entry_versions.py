"""When an entry that was delivered is a new version of its item, and how new it is."""

from datetime import UTC, datetime

import pytest

from newsdedup.feeder.polling.item_identity import ListedEntry


def listed(**fields):
    return ListedEntry({"source": "s", "id": "1", "seen_at": "2026-03-02T12:00:00+00:00", **fields})


BEFORE = datetime(2026, 3, 2, 11, tzinfo=UTC)


@pytest.mark.parametrize("stated", ["", "2026-03-02T09:00:00+00:00", "2026-03-02T11:00:00+00:00"])
def test_an_edit_that_states_no_later_change_is_as_new_as_its_receipt(stated):
    entry = listed(title="a", updated_at=stated) if stated else listed(title="a")
    assert entry.edited(BEFORE).record["updated_at"] == "2026-03-02T12:00:00+00:00"


def test_an_edit_keeps_a_change_that_is_later_than_the_visit_before():
    entry = listed(title="a", updated_at="2026-03-02T11:30:00+00:00")
    assert entry.edited(BEFORE) == entry


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"published_at": "2026-03-01T10:00:00+00:00"}, {"published_at": "2026-03-02T10:00:00Z"}),
        ({"updated_at": "2026-03-01T10:00:00+00:00"}, {}),
        ({"text": "Міст відкрили. (12 comments)"}, {"text": "Міст відкрили. (1,305 comments)"}),
        ({"text": "Переглядів: 7"}, {"text": "Переглядів: 15"}),
        ({"title": "Мост открыли 3 комментария"}, {"title": "Мост открыли 4 комментария"}),
    ],
)
def test_another_date_or_count_of_comments_is_no_new_version(one, other):
    assert listed(**one).content == listed(**other).content


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"text": "3 injured"}, {"text": "5 injured"}),
        ({"title": "a"}, {"title": "b"}),
        ({"url": "https://visti.example/1"}, {"url": "https://visti.example/2"}),
    ],
)
def test_other_words_and_numbers_are_a_new_version(one, other):
    assert listed(**one).content != listed(**other).content
