from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from cli.in_process import run
from newsdedup.cli.errors import ExitCode
from newsdedup.cli.options import STANDARD_STREAM, Items, To, parse_input_path, parse_output_target


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("-", STANDARD_STREAM),
        ("./-", "./-"),
        ("news.jsonl", "news.jsonl"),
        ("новини/2026.jsonl.gz", "новини/2026.jsonl.gz"),
        ("a:b", "a:b"),
        ("file:///var/news%20items.jsonl", "/var/news items.jsonl"),
        ("FILE://localhost/x", "/x"),
    ],
)
def test_an_address_is_a_path_or_standard_input_or_output(written: str, meant: str) -> None:
    assert parse_input_path(written) == parse_output_target(written) == meant


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("kafka://broker/news.deduped", "kafka:// is not supported; expected a file"),
        ("https://example.org/feed", "https:// is not supported; expected a file"),
        ("https://example.org/feed", "`newsdedup feeds add ADDRESS` adds a feed"),
        ("://x", ":// is not supported"),
        ("file://elsewhere/x", "names no local file"),
        ("file://", "names no local file"),
        ("file://[x/y", "names no local file"),
        ("", "an empty path"),
        ("kafka" * 20_000 + "://x", "is not supported"),
    ],
)
def test_any_other_address_is_refused_with_what_is_supported(written: str, said: str) -> None:
    for parse in (parse_input_path, parse_output_target):
        with pytest.raises(typer.BadParameter, match=said):
            parse(written)


def test_the_shared_types_check_each_address_of_a_command() -> None:
    app = typer.Typer()

    @app.command()
    def echo(
        items: Items, to: To = STANDARD_STREAM, *, last: Annotated[bool, typer.Option()] = False
    ):  # type: ignore[no-untyped-def]
        typer.echo(f"{items} {to} {last}")

    good = CliRunner().invoke(app, ["a.jsonl", "-", "file:///b", "--to", "file:///c"])
    assert good.stdout == "['a.jsonl', '-', '/b'] /c False\n"
    bad = CliRunner().invoke(app, ["a.jsonl", "--to", "kafka://broker/topic"])
    assert bad.exit_code == ExitCode.USAGE
    assert "kafka:// is not supported" in bad.stderr
    assert CliRunner().invoke(app, ["a", "redis://b"]).exit_code == ExitCode.USAGE
    assert CliRunner().invoke(app, []).exit_code == ExitCode.USAGE


def test_csv_in_a_folder_is_left_out_and_the_run_says_so(tmp_path: Path) -> None:
    (tmp_path / "news").mkdir()
    (tmp_path / "news/a.jsonl").write_text('{"title": "Bridge open"}\n')
    (tmp_path / "news/b.csv").write_text("title\nTram\n")
    done = run("run", "news", "--to", "events.jsonl", cwd=tmp_path)
    assert b"1 item: " in done.stderr
    assert b"CSV in folders is read only if it is named: 1 file left out, such as news/b.csv" in (
        done.stderr
    )
    assert b"left out" not in run("run", "news/b.csv", "--to", "b.jsonl", cwd=tmp_path).stderr


def test_a_run_goes_on_where_its_files_were_moved_to(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    words = ("run", "-", "--to", "events.jsonl", "--archive", "news.archive", "--json")
    tram, ferry = (
        f'{{"id": "{n}", "source": "daily.example", "title": "{title}"}}\n'.encode()
        for n, title in enumerate(["The tram line opened in Velna", "A ferry stopped at Marstad"])
    )
    assert run(*words, cwd=old, stdin=tram).returncode == ExitCode.OK
    old.rename(new)
    (new / "stranger.jsonl").write_text("somebody's\n")
    done = run(*words, cwd=new, stdin=ferry)
    assert done.returncode == ExitCode.OK, done.stderr
    assert [b'"id":"0"' in line for line in (new / "events.jsonl").read_bytes().splitlines()] == [
        True,
        False,
    ]
    refused = run("run", "-", "--to", "stranger.jsonl", "--state", "events.jsonl.state", cwd=new)
    assert refused.returncode == ExitCode.OUTPUT_UNUSABLE
    assert (new / "stranger.jsonl").read_text() == "somebody's\n"
