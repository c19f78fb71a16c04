"""Exports of Telegram Desktop: channel posts become items, all else is left alone."""

import json

import pytest

from newsdedup.adapters.formats.json_object import Limits
from newsdedup.feeder.archives.archive_entry import ArchivePosition, LeftOut
from newsdedup.feeder.archives.telegram_export import read_telegram_export
from newsdedup.ports.errors import Rejection, SettingsInvalid, SourceUnusable

POST = {
    "id": 42,
    "type": "message",
    "date": "2026-03-02T12:00:00",
    "date_unixtime": "1772445600",
    "from": "Вісті Вельни",
    "from_id": "channel1001",
    "text": "Міст через Вельну знову відкрили.",
    "text_entities": [{"type": "plain", "text": "Міст через Вельну знову відкрили."}],
}


def channel(*messages, **fields):
    return {
        "name": "Вісті Вельни",
        "type": "public_channel",
        "id": 1001,
        "messages": list(messages),
        **fields,
    }


def entries(export, start=0, **options):
    data = export if isinstance(export, bytes) else json.dumps(export, ensure_ascii=False).encode()
    return list(read_telegram_export("result.json", data, ArchivePosition(start), **options))


def contents(export, **options):
    return [entry.content for entry in entries(export, **options)]


def post(**fields):
    return {**POST, **fields}


def test_a_post_becomes_an_item_of_its_channel():
    assert contents(channel(POST)) == [
        {
            "source": "Вісті Вельни",
            "url": "https://t.me/c/1001/42",
            "text": "Міст через Вельну знову відкрили.",
            "published_at": "2026-03-02T10:00:00+00:00",
        }
    ]


def test_a_channel_whose_name_on_t_me_is_given_has_public_addresses():
    (fields,) = contents(channel(POST), source="@visti")
    assert (fields["source"], fields["url"]) == ("@visti", "https://t.me/visti/42")


def test_a_text_in_parts_is_put_together_and_its_links_are_collected():
    text = [
        "Міст ",
        {"type": "bold", "text": "відкрили"},
        ": ",
        {"type": "text_link", "text": "репортаж", "href": "https://visti.example/7?utm_source=tg"},
        ", ",
        {"type": "link", "text": "daily.example/8"},
        {"type": "mention", "text": "@visti"},
    ]
    (fields,) = contents(channel(post(text=text)))
    assert fields["text"] == "Міст відкрили: репортаж, daily.example/8@visti"
    assert fields["links"] == ["https://visti.example/7", "https://daily.example/8"]


def test_a_forwarded_post_names_the_channel_that_it_was_taken_from():
    forwarded = post(forwarded_from="Щоденник", forwarded_from_id="channel77", author="І. Голм")
    (fields,) = contents(channel(forwarded))
    assert fields["source"] == "Вісті Вельни"
    assert fields["forwarded_from"] == "Щоденник"
    assert fields["forwarded_from_id"] == "channel77"
    assert fields["author"] == "І. Голм"


def test_an_edited_post_says_when_it_was_edited():
    (fields,) = contents(channel(post(edited="2026-03-02T13:00:00", edited_unixtime="1772449200")))
    assert fields["updated_at"] == "2026-03-02T11:00:00+00:00"


def test_an_older_export_without_unix_times_keeps_the_times_that_it_has():
    old = {name: value for name, value in POST.items() if name != "date_unixtime"}
    (fields,) = contents(channel(old))
    assert fields["published_at"] == "2026-03-02T12:00:00"


def test_service_messages_and_posts_without_text_are_left_out():
    notice = {"id": 1, "type": "service", "action": "create_channel", "text": ""}
    picture = post(id=2, text="", photo="photos/1.jpg")
    assert contents(channel(notice, picture, POST))[:2] == [LeftOut.SERVICE, LeftOut.WITHOUT_TEXT]


def test_of_an_account_only_the_channels_are_read():
    private = channel(POST, type="personal_chat", id=5)
    group = channel(POST, type="private_supergroup", id=6)
    account = {
        "about": "Here is the data you requested.",
        "contacts": {"list": [{"first_name": "Іда"}]},
        "chats": {"about": "…", "list": [private, channel(POST), group]},
        "left_chats": {"about": "…", "list": [channel(post(id=7), id=1002, name="Daily")]},
    }
    addresses = [fields["url"] for fields in contents(account)]
    assert addresses == ["https://t.me/c/1001/42", "https://t.me/c/1002/7"]
    with pytest.raises(SettingsInvalid, match="2 channels"):
        contents(account, source="@visti")


def test_messages_that_were_read_before_are_passed_over():
    export = channel(*(post(id=number) for number in range(1, 6)))
    rest = entries(export, start=3)
    assert [entry.number for entry in rest] == [4, 5]
    assert rest == entries(export)[3:]


def test_a_message_is_at_the_byte_where_it_stands_in_the_file():
    data = json.dumps(channel(POST, POST, post(id="x")), ensure_ascii=False, indent=1).encode()
    (*_, last) = entries(data)
    assert isinstance(last.content, Rejection)
    assert data[last.offset : last.offset + last.size] == last.received
    assert json.loads(last.received)["id"] == "x"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (post(id=None), "bad_field"),
        (post(text={"type": "bold"}), "bad_field"),
        (post(text=[7]), "bad_field"),
        (["no", "object"], "not_object"),
        (post(reactions=[[[[[["deep"]]]]]] * 20), "too_deep"),
    ],
)
def test_a_message_of_another_form_is_rejected_and_the_next_one_read(message, code):
    bad, good = contents(channel(message, POST), limits=Limits(depth=4))
    assert bad.code == code
    assert good["url"] == "https://t.me/c/1001/42"


@pytest.mark.parametrize(
    "export",
    [
        b"",
        b"<html>",
        b"[]",
        b'{"type": "public_channel", "messages": "none"}',
        b'{"name": "x", "type": "public_channel", "id": 1, "messages": [{"id": 1}, {"id"',
        b'{"chats": ' + b"[" * 100_000,
        json.dumps(channel(POST, type="personal_chat")).encode(),
        b"\xff\xfe{}",
    ],
)
def test_a_file_that_is_no_whole_export_of_a_channel_is_refused(export):
    with pytest.raises(SourceUnusable, match=r"^result.json"):
        entries(export)
