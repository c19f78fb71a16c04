from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.tables.rows import BadTableRow, TableRow, decode_row
from newsdedup.bootstrap.rules import make_rule
from newsdedup.core.events import Judgement
from newsdedup.core.moments import MICROSECOND
from newsdedup.engine.deduplicate import Deduplicate
from runners.finished_rows import SETTINGS, START, analyzer, at, dated, result_of, table

BRIDGE = "The mayor opened the bridge over the river after a repair that cost four million"
STORM = "A storm damaged a school and a hospital near the airport in the night"
YEARS = timedelta(days=3650) // MICROSECOND


def verdicts(rows):
    return [row.verdict for row in result_of(rows).items]


def as_a_stream(rows):
    """Return the final judgement of every item when the rows arrive one by one."""
    rule = make_rule(SETTINGS)
    stream = Deduplicate(
        rule=rule, store=MemoryStore(rule), ledger=MemoryLedger(), lateness=YEARS, bound=10**9
    )
    newest = {}
    for row in rows:
        for event in stream.publish(analyzer().analyze(decode_row(row, limits=LIMITS))):
            said = event.payload
            if isinstance(said, Judgement):
                newest[said.item] = said
    return {
        (key.source, key.id): (
            said.verdict,
            (said.story.original.source, said.story.original.id),
            (said.relation, said.matched and said.matched.score) * (said.verdict == "duplicate"),
        )
        for key, said in newest.items()
    }


def as_a_collection(rows):
    return {
        (row.ref.source, row.ref.id): (
            row.verdict,
            (row.original.source, row.original.id),
            (row.relation, row.score) * (row.verdict == "duplicate"),
        )
        for row in result_of(rows).items
    }


@given(dated(), st.randoms(use_true_random=False))
def test_the_result_is_the_final_state_of_a_stream_in_any_order(rows, random):
    """Links of originals that are merely similar are left out: a stream never goes back to them."""
    shuffled = random.sample(rows, len(rows))
    assert as_a_collection(table(*rows)) == as_a_stream(table(*shuffled))


@given(dated(), st.randoms(use_true_random=False))
def test_the_order_of_dated_rows_decides_nothing(rows, random):
    shuffled = random.sample(rows, len(rows))
    first, second = result_of(table(*rows)), result_of(table(*shuffled))

    def fields_of(row):
        index = (row.ref.source, row.ref.id, row.verdict, row.relation, row.story, row.score)
        return (*index, row.original[2:], row.shared_terms, row.rank)

    assert sorted(map(fields_of, first.items)) == sorted(map(fields_of, second.items))


@given(dated())
def test_every_row_is_reported_in_its_order(rows):
    result = result_of(table(*rows))
    assert [(row.ref.row, row.ref.id) for row in result.items] == [
        (number, row["id"]) for number, row in enumerate(rows)
    ]
    assert sorted(row.rank for row in result.items) == [*range(len(rows))]


def test_a_copy_is_a_duplicate_of_the_earlier_row_with_its_evidence():
    copy = {"id": "2", "source": "b", "text": BRIDGE + ".", "published_at": at(2)}
    first = {"id": "1", "source": "a", "text": BRIDGE, "published_at": at(1)}
    other = {"id": "3", "source": "b", "text": STORM, "published_at": at(1)}
    late, early, alone = result_of(table(copy, first, other)).items
    assert (late.verdict, late.relation, late.score) == ("duplicate", "reprint", 1.0)
    assert late.original == late.matched == early.ref == early.original
    assert late.story == early.story != alone.story
    assert {"bridg", "mayor", "river"} <= set(late.shared_terms)
    assert (alone.verdict, alone.relation, alone.matched) == ("original", "none", None)
    assert late.at == START + timedelta(hours=2)
    assert late.lang == "en"


def test_the_window_holds_for_collections_too():
    rows = table({"text": BRIDGE, "published_at": at(0)}, {"text": BRIDGE, "published_at": at(73)})
    assert verdicts(rows) == ["original", "original"]


def test_the_newest_row_may_stand_first_and_the_window_still_holds():
    rows = [{"text": BRIDGE, "published_at": at(hours)} for hours in range(0, 600, 50)]
    forward, backward = verdicts(table(*rows)), verdicts(table(*reversed(rows)))
    assert forward == backward[::-1]
    assert forward[:3] == ["original", "duplicate", "original"]


def test_rows_without_any_date_follow_each_other():
    assert verdicts(table(*({"text": BRIDGE},) * 12)) == ["original", *["duplicate"] * 11]


def test_an_undated_row_stands_behind_the_row_above_it():
    rows = table(
        {"text": STORM},
        {"text": BRIDGE, "published_at": at(500)},
        {"text": STORM, "published_at": at(0)},
        {"text": BRIDGE},
        {"text": STORM, "published_at": at(10)},
    )
    first, _, alone, undated, last = result_of(rows).items
    assert first.rank == 3
    assert undated.rank == alone.rank + 1
    assert undated.at is None
    assert last.original == alone.ref
    assert undated.verdict == "original"


def test_undated_rows_of_one_file_do_not_follow_the_dates_of_another():
    rows = [
        *table({"text": BRIDGE, "published_at": at(0)}, name="dated.csv"),
        *table({"text": BRIDGE}, {"text": BRIDGE}, name="undated.csv"),
    ]
    assert verdicts(rows) == ["original", "original", "duplicate"]


def test_a_row_that_repeats_an_id_is_an_item_of_its_own_and_reported():
    rows = table(
        {"id": "1", "text": BRIDGE, "published_at": at(0)},
        {"id": "1", "text": BRIDGE + " more", "published_at": at(1)},
        {"id": "1", "text": STORM, "published_at": at(2)},
    )
    first, edited, other = result_of(rows).items
    assert [row.repeated_id for row in (first, edited, other)] == [False, True, True]
    assert [row.ref.id for row in (first, edited, other)] == ["1", "1", "1"]
    assert edited.original == first.ref
    assert other.original == other.ref
    assert len({first.story, other.story}) == 2


def test_rows_that_are_no_items_are_listed_in_their_order():
    bad = BadTableRow("news.csv", 1, 3, "bad_csv", "a quote is never closed")
    rows = [
        TableRow("news.csv", 0, {"title": " "}, line=2),
        bad,
        TableRow("news.csv", 2, {"title": "a", "links": "b"}, line=4),
        TableRow("news.csv", 3, {"title": STORM}, line=5),
    ]
    result = result_of(rows)
    assert [(row.row, row.line, row.code) for row in result.rejected] == [
        (0, 2, "no_text"),
        (1, 3, "bad_csv"),
        (2, 4, "bad_field"),
    ]
    assert [row.ref.row for row in result.items] == [3]


def test_a_row_whose_date_cannot_be_read_is_an_item_without_date_and_counted():
    rows = table(
        {"id": "1", "text": BRIDGE, "published_at": "03/04/2026"},
        {"id": "2", "text": STORM, "published_at": at(0)},
    )
    result = result_of(rows)
    assert [(row.at is None, row.unread_dates) for row in result.items] == [
        (True, ("published_at",)),
        (False, ()),
    ]
    assert (result.counts()["undated"], result.counts()["unread_dates"]) == (1, 1)


def test_nothing_gives_an_empty_result():
    result = result_of([])
    assert (result.items, result.rejected, result.pairs, result.stories) == ([], [], [], [])
