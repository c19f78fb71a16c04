from hashlib import md5

from core.fingerprints.readings import reading
from newsdedup.core.fingerprints.corpus import NO_CORPUS
from newsdedup.core.fingerprints.md5 import Md5
from newsdedup.core.fingerprints.method import NO_FINGERPRINT


def body(method: Md5, title: str, text: str) -> bytes:
    return method.sign(reading(title, text), NO_CORPUS).body


def test_the_whole_is_the_md5_of_words_and_numbers() -> None:
    # "на" is short, "12" is a number, punctuation and case are gone.
    said = "мост открыт ждали\n12"
    assert (
        body(Md5(), "Мост открыт!", "На 12 ждали...")
        == md5(said.encode(), usedforsecurity=False).digest()
    )


def test_a_new_headline_leaves_the_body_and_the_lead() -> None:
    text = "Первый абзац.\nВторой абзац."
    for part, same in (("whole", False), ("body", True), ("lead", True)):
        method = Md5(part=part)
        assert (body(method, "Мост открыт", text) == body(method, "Открыли мост", text)) is same


def test_a_new_ending_leaves_the_lead_only() -> None:
    for part, same in (("whole", False), ("body", False), ("lead", True)):
        method = Md5(part=part)
        one = body(method, "Мост", "Первый абзац.\nВторой абзац.")
        other = body(method, "Мост", "Первый абзац.\nДругой конец.")
        assert (one == other) is same


def test_another_number_is_another_text() -> None:
    assert body(Md5(), "Счёт", "Матч: 10 минута") != body(Md5(), "Счёт", "Матч: 40 минута")


def test_a_headline_alone_has_neither_body_nor_lead() -> None:
    for part in ("body", "lead"):
        assert Md5(part=part).sign(reading("Мост открыт"), NO_CORPUS) == NO_FINGERPRINT
