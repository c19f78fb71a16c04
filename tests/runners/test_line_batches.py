"""Batches of lines, and the one that follows: what is read early changes nothing that is said."""

import json
import os
import selectors

import pytest
import zstandard

from cli.in_process import run
from newsdedup.adapters.files.lines import IDLE, Line
from newsdedup.ports.errors import SourceUnusable
from newsdedup.runners.files.embedded import batches, with_following
from newsdedup.synthetic.stream import demo_stream
from runners.processes import started

PATIENT = {"NEWSDEDUP_RUN__BATCH": "2", "NEWSDEDUP_RUN__IDLE_FLUSH": "1h"}


def line(number):
    return Line("items.jsonl", number, number, number + 1, b"x", 1)


def batch(number):
    return [line(number)]


def broken(*found):
    yield from found
    raise SourceUnusable("items.jsonl.zst: cannot be read")


def test_an_idle_input_closes_the_batch_at_hand():
    found = [line(1), line(2), line(3), IDLE, IDLE, line(4)]
    assert list(batches(found, size=2)) == [[line(1), line(2)], [line(3)], [line(4)]]


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_each_batch_comes_once_with_the_one_that_follows(count):
    found = [batch(number) for number in range(count)]
    assert list(with_following(iter(found))) == list(zip(found, [*found[1:], ()], strict=False))


def test_an_error_behind_a_batch_does_not_keep_it_back():
    found = with_following(broken(batch(1), batch(2)))
    assert [next(found), next(found)] == [(batch(1), batch(2)), (batch(2), ())]
    with pytest.raises(SourceUnusable):
        next(found)


@pytest.mark.usefixtures("process")
def test_what_can_be_read_of_a_damaged_file_is_judged(tmp_path):
    items = [json.dumps(planted.item).encode() + b"\n" for planted in demo_stream()][:100]
    whole = zstandard.compress(b"".join(items))
    (tmp_path / "items.jsonl.zst").write_bytes(whole[: len(whole) * 3 // 4])
    few = {"NEWSDEDUP_RUN__BATCH": "4"}
    done = run("run", "items.jsonl.zst", "--to", "out.jsonl", "--helpers", "1", cwd=tmp_path, **few)
    assert done.returncode != 0
    judged = (tmp_path / "out.jsonl").read_bytes().count(b"\n")
    (tmp_path / "items.jsonl.zst").write_bytes(whole)
    assert 4 <= judged < 100
    done = run("run", "items.jsonl.zst", "--to", "out.jsonl", cwd=tmp_path, **few)
    assert done.returncode == 0, done.stderr
    (tmp_path / "items.jsonl").write_bytes(b"".join(items))
    done = run("run", "items.jsonl", "--to", "undisturbed.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "undisturbed.jsonl").read_bytes()


@pytest.mark.usefixtures("process")
def test_a_full_batch_from_a_pipe_is_judged_before_more_comes(tmp_path):
    items = [json.dumps(planted.item).encode() + b"\n" for planted in demo_stream()][:2]
    process = started("run", "-", "--quiet", cwd=tmp_path, environ=PATIENT)
    os.write(process.stdin.fileno(), b"".join(items))
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        assert selector.select(timeout=60)
    _, error = process.communicate()
    assert process.returncode == 0, error
