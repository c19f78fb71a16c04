import pytest
from yarl import URL

from newsdedup.feeder.fetching.address_guard import may_send, read_credentials
from newsdedup.feeder.fetching.answers import FetchError


def test_a_secret_comes_from_the_environment_or_a_file(tmp_path, monkeypatch):
    (tmp_path / "secret").write_text("Bearer token:1\n")
    monkeypatch.setenv("FEED", "user:pass:word")
    basic = read_credentials("env:FEED")
    assert basic.authorization == "Basic dXNlcjpwYXNzOndvcmQ="
    bearer = read_credentials(f"file:{tmp_path / 'secret'}")
    assert bearer.authorization == "Bearer token:1"


def test_credentials_are_not_shown(monkeypatch):
    monkeypatch.setenv("FEED", "user:password")
    assert "dXNl" not in str(read_credentials("env:FEED"))


@pytest.mark.parametrize("content", ["", "s3cr3t", "user:pass\nX-Header: 1", "Bearer a\nb"])
def test_a_secret_of_another_form_is_an_error_that_does_not_show_it(content, monkeypatch):
    monkeypatch.setenv("FEED", content)
    with pytest.raises(FetchError) as caught:
        read_credentials("env:FEED")
    assert "env:FEED" in str(caught.value)
    assert not content or content not in str(caught.value)


@pytest.mark.parametrize("secret", ["FEED", "env:MISSING", "file:/nowhere", "keyring:feed"])
def test_a_missing_secret_is_an_error(secret, monkeypatch):
    monkeypatch.delenv("FEED", raising=False)
    with pytest.raises(FetchError):
        read_credentials(secret)


@pytest.mark.parametrize(
    ("subscribed", "target", "sent"),
    [
        ("https://news.example/feed", "https://news.example/other", True),
        ("http://news.example/feed", "https://news.example/feed", True),
        ("https://news.example/feed", "http://news.example/feed", False),
        ("https://news.example/feed", "https://cdn.news.example/feed", False),
        ("https://news.example/feed", "https://news.example:8443/feed", False),
        ("http://news.example:8080/feed", "http://news.example:8080/new", True),
        ("http://news.example:8080/feed", "http://news.example/new", False),
    ],
)
def test_credentials_stay_with_their_host(subscribed, target, sent):
    assert may_send(subscribed, URL(target)) is sent
