"""Wrong tokens: each is logged and counted, and slows the client that gave it."""

import logging
import re
from pathlib import Path

import pytest

from newsdedup.ports.errors import SettingsInvalid
from newsdedup.server.services import TokenGuard
from server.served import TOKEN, judge, serving


class Clock:
    """A clock that goes on only when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_client_may_mistype_and_then_waits_twice_as_long_each_time() -> None:
    clock = Clock()
    guard = TokenGuard(clock=clock)
    waits = []
    for _ in range(16):
        guard.count_wrong("a", "/v1/items")
        waits.append(guard.wait_seconds("a"))
        clock.now += waits[-1]
    assert waits == [0, 0, 0, 0, 1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30]
    assert guard.wait_seconds("b") == 0


def test_a_client_is_forgotten_a_quarter_of_an_hour_after_its_last_wrong_token() -> None:
    clock = Clock()
    guard = TokenGuard(clock=clock)
    for _ in range(9):
        guard.count_wrong("a", "/sign-in")
    clock.now += 900
    guard.count_wrong("a", "/sign-in")
    assert guard.wait_seconds("a") == 0


def test_ten_thousand_clients_are_remembered_at_most() -> None:
    guard = TokenGuard(clock=Clock())
    for _ in range(5):
        guard.count_wrong("first", "/sign-in")
    for number in range(9_999):
        guard.count_wrong(str(number), "/sign-in")
    assert guard.wait_seconds("first") == 1
    guard.count_wrong("one more", "/sign-in")
    assert guard.wait_seconds("first") == 0


def test_wrong_tokens_are_logged_counted_and_slowed_and_the_right_one_waits_too(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    judge(tmp_path)
    caplog.set_level(logging.WARNING, "newsdedup.server")
    item = {"id": "1", "title": "Choir of Sundholm buys the old lighthouse"}
    with serving(tmp_path, engine=True, token=TOKEN) as server:
        for headers in ({}, {"Authorization": "Bearer "}):
            assert server.ask("/v1/items", item, headers=headers).status == 401
        wrong = {"Authorization": "Bearer wrong horse"}
        statuses = [server.ask("/v1/items", item, headers=wrong).status for _ in range(7)]
        right = server.ask("/v1/items", item, headers={"Authorization": f"Bearer {TOKEN}"})
        metrics = server.ask("/metrics").body.decode()
    assert statuses == [401] * 5 + [429] * 2
    assert right.status == 429
    assert right.headers["retry-after"] == "1"
    lines = [one.getMessage() for one in caplog.records if "wrong_token" in one.getMessage()]
    assert len(lines) == 5
    assert lines[0] == "wrong_token client=127.0.0.1 path=/v1/items in_a_row=1"
    assert "horse" not in "".join(lines)
    counted = dict(re.findall(r'refused_tokens_total\{reason="(\w+)"\} ([0-9.]+)', metrics))
    assert counted == {"wrong": "5.0", "too_soon": "3.0"}


@pytest.mark.parametrize("way", ["token", "token_file"])
def test_a_server_takes_no_token_that_can_be_guessed(way: str, tmp_path: Path) -> None:
    judge(tmp_path)
    (tmp_path / "token").write_text("fifteen letters\n", "utf-8")
    chosen = {"token": "fifteen letters"} if way == "token" else {way: str(tmp_path / "token")}
    refusing = pytest.raises(SettingsInvalid, match="fewer than 16 characters")
    with refusing as refused, serving(tmp_path, **chosen):
        pass
    assert "fifteen" not in str(refused.value)
