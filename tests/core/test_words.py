import pytest

from newsdedup.core.text.tokens import tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Пресс-служба МВД, 5 мая.", ["пресс-служба", "мвд", "мая"]),
        ("П'ять об'єктів", ["п'ять", "об'єктів"]),
        ("Don't stop - it's late", ["don't", "stop", "it's", "late"]),
        ("Ростов-на-Дону и COVID-19", ["ростов-на-дону", "и", "covid"]),
        ("state-of-the-art", ["state-of-the", "art"]),
        ("один--два 'три' -четыре-", ["один", "два", "три", "четыре"]),
        ("snake_case 3D 2024-й", ["snake", "case", "d", "й"]),
        ("Қала café Straße", ["қала", "café", "straße"]),
        ("12:30 % $ 5", []),
        ("", []),
    ],
)
def test_tokens_are_lower_case_words_and_never_numbers(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_a_run_of_noise_becomes_many_short_tokens() -> None:
    assert {len(token) for token in tokens("я" * 200)} == {64, 8}
