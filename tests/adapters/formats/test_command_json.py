import json
from datetime import UTC, datetime

import pytest

from newsdedup import InvalidItem, ItemKey
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.core.moments import to_micros
from newsdedup.core.stories.commands import Merge, Pin, Retract, Split

ONE = {"source": "ria.ru", "id": "1"}
TWO = {"source": "tass.ru", "id": "2"}
TEN = "2025-01-06T10:00:00Z"
AT = to_micros(datetime(2025, 1, 6, 10, 0, tzinfo=UTC))


def command(name: object, **fields: object) -> object:
    return decode_item(json.dumps({"newsdedup": name, **fields}).encode(), source="input")


def refusal(name: object, **fields: object) -> tuple[str, str]:
    with pytest.raises(InvalidItem) as caught:
        command(name, **fields)
    return caught.value.code, str(caught.value)


def test_a_source_withdraws_an_item():
    assert command("retract", source="ria.ru", id="1") == Retract(ItemKey("ria.ru", "1"))


def test_an_editor_merges_two_items():
    merged = Merge(ItemKey("ria.ru", "1"), ItemKey("tass.ru", "2"), AT)
    assert command("merge", items=[ONE, TWO], at=TEN) == merged


def test_an_editor_splits_an_item_off():
    assert command("split", item=ONE, at=TEN) == Split(ItemKey("ria.ru", "1"), AT)


def test_an_editor_names_the_original():
    assert command("original", item=ONE, at=AT // 1_000) == Pin(ItemKey("ria.ru", "1"), AT)


def test_a_missing_source_is_the_name_of_the_input_as_of_items():
    assert command("retract", id=7) == Retract(ItemKey("input", "7"))
    assert command("split", item={"id": "1"}, at=TEN) == Split(ItemKey("input", "1"), AT)


def test_the_words_of_an_item_do_not_make_a_command_an_item():
    assert command("retract", title="Мост открыт", **ONE) == Retract(ItemKey("ria.ru", "1"))


@pytest.mark.parametrize("name", ["Retract", "", "pin", None, 5, ["retract"], {"retract": 1}])
def test_an_unknown_command_is_refused_with_the_known_ones(name):
    code, reason = refusal(name, **ONE)
    assert (code, "retract, merge, split and original" in reason) == ("unknown_command", True)


@pytest.mark.parametrize("fields", [{}, {"id": " "}, {"id": None}, {"id": 1.5}, {"id": ["1"]}])
def test_a_retraction_without_an_id_is_refused(fields):
    assert refusal("retract", **fields)[0] == "bad_field"


@pytest.mark.parametrize(
    "items", [None, ONE, [], [ONE], [ONE, TWO, ONE], [ONE, "2"], [ONE, {"source": "a"}]]
)
def test_a_merge_of_anything_but_two_items_is_refused(items):
    assert refusal("merge", items=items, at=TEN)[0] == "bad_field"


def test_a_merge_of_an_item_with_itself_is_refused():
    assert refusal("merge", items=[ONE, ONE], at=TEN) == (
        "bad_field",
        "items names one item twice",
    )


@pytest.mark.parametrize("name", ["split", "original"])
@pytest.mark.parametrize("item", [None, "1", [ONE], {}])
def test_an_editors_word_about_no_item_is_refused(name, item):
    assert refusal(name, item=item, at=TEN)[0] == "bad_field"


@pytest.mark.parametrize("at", [None, "", " "])
def test_an_editors_word_without_its_time_is_refused(at):
    assert refusal("split", item=ONE, at=at) == (
        "bad_field",
        "at is missing: when the editor said so",
    )


def test_an_editors_word_at_no_date_is_refused():
    assert refusal("split", item=ONE, at="today")[0] == "bad_date"


def test_an_editors_word_at_an_absurd_date_is_refused():
    assert refusal("split", item=ONE, at="0001-01-01")[0] == "absurd_date"
