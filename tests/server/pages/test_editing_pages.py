"""Signing in and giving feedback on the pages: over HTTP, and in a browser without scripts."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from newsdedup.server.access import SESSION_SECONDS, is_valid_session, make_session
from newsdedup.server.pages.editing import local_address
from newsdedup_lab.bench.page_paint import CHROMIUM_ARGUMENTS
from newsdedup_lab.collections.pairs import read_pair_file
from server.pages.test_pages_in_a_browser import WAYS, Visitor
from server.served import TOKEN, Served, item_path, judge, serving

pytestmark = pytest.mark.usefixtures("long")

OWN = {"Sec-Fetch-Site": "same-origin"}
COPY = {"source": "copy.example", "id": "r2"}
FORM = {"kind": "not_duplicate", "item": "12:copy.exampler2", "other": "12:tula.exampler1"}
NOW = 1_793_600_000.0


class Reply:
    """An answer as it was sent: redirections are not followed."""

    def __init__(self, response: HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read().decode()


def send(served: Served, path: str, form: dict[str, str] | None = None, **headers: str) -> Reply:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    body = None if form is None else urlencode(form, errors="surrogatepass")
    if body is not None:
        names.setdefault("Content-Type", "application/x-www-form-urlencoded")
    parts = urlsplit(served.address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    try:
        connection.request(
            "GET" if body is None else "POST", path, body, {"Accept": "text/html", **names}
        )
        return Reply(connection.getresponse())
    finally:
        connection.close()


def session(served: Served) -> str:
    """Return the cookie of one who signs in."""
    reply = send(served, "/sign-in", {"token": TOKEN, "back": "/"}, **OWN)
    return reply.headers["Set-Cookie"].partition(";")[0]


def correct(served: Served, form: dict[str, str], **headers: str) -> Reply:
    """Send a feedback, and return the page to which it leads."""
    reply = send(served, "/feedback", form, **headers)
    assert reply.status == 303, reply.body
    cookie = {"Cookie": headers["Cookie"]}
    return send(served, reply.headers["Location"], **cookie)


def story_path(served: Served, item: dict[str, str]) -> str:
    """Return the page of the story of an item."""
    summary = served.ask(item_path(item["source"], item["id"])).json()["summary"]
    return f"/story?id={summary['story']}"


@contextmanager
def serving_editors(folder: Path) -> Iterator[Served]:
    """Serve an engine of its own, which takes feedback, in an empty folder."""
    judge(folder)
    feedback = str(folder / "feedback.jsonl")
    with serving(folder, engine=True, token=TOKEN, feedback=feedback) as server:
        yield server


@pytest.fixture
def editing(tmp_path: Path) -> Iterator[Served]:
    with serving_editors(tmp_path) as server:
        yield server


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Give one server to the many tests that change nothing: they are refused."""
    with serving_editors(tmp_path_factory.mktemp("refusing")) as server:
        yield server


def test_who_gives_the_token_gets_a_cookie_that_does_not_hold_it(editing: Served) -> None:
    reply = send(editing, "/sign-in", {"token": TOKEN, "back": "/volumes?step=day"}, **OWN)
    assert (reply.status, reply.headers["Location"]) == (303, "/volumes?step=day")
    cookie = reply.headers["Set-Cookie"]
    for part in ("HttpOnly", "SameSite=Strict", "Path=/", f"Max-Age={SESSION_SECONDS}"):
        assert part in cookie
    assert "Secure" not in cookie
    assert TOKEN not in cookie
    assert TOKEN not in reply.body
    assert TOKEN not in send(editing, "/sign-in", Cookie=cookie.partition(";")[0]).body
    out = send(editing, "/sign-out", {"back": "/"}, Cookie=cookie, **OWN)
    assert 'newsdedup-session=""' in out.headers["Set-Cookie"]


def test_behind_a_proxy_with_https_the_cookie_is_sent_over_https_alone(archive_folder) -> None:
    with serving(archive_folder, token=TOKEN, proxies=1) as server:
        form = {"token": TOKEN}
        far = send(server, "/sign-in", form, X_Forwarded_Proto="https", **OWN)
        near = send(server, "/sign-in", form, X_Forwarded_Proto="http", **OWN)
    assert "Secure" in far.headers["Set-Cookie"]
    assert "Secure" not in near.headers["Set-Cookie"]


def test_a_wrong_token_signs_nobody_in(refusing: Served) -> None:
    reply = send(refusing, "/sign-in", {"token": "wrong horse", "back": "/"}, **OWN)
    assert (reply.status, reply.headers["Set-Cookie"]) == (403, None)
    assert "This is not the token." in reply.body
    assert "wrong horse" not in reply.body


def test_buttons_are_for_those_signed_in_and_their_pages_for_nobody_else(editing: Served) -> None:
    path, cookie = story_path(editing, COPY), session(editing)
    before = send(editing, path)
    inside = send(editing, path, Cookie=cookie)
    after = send(editing, path)
    assert "Not a duplicate" not in before.body + after.body
    assert "Not a duplicate" in inside.body
    assert "changes the story at once" in inside.body
    assert inside.headers["ETag"] != before.headers["ETag"]
    assert "Cookie" in inside.headers["Vary"]
    assert inside.headers["Referrer-Policy"] == "same-origin"


def test_no_browser_keeps_a_page_of_an_editor_that_a_correction_changes(editing: Served) -> None:
    path = story_path(editing, COPY)
    assert send(editing, path).headers["Cache-Control"] == "no-cache"
    own = send(editing, path, Cookie=session(editing))
    assert own.headers["Cache-Control"] == "no-store"


def test_a_split_asked_on_a_page_changes_the_story(editing: Served) -> None:
    reply = correct(editing, FORM, Cookie=session(editing), **OWN)
    assert reply.status == 200, reply.body
    assert "The item now has a story of its own." in reply.body
    last = json.loads((editing.folder / "events.jsonl").read_bytes().splitlines()[-1])["dedup"]
    assert (last["item"], last["verdict"], last["decided_by"]) == (COPY, "original", "editor")
    summary = editing.ask(item_path("copy.example", "r2")).json()["summary"]
    assert summary["decided_by"] == "editor"
    (pair,) = read_pair_file(editing.folder / "feedback.jsonl").pairs
    assert not pair.duplicate


def test_what_became_of_a_correction_is_loaded_again_without_correcting_again(
    editing: Served,
) -> None:
    cookie = session(editing)
    address = send(editing, "/feedback", FORM, Cookie=cookie, **OWN).headers["Location"]
    events = (editing.folder / "events.jsonl").read_bytes()
    pages = [send(editing, address, Cookie=cookie) for _ in range(2)]
    assert [page.status for page in pages] == [200, 200]
    assert pages[0].body == pages[1].body
    assert "The item now has a story of its own." in pages[0].body
    assert (editing.folder / "events.jsonl").read_bytes() == events
    assert send(editing, address).status == 403
    assert send(editing, "/feedback?id=none", Cookie=cookie).status == 404


def test_no_button_is_offered_where_a_correction_would_change_no_story(archive_folder) -> None:
    feedback = str(archive_folder / "only-stored.jsonl")
    with serving(archive_folder, token=TOKEN, feedback=feedback) as server:
        assert "/sign-in" not in send(server, "/").body
        page = send(server, story_path(server, COPY), Cookie=session(server)).body
    assert "Not a duplicate" not in page
    assert "/feedback" not in page


def test_two_stories_become_one_by_the_address_of_the_other(editing: Served) -> None:
    cookie = session(editing)
    send(editing, "/feedback", FORM, Cookie=cookie, **OWN)
    parted = story_path(editing, COPY)
    form = {"kind": "same_story", "item": "12:tula.exampler1"}
    assert send(editing, parted, Cookie=cookie).body.count('name="address"') == 1
    for address in (editing.address + parted, "/item?source=copy.example&id=r2"):
        reply = correct(editing, {**form, "address": address}, Cookie=cookie, **OWN)
        assert (reply.status, "Both items now belong to one story." in reply.body) == (200, True)
        assert story_path(editing, COPY) != parted
    assert [pair.duplicate for pair in read_pair_file(editing.folder / "feedback.jsonl").pairs] == [
        True
    ]


@pytest.mark.parametrize(
    "address",
    ["", "/", "/volumes?id=1", "/story", "/story?id=none", "/item?id=r2", "http://[broken",
     "/story?" + "&".join(f"a{n}=1" for n in range(30)), "/story?id=" + "9" * 3_000],
)  # fmt: skip
def test_an_address_of_no_story_joins_nothing(address: str, refusing: Served) -> None:
    form = {"kind": "same_story", "item": "12:tula.exampler1", "address": address}
    reply = send(refusing, "/feedback", form, Cookie=session(refusing), **OWN)
    assert reply.status == 400
    assert "No story and no item" in reply.body
    assert not (refusing.folder / "feedback.jsonl").exists()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "none"},
        {"Sec_Fetch_Site": "cross-site", "Origin": "OWN"},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://[broken"},
    ],
)
def test_a_form_of_another_site_is_refused(headers: dict[str, str], refusing: Served) -> None:
    cookie = session(refusing)
    sent = {name: refusing.address if one == "OWN" else one for name, one in headers.items()}
    for path, form in (("/feedback", FORM), ("/sign-in", {"token": TOKEN}), ("/sign-out", {})):
        reply = send(refusing, path, form, Cookie=cookie, **sent)
        assert (reply.status, reply.headers["Set-Cookie"]) == (403, None)
        assert "This form came from another site" in reply.body
    assert not (refusing.folder / "feedback.jsonl").exists()


def test_a_browser_that_says_only_its_origin_may_give_feedback(editing: Served) -> None:
    cookie = session(editing)
    assert send(editing, "/feedback", FORM, Cookie=cookie, Origin=editing.address).status == 303


@pytest.mark.parametrize("cookie", ["", "newsdedup-session=1.2", f"newsdedup-session={TOKEN}"])
def test_without_a_session_no_page_gives_feedback(cookie: str, refusing: Served) -> None:
    reply = send(refusing, "/feedback", FORM, Cookie=cookie, **OWN)
    assert (reply.status, "Sign in first" in reply.body) == (403, True)
    assert send(refusing, "/feedback?id=none").status == 403
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    assert send(refusing, "/feedback", FORM, **bearer, **OWN).status == 403


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({}, 400),
        ({**FORM, "kind": "retract"}, 400),
        ({**FORM, "item": "9999999:x"}, 400),
        ({**FORM, "item": "²:x"}, 400),
        ({**FORM, "item": "x" * 100_000}, 400),
        ({**FORM, "kind": "wrong_original"}, 400),
        ({**FORM, "other": FORM["item"]}, 422),
        ({**FORM, "item": "1:a<script>alert(1)</script>"}, 422),
        ({**FORM, "item": "1:a\x00"}, 422),
        ({**FORM, "item": "1:a\ud800"}, 422),
    ],
)
def test_a_hostile_form_is_refused(form: dict[str, str], status: int, refusing: Served) -> None:
    reply = send(refusing, "/feedback", form, Cookie=session(refusing), **OWN)
    assert reply.status == status, reply.body
    assert "<script>alert" not in reply.body
    assert not (refusing.folder / "feedback.jsonl").exists()


def test_a_server_without_feedback_offers_no_sign_in(served: Served, archive_folder) -> None:
    assert "/sign-in" not in send(served, "/").body
    assert send(served, "/sign-in", {"token": ""}, **OWN).status == 403
    with serving(archive_folder, token=TOKEN) as server:
        assert "/sign-in" not in send(server, "/").body
        assert "Stories cannot be corrected here" in send(server, "/sign-in").body
        assert send(server, "/feedback", FORM, Cookie=session(server), **OWN).status == 503


@pytest.mark.parametrize(
    "address",
    ["//evil.example", "https://evil.example/", "/\\evil.example", "\\\\evil", "javascript:1",
     "/a\nSet-Cookie: x", "/ a", "", "story", "/" + "a" * 3_000, "//[evil", "/\tevil"],
)  # fmt: skip
def test_nobody_is_sent_to_another_site(address: str, refusing: Served) -> None:
    assert local_address(address) == "/"
    reply = send(refusing, "/sign-in", {"token": TOKEN, "back": address}, **OWN)
    assert reply.headers["Location"] == "/"


def test_a_session_ends_and_is_of_one_token() -> None:
    made = make_session(TOKEN, NOW)
    assert is_valid_session(made, TOKEN, NOW)
    assert is_valid_session(made, TOKEN, NOW + SESSION_SECONDS - 1)
    assert not is_valid_session(made, TOKEN, NOW + SESSION_SECONDS)
    assert not is_valid_session(made, "another horse", NOW)
    assert not is_valid_session(make_session("", NOW), "", NOW)
    until, _, signature = made.partition(".")
    assert not is_valid_session(f"{int(until) + 1}.{signature}", TOKEN, NOW)
    for forged in (
        "",
        ".",
        f".{signature}",
        f"{until}.",
        f"²{made}",
        "9" * 5_000 + "." + signature,
    ):
        assert not is_valid_session(forged, TOKEN, NOW)


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (
            "desk, English, script",
            ("Sign in", "Token", "Not a duplicate", "Corrected", "Same story", "Sign out"),
        ),
        (
            "phone, Ukrainian, no script",
            ("Увійти", "Токен", "Не дублікат", "Виправлено", "Той самий сюжет", "Вийти"),
        ),
    ],
)
def test_an_editor_corrects_a_story_in_a_browser(
    way: str, words: tuple[str, ...], editing: Served, chromium: str
) -> None:
    enter, token, split, done, merge, leave = words
    path = story_path(editing, COPY)
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium, args=[*CHROMIUM_ARGUMENTS]) as browser,
        browser.new_context(**WAYS[way]) as context,
    ):
        visitor = Visitor(context, editing.address)
        page = visitor.page
        visitor.open(path)
        page.get_by_role("link", name=enter).click()
        page.get_by_label(token).fill(TOKEN)
        page.get_by_role("button", name=enter).click()
        assert urlsplit(page.url)._replace(scheme="", netloc="").geturl() == path
        if WAYS[way]["java_script_enabled"]:
            assert Axe().run(page).response["violations"] == []
        row = page.locator(".copies li", has_text="copy.example")
        row.get_by_role("button", name=split).click()
        assert page.locator("h1").inner_text() == done
        if WAYS[way]["java_script_enabled"]:
            assert Axe().run(page).response["violations"] == []
        a, b = ("12:tula.exampler1", "12:copy.exampler2")
        visitor.open("/compare?" + urlencode({"a": a, "b": b}))
        page.get_by_role("button", name=merge).click()
        assert page.locator("h1").inner_text() == done
        visitor.open(path)
        assert page.locator(".copies li", has_text="copy.example").count() == 1
        page.get_by_role("button", name=leave).click()
        assert page.get_by_role("button", name=split).count() == 0
        assert visitor.complaints == []
    stored = read_pair_file(editing.folder / "feedback.jsonl")
    assert [one.duplicate for one in stored.pairs] == [True]
