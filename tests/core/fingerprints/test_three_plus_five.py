from hypothesis import given
from xxhash import xxh3_64_intdigest

from core.fingerprints.readings import near_copies, reading
from newsdedup.core.fingerprints.corpus import NO_CORPUS, PreparedText
from newsdedup.core.fingerprints.longest_words import LAYOUT, ThreePlusFive
from newsdedup.core.fingerprints.method import NO_FINGERPRINT
from newsdedup.core.model import Fingerprint

METHOD = ThreePlusFive()


def signed(title: str, body: str = "") -> Fingerprint:
    return METHOD.sign(reading(title, body), NO_CORPUS)


def number(text: str) -> int:
    return xxh3_64_intdigest(text.encode())


def test_a_record_by_hand() -> None:
    one = signed("Новый мост", "Через реку ждали новый мост. Город рад.")
    # Words of three characters and more: новый мост | через реку ждали новый мост | город рад: 9.
    # Sentences by words: 5, 2, 1 ("рад" is too short to be a word).
    # By characters: 5 each for новый, через, ждали, город (by signature), 4 for мост and реку:
    # of the two the one of the smaller signature is the fifth.
    fives = sorted(map(number, ("новый", "через", "ждали", "город")))
    fifth = min(number("мост"), number("реку"))
    assert LAYOUT.unpack(one.body) == (
        9, 3,
        number("через реку ждали новый мост"), number("новый мост"), number("город"),
        *fives, fifth,
    )  # fmt: skip
    assert len(one.keys) == 3


def test_one_sentence_is_padded_with_zeros_which_are_no_keys() -> None:
    one = signed("Новый мост")
    _, _, first, second, third, *words = LAYOUT.unpack(one.body)
    assert (first, second, third) == (number("новый мост"), 0, 0)
    assert words == [number("новый"), number("мост"), 0, 0, 0]
    assert len(one.keys) == 1


MANY = [
    "Через большую реку открыли новый красивый мост",
    "Городские власти обещали закончить работу раньше",
    "Строители получили премию вместе",
    "Движение начнется завтра",
    "Погода хорошая",
    "Праздник",
]


def edited(*changes: tuple[int, str]) -> str:
    said = list(MANY)
    for at, sentence in changes:
        said[at] = sentence
    return ". ".join(said)


def test_the_longest_sentence_decides() -> None:
    # Two of the three longest are new, the longest stands: a duplicate.
    changed = edited((1, "Областные чиновники мечтали завершить стройку осенью"),
                     (2, "Рабочие взяли награды сразу"))  # fmt: skip
    assert METHOD.match(signed(MANY[0], ". ".join(MANY)), signed(MANY[0], changed)) == 1.0


def test_with_more_than_five_sentences_two_of_three_decide_in_any_order() -> None:
    # Sentences have 7, 6, 4, 3, 2, 1 words. The longest loses two words and ties with none: 5.
    changed = edited((0, "Через реку открыли новый мост"))
    assert METHOD.match(signed("", edited()), signed("", changed)) == 1.0
    # With five sentences it takes the longest.
    five = ". ".join(MANY[:5])
    five_changed = ". ".join(["Через реку открыли новый мост", *MANY[1:5]])
    assert METHOD.match(signed("", five), signed("", five_changed)) == 0.0


def test_lengths_may_differ_by_fifteen_percent_and_sentences_by_a_fifth() -> None:
    # 23 words; three more make 26 / 23 = 1.13, four more 27 / 23 = 1.17.
    assert reading("", edited()).length == 23
    near = edited((4, "Погода хорошая сегодня снова тоже"))
    far = edited((4, "Погода хорошая сегодня снова тоже опять"))
    assert METHOD.match(signed("", edited()), signed("", near)) == 1.0
    assert METHOD.match(signed("", edited()), signed("", far)) == 0.0
    # Seven sentences for six are 1.17, eight 1.33.
    assert METHOD.match(signed("", edited()), signed("", edited((4, "Погода. Хорошая")))) == 1.0
    split = edited((4, "Погода. Хорошая"), (3, "Движение начнется. Завтра"))
    assert METHOD.match(signed("", edited()), signed("", split)) == 0.0


def test_two_of_the_five_longest_words_must_be_shared() -> None:
    # The longest sentence is the same; its words are shorter than those of the other sentences.
    said = "Снег идет весь день весь день"
    one = signed("", f"{said}. Правительство договорилось. Министерство согласилось. Учреждение")
    other = signed("", f"{said}. Университеты переименованы. Преподаватели недовольны. Аудитории")
    assert set(one.keys) & set(other.keys)
    assert METHOD.match(one, other) == 0.0


def by_the_paper(one: PreparedText, other: PreparedText) -> bool:
    """The rules of the seed, one after another, over the texts themselves."""

    def longest(said: set, count: int, length, text) -> list:
        return sorted(said, key=lambda what: (-length(what), number(text(what))))[:count]

    records = []
    for said in (one, other):
        sentences = longest(set(said.sentences), 3, len, " ".join)
        words = longest(set(said.words), 5, len, str)
        records.append((said.length, len(said.sentences), sentences, set(words)))
    (len1, num1, ss1, ws1), (len2, num2, ss2, ws2) = records
    if max(len1, len2) / min(len1, len2) > 1.15 or max(num1, num2) / min(num1, num2) > 1.20:
        return False
    if len(ws1 & ws2) < min(2, max(len(ws1), len(ws2))):
        return False
    return ss1[0] == ss2[0] or (min(num1, num2) > 5 and len(set(ss1) & set(ss2)) >= 2)


@given(near_copies())
def test_the_rules_of_the_paper_decide(pair) -> None:
    one, other = (METHOD.sign(said, NO_CORPUS) for said in pair)
    if NO_FINGERPRINT not in (one, other):
        assert METHOD.match(one, other) == float(by_the_paper(*pair))
