"""An archive that is replaced while it is served."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from archive.event_stream import archived, story_events
from server.served import NEWS, serving


def test_an_archive_that_replaces_another_is_served_at_once(
    archive_folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "news.archive"
    shutil.copy(archive_folder / path.name, path)
    other = archived(tmp_path / "other", story_events()[:1])
    with serving(tmp_path) as served:
        assert len(served.ask("/v1/items").json()["items"]) == len(NEWS)
        other.replace(path)
        (item,) = served.ask("/v1/items").json()["items"]
        assert item["source"] == "north"
        path.unlink()
        ready = served.ask("/readyz")
        assert (ready.status, b"no such file" in ready.body) == (503, True)
        assert served.ask("/v1/items").status == 503
        archived(path, story_events()[:2])
        assert served.ask("/readyz").status == 200
        assert len(served.ask("/v1/items").json()["items"]) == 2


def test_an_archive_of_as_many_changes_as_the_one_before_it_is_another(tmp_path: Path) -> None:
    path = archived(tmp_path / "news.archive", story_events()[:1])
    other = archived(tmp_path / "other", story_events()[1:2])
    with serving(tmp_path) as served:
        tag = {"If-None-Match": served.ask("/v1/items").headers["etag"]}
        assert served.ask("/v1/items", headers=tag).status == 304
        other.replace(path)
        (item,) = served.ask("/v1/items", headers=tag).json()["items"]
        assert item["source"] == "daily"


def test_an_archive_that_cannot_be_read_is_logged_once_a_minute(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = archived(tmp_path / "news.archive", story_events()[:1])
    with serving(tmp_path) as served:
        path.unlink()
        assert {served.ask("/v1/items").status for _ in range(20)} == {503}
    logged = [one for one in caplog.messages if one.startswith("unavailable reason=")]
    assert 1 <= len(logged) <= 2, "a minute may end between them"


def test_damage_that_a_page_has_met_is_named_until_the_file_is_replaced(tmp_path: Path) -> None:
    path = archived(tmp_path / "news.archive", story_events())
    whole = shutil.copy(path, tmp_path / "whole")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE contents SET event = zeroblob(20)")
    with serving(tmp_path) as served:
        assert served.ask("/readyz").body == b"ready\n"
        item = served.ask("/v1/items").json()["items"][0]
        address = f"/v1/items/{item['source']}/{item['id']}"
        assert served.ask(address).status == 503
        ready = served.ask("/readyz")
        assert ready.status == 200, "what is not damaged is still served"
        assert b"archive: an event in the archive is damaged" in ready.body
        whole.replace(path)
        assert served.ask("/readyz").body == b"ready\n"
        assert served.ask(address).status == 200
