"""What streams bring that nobody here has seen: two sites, follow-ups, notices of two days."""

import pytest

from core.verify.retold import RULE, entry
from newsdedup.core.matching.verify.copy_rates import NO_PAIRS, Shifts, estimate_shifts
from newsdedup.core.matching.verify.features import compare_views
from newsdedup.core.matching.verify.sketches import update_sketch
from newsdedup.core.matching.verify.view import TextView, sort_phrases
from newsdedup.core.model import Entry, Match

OF_MANY_SOURCES: Shifts = estimate_shifts(NO_PAIRS, base=RULE.model.base, concentration=0.1)
"""What an entry freezes in a stream of ten sources, before any pair was counted."""

EVENING = (
    "Halden harbour to be closed for dredging\n"
    "The harbour of Halden will be closed to ferries from Friday while its channel is dredged, "
    "harbour master Ida Oland said today. The work will take nine weeks and cost 14 million "
    "crowns. Ferries to Osterby will leave from the fish quay meanwhile, and tickets stay valid."
)
MORNING = (
    "Ferries move to the fish quay as Halden dredges its channel\n"
    "Halden harbour closes to ferries on 23 May for dredging of the channel, harbour master Ida "
    "Oland said yesterday. The work, which costs 14 million crowns, will take nine weeks. "
    "Meanwhile ferries to Osterby leave from the fish quay; tickets stay valid."
)
ARRESTED = (
    "Former mayor of Marstad arrested over bridge contract\n"
    "Former mayor Jon Veide was arrested by fraud investigators in Marstad this morning over the "
    "contract for the bridge on the Velna. Prosecutors say that the firm of his brother was paid "
    "32 million crowns for work that was never done. The inquiry began two years ago after a "
    "report of the auditors. Veide led the town for eleven years and denies any wrongdoing."
)
RELEASED = (
    "Court lets former mayor of Marstad go home\n"
    "A court in Marstad let former mayor Jon Veide go home on bail in the evening, on condition "
    "that he stays in the town. Prosecutors say that the firm of his brother was paid 32 million "
    "crowns for work that was never done. The inquiry began two years ago after a report of the "
    "auditors. Veide led the town for eleven years and denies any wrongdoing."
)
NOTICE = (
    "Ремонт водопровода в Заозерске {day}\n"
    "{day} с 9:00 до 18:00 без воды останутся дома на улице {street}, сообщил водоканал. Подвоз "
    "воды организуют у школы. Работы ведут в связи с заменой задвижек, просят сделать запас."
)
TOLL = (
    "Storm over Osterby leaves 4 people hurt\n"
    "4 people were hurt when a storm tore roofs off houses in Osterby, the fire service said. "
    "Some 900 homes have no power, and the road to Halden is closed by fallen trees."
)
NEWER_TOLL = (
    "Storm over Osterby leaves 4 people hurt\n"
    "4 people were hurt when a storm tore roofs off houses in Osterby, the fire service said. "
    "Some 900 homes have no power, and the road to Halden is closed by fallen trees. By noon "
    "crews had freed the road and 250 homes were still dark."
)


def judged(
    earlier: str,
    later: str,
    *,
    same_source: bool,
    hours: float = 6,
    known: Shifts = OF_MANY_SOURCES,
) -> Match | None:
    """Return what the rule says of two texts in a stream that has shown `known`."""
    first = entry(earlier)
    again = entry(later, source="a" if same_source else "b", name="2", hours=hours)
    return RULE.match(_frozen(first, known), _frozen(again, known))


def _frozen(one: Entry, known: Shifts) -> Entry:
    sketch = update_sketch(one.sketches[-1], None, shifts=known, bucket=1)
    return one._replace(sketches=(*one.sketches[:-1], sketch))


def _used_before(view: TextView, phrases: set[int]) -> TextView:
    """Return the view as if its source had used these phrases twice before."""
    uses = [2 * (phrase in phrases) for phrase in view.phrases.hashes]
    return view._replace(phrases=sort_phrases(view.phrases, uses))


def _logit(earlier: TextView, later: TextView, *, same_source: bool) -> float:
    return RULE.model.logit(compare_views(earlier, later, same_source=same_source).features)


def _reuse(earlier: TextView, later: TextView, *, same_source: bool) -> float:
    return compare_views(earlier, later, same_source=same_source).features.reuse


def test_the_evening_and_the_morning_report_of_two_sites_are_one_message():
    match = judged(EVENING, MORNING, same_source=False, hours=14)
    assert match is not None
    assert match.duplicate


def test_a_follow_up_of_one_source_with_the_same_background_is_no_copy():
    match = judged(ARRESTED, RELEASED, same_source=True)
    assert match is not None
    assert not match.duplicate


def test_background_of_an_earlier_report_speaks_against_a_copy_of_one_source_alone():
    new = RULE.view(entry(ARRESTED)), RULE.view(entry(RELEASED))
    # What either report has in common with the other, the source had published a month before.
    used = set(new[0].phrases.hashes).intersection(new[1].phrases.hashes)
    old = [_used_before(view, used) for view in new]
    assert _logit(*old, same_source=True) < _logit(*new, same_source=True) - 1
    assert _reuse(old[0], new[1], same_source=False) == 0 < _reuse(*old, same_source=True)


def test_an_added_quantity_alongside_known_background_is_judged_by_what_is_new():
    first, again = (RULE.view(entry(text)) for text in (TOLL, NEWER_TOLL))
    assert _reuse(first, again, same_source=True) == 0
    form = set(first.phrases.hashes[:4])
    assert 0 < _reuse(_used_before(first, form), again, same_source=True) < 0.5


def test_a_report_that_another_source_takes_over_is_one_although_a_source_seldom_repeats_itself():
    match = judged(ARRESTED, f"{ARRESTED} His lawyer was silent.", same_source=False)
    assert match is not None
    assert match.relation == "reprint"


@pytest.mark.parametrize("same_source", [True, False])
def test_notices_of_two_days_are_no_copies_whatever_source_publishes_them(same_source: bool):
    first = NOTICE.format(day="16 мая", street="Лесной")
    second = NOTICE.format(day="17 мая", street="Береговой")
    match = judged(first, second, same_source=same_source, hours=24)
    assert match is None or not match.duplicate


def test_a_quantity_that_a_report_adds_to_the_first_ones_makes_it_no_other_message():
    match = judged(TOLL, NEWER_TOLL, same_source=False, hours=2)
    assert match is not None
    assert match.duplicate


def test_another_quantity_instead_of_the_first_is_an_update():
    match = judged(TOLL, TOLL.replace("4 people", "9 people"), same_source=False, hours=2)
    assert match is not None
    assert match.relation == "update"


def test_the_same_is_not_assumed_of_a_stream_of_one_source():
    alone = estimate_shifts(NO_PAIRS, base=RULE.model.base, concentration=1.0)
    longer = f"{EVENING} Buses will take passengers from the old pier."
    apart = judged(EVENING, longer, same_source=True, known=OF_MANY_SOURCES)
    together = judged(EVENING, longer, same_source=True, known=alone)
    assert apart is not None
    assert together is not None
    assert together.score >= apart.score
