"""What a change of a text does to the verdict, by the shipped model; nothing was learned before."""

import pytest

from core.verify.retold import REPORTS, Report, duplicate, judged

LOOKALIKES = str.maketrans("аеорсхуАЕОРСХТМВК", "aeopcxyAEOPCXTMBK")

every = pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.name)


@every
def test_the_same_text_is_a_reprint(report: Report):
    match = judged(report.text, report.text)
    assert match is not None
    assert match.relation == "reprint"


@every
def test_a_tail_changes_nothing(report: Report):
    assert duplicate(report.text, report.text + report.tail)


@every
def test_a_text_without_its_end_is_a_copy(report: Report):
    assert duplicate(report.text, report.text.rpartition("\n")[0])


@every
def test_other_paragraphs_first_is_a_copy(report: Report):
    headline, *paragraphs = report.text.split("\n")
    assert duplicate(report.text, "\n".join([headline, *reversed(paragraphs)]))


@every
def test_another_quantity_is_an_update(report: Report):
    moved = report.text.replace(*report.quantity)
    assert moved != report.text
    match = judged(report.text, moved)
    assert match is not None
    assert match.relation == "update"


FURTHER_ON = {
    "ru fire": ("1,2 тысячи", "3,4 тысячи"),
    "ru bank": ("от 50 тысяч", "от 90 тысяч"),
    "uk bridge": ("за 20 тонн", "за 40 тонн"),
    "en strike": ("6 percent", "9 percent"),
    "en court": ("three warnings", "five warnings"),
}
"""What the reports count after their beginning, and another count; one counts nothing there."""


@pytest.mark.parametrize(
    "report", [each for each in REPORTS if each.name in FURTHER_ON], ids=lambda report: report.name
)
def test_another_quantity_further_on_is_an_update(report: Report):
    moved = report.text.replace(*FURTHER_ON[report.name])
    assert moved != report.text
    match = judged(report.text, moved)
    assert match is not None
    assert match.relation == "update"


@every
def test_other_counts_of_readers_change_nothing(report: Report):
    shown = (f"{report.text}\nПросмотров: 125", f"{report.text}\nПросмотров: 318\n12 comments")
    assert duplicate(*shown)


@every
def test_another_subject_is_no_copy(report: Report):
    assert not duplicate(report.text, report.text.replace(*report.subject))


@every
def test_another_message_about_the_same_is_no_copy(report: Report):
    assert not duplicate(report.text, report.other)


@pytest.mark.parametrize("report", REPORTS[:4], ids=lambda report: report.name)
def test_characters_that_look_alike_change_nothing(report: Report):
    assert duplicate(report.text, report.text.translate(LOOKALIKES))


@every
def test_no_two_reports_are_copies(report: Report):
    assert not any(duplicate(report.text, other.text) for other in REPORTS if other is not report)


MATCH = "«Заря» — «Факел»: {minute}-я минута, счёт {score}\nВ матче чемпионата области {tail}"
AT_10 = MATCH.format(minute=10, score="1:0", tail="«Заря» открыла счёт, гол забил Антон Рябинин.")
AT_40 = MATCH.format(minute=40, score="2:1", tail="«Заря» снова вышла вперёд, дубль у Рябинина.")
EN_10 = "Halden 1-0 Osterby (10 min)\nHalden lead 1-0 in the league match, Oland scored the goal."
EN_40 = "Halden 2-1 Osterby (40 min)\nHalden lead 2-1 in the league match, Oland scored the goal."


@pytest.mark.parametrize(("earlier", "later"), [(AT_10, AT_40), (EN_10, EN_40)])
def test_the_score_at_minute_10_and_at_minute_40_are_two_messages(earlier: str, later: str):
    # The example of the seed: two messages that share nearly every word.
    match = judged(earlier, later, hours=0.5)
    assert match is None or not match.duplicate


@pytest.mark.parametrize("text", [AT_10, EN_40])
def test_the_same_score_of_the_same_minute_is_a_copy(text: str):
    assert duplicate(text, text + "\nПодписывайтесь на наш канал", hours=0.1)


TEMPLATES = (
    (
        "Доллар поднялся выше 108 рублей, данные торгов",
        "Доллар поднялся выше 109 рублей, данные торгов",
    ),
    (
        "Прогноз погоды на 8 ноября: днём до 5 градусов",
        "Прогноз погоды на 9 ноября: днём до 5 градусов",
    ),
    ("Кремень-Банк: курс 41,2 гривні за долар", "Кремень-Банк: курс 41,9 гривні за долар"),
    (
        "KETTLE CORP 4TH QTR NET\nShr 34 cts vs 20 cts\nNet 1,234,000 vs 801,000\nRevs 45.2 mln",
        "BRANT INC 4TH QTR NET\nShr 51 cts vs 44 cts\nNet 3,876,000 vs 2,950,000\nRevs 88.0 mln",
    ),
    (
        "MONEY MARKET GIVEN 156 MLN STG HELP\nThe bank said it gave the market 156 mln stg help.",
        "MONEY MARKET GIVEN 210 MLN STG HELP\nThe bank said it gave the market 210 mln stg help.",
    ),
)


@pytest.mark.parametrize(("earlier", "later"), TEMPLATES)
def test_a_template_never_makes_copies_of_other_quantities(earlier: str, later: str):
    assert not duplicate(earlier, later)
