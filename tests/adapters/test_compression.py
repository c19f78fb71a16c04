import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.formats.compression import (
    FAST,
    NewsCompressor,
    QuickCompressor,
    is_compressed,
    newest_dictionary,
)

MADE_UP = '{"id":"7","source":"Вечерний Бор","title":"Мост закрыт","text":"Мост закрыт до утра."}'


@given(st.binary())
def test_what_was_compressed_comes_back(data):
    compressed = NewsCompressor().compress(data)
    assert is_compressed(compressed)
    assert NewsCompressor().decompress(compressed) == data


@given(st.binary(), st.integers(1, 300))
def test_what_was_compressed_without_a_dictionary_comes_back(data, times):
    quick = QuickCompressor()
    assert quick.decompress(quick.compress(data * times)) == data * times


def test_what_a_fast_level_compressed_is_read_at_any_level():
    compressed = NewsCompressor(FAST).compress(MADE_UP.encode())
    assert NewsCompressor().decompress(compressed) == MADE_UP.encode()


def test_a_short_item_is_halved_by_what_the_dictionary_knows():
    plain = zstandard.ZstdCompressor(level=19).compress(MADE_UP.encode())
    assert len(NewsCompressor().compress(MADE_UP.encode())) < len(plain) / 1.5


@pytest.mark.parametrize("other", [b"", b"{}", b"\x92\x01", zstandard.compress(b"a frame")])
def test_json_messagepack_and_frames_are_not_taken_for_compressed(other):
    assert not is_compressed(other)


@pytest.mark.parametrize(
    ("damaged", "message"),
    [(b"", "nothing"), (b"\x01cut off", "decompress"), (b"\x27later", "dictionary 39")],
)
def test_damaged_bytes_and_later_dictionaries_are_refused(damaged, message):
    with pytest.raises(ValueError, match=message):
        NewsCompressor().decompress(damaged)


def test_the_dictionary_names_no_address_outside_of_the_invented_world():
    hosts = [part.split(b"/")[0] for part in newest_dictionary().split(b"https://")[1:]]
    whole = [host for host in hosts if b"." in host and host.isascii() and len(host) > 12]
    assert whole
    assert [host for host in whole if b".exam" not in host and not host.endswith(b".")] == []
