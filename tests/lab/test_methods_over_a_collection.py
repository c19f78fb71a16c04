import json
from itertools import combinations
from itertools import count as counting

import numpy as np
import pytest

from newsdedup.bootstrap.rules import load_background, make_methods
from newsdedup.cli.environment import load_settings
from newsdedup.core.fingerprints.catalogue import METHODS
from newsdedup.core.fingerprints.corpus import count_corpus
from newsdedup.ports.errors import SourceUnusable
from newsdedup.synthetic.stream import demo_stream
from newsdedup_lab.collections.corpora import open_corpus
from newsdedup_lab.collections.document_store import DocumentStore, build_document_store
from newsdedup_lab.compare.buckets import unpack_pairs
from newsdedup_lab.compare.method import measure_method, measure_whole
from newsdedup_lab.report.study_stages import NoProgress
from newsdedup_lab.similarities import SAME_TEXT, text_similarity

METHODS_BUILT = make_methods(METHODS, load_background(load_settings()).pivots)


def ticking():
    """Return a clock by which every look takes a second."""
    return counting().__next__


@pytest.fixture(scope="module")
def laid(tmp_path_factory) -> DocumentStore:
    folder = tmp_path_factory.mktemp("shelf")
    items = folder / "items.jsonl"
    lines = [json.dumps(planted.item) for planted in demo_stream()][:150]
    items.write_text("\n".join(lines) + "\n", "utf-8")
    return build_document_store(open_corpus([str(items)], load_settings()), folder, NoProgress())


def listed(pairs: np.ndarray) -> list[tuple[int, int]]:
    left, right = unpack_pairs(pairs)
    return list(zip(left.tolist(), right.tolist(), strict=True))


@pytest.mark.parametrize("method", METHODS_BUILT, ids=METHODS)
def test_a_method_finds_the_pairs_that_comparing_all_with_all_finds(method, laid):
    readings = list(laid.readings())
    counts = count_corpus(readings)
    signed = [method.sign(reading, counts) for reading in readings]
    alike = [
        (one, other)
        for one, other in combinations(range(len(signed)), 2)
        if method.match(signed[one], signed[other]) >= method.threshold
    ]
    meeting = [
        (one, other) for one, other in alike if set(signed[one].keys) & set(signed[other].keys)
    ]
    cost, pairs = measure_method(method, laid, counts, ticking(), NoProgress())
    assert listed(pairs) == meeting
    if method.exact:
        assert meeting == alike
    assert cost.pair_count == len(meeting)
    assert cost.keys == sum(len(one.keys) for one in signed)
    assert cost.left_out == 0
    assert cost.sign_seconds == 1.0


def test_the_whole_form_of_a11_finds_only_the_same_texts_and_most_of_them(laid):
    cost, pairs = measure_whole(laid, ticking(), NoProgress())
    texts = [laid.text(number) for number in range(len(laid))]
    same = {
        (one, other)
        for one, other in combinations(range(len(texts)), 2)
        if text_similarity(texts[one], texts[other], least=SAME_TEXT) >= SAME_TEXT
    }
    found = set(listed(pairs))
    assert found <= same
    assert len(found) >= 0.8 * len(same) > 5
    assert cost.compared < len(texts) ** 2 / 4


def test_a_shelf_gives_back_what_was_laid_down(laid):
    texts = [reading.text for reading in laid.readings()]
    assert [laid.text(number) for number in range(len(laid))] == texts
    assert laid.reading(len(texts) - 1).text == texts[-1]
    assert [len(text) for text in texts] == laid.index.letters
    order = sorted(range(len(texts)), key=lambda at: (len(texts[at]), at))
    assert laid.by_length().tolist() == order


def test_a_shelf_of_which_something_is_gone_is_not_what_it_was(laid, tmp_path):
    whole_one = laid.digest()
    for name in ("index.msgpack", "readings.msgpack", "texts.utf8"):
        (tmp_path / name).write_bytes((laid.folder / name).read_bytes())
    assert DocumentStore(tmp_path).digest() == whole_one
    (tmp_path / "texts.utf8").write_bytes(b"short")
    assert DocumentStore(tmp_path).digest() not in ("", whole_one)
    (tmp_path / "index.msgpack").unlink()
    assert not DocumentStore(tmp_path).digest()


def test_nothing_is_laid_down_of_nothing(tmp_path):
    items = tmp_path / "items.jsonl"
    items.write_text("{}\n")
    with pytest.raises(SourceUnusable, match="no items found"):
        build_document_store(open_corpus([str(items)], load_settings()), tmp_path, NoProgress())
