"""A line as it is received, and what becomes of others."""

from newsdedup import InvalidItem
from newsdedup.adapters.formats.item_json import decode_item

CODES = {
    "not_json",
    "not_utf8",
    "not_object",
    "no_text",
    "bad_date",
    "absurd_date",
    "too_long",
    "too_deep",
    "bad_field",
    "unknown_command",
}
LINE = (
    '{"id":"1","source":"ria.ru","url":"https://ria.ru/1","published_at":"2025-01-06T10:00:00Z",'
    '"title":"Мост открыт","text":"Движение по мосту открыто.","seen_at":"2025-01-06T10:05:00Z",'
    '"lang":"ru","updated_at":"2025-01-06T10:01:00Z","links":["https://ria.ru/0"],"views":3}'
).encode()


def accepted(line):
    """Return what a line holds, None if it is refused with a code that we document."""
    try:
        return decode_item(line, source="input")
    except InvalidItem as refusal:
        assert refusal.code in CODES  # noqa: PT017  # refused or not: both are right
        assert 0 < len(str(refusal)) < 500  # noqa: PT017  # as above
        return None
