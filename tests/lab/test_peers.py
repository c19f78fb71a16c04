"""Other libraries in the benchmark: each does its job, and one that is absent is named."""

import sys

import msgspec
import pytest

from newsdedup.adapters.formats import item_json
from newsdedup.ports.errors import SettingsInvalid
from newsdedup.synthetic.stream import generate_stream
from newsdedup_lab.bench.peers import PEERS, choose_peers


@pytest.fixture(scope="module")
def items():
    received = [msgspec.json.encode(planted.item) for planted in generate_stream(30)]
    return [item_json.decode_item(line) for line in received]


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_finds_the_same_items_when_they_come_again(name, items):
    pytest.importorskip(name)
    index = PEERS[name].open_index()
    new = index.one_by_one(items)
    assert new < len(items)
    assert index.one_by_one(items) == len(items)


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_takes_an_item_without_words(name):
    pytest.importorskip(name)
    item = item_json.decode_item(b'{"id": "1", "source": "s", "title": "!"}')
    assert PEERS[name].open_index().one_by_one([item]) == 0


def test_a_peer_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "rensa", None)
    chosen = choose_peers()
    assert "rensa" in chosen.absent
    assert set(chosen.present) | set(chosen.absent) == set(PEERS)
    assert set(chosen.versions()) == set(chosen.present)


def test_a_peer_that_is_requested_must_be_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "rensa", None)
    with pytest.raises(ModuleNotFoundError, match="rensa"):
        choose_peers(["datasketch", "rensa"])


def test_only_requested_peers_are_chosen():
    assert choose_peers(["datasketch"]).present == ("datasketch",)


def test_an_unknown_peer_is_refused():
    with pytest.raises(SettingsInvalid, match="no peer is called semhash: there are datasketch"):
        choose_peers(["semhash"])
