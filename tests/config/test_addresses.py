import pytest

from newsdedup.config.addresses import KafkaAddresses


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a:9092", "a:9092"),
        (" a.example.org:9092 ,  b_1:9093", "a.example.org:9092,b_1:9093"),
        ("[::1]:9092,127.0.0.1:9092", "[::1]:9092,127.0.0.1:9092"),
        ("broker,[fe80::1]", "broker,[fe80::1]"),
    ],
)
def test_addresses_of_kafka_are_read_with_blanks_and_without_ports(
    written: str, meant: str
) -> None:
    assert KafkaAddresses().parse(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        *("", " ", ",", "a:9092,", "a:9092,,b:9092", "a:x", "a:", ":9092", "a:0", "a:65536"),
        *("a b:9092", "kafka://a:9092", "a:9092/x", "::1:9092", "[::g]:9092", "[a]:9092", "a..b:1"),
        *("user:s3cret@a:9092", "x" * 64 + ":9092", "брокер:9092", "a:٩", ["a:9092"], 9092, None),
    ],
)
def test_what_is_no_address_of_kafka_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match="host:port, several with commas between them"):
        KafkaAddresses().parse(written)
