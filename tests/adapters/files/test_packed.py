import gzip
from collections.abc import Callable
from io import BytesIO

import pytest
import zstandard

from newsdedup.adapters.files.lines import CHUNK, read_packed

PACK: dict[str, Callable[[bytes], bytes]] = {"a.gz": gzip.compress, "a.zst": zstandard.compress}
HUGE = (1 << 25) + 3


@pytest.mark.parametrize("name", PACK)
def test_a_small_file_that_holds_much_comes_in_bounded_pieces(name: str) -> None:
    read = read_packed(name, BytesIO(PACK[name](b"\n" * HUGE)), offset=0)
    sizes = [len(piece) for piece in iter(read, b"") if piece]
    assert max(sizes) <= CHUNK
    assert sum(sizes) == HUGE


def test_of_a_file_that_is_cut_off_everything_comes_before_the_error() -> None:
    whole = zstandard.compress(b"first\n") + zstandard.compress(b"second\n")
    read = read_packed("a.zst", BytesIO(whole[:-1]), offset=2)
    assert (read() or b"").startswith(b"rst\n")
    with pytest.raises(EOFError, match="last frame"):
        read()
