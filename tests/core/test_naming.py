from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.item_names import nearest, readings, written
from newsdedup.core.model import ItemKey

names = st.text("ab/ё", max_size=8)


@given(names, names)
def test_what_is_written_can_be_read(source, item_id):
    name = written(ItemKey(source, item_id))
    assert name == item_id or ItemKey(source, item_id) in readings(name)


def test_sources_and_ids_may_hold_slashes():
    assert list(readings("a/b/c")) == [ItemKey("a", "b/c"), ItemKey("a/b", "c")]
    assert list(readings("abc")) == []


def test_a_slip_of_the_pen_finds_the_name():
    known = ["ria/1024", "tass/77", "ria/2048"]
    assert nearest("ria/1O24", known)[0] == "ria/1024"
    assert nearest("ria/124", known)[0] == "ria/1024"
    assert nearest("xyz", known) == []


def test_the_beginning_of_a_long_name_finds_it():
    assert nearest("2d00", ["2d0029ca778079df", "2e00"])[0] == "2d0029ca778079df"


@given(names, st.lists(names, unique=True))
def test_the_nearest_do_not_depend_on_the_order_of_the_known(name, known):
    assert nearest(name, known) == nearest(name, reversed(known))
    assert set(nearest(name, known)) <= set(known)


@given(names.filter(bool), st.lists(names))
def test_a_known_name_is_nearest_to_itself(name, known):
    near = nearest(name, [*known, name])
    assert name == near[0] or near[0].startswith(name)
