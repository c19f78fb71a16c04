"""`newsdedup import`: archives become items in every output, also where it is killed on the way."""

import json
import signal
from pathlib import Path

import pytest

from cli.in_process import run
from cli.own_topics import OwnTopics
from feeder.archives.article_pages import article_page
from runners import processes

pytestmark = pytest.mark.usefixtures("process")

NEWS = [
    {"headline": f"Tram line {number} opens", "body": f"It has {number + 3} stops.", "no": number}
    for number in range(40)
]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "news.jsonl"
    lines = [json.dumps(news) for news in NEWS]
    lines[7:7] = ["{broken"]
    lines[30:30] = [json.dumps({"headline": "Nameless", "id": 1.5})]
    path.write_text("\n".join(lines) + "\n")
    return path


def lines_of(path):
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def imported(*arguments, cwd, **variables):
    done = run("import", *arguments, "--json", cwd=cwd, **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_table_becomes_items_dead_letters_and_stats(table, tmp_path):
    stats = imported("table", table.name, "--to", "items.jsonl", cwd=tmp_path)
    assert stats.pop("seconds") > 0
    assert stats == {
        "kind": "table",
        "to": "items.jsonl",
        "files": 1,
        "damaged": 0,
        "items": 40,
        "left_out": {},
        "dead": 2,
        "dead_by_code": {"bad_field": 1, "not_json": 1},
        "dlq": "items.jsonl.dlq",
        "resumed": 0,
        "verdicts": {},
    }
    first = lines_of(tmp_path / "items.jsonl")[0]
    assert (first["title"], first["text"], first["no"]) == (
        "Tram line 0 opens",
        "It has 3 stops.",
        0,
    )
    assert first["source"] == "news"
    assert [dead_letter["line"] for dead_letter in lines_of(tmp_path / "items.jsonl.dlq")] == [
        8,
        31,
    ]


def test_a_second_start_writes_nothing_again_unless_it_begins_anew(table, tmp_path):
    words = ("table", table.name, "--to", "items.jsonl")
    imported(*words, cwd=tmp_path)
    again = imported(*words, cwd=tmp_path)
    assert (again["items"], again["resumed"]) == (0, 42)
    assert imported(*words, "--fresh", cwd=tmp_path)["items"] == 40
    assert imported(*words, "--source", "visti", cwd=tmp_path)["items"] == 40
    (tmp_path / "items.jsonl").unlink()
    assert imported(*words, cwd=tmp_path)["items"] == 40


@pytest.mark.parametrize("nth", [1, 3])
@pytest.mark.parametrize("point", ["after_output", "after_commit", "after_dead_letters"])
def test_an_import_killed_anywhere_goes_on_with_the_same_items(table, tmp_path, point, nth):
    words = ("table", table.name, "--to", "items.jsonl", "--quiet")
    small = {"NEWSDEDUP_RUN__BATCH": "8"}
    died = processes.run(
        "import", *words, cwd=tmp_path, **small, NEWSDEDUP_FAILPOINT=f"{point}:{nth}"
    )
    assert died.returncode == -signal.SIGKILL
    assert run("import", *words, cwd=tmp_path, **small).returncode == 0
    items = lines_of(tmp_path / "items.jsonl")
    assert list(dict.fromkeys(item["no"] for item in items)) == list(range(40))
    assert len(items) <= 48
    assert len({json.dumps(item) for item in items}) == 40
    assert len(lines_of(tmp_path / "items.jsonl.dlq")) == 2


def test_an_archive_goes_straight_into_the_engine(table, tmp_path):
    words = ("table", table.name, "--to", "engine:news.state", "--events", "events.jsonl")
    stats = imported(*words, cwd=tmp_path)
    assert sum(stats["verdicts"].values()) == stats["items"] == 40
    assert stats["dlq"] == "news.state.import.dlq"
    events = lines_of(tmp_path / "events.jsonl")
    assert {event["title"] for event in events} == {news["headline"] for news in NEWS}
    again = imported(*words, cwd=tmp_path)
    assert (again["items"], again["resumed"]) == (0, 42)
    assert len(lines_of(tmp_path / "events.jsonl")) == len(events)


def test_an_archive_goes_into_a_topic_once(kafka, table, tmp_path):
    topics = OwnTopics(kafka.address)
    assert topics.command("topics", "create").exit_code == 0
    words = ("table", table.name, "--to", f"kafka://{kafka.address}/{topics.input}")
    assert imported(*words, cwd=tmp_path)["items"] == 40
    assert imported(*words, cwd=tmp_path)["resumed"] == 42
    records = topics.read(topics.input)
    assert len(records) == 40
    assert all(record.key for record in records)
    assert (tmp_path / "newsdedup.import").is_file()


def test_standard_output_gets_everything_each_time(table, tmp_path):
    for _ in range(2):
        done = run("import", "table", table.name, "--to", "-", "--quiet", cwd=tmp_path)
        assert len(done.stdout.splitlines()) == 40
    assert not list(tmp_path.glob("*.import"))


def test_saved_pages_and_a_page_without_article(tmp_path):
    for number in range(3):
        page = article_page(
            f"Bridge {number}", head=f"<!-- saved from url=(0025)https://v.example/{number} -->"
        )
        (tmp_path / f"{number}.html").write_bytes(page)
    (tmp_path / "home.html").write_text("<html><body></body></html>")
    stats = imported("pages", ".", "--to", "items.jsonl", cwd=tmp_path)
    assert (stats["files"], stats["items"], stats["dead_by_code"]) == (4, 3, {"bad_page": 1})
    ids = [item["id"] for item in lines_of(tmp_path / "items.jsonl")]
    assert ids == [f"https://v.example/{number}" for number in range(3)]


def test_a_damaged_file_is_named_and_the_exit_code_says_so(table, tmp_path):
    (tmp_path / "cut.jsonl").write_text('{"title": "a"}\n{"title": "b')
    done = run("import", "table", "cut.jsonl", table.name, "--to", "items.jsonl", cwd=tmp_path)
    assert done.returncode == 65
    assert b"cut.jsonl: cut off in line 2" in done.stderr
    assert b"damaged: 1 file;" in done.stderr
    assert len(lines_of(tmp_path / "items.jsonl")) == 41


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        ("table none.jsonl --to x.jsonl", 66, "there is no such file"),
        ("table . --to x.jsonl --map headline=title", 2, "the fields are"),
        ("table news.jsonl --to news.jsonl", 73, "is an input and would be overwritten"),
        ("table news.jsonl --to ftp://host/x", 2, "expected a file"),
        ("table news.jsonl --to x.jsonl --events e.jsonl", 2, "--to engine:STATE"),
        ("tables news.jsonl --to x.jsonl", 2, "Invalid value for 'KIND'"),
        ("telegram news.jsonl --to x.jsonl", 65, "no result.json of Telegram Desktop"),
        ("warc news.jsonl --to x.jsonl", 65, "no WARC"),
        ("table - --to x.jsonl", 66, "not from standard input"),
    ],
)
def test_what_cannot_be_imported_is_refused_with_the_reason(table, words, code, reason):
    done = run("import", *words.split(), cwd=table.parent)
    assert (done.returncode, reason in " ".join(done.stderr.decode().split())) == (code, True), (
        done.stderr
    )


def test_a_folder_of_saved_feeds_becomes_items_from_the_oldest_entry_on(tmp_path):
    entries = "".join(
        f"<item><title>Tram line {day} opens</title><link>https://visti.example/{day}</link>"
        f"<pubDate>0{day} Mar 2026 10:00:00 GMT</pubDate></item>"
        for day in (3, 2)
    )
    head = "<title>Visti</title><link>https://visti.example/</link>"
    saved = tmp_path / "saved"
    saved.mkdir()
    (saved / "a.rss").write_text(f"<rss><channel>{head}{entries}</channel></rss>")
    (saved / "b.xml").write_text("<catalog/>")
    done = run("import", "feeds", "saved", "--to", "items.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 65
    assert "saved/b.xml: the body is XML, but no feed" in done.stderr.decode()
    assert [(item["source"], item["title"]) for item in lines_of(tmp_path / "items.jsonl")] == [
        ("visti.example", "Tram line 2 opens"),
        ("visti.example", "Tram line 3 opens"),
    ]
    words = ("import", "feeds", "saved/a.rss", "--to", "items.jsonl", "--json")
    again = json.loads(run(*words, cwd=tmp_path).stdout)
    assert (again["items"], again["resumed"]) == (0, 2)


def test_a_saved_feed_with_more_entries_than_are_read_is_reported(tmp_path):
    entries = "".join(f"<item><title>Tram line {n} opens</title></item>" for n in range(10_001))
    (tmp_path / "a.rss").write_text(f"<rss><channel>{entries}</channel></rss>")
    done = run("import", "feeds", "a.rss", "--to", "items.jsonl", cwd=tmp_path)
    assert done.returncode == 65
    assert "a.rss: Entries after the first 10000 were left out" in done.stderr.decode()
    assert len(lines_of(tmp_path / "items.jsonl")) == 10_000


def test_a_folder_of_feeds_given_to_dedup_names_the_import(tmp_path):
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved" / "a.xml").write_text("<rss/>")
    done = run("dedup", "saved", "--to", "out.jsonl", cwd=tmp_path)
    assert done.returncode == 66
    assert "`newsdedup import` reads other formats, as saved feeds" in done.stderr.decode()
