"""What is shown fits a terminal of 80 columns, and nothing of a name is lost there."""

import pytest
from typer.testing import CliRunner

from cli.shells import commands
from cli.small_stream import state_of
from newsdedup.cli.app import app
from newsdedup.cli.registry import format_examples

COMMANDS = dict(commands())
NARROW = {"COLUMNS": "80"}


def shown(*words: str) -> list[str]:
    result = CliRunner().invoke(app, [*words], env=NARROW)
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_fits_80_columns(name):
    assert [line for line in shown(*name.split()[1:], "--help") if len(line) > 80] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_no_option_and_no_summary_is_cut(name):
    lines = shown(*name.split()[1:], "--help")
    text = " ".join(" ".join(lines).split())
    assert "…" not in text
    for param in COMMANDS[name].params:
        assert all(option in text for option in param.opts if option.startswith("--"))
    for part, sub in getattr(COMMANDS[name], "commands", {}).items():
        summary = sub.get_short_help_str(1_000)
        assert f"{part} {summary}" in text
        assert not summary.endswith("...")


def test_a_long_example_goes_on_behind_a_backslash_and_keeps_its_words():
    line = "newsdedup run a.jsonl --to events.jsonl --archive a.archive --window 24h | jq .dedup"
    *_, comment, first, second = format_examples((f"{line}    # x",)).splitlines()
    assert comment == "  # x"
    assert first.endswith(" \\")
    assert " ".join((first.removesuffix("\\").strip(), second.strip())) == line


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("narrow")
    state_of(path)
    return path


@pytest.mark.parametrize(
    "words",
    [
        "stories list {0}/events.jsonl.state",
        "stories show r1 --state {0}/events.jsonl.state",
        "sources show tula.example --state {0}/events.jsonl.state",
        "demo --into {0}/demo",
    ],
)
def test_a_table_fits_80_columns_and_ends_in_no_blanks(folder, words):
    # What can be copied is not folded.
    lines = [line for line in shown(*words.format(folder).split()) if "demo/events" not in line]
    assert [line for line in lines if len(line) > 80] == []
    assert [line for line in lines if line != line.rstrip()] == []


def test_a_list_of_stories_says_what_it_hides(folder):
    state = f"{folder}/events.jsonl.state"
    assert shown("stories", "list", state)[-1] == (
        "2 of 4 stories shown; 2 of a single item hidden: --min-size 1"
    )
    assert shown("stories", "list", state, "--min-size", "1")[-1] == "4 of 4 stories shown"
    assert shown("stories", "list", state, "--limit", "1")[-1] == (
        "1 of 4 stories shown; 1 more with --limit 0; 2 of a single item hidden: --min-size 1"
    )
    assert shown("stories", "list", state, "--since", "1m")[-1] == (
        "0 of 4 stories shown; 2 of a single item hidden: --min-size 1; 2 older than --since 1m"
    )


def test_a_state_without_stories_says_so(tmp_path):
    state = state_of(tmp_path, [])
    assert shown("stories", "list", str(state)) == [
        "The state has no stories: nothing was judged yet, or all has left the window."
    ]
