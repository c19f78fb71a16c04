import pytest

from newsdedup.adapters.redis.keys import Keys
from newsdedup.config import settings_by_key
from newsdedup.config.addresses import NamespaceName, TopicName
from newsdedup.config.kinds import LineOfText


@pytest.mark.parametrize("name", ["news.raw", "News_RAW-1", "...", "0", "x" * 249])
def test_a_topic_is_called_as_kafka_allows_it(name: str) -> None:
    assert TopicName().parse(f" {name} ") == name


@pytest.mark.parametrize(
    "name", ["", " ", ".", "..", "a b", "a/b", "a:b", "новости", "x" * 250, "a\nb", 3, None]
)
def test_what_kafka_would_not_call_a_topic_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match="1 to 249 letters"):
        TopicName().parse(name)


@pytest.mark.parametrize("name", ["news", "Sport-2.A", "новости", "a b|c", "x" * 100])
def test_a_namespace_may_hold_what_keys_may(name: str) -> None:
    assert NamespaceName().parse(f" {name} ") == name
    assert Keys(name, 1).namespace == name


@pytest.mark.parametrize("name", ["", " ", "a{b", "a}b", "{}", "x" * 101, "a\nb", 3, None])
def test_a_namespace_that_would_break_the_hash_slot_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match=r"without \{ and \}"):
        NamespaceName().parse(name)


def test_a_consumer_group_has_any_name_but_none() -> None:
    kind = settings_by_key()["kafka.group"].kind
    assert kind.parse("Новости, все") == "Новости, все"
    with pytest.raises(ValueError, match="1 to 1000 characters"):
        kind.parse(" ")
    assert LineOfText().parse(" ") == ""
