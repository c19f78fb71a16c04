"""Full texts and one item for a page, from the command to the lines that come out."""

import json

import pytest

from cli.in_process import run
from feeder.feed_site import feed_site, rss
from feeder.pages.page_bodies import TEXT, page
from newsdedup.cli.errors import ExitCode

TEASER = "Міст відкрили після ремонту..."


@pytest.fixture
def site():
    with feed_site() as made:
        made.bodies["/bridge"] = page(f'<link rel="canonical" href="{made.at("/bridge")}">')
        made.bodies["/feed"] = rss(f"bridge: Міст: {TEASER}", site=made.at("/"))
        yield made


def items_of(folder, text, *, code=ExitCode.OK):
    (folder / "feeds.txt").write_text(text, "utf-8")
    done = run(
        "feed", "feeds.txt", *["--once", "--all", "--allow-private", "--to", "a.jsonl"], cwd=folder
    )
    assert done.returncode == code
    return [json.loads(line) for line in (folder / "a.jsonl").read_text("utf-8").splitlines()]


def test_an_item_of_a_feed_with_full_texts_has_the_text_and_the_links_of_its_page(site, tmp_path):
    (item,) = items_of(tmp_path, f"{site.at('/feed')} full_text=yes")
    assert (item["id"], item["title"], item["text"]) == ("bridge", "Міст", TEXT)
    assert item["links"] == [site.at("/mayor"), "https://daily.example/77"]
    assert ("/robots.txt", 404) in site.statuses
    assert len(items_of(tmp_path, f"{site.at('/feed')} full_text=yes")) == 1


def test_a_page_of_a_plain_sitemap_becomes_an_item(site, tmp_path):
    pages = f"<url><loc>{site.at('/bridge')}</loc></url><url><loc>{site.at('/gone')}</loc></url>"
    site.bodies["/map"] = f"<urlset>{pages}</urlset>"
    (item,) = items_of(tmp_path, f"{site.at('/map')} full_text=yes")
    assert (item["id"], item["text"]) == (site.at("/bridge"), TEXT)
    assert "1 of 2 pages" in run("feeds", "status", "--json", cwd=tmp_path).stdout.decode()


def test_a_feed_and_a_sitemap_of_one_site_give_one_item(site, tmp_path):
    news = "<news:news><news:title>Міст</news:title></news:news>"
    one = f"<url><loc>{site.at('/bridge')}</loc>{news}</url>"
    site.bodies["/map"] = f"<urlset xmlns:news='x'>{one}</urlset>"
    items = items_of(tmp_path, f"{site.at('/feed')}\n{site.at('/map')}")
    assert len(items) == 2
    assert len({(item["source"], item["id"]) for item in items}) == 1


def test_a_tombstone_withdraws_the_item_under_the_id_that_was_delivered(site, tmp_path):
    site.bodies["/other"] = atom(
        f"<id>x</id><title>Міст</title><link href='{site.at('/bridge')}'/>"
    )
    (first, second) = items_of(tmp_path, f"{site.at('/feed')}\n{site.at('/other')}")
    assert first["id"] == second["id"]
    site.bodies["/other"] = atom("", "<at:deleted-entry ref='x' when='2026-03-03T00:00:00Z'/>")
    del site.bodies["/feed"]
    both = f"{site.at('/feed')}\n{site.at('/other')}"
    third = items_of(tmp_path, both, code=ExitCode.FAILED)[2]
    assert third == {"newsdedup": "retract", "source": first["source"], "id": first["id"]}


def test_a_tombstone_of_an_aggregating_feed_withdraws_the_item_of_its_source(site, tmp_path):
    origin = "<source><id>o</id><link href='https://herald.example/'/></source>"
    site.bodies["/planet"] = atom(f"<id>x</id><title>Міст</title>{origin}")
    (first,) = items_of(tmp_path, site.at("/planet"))
    assert first["source"] == "herald.example"
    site.bodies["/planet"] = atom("", "<at:deleted-entry ref='x' when='2026-03-03T00:00:00Z'/>")
    withdrawn = items_of(tmp_path, site.at("/planet"))[1]
    assert withdrawn == {"newsdedup": "retract", "source": "herald.example", "id": "x"}


def atom(entry, more=""):
    names = "xmlns='http://www.w3.org/2005/Atom' xmlns:at='http://purl.org/atompub/tombstones/1.0'"
    entry = entry and f"<entry>{entry}</entry>"
    return f"<feed {names}><id>f</id><title>f</title>{entry}{more}</feed>"


def test_a_feed_is_set_to_full_texts_by_opml_and_by_command(site, tmp_path):
    add = ("feeds", "add", site.at("/feed"), "--full-text", "--allow-private")
    assert run(*add, cwd=tmp_path).returncode == ExitCode.OK
    opml = run("feeds", "export", cwd=tmp_path).stdout.decode()
    assert 'newsdedup:fullText="true"' in opml
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "list.opml").write_text(opml, "utf-8")
    assert run("feeds", "import", "list.opml", cwd=tmp_path / "other").returncode == ExitCode.OK
    listed = run("feeds", "list", "--json", cwd=tmp_path / "other").stdout
    assert [one["full_text"] for one in json.loads(listed)["feeds"]] == [True]


def test_an_option_of_a_list_that_is_no_answer_is_named(site, tmp_path):
    (tmp_path / "feeds.txt").write_text(f"{site.at('/feed')} full_text=maybe\n", "utf-8")
    done = run("feeds", "import", "feeds.txt", cwd=tmp_path)
    assert b"full_text is yes or no" in done.stderr
