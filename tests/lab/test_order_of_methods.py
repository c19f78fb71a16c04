from typing import Any

from newsdedup_lab.compare import order
from newsdedup_lab.compare.comparison_report import cost_blocks
from newsdedup_lab.compare.method import WHOLE_METHOD
from newsdedup_lab.compare.paper import METHOD_NUMBERS, TABLE_2, TABLE_4_NAMES, printed_dice
from newsdedup_lab.report.report_content import BulletList, Paragraph, ReportTable

FALSE = {
    "pairs": 4,
    "looked_at": 4,
    "by_similarity": [0, 0, 1, 3],
    "of_other_length": 1,
    "short": 2,
}
MISSED = {"pairs": 8, "looked_at": 4, "near": 2, "short": 1}
PAIR = {
    "left": ("a source", "one"),
    "right": ("other", "2/two"),
    "similarity": 0.7,
    "letters": (9, 9),
}


def measurements_of(*names: str, recall: float = 0.5) -> dict[str, Any]:
    """Return the measurements of methods that come in this order."""
    return {
        "texts": [
            {
                "method": name,
                "precision": 0.9,
                "recall": recall,
                "f1": 0.9 - at / 100,
                "recall_by_similarity": [0.2, 0.4, None, 0.9, 1.0],
            }
            for at, name in enumerate(names)
        ],
        "same": 10,
        "same_by_band": [1, 1, 1, 3, 4],
        "errors": {
            name: {
                "false": {**FALSE, "examples": [PAIR]},
                "missed": {**MISSED, "reasons": {"too long": 3, "other": 1}, "examples": []},
            }
            for name in names
        },
    }


def said(measurements: dict[str, Any]) -> tuple[str, ReportTable, str]:
    text, table, listing = order.order_blocks(measurements)
    assert isinstance(text, Paragraph)
    assert isinstance(table, ReportTable)
    assert isinstance(listing, BulletList)
    return text.text, table, "\n".join(listing.lines)


def test_the_order_of_the_paper_is_said_to_hold_where_it_does():
    text, table, why = said(measurements_of(*TABLE_2))
    assert text.count("holds.") == 2
    assert "not hold" not in text
    assert [row[0] for row in table.rows] == [f"{METHOD_NUMBERS[name]} {name}" for name in TABLE_2]
    assert "rank" not in why


def test_where_our_order_differs_it_is_said_with_reasons_and_ids():
    text, _, why = said(measurements_of("md5", "tf", "long_sent", "three_plus_five"))
    assert "A12 above all others; here that does not hold: it is number 4 of 4" in text
    assert "A4 first among A0 to A10; here that does not hold: it is number 3 of 3" in text
    assert "A12 three_plus_five, rank 4 here, 1 there." in why
    assert "Why: too long (75%); other (25%)." in why
    # 3 of 4 false pairs just fail.
    assert "Of 4 false pairs 75% just fail" in why
    assert "False, for example: one and 2/two (similarity 0.700)." in why
    # A1 is one rank off, which needs no words.
    assert "A1 tf" not in why


def test_the_claim_of_a11_is_compared_with_its_recall():
    for recall, words in ((0.995, "that holds."), (0.94, "that does not hold for recall.")):
        text, _, _ = said(measurements_of(WHOLE_METHOD, recall=recall))
        assert words in text


def test_what_was_left_out_is_said_and_so_is_that_nothing_was():
    cost = {
        "signed": 9, "sign_seconds": 0.1, "keys": 9, "bytes": 90, "pair_seconds": 0.2,
        "compared": 50, "largest": 900, "reach": 200, "left_out": 0,
    }  # fmt: skip
    *_, nothing = cost_blocks({"tf": cost}, 10)
    assert nothing == Paragraph("Here these bounds left out nothing.")
    *_, listing = cost_blocks({"tf": cost, "md5": {**cost, "left_out": 244_650}}, 10)
    line = (
        "A0 md5: up to 244,650 pairs with a common key were not looked at (reach 200, largest "
        "bucket 900 documents)."
    )
    assert listing == BulletList((line,))


def test_the_printed_matrix_reads_the_same_from_both_sides():
    for one in TABLE_4_NAMES:
        for other in TABLE_4_NAMES:
            assert printed_dice(one, other) == printed_dice(other, one)
    assert printed_dice("tf", "lex_rand") == 0.90
    assert printed_dice("heavy_sent", "megashingles") == 0.59
    assert printed_dice("lex_rand", "descr_words") == 0.66
    assert printed_dice("tf", "tf") is None
    assert printed_dice("md5", "tf") is None
