import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.events import ItemRef
from newsdedup.server.pages.links import foreign_url, item_url, joined_key, page_url, split_key

names = st.text(max_size=30)


@given(source=names, item_id=names)
def test_a_key_in_a_form_is_the_same_item_again(source: str, item_id: str) -> None:
    assert split_key(joined_key(ItemRef(source, item_id))) == (source, item_id)


@pytest.mark.parametrize("value", ["", ":", "x:a", "9:abc", "-1:abc", "1234567:a", "٣:abc"])
def test_what_no_form_holds_is_no_key(value: str) -> None:
    assert split_key(value) is None


def test_any_source_and_id_fit_into_an_address() -> None:
    assert item_url(ItemRef("../..", "a&b=c#d.json")) == (
        "/item?source=..%2F..&id=a%26b%3Dc%23d.json"
    )
    assert page_url("/", text="", source=None) == "/"


@pytest.mark.parametrize("url", ["http://a.example/x?y#z", "https://a.example"])
def test_an_address_of_http_may_be_followed(url: str) -> None:
    assert foreign_url(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,<script>1</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "//a.example/",
        "/relative",
        "http:",
        "http://[broken",
        "https://a.example/\nx",
        'https://a.example/"><script>',
        "http://a.example/" + "x" * 2_000,
    ],
)
def test_no_other_address_may_be_followed(url: str) -> None:
    assert foreign_url(url) == ""
