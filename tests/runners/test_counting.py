from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.adapters.tables.rows import BadTableRow, decode_row
from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
from newsdedup.core.document import Analyzer
from newsdedup.core.words.background import EMPTY_BACKGROUND
from newsdedup.runners.files.counting import count_collection
from runners.finished_rows import table

ANALYZER = Analyzer(shipped_vocabulary(EMPTY_BACKGROUND))
ROWS = table(
    {"title": "Нова школа над річкою", "text": "Школи ремонтують, бо школа стара."},
    {"title": "Школу зачинили, її не відкриють"},
    {"title": "Bridges closed", "text": "The bridge is closed; no bridge is open."},
    {"title": ""},
)


def count(rows, **given):
    return count_collection(
        rows, read=lambda row: decode_row(row, limits=LIMITS), analyzer=ANALYZER, **given
    )


def test_lemmas_are_counted_by_language():
    table_, left_out = count(ROWS, least=1)
    assert {lang: counts.documents for lang, counts in table_.counts.items()} == {"uk": 2, "en": 1}
    assert table_.counts["uk"].lemmas["школа"] == (2, 4)
    assert table_.counts["en"].lemmas["bridg"] == (1, 3)
    assert table_.made_with == ANALYZER.reading
    assert left_out == {"no_text": 1}


def test_lemmas_of_few_documents_are_left_out():
    table_, _ = count(ROWS, least=2)
    assert set(table_.counts["uk"].lemmas) == {"школа"}
    assert not table_.counts["en"].lemmas


def test_rows_that_could_not_be_read_are_counted_by_reason():
    bad = BadTableRow("news.csv", 0, 2, "bad_csv", "a quote is never closed")
    assert count([bad, bad])[1] == {"bad_csv": 2}


def test_the_order_of_the_rows_does_not_matter():
    assert count(ROWS)[0] == count(ROWS[::-1])[0]


def test_pivots_are_chosen_from_the_words_of_enough_items():
    rows = table(
        *(
            {"title": f"Bridges closed near harbour {n}", "text": "Council decided."}
            for n in "abcde"
        ),
        *({"title": f"Schools opened {n}"} for n in "abcd"),
    )
    table_, _ = count(rows, least=1)
    # "school" and "open" are in fewer than five items; with another least, all are.
    assert set(table_.pivots.thresholds) <= {
        "bridg",
        "close",
        "near",
        "harbour",
        "council",
        "decid",
    }
    assert table_.pivots.thresholds
    assert not count(rows, least=6)[0].pivots.thresholds
    turned, _ = count(rows[::-1], least=1)
    assert turned.pivots == table_.pivots
