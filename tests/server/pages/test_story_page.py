"""The page of a story: how much of it is drawn, whose the original is and why, corrections."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from server.pages.test_pages_over_http import ask
from server.served import judge, serving

FERRY = """Ferry of Sundholm runs again
The ferry between Sundholm and Velna runs again after 11 weeks, captain Ida Holm said on Monday.
The engine was replaced for 340,000 crowns, and 27 sailors came back to work."""
TRAM = """Tram depot of Lunin burns
A fire destroyed 14 trams in the depot of Lunin at night, brigade leader Otto Brandt said.
Nobody was hurt; the damage is 5 million crowns, and line 6 stays closed until Friday."""
BRIDGE = """Brücke über die Leine wieder offen
Die Brücke in Altenfurt ist seit Mittwoch wieder freigegeben, teilte Bürgermeisterin Voss mit.
Die Sanierung kostete 1,25 Millionen Euro und dauerte 14 Monate."""
COPIES = 103


def item(source: str, report: str, minute: int) -> dict[str, str]:
    """Return a report as a source has it, some minutes after noon."""
    at = f"2026-11-02T{12 + minute // 60}:{minute % 60:02d}:00Z"
    title, _, text = report.partition("\n")
    return {"source": source, "id": "1", "title": title, "text": text, "published_at": at}


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a story of many copies, one whose first two items have the same time, and an emoji."""
    folder = tmp_path_factory.mktemp("copied")
    many = [item(f"copy{number:03d}.example", FERRY, number) for number in range(COPIES)]
    equal = [item(source, TRAM, 5) for source in ("b.example", "a.example")]
    german = [item("leine.example", BRIDGE, 7), item("kurier.example", f"{BRIDGE} Endlich.", 8)]
    judge(folder, [*many[1:], *equal, *german, many[0], item("emoji.example", "🔥", 9)])
    with serving(folder) as server:
        yield server.address


def story_of(site: str, source: str) -> str:
    return ask(site, f"/item.json?source={source}&id=1").json()["detail"]["summary"]["story"]


def test_a_story_of_many_copies_says_how_many_of_them_it_draws(copied) -> None:
    path = f"/story?id={story_of(copied, 'copy001.example')}"
    assert "have the first 100 of 103 items" in ask(copied, path).body
    cursor = ask(copied, path.replace("/story", "/story.json")).json()["detail"]["next"]
    assert "have 3 of 103 items" in ask(copied, f"{path}&cursor={cursor}").body


def test_an_original_that_is_not_the_first_of_two_with_one_time_says_why(copied) -> None:
    view = ask(copied, f"/story.json?id={story_of(copied, 'a.example')}").json()
    page = ask(copied, f"/story?id={view['detail']['summary']['id']}").body
    assert view["other_because"] == "same_time"
    assert "Both have the same time." in page


def test_corrections_name_items_by_their_titles(copied) -> None:
    page = ask(copied, f"/story?id={story_of(copied, 'copy001.example')}").body
    corrections = page.partition('<ol class="corrections">')[2]
    assert "Ferry of Sundholm runs again" in corrections
    assert "<code>" not in corrections


@pytest.mark.parametrize("source", ["leine.example", "kurier.example"])
def test_terms_are_shown_by_words_of_the_text_in_place_of_stems(copied, source) -> None:
    page = ask(copied, f"/item?source={source}&id=1").body
    terms = page.partition('<table class="terms">')[2].partition("</table>")[0]
    assert "bürgermeisterin" in terms
    assert "burgerme" not in page


def test_a_page_says_which_values_of_its_address_it_does_not_know(copied) -> None:
    page = ask(copied, "/search?q=ferry&text=tram&interface=en").body
    ignored = page.partition('role="status">')[2].partition("</p>")[0]
    assert "text" in ignored
    assert "interface" not in ignored
    assert "tram" not in page.partition("<main")[2]
    assert 'role="status"' not in ask(copied, "/search?q=ferry&lang=en&cursor=").body


def test_titles_of_windows_name_what_was_searched_for(copied) -> None:
    assert (
        "<title>Search: ferry (English) · newsdedup</title>"
        in ask(copied, "/search?q=ferry&lang=en").body
    )
    assert (
        "<title>Volumes: a.example · newsdedup</title>"
        in ask(copied, "/volumes?source=a.example").body
    )


def test_whom_a_source_copies_begins_with_those_it_copies_most(site) -> None:
    sources = ask(site, "/v1/sources").json()["sources"]
    name = max(sources, key=lambda one: one["copied_sources"])["source"]
    copies = ask(site, "/source.json?" + urlencode({"name": name})).json()["detail"]["copies"]
    counts = [one["items"] for one in copies]
    assert len(set(counts)) > 1
    assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "It has no terms."),
        ("ru", "Терминов у него нет."),
        ("uk", "Термінів у нього немає."),
    ],
)
def test_an_original_without_terms_says_so_of_itself_alone(copied, lang, said) -> None:
    page = ask(copied, "/item?source=emoji.example&id=1", Cookie=f"lang={lang}").body
    terms = page.partition('id="terms"')[2].partition("</section>")[0]
    assert f'<p class="empty">{said}</p>' in terms
