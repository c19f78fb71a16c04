import gzip
import tracemalloc
import zlib
from contextlib import suppress

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.feeder.fetching.answers import FetchError
from newsdedup.feeder.fetching.decompression import decompress

LIMIT = 100_000


def raw_deflate(body):
    stream = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return stream.compress(body) + stream.flush()


CODINGS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "Deflate": raw_deflate,
    "br": brotli.compress,
    "zstd": zstandard.compress,
    "gzip, br": lambda body: brotli.compress(gzip.compress(body)),
    "identity": bytes,
    "": bytes,
}


@pytest.mark.parametrize("name", CODINGS)
@given(body=st.binary(max_size=3_000))
def test_a_body_comes_back_as_it_was(name, body):
    assert decompress(CODINGS[name](body), name, limit=LIMIT) == body


@pytest.mark.parametrize("name", CODINGS)
def test_the_limit_is_exact(name):
    assert len(decompress(CODINGS[name](bytes(LIMIT)), name, limit=LIMIT)) == LIMIT
    with pytest.raises(FetchError) as caught:
        decompress(CODINGS[name](bytes(LIMIT + 1)), name, limit=LIMIT)
    assert caught.value.kind == "size"


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_is_never_inflated_whole(name):
    bomb = CODINGS[name](bytes(64 * 2**20))
    tracemalloc.start()
    try:
        with pytest.raises(FetchError):
            decompress(bomb, name, limit=LIMIT)
        assert tracemalloc.get_traced_memory()[1] < 2 * 2**20
    finally:
        tracemalloc.stop()


def test_a_bomb_within_a_bomb_is_refused():
    bomb = gzip.compress(gzip.compress(bytes(64 * 2**20)))
    with pytest.raises(FetchError):
        decompress(bomb, "gzip, gzip", limit=LIMIT)


@pytest.mark.parametrize("name", ["gzip", "deflate", "br"])
def test_a_body_that_is_cut_off_is_an_error(name):
    whole = CODINGS[name](bytes(range(256)) * 20)
    with pytest.raises(FetchError) as caught:
        decompress(whole[: len(whole) // 2], name, limit=LIMIT)
    assert caught.value.kind == "encoding"


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_plain_text_that_claims_a_coding_is_taken_as_it_is(name):
    assert decompress(b"<rss/>", name, limit=LIMIT) == b"<rss/>"


@pytest.mark.parametrize("name", ["lzma", "gzip, gzip, gzip", "deflate", "br"])
def test_an_unknown_coding_and_damaged_data_are_errors(name):
    with pytest.raises(FetchError):
        decompress(b"<rss version='2.0'/>", name, limit=LIMIT)


def test_members_of_a_gzip_file_are_joined_but_not_without_end():
    member = gzip.compress(b"a")
    assert decompress(member * 3 + b"\0\0", "gzip", limit=LIMIT) == b"aaa"
    with pytest.raises(FetchError):
        decompress(member * 5_000, "gzip", limit=LIMIT)


@given(st.binary(max_size=200), st.sampled_from(["gzip", "deflate", "br", "zstd"]))
def test_no_bytes_break_decompression(body, name):
    magic = {"gzip": b"\x1f\x8b\x08", "zstd": b"\x28\xb5\x2f\xfd"}.get(name, b"")
    for data in (body, magic + body):
        with suppress(FetchError):
            assert len(decompress(data, name, limit=LIMIT)) <= LIMIT
