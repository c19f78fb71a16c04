"""What a stream has observed about a source, out of a state and out of Redis."""

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.small_stream import report, state_of
from newsdedup import NewsItem
from newsdedup.adapters.formats import item_json
from newsdedup.bootstrap.rules import item_analyzer
from newsdedup.bootstrap.workers import namespace_session, shared_engine
from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from newsdedup.config import Settings, build_settings
from newsdedup.core.matching.stream_statistics import BUCKET

RATES = "rates.example"
TEMPLATE = "Обменник «{}» продает доллары по {} рублей, покупает евро по {} рублей."
VOWELS, CONSONANTS = "аоуие", "бвгдзклмнпрстф"
HOURS = 24


def name(number: int) -> str:
    """Return a word that nobody uses, another for every number."""
    syllables = []
    for _ in range(3):
        number, index = divmod(number * 31 + 7, len(VOWELS) * len(CONSONANTS))
        consonant, vowel = divmod(index, len(VOWELS))
        syllables.append(CONSONANTS[consonant] + VOWELS[vowel])
    return "".join(syllables).capitalize()


def reports() -> list[dict[str, str]]:
    """Return a bucket of the stream and a few more: every other item is a rate of one source.

    Its first four are copies: later ones are known as its template, and are compared with nothing.
    """
    lines = []
    for number in range(BUCKET + 6):
        at = f"{number * HOURS // (BUCKET + 6):02}:{number % 60:02}:00"
        source = RATES if number % 2 else "east.example"
        shown = max(number, 7)
        text = TEMPLATE.format(name(shown), 70 + shown, 80 + shown)
        other = f"{name(number)} {name(number + 500)} {name(number + 900)} {name(number + 1300)}."
        lines.append(report(source, str(number), ("", text if number % 2 else other), at))
    return lines


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return state_of(tmp_path_factory.mktemp("sources"), reports())


def show(*args: str) -> Result:
    return CliRunner().invoke(app, ["sources", "show", *args])


def source_report(*args: str) -> dict:
    result = show(*args, "--json")
    assert result.exit_code == ExitCode.OK, result.stderr
    return json.loads(result.stdout)


def test_what_a_source_repeats_is_counted_and_shown(state):
    found = source_report(RATES, "--state", str(state))
    assert (found["items"], found["waiting"]) == (BUCKET // 2, 3)
    assert found["items_of_all"] == BUCKET + 6
    assert 0 < found["repeated"] < found["phrases"]
    assert found["template"] > 1 / 2
    examples = {one["phrase"]: one["items"] for one in found["examples"]}
    assert examples["продавать доллар"] == BUCKET // 2


def test_a_source_that_says_something_new_each_time_has_no_template(state):
    found = source_report("east.example", "--state", str(state))
    assert (found["items"], found["repeated"], found["template"]) == (BUCKET // 2, 0, 0)
    assert found["examples"] == []
    assert "repeat no phrase that was counted" in show("east.example", "--state", str(state)).stdout


def test_a_person_reads_the_same(state):
    shown = show(RATES, "--state", str(state)).stdout
    assert f"{RATES}: {BUCKET // 2} items counted, of {BUCKET + 6}; 3 more wait" in shown
    assert "own, within 3 hours" in shown
    assert "продавать доллар" in shown


def test_its_habit_is_reported_by_kind_of_pair(state):
    pairs = source_report(RATES, "--state", str(state))["compared"]
    assert len(pairs) == 6
    assert {one["with"] for one in pairs if one["pairs"]} == {"own"}
    assert all(0 <= one["alike"] <= one["pairs"] for one in pairs)


def test_an_unknown_source_is_refused_with_the_nearest_name(state):
    result = show("rate.example", "--state", str(state))
    assert result.exit_code == ExitCode.INPUT_MISSING
    assert f"did you mean {RATES} or " in result.stderr


def test_a_state_and_redis_exclude_each_other(state):
    result = show(RATES, "--state", str(state), "--namespace", "news")
    assert result.exit_code == ExitCode.USAGE


@pytest.fixture
def namespace(redis) -> tuple[str, ...]:
    """Return the options that name a namespace in which a worker judged the reports."""
    name = "sources-shown"
    settings = build_settings({"redis.url": redis.url, "redis.namespace": name})
    asyncio.run(judged(settings))
    return ("--redis", redis.url, "--namespace", name)


async def judged(settings: Settings) -> None:
    analyzer = item_analyzer(settings)
    async with namespace_session(settings) as opened:
        use = shared_engine(settings, opened)
        for one in reports():
            item = item_json.decode_item(json.dumps(one).encode())
            assert isinstance(item, NewsItem)
            await use.process([analyzer.analyze(item, b"{}")])


def test_redis_tells_the_same_counts(state, namespace):
    here, there = source_report(RATES, "--state", str(state)), source_report(RATES, *namespace)
    assert there.pop("examples") is None
    del here["examples"]
    assert there == here
    assert "Redis stores only their hashes" in show(RATES, *namespace).stdout
    assert show("rate.example", *namespace).exit_code == ExitCode.INPUT_MISSING
    absent = show(RATES, *namespace[:3], "nowhere-at-all")
    assert absent.exit_code == ExitCode.INPUT_MISSING
    assert "has no namespace 'nowhere-at-all'" in absent.stderr
