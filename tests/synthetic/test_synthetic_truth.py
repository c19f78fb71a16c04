import re
from collections import Counter
from datetime import datetime
from typing import get_args

import pytest

from newsdedup.synthetic.planted import COPY_KINDS, NEAR_MISSES, PlantedItem, PlantedKind
from newsdedup.synthetic.stream import demo_stream, generate_stream
from synthetic.synthetic_measures import nearest, words

ITEMS = 6_000
Key = tuple[str, str]


@pytest.fixture(scope="module")
def planted() -> list[PlantedItem]:
    return list(generate_stream(ITEMS))


@pytest.fixture(scope="module")
def first(planted: list[PlantedItem]) -> dict[Key, PlantedItem]:
    """Every item in its first version."""
    versions: dict[Key, PlantedItem] = {}
    for one in planted:
        versions.setdefault(key(one), one)
    return versions


def key(one: PlantedItem) -> Key:
    return str(one.item["source"]), str(one.item["id"])


def text(one: PlantedItem) -> str:
    return str(one.item["text"])


def of_kind(planted: list[PlantedItem], kind: PlantedKind) -> list[PlantedItem]:
    found = [one for one in planted if one.truth.kind == kind]
    assert found
    return found


def source_of(one: PlantedItem, first: dict[Key, PlantedItem]) -> PlantedItem:
    assert one.truth.of is not None
    return first[one.truth.of]


def published(one: PlantedItem) -> datetime:
    return datetime.fromisoformat(str(one.item["published_at"]))


def similarity(one: PlantedItem, other: PlantedItem) -> float:
    return nearest([words(one.item), words(other.item)])[1]


def test_every_kind_is_a_copy_a_near_miss_or_a_first() -> None:
    firsts = {"original", "short", "late_original"}
    assert set(get_args(PlantedKind)) == COPY_KINDS | NEAR_MISSES | firsts


def test_every_item_pointed_to_is_in_the_stream(planted: list[PlantedItem]) -> None:
    keys = {key(one) for one in planted}
    assert {one.truth.of for one in planted if one.truth.of is not None} <= keys


def test_a_copy_tells_the_story_of_what_it_points_to(
    planted: list[PlantedItem], first: dict[Key, PlantedItem]
) -> None:
    copies = [one for one in planted if one.truth.kind in COPY_KINDS]
    assert all(source_of(one, first).truth.story == one.truth.story for one in copies)


def test_a_near_miss_tells_another_story_than_what_it_points_to(
    planted: list[PlantedItem], first: dict[Key, PlantedItem]
) -> None:
    missed = [one for one in planted if one.truth.kind in NEAR_MISSES and one.truth.of is not None]
    assert all(source_of(one, first).truth.story != one.truth.story for one in missed)


def test_a_story_has_one_item_that_no_copy_is_made_from(planted: list[PlantedItem]) -> None:
    firsts = Counter(one.truth.story for one in planted if one.truth.kind not in COPY_KINDS)
    assert set(firsts.values()) == {1}


def test_between_7_and_15_items_of_a_hundred_tell_an_earlier_story(
    planted: list[PlantedItem],
) -> None:
    stories: set[str] = set()
    again = 0
    for one in planted:
        again += one.truth.story in stories
        stories.add(one.truth.story)
    assert 0.07 < again / ITEMS < 0.15


@pytest.mark.parametrize("kind", get_args(PlantedKind))
def test_every_kind_occurs_several_times_in_the_demo(kind: PlantedKind) -> None:
    assert sum(one.truth.kind == kind for one in demo_stream()) >= 3


def test_the_demo_has_stories_of_several_items_in_each_language() -> None:
    sizes = Counter(one.truth.story for one in demo_stream())
    assert {story[:2] for story, size in sizes.items() if size >= 3} == {"ru", "uk", "en"}


def test_a_copy_is_published_after_what_it_copies(
    planted: list[PlantedItem], first: dict[Key, PlantedItem]
) -> None:
    for one in planted:
        if one.truth.kind in ("reprint", "retitled", "cut", "rewrite"):
            assert published(one) > published(source_of(one, first))


def test_a_late_original_arrives_after_a_copy_and_was_published_before_it(
    planted: list[PlantedItem],
) -> None:
    indexes = {id(one): index for index, one in enumerate(planted)}
    for late in of_kind(planted, "late_original"):
        copies = [one for one in planted if one.truth.of == key(late)]
        assert any(indexes[id(one)] < indexes[id(late)] for one in copies)
        assert all(published(late) < published(one) for one in copies)


def test_a_reprint_is_nearly_the_same_text_in_another_source(
    planted: list[PlantedItem], first: dict[Key, PlantedItem]
) -> None:
    reprints = of_kind(planted, "reprint")
    pairs = [(one, source_of(one, first)) for one in reprints]
    assert all(one.item["source"] != other.item["source"] for one, other in pairs)
    alike = [similarity(one, other) for one, other in pairs]
    assert sum(alike) / len(alike) > 0.5


def test_a_rewrite_has_the_facts_and_hardly_a_phrase_of_its_original(
    planted: list[PlantedItem], first: dict[Key, PlantedItem]
) -> None:
    pairs = [(one, source_of(one, first)) for one in of_kind(planted, "rewrite")]
    phrases = [similarity(one, other) for one, other in pairs]
    assert sum(phrases) / len(phrases) < 0.2
    shared = [len({*words(one.item)} & {*words(other.item)}) for one, other in pairs]
    assert sorted(shared)[len(shared) // 2] >= 12


def test_a_cut_copy_is_shorter_and_says_nothing_new(
    planted: list[PlantedItem], first: dict[Key, PlantedItem]
) -> None:
    shorter = 0
    cuts = of_kind(planted, "cut")
    for one in cuts:
        shorter += len(text(one)) < len(text(source_of(one, first)))
    # A tail of the new source may be longer than what was cut off.
    assert shorter / len(cuts) > 0.8


def test_a_retitled_copy_has_another_headline(
    planted: list[PlantedItem], first: dict[Key, PlantedItem]
) -> None:
    copies = of_kind(planted, "retitled")
    same = sum(one.item["title"] == source_of(one, first).item["title"] for one in copies)
    # Two channels without headlines of their own both show the lead.
    assert same / len(copies) < 0.15


def test_an_update_has_other_numbers_than_what_it_updates(
    planted: list[PlantedItem], first: dict[Key, PlantedItem]
) -> None:
    for one in of_kind(planted, "update"):
        before = set(re.findall(r"\d+", text(source_of(one, first))))
        assert set(re.findall(r"\d+", text(one))) - before


def test_a_digest_holds_the_lead_of_what_it_points_to(
    planted: list[PlantedItem], first: dict[Key, PlantedItem]
) -> None:
    for one in of_kind(planted, "digest"):
        shared = {*words(one.item)} & {*words(source_of(one, first).item)}
        assert len(shared) >= 8
        assert text(one).count("\n") >= 3


def test_a_shared_background_is_a_long_paragraph(
    planted: list[PlantedItem], first: dict[Key, PlantedItem]
) -> None:
    for one in of_kind(planted, "background"):
        theirs = source_of(one, first)
        paragraphs = [set(paragraph.split()) for paragraph in re.split(r"\n+|</?p>", text(one))]
        shared = max(
            len(paragraph & {*text(theirs).split()}) / len(paragraph)
            for paragraph in paragraphs
            if len(paragraph) > 15
        )
        assert shared > 0.6


def test_two_scores_of_a_match_differ_in_nothing_but_the_score(
    planted: list[PlantedItem], first: dict[Key, PlantedItem]
) -> None:
    for one in of_kind(planted, "score"):
        if one.truth.of is None:
            continue
        before = source_of(one, first)
        early, late = words(before.item), words(one.item)
        differing = {pair for pair in zip(early, late, strict=True) if pair[0] != pair[1]}
        assert differing
        assert all(word.replace("-", "").isdigit() for pair in differing for word in pair)


def test_a_template_has_the_form_of_the_one_before(
    planted: list[PlantedItem], first: dict[Key, PlantedItem]
) -> None:
    pairs = [
        similarity(one, source_of(one, first))
        for one in of_kind(planted, "template")
        if one.truth.of is not None
    ]
    assert sum(pairs) / len(pairs) > 0.12


def test_a_redelivery_is_the_item_as_it_was(
    planted: list[PlantedItem], first: dict[Key, PlantedItem]
) -> None:
    assert all(one.item == source_of(one, first).item for one in of_kind(planted, "redelivery"))


@pytest.mark.parametrize("kind", ["edit", "moved_edit"])
def test_an_edit_is_a_later_version_of_the_same_item(
    planted: list[PlantedItem], first: dict[Key, PlantedItem], kind: PlantedKind
) -> None:
    for one in of_kind(planted, kind):
        assert key(one) == one.truth.of
        assert datetime.fromisoformat(str(one.item["updated_at"])) > published(one)
        assert one.item["text"] != source_of(one, first).item["text"]


def test_only_edits_say_when_they_were_updated(planted: list[PlantedItem]) -> None:
    kinds = {one.truth.kind for one in planted if "updated_at" in one.item}
    assert kinds == {"edit", "moved_edit"}
