import pytest

from newsdedup.adapters.tables.columns import (
    COLUMN_NAMES,
    ROW_FIELDS,
    ColumnMap,
    bare_name,
    parse_column_map,
)
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable


def named(fields, **said):
    return ColumnMap(said).of_row(fields).own_fields(fields)


def test_our_own_names_are_taken_as_they_are():
    fields = dict.fromkeys(ROW_FIELDS, "a")
    assert named(fields) == fields


@pytest.mark.parametrize(
    ("column", "own"),
    [
        ("headline", "title"),
        ("Заголовок", "title"),
        ("Überschrift", "title"),
        ("Titre", "title"),
        ("Datum", "published_at"),
        ("Quelle", "source"),
        ("body", "text"),
        ("content", "text"),
        ("Full Text", "text"),
        ("articleBody", "text"),
        ("date", "published_at"),
        ("Published At", "published_at"),
        ("pubDate", "published_at"),
        ("datePublished", "published_at"),
        ("guid", "id"),
        ("article-id", "id"),
        ("domain", "source"),
        ("link", "url"),
        ("language", "lang"),
        ("crawled_at", "seen_at"),
        ("last_modified", "updated_at"),
    ],
)
def test_common_names_are_known_however_they_are_spelt(column, own):
    assert named({column: "a"}) == {own: "a"}


def test_a_body_is_the_text_even_next_to_a_summary():
    assert named({"summary": "short", "description": "short", "body": "long"}) == {"text": "long"}


def test_in_each_row_the_first_column_that_says_something_counts():
    assert named({"body": " ", "summary": "short"}) == {"text": "short"}


def test_an_id_of_mongodb_that_is_an_object_is_passed_over():
    assert named({"_id": {"$oid": "65e0"}, "title": "a"}) == {"title": "a"}
    assert named({"_id": "65e0", "title": "a"}) == {"id": "65e0", "title": "a"}


def test_what_the_user_says_counts_alone():
    assert named({"title": "a", "kicker": None, "text": "b"}, title="kicker") == {"text": "b"}


def test_structures_of_other_formats_are_read_and_strange_ones_passed_over():
    fields = {"publisher": {"name": "ria.ru"}, "body": ["no", "text"], "headline": "a"}
    assert named(fields) == {"source": "ria.ru", "title": "a"}


def test_other_columns_are_left_out():
    assert named({"title": "a", "views": 3}) == {"title": "a"}


def test_a_table_with_nothing_to_read_names_its_columns():
    with pytest.raises(SourceUnusable, match=r"news\.csv.*kicker, 'a b', views.*--map"):
        ColumnMap().of_table(["kicker", "a b", "views"], table="news.csv")


def test_of_very_many_columns_some_are_named():
    with pytest.raises(SourceUnusable, match="'c39' and 960 more") as refused:
        ColumnMap().of_table([f"c{n}" for n in range(1000)], table="news.csv")
    assert len(str(refused.value)) < 600


def test_a_column_that_the_table_does_not_have_is_refused():
    with pytest.raises(SettingsInvalid, match=r"--map text=bodi: news\.csv has .*title, body"):
        ColumnMap({"text": "bodi"}).of_table(["title", "body"], table="news.csv")


def test_options_are_read():
    assert parse_column_map(["title=kicker,text=story html", "id=a=b"]).by_field == {
        "title": "kicker",
        "text": "story html",
        "id": "a=b",
    }


@pytest.mark.parametrize("option", ["title", "title=", "=a", "header=a", ""])
def test_an_option_that_says_nothing_is_refused(option):
    with pytest.raises(SettingsInvalid, match="--map"):
        parse_column_map([option])


def test_no_name_stands_for_two_columns_of_one_field():
    for own in ROW_FIELDS:
        names = [name for name, _ in COLUMN_NAMES[own]]
        assert names[0] == bare_name(own)
        assert len(names) == len(set(names))
