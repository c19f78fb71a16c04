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
def test_another_figure_is_an_update(report: Report):
    moved = report.text.replace(*report.figure)
    assert moved != report.text
    match = judged(report.text, moved)
    assert match is not None
    assert match.relation == "update"


@every
def test_another_subject_is_no_copy(report: Report):
    assert not duplicate(report.text, report.text.replace(*report.subject))


@every
def test_another_message_about_the_same_is_no_copy(report: Report):
    assert not duplicate(report.text, report.other)


@pytest.mark.parametrize("report", REPORTS[:4], ids=lambda report: report.name)
def test_letters_that_look_alike_change_nothing(report: Report):
    assert duplicate(report.text, report.text.translate(LOOKALIKES))


@every
def test_no_two_reports_are_copies(report: Report):
    assert not any(duplicate(report.text, other.text) for other in REPORTS if other is not report)
