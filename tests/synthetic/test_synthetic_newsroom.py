from datetime import UTC, datetime, timedelta

import pytest

from newsdedup.synthetic import noise
from newsdedup.synthetic.frames import Book, read_book
from newsdedup.synthetic.newsroom import Archive, HeldBack, Newsroom, Published
from newsdedup.synthetic.planted import DEFAULT_RATES, DEMO_RATES, PlantedItem, PlantedTruth, Rates
from newsdedup.synthetic.press import SOURCES_PER_LANGUAGE, Issue, draw_sources
from newsdedup.synthetic.report import ReportLength, compose_report
from newsdedup.synthetic.stream import PLANTS, arrivals, generate_stream
from synthetic.seeded import seeded

NOW = datetime(2026, 11, 3, 9, 30, tzinfo=UTC)
TEXT = "«Торговый павильон» загорелся вечером — пожарные приехали быстро.\n\nПодробности позже."
HIDDEN = dict.fromkeys(map(ord, (noise.SOFT_HYPHEN, *noise.HIDDEN)))


def planted(name: str) -> PlantedItem:
    return PlantedItem({"id": name}, PlantedTruth("original", name))


@pytest.fixture(scope="module")
def book() -> Book:
    return read_book("en")


def kept(book: Book, number: int) -> Published:
    rng = seeded(number)
    report = compose_report(book, ReportLength(1, 0, 0, 0, 0), rng, NOW)
    return Published(report, planted(str(number)), Issue(draw_sources(book, rng)[0], number, NOW))


def test_every_rate_has_a_way_to_plant_its_kind() -> None:
    assert [name for _, name in Rates().cumulative()] == list(PLANTS)


@pytest.mark.parametrize("rates", [DEFAULT_RATES, DEMO_RATES])
def test_the_rates_leave_room_for_originals(rates: Rates) -> None:
    sums = [total for total, _ in rates.cumulative()]
    assert sums == sorted(sums)
    assert sums[-1] < 0.7


def test_nothing_is_copied_before_there_is_something_to_copy() -> None:
    only_copies = Rates(**dict.fromkeys(PLANTS, 0.0) | {"reprint": 1.0})
    kinds = [one.truth.kind for one in generate_stream(30, languages=("en",), rates=only_copies)]
    assert kinds == ["original"] * 8 + ["reprint"] * 22


def test_an_archive_never_holds_more_than_its_size(book: Book) -> None:
    archive, rng = Archive(3), seeded(1)
    for number in range(10):
        archive.add(kept(book, number), rng)
    assert len(archive) == 3


def test_an_archive_forgets_the_old(book: Book) -> None:
    archive, rng = Archive(5), seeded(1)
    for number in range(60):
        archive.add(kept(book, number), rng)
    recalled = {archive.recall(rng).issue.number for _ in range(200)}
    assert len(recalled) > 1
    assert min(recalled) > 20


def test_delayed_items_are_released_in_order_of_their_time() -> None:
    delayed = HeldBack()
    for name, minutes in (("late", 9), ("early", 1), ("second", 4), ("tie", 4)):
        delayed.hold(planted(name), NOW + timedelta(minutes=minutes))
    assert not delayed.due(NOW)
    assert delayed.due(NOW + timedelta(minutes=1))
    assert [delayed.release().truth.story for _ in range(4)] == ["early", "second", "tie", "late"]
    assert not delayed.due(NOW + timedelta(days=1))
    assert len(delayed) == 0


def test_more_arrives_by_day_than_by_night() -> None:
    moments = arrivals(datetime(2026, 11, 2, tzinfo=UTC), 100.0, seeded(2))
    hours = [next(moments).hour for _ in range(2_000)]
    assert hours.count(10) > 3 * hours.count(2)


def test_the_mean_rate_is_the_one_asked_for() -> None:
    start = datetime(2026, 11, 2, tzinfo=UTC)
    moments = arrivals(start, 100.0, seeded(3))
    last = [next(moments) for _ in range(9_600)][-1]
    assert 80 < 9_600 / ((last - start).total_seconds() / 3600) < 120


@pytest.mark.parametrize("language", ["ru", "uk", "en"])
def test_publishers_of_a_language_have_names_and_addresses_of_their_own(language: str) -> None:
    known = draw_sources(read_book(language), seeded(4))
    assert len({source.name for source in known}) == SOURCES_PER_LANGUAGE
    assert len({source.base for source in known}) == SOURCES_PER_LANGUAGE
    assert {source.site for source in known} == {True, False}


def test_a_new_version_of_an_item_keeps_its_source_and_id(book: Book) -> None:
    room = Newsroom({"en": book}, seeded(5))
    first = kept(book, 77)
    again = room.publish_version(
        PlantedTruth("edit", "en-1", first.issue.key), first, first.report, NOW
    )
    assert (again.item["source"], again.item["id"]) == first.issue.key


@pytest.mark.parametrize("change", noise.NOISES)
@pytest.mark.parametrize("seed", range(5))
def test_noise_is_visible_only_by_looking_closely(change: noise.Noise, seed: int) -> None:
    changed = change(TEXT, seeded(seed))
    plain = changed.translate(HIDDEN)
    for latin, cyrillic in noise.FROM_LATIN.items():
        plain = plain.replace(latin, cyrillic)
    assert "павильон" in plain
    assert len(plain) < 2 * len(TEXT)


def test_noise_changes_a_text() -> None:
    rng = seeded(6)
    long = " ".join([TEXT] * 12)
    assert all(change(long, rng) != long for change in noise.NOISES)


def test_look_alike_characters_work_in_both_scripts() -> None:
    english = "Firefighters extinguished another warehouse overnight. " * 12
    assert any(ord(character) > 1000 for character in noise.homoglyphs(english, seeded(7)))
    assert "o" in noise.homoglyphs(
        "пожарные потушили склад ночью и остались дежурить " * 12, seeded(7)
    )
