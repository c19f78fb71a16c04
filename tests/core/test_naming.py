from hypothesis import given
from hypothesis import strategies as st

from newsdedup import ItemKey
from newsdedup.core.item_names import item_name, nearest_names, possible_keys

names = st.text("ab/ё", max_size=8)


@given(names, names)
def test_what_is_written_can_be_read(source, item_id):
    name = item_name(ItemKey(source, item_id))
    assert name == item_id or ItemKey(source, item_id) in possible_keys(name)


def test_sources_and_ids_may_hold_slashes():
    assert list(possible_keys("a/b/c")) == [ItemKey("a", "b/c"), ItemKey("a/b", "c")]
    assert list(possible_keys("abc")) == []


def test_a_slip_of_the_pen_finds_the_name():
    known = ["ria/1024", "tass/77", "ria/2048"]
    assert nearest_names("ria/1O24", known)[0] == "ria/1024"
    assert nearest_names("ria/124", known)[0] == "ria/1024"
    assert nearest_names("xyz", known) == []


def test_the_beginning_of_a_long_name_finds_it():
    assert nearest_names("2d00", ["2d0029ca778079df", "2e00"])[0] == "2d0029ca778079df"


@given(names, st.lists(names, unique=True))
def test_the_nearest_do_not_depend_on_the_order_of_the_known(name, known):
    assert nearest_names(name, known) == nearest_names(name, reversed(known))
    assert set(nearest_names(name, known)) <= set(known)


@given(names.filter(bool), st.lists(names))
def test_a_known_name_is_nearest_to_itself(name, known):
    near = nearest_names(name, [*known, name])
    assert name == near[0] or near[0].startswith(name)
