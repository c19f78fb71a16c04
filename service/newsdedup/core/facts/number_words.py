"""Spelled-out numbers in Russian, Ukrainian and English, in the case forms that news uses."""

from newsdedup.core.facts.fact import MILLION

_ONES = {
    2: "два две двух двум двумя двое двоих дві двох двом двома двоє two",
    3: "три трех трем тремя трое троих трьох трьом трьома троє three",
    4: "четыре четырех четырем четырьмя четверо четверых чотири чотирьох чотирьом чотирма four",
    5: "пять пяти пятью пятеро пятерых п'ять п'яти п'ятьох п'ятьом п'ятьма п'ятеро five",
    6: "шесть шести шестью шестеро шестерых шість шістьох шістьом шістьма шестеро six",
    7: "семь семи семью семеро семерых сім сімох сьом семеро seven",
    8: "восемь восьми восемью восьмеро восьмерых вісім вісьмох восьмеро eight",
    9: "девять девяти девятью девятеро дев'ять дев'яти дев'ятьох дев'ятеро nine",
}
_TEENS = {
    10: "десять десяти десятью десятеро десятьох ten",
    11: "одиннадцать одиннадцати одинадцять одинадцяти eleven",
    12: "двенадцать двенадцати дванадцять дванадцяти twelve",
    13: "тринадцать тринадцати тринадцять тринадцяти thirteen",
    14: "четырнадцать четырнадцати чотирнадцять чотирнадцяти fourteen",
    15: "пятнадцать пятнадцати п'ятнадцять п'ятнадцяти fifteen",
    16: "шестнадцать шестнадцати шістнадцять шістнадцяти sixteen",
    17: "семнадцать семнадцати сімнадцять сімнадцяти seventeen",
    18: "восемнадцать восемнадцати вісімнадцять вісімнадцяти eighteen",
    19: "девятнадцать девятнадцати дев'ятнадцять дев'ятнадцяти nineteen",
}
_TENS = {
    20: "двадцать двадцати двадцатью двадцять двадцяти двадцятьох twenty",
    30: "тридцать тридцати тридцатью тридцять тридцяти тридцятьох thirty",
    40: "сорок сорока forty",
    50: "пятьдесят пятидесяти п'ятдесят п'ятдесяти fifty",
    60: "шестьдесят шестидесяти шістдесят шістдесяти sixty",
    70: "семьдесят семидесяти сімдесят сімдесяти seventy",
    80: "восемьдесят восьмидесяти вісімдесят вісімдесяти eighty",
    90: "девяносто девяноста дев'яносто дев'яноста ninety",
}
_HUNDREDS = {
    100: "сто ста",
    200: "двести двухсот двісті двохсот",
    300: "триста трехсот трьохсот",
    400: "четыреста четырехсот чотириста чотирьохсот",
    500: "пятьсот пятисот п'ятсот п'ятисот",
    600: "шестьсот шестисот шістсот шестисот",
    700: "семьсот семисот сімсот",
    800: "восемьсот восьмисот вісімсот",
    900: "девятьсот девятисот дев'ятсот",
}


def _forms(table: dict[int, str]) -> dict[str, int]:
    return {form: value for value, forms in table.items() for form in forms.split()}


ONE = _forms({1: "один одна одно одного одному одним одной одну одном одне одній однієї one"})
"""Mostly a pronoun; a quantity only behind tens and hundreds, or before a word for people."""
ONES = _forms(_ONES)
TENS = _forms(_TENS)
_ENGLISH_ONES = {form: value for form, value in (ONES | ONE).items() if form.isascii()}
_ENGLISH_TENS = {form: value for form, value in TENS.items() if form.isascii()}
COMPOUND = {
    f"{ten}-{one}": tens + ones
    for ten, tens in _ENGLISH_TENS.items()
    for one, ones in _ENGLISH_ONES.items()
}
_TEEN_ENDINGS = (("надцати", "ью"), ("надцяти", "ьох"), ("надцяти", "еро"))
"""Endings that every teen has in the place of its last letter, beside the forms above."""
_RARER_TEENS = {
    form[:-1] + ending: value
    for form, value in _forms(_TEENS).items()
    for begun, ending in _TEEN_ENDINGS
    if form.endswith(begun)
}
UNITS = ONES | _forms(_TEENS) | _RARER_TEENS
HUNDREDS = _forms(_HUNDREDS)
ONE_AND_A_HALF = ("полтора", "полторы", "полутора", "півтора", "півтори")

HALF_OF = frozenset(
    (
        *("полтысячи", "полмиллиона", "полмиллиарда", "полсотни", "півтисячі", "півмільйона"),
        *("півмільярда", "півсотні"),
    )
)
"""Half of a scale, whose name begins behind three letters."""
HALF = frozenset(("пол", "пів"))
"""Half of the scale behind: "пів мільйона"."""
HALVES = frozenset(("половиной", "половиною", "half"))

PLACES = {
    **dict.fromkeys(ONE, 1),
    **dict.fromkeys(UNITS, 1),
    **dict.fromkeys(COMPOUND, 2),
    **dict.fromkeys(TENS, 2),
    **dict.fromkeys(HUNDREDS, 3),
}
"""How far from the right a word stands in a number: each word of one stands right of the last."""
VALUES = {
    form: value * MILLION for form, value in (ONE | UNITS | TENS | COMPOUND | HUNDREDS).items()
}
VALUES |= dict.fromkeys(ONE_AND_A_HALF, 3 * MILLION // 2)
STARTS = frozenset(VALUES) | {"hundred"}
"""What a spelled-out number can begin with; "a hundred" too."""
ORDINAL_STEMS = (
    "перв", "втор", "трет", "четверт", "пят", "шест", "седьм", "восьм", "девят", "десят",
    "перш", "друг", "п'ят", "шост", "сьом", "дев'ят", "first", "second", "third",
)  # fmt: skip
