"""What a data frame gives as an item, and what is refused with a sentence."""

import copy
import math
import pickle
from collections import UserDict
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime

import numpy as np
import pytest

from newsdedup import Deduplicator, InvalidItem
from newsdedup.adapters.tables.rows import plain_fields

TEN = datetime(2026, 3, 2, 10, tzinfo=UTC)
TEXT = "The mayor opened the bridge over the river after a repair that cost four million"


class OwnMoment(datetime):
    """A moment of another library: a datetime with a text of its own, as that of pandas is."""

    def isoformat(self, *_: object) -> str:
        return "2026-03-02T10:00:00.000000001+00:00"


class Row:
    """A row of a frame: keys and values, but no Mapping."""

    ndim = 1

    def __init__(self, **values: object) -> None:
        self._values = values

    def keys(self):
        return self._values.keys()

    def __getitem__(self, name: str) -> object:
        return self._values[name]


class Frame(Row):
    """A whole frame."""

    ndim = 2


class Undefined:
    """A missing value whose comparison has no truth value, as that of pandas."""

    def __eq__(self, other: object):
        return self

    def __ne__(self, other: object):
        return self

    __hash__ = None

    def __bool__(self) -> bool:
        raise TypeError("the truth of NA is not known")


@pytest.fixture
def deduplicator() -> Deduplicator:
    return Deduplicator(tune_collector=False)


@pytest.mark.parametrize(
    "moment",
    [
        TEN,
        OwnMoment(2026, 3, 2, 10, tzinfo=UTC),
        np.datetime64("2026-03-02T10:00:00.000000000", "ns"),
        np.datetime64("2026-03-02T10:00", "m"),
        np.int64(TEN.timestamp()),
        np.float64(TEN.timestamp()),
        np.str_("2026-03-02T10:00:00Z"),
    ],
)
def test_moments_of_data_frames_are_dates_of_items(deduplicator, moment) -> None:
    judged = deduplicator.judge({"id": "1", "text": TEXT, "published_at": moment})
    assert judged.judgement.effective_at.startswith("2026-03-02T10:00:00")


@pytest.mark.parametrize(
    "missing", [None, math.nan, np.nan, np.float32("nan"), np.datetime64("NaT"), Undefined()]
)
def test_missing_values_are_missing_fields(deduplicator, missing) -> None:
    fields = dict.fromkeys(("title", "url", "lang", "links", "published_at", "note"), missing)
    assert deduplicator.judge({"id": "1", "text": TEXT, **fields}).verdict == "original"


def test_scalars_and_arrays_of_numpy_are_taken_as_those_of_python() -> None:
    fields = {"id": np.float64(17.0), "n": np.int32(3), "links": np.array(["a", "b"]), "d": (1, 2)}
    assert plain_fields(fields) == {"id": 17, "n": 3, "links": ["a", "b"], "d": [1, 2]}
    nested = {"a": {"b": [np.datetime64("NaT"), date(2026, 3, 2)]}}
    assert plain_fields(nested) == {"a": {"b": [None, "2026-03-02"]}}


def test_a_row_of_a_frame_and_any_mapping_are_items(deduplicator) -> None:
    first = deduplicator.judge(UserDict(id="1", source="a", text=TEXT, published_at=TEN))
    copied = deduplicator.judge(Row(id=np.int64(2), source="b", text=np.str_(TEXT), title=math.nan))
    assert (first.verdict, copied.verdict, copied.original) == ("original", "duplicate", "1")


@pytest.mark.parametrize("record", ["a title", 5, None, ["title"], [("title", "a")], Frame(a=1)])
def test_what_is_no_mapping_is_refused_with_a_sentence(deduplicator, record) -> None:
    for taking in (deduplicator.judge, deduplicator.tell):
        with pytest.raises(TypeError, match=r"an item is a mapping .*, not \w+; .*to_dict"):
            taking(record)


def test_bytes_are_no_text(deduplicator) -> None:
    with pytest.raises(InvalidItem, match="bytes: decode"):
        deduplicator.judge({"text": TEXT.encode()})


def test_another_thread_is_refused_by_its_name(deduplicator) -> None:
    with ThreadPoolExecutor(1, thread_name_prefix="second") as threads:
        for taking, record in ((deduplicator.judge, {"text": TEXT}), (deduplicator.tell, {})):
            with pytest.raises(RuntimeError, match=r"made in thread 'MainThread' .*'second_0'"):
                threads.submit(taking, record).result()
        inside = threads.submit(Deduplicator, tune_collector=False).result()
        assert threads.submit(inside.judge, {"text": TEXT}).result().verdict == "original"


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
def test_pickling_and_copying_say_why_not(deduplicator, copied) -> None:
    with pytest.raises(TypeError, match=r"cannot be pickled or copied: .* in each process"):
        copied(deduplicator)
