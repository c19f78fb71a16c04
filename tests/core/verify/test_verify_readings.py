"""Verdicts that hung on a quantity that was read as something else, or as nothing."""

from core.verify.retold import duplicate

DRAW = (
    "Winning numbers drawn in Altmere\nThe winning numbers in the evening draw of the Altmere "
    "lottery were {}, the treasury said. Nobody matched all of them, and the jackpot grows to 7 "
    "million crowns for the draw on Saturday. Players with three numbers win a free ticket."
)
HOURS = (
    "Altmere library changes its opening hours\nFrom June 2 the library in Altmere will be open "
    "{} on weekdays and {} on Saturdays, the borough said. It is closed on Sundays."
)


def test_another_draw_is_no_copy() -> None:
    assert not duplicate(DRAW.format("04-11-23-29-38"), DRAW.format("02-09-15-31-40"))
    assert duplicate(DRAW.format("04-11-23-29-38"), DRAW.format("4, 11, 23, 29 and 38"))


def test_other_opening_hours_are_no_copy() -> None:
    now = HOURS.format("9am-5pm", "10am-2pm")
    assert not duplicate(now, HOURS.format("9am-8pm", "10am-6pm"))
    assert duplicate(now, HOURS.format("from 9 a.m. to 5 p.m.", "from 10 a.m. to 2 p.m."))


SALE = (
    "Odra Wind buys Kestrel Power for {}\nOdra Wind has agreed to buy its smaller rival Kestrel "
    "Power for {} in cash, the companies said on Friday. The price is {} less than was asked."
)


def test_a_sum_is_the_same_however_its_currency_is_written() -> None:
    first = SALE.format("USD 350m", "USD 350m", "USD 40m")
    assert duplicate(first, SALE.format("$350 million", "350 million dollars", "$40 million"))
    assert not duplicate(first, SALE.format("USD 290m", "USD 290m", "USD 100m"))


CRASH = (
    "{} in crash near Ostley\nA coach overturned near Ostley early on Monday, {}, police said. It "
    "was on its way to Harmouth with 38 passengers. The road was closed for the whole morning."
)


def test_the_killed_who_are_the_injured_of_the_other_text_are_no_copy() -> None:
    first = CRASH.format("Five killed", "killing 5 and injuring 7")
    assert not duplicate(first, CRASH.format("Seven killed", "killing 7 and injuring 5"))
    assert duplicate(first, CRASH.format("Five dead", "killing five people and injuring seven"))


DIVIDEND = (
    "Marlin Steel declares quarterly dividend\nThe board of directors of Marlin Steel Corp has "
    "declared a quarterly dividend of {} per share, payable on June 15 to shareholders of record."
)


def test_cents_are_hundredths_of_the_dollars_of_the_other_text() -> None:
    assert duplicate(DIVIDEND.format("$0.35"), DIVIDEND.format("35 cents"))
    assert not duplicate(DIVIDEND.format("35 cents"), DIVIDEND.format("30 cents"))


BILL = (
    "Senate limits river water for farms\nThe Senate on Thursday approved a bill {} that limits "
    "the use of river water by farms. The president has said that she will sign it."
)


def test_a_vote_is_the_same_in_words() -> None:
    assert duplicate(BILL.format("54-46"), BILL.format("by 54 votes to 46"))
    assert not duplicate(BILL.format("54-46"), BILL.format("by 51 votes to 49"))


FESTIVAL = (
    "Folk festival returns to Averley\nThe Averley folk festival will be held {} with 40 bands on "
    "three stages, organisers said. A ticket for one day costs 35 crowns, as last year."
)


def test_the_days_of_a_festival_are_the_same_however_they_are_written() -> None:
    first = FESTIVAL.format("on June 29-July 2")
    assert duplicate(first, FESTIVAL.format("from 29 June to 2 July"))
    assert not duplicate(first, FESTIVAL.format("on July 6-9"))


STRIKE = (
    "{} at Altmere pit\nMiners at the Altmere copper pit will walk out for {} from Monday, their "
    "union said after talks with the owner failed. The pit employs most of the men in the town."
)


def test_one_of_a_noun_and_five_of_it_count_the_same() -> None:
    first = STRIKE.format("Strike of 1 week", "1 week")
    assert not duplicate(first, STRIKE.format("Strike of 5 weeks", "5 weeks"))
    assert duplicate(first, STRIKE.format("One-week strike", "1 week"))
