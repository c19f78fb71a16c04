"""The examples of docs/api.md, asked of a real server; they show parts of its answers."""

import json
import re
import shlex
from pathlib import Path

import pytest

from docs.pages import cells
from server.served import TOKEN, Answer, Served, judge, serving

PAGE = (Path(__file__).parent.parent.parent / "docs" / "api.md").read_text("utf-8")
EXAMPLES = re.findall(r"```console\n\$ (curl .+?)\n(.+?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def news(tmp_path_factory):
    folder = tmp_path_factory.mktemp("news")
    judge(folder)
    with serving(folder, engine=True, token=TOKEN) as served:
        yield served


def curl(line: str, served: Served) -> Answer:
    """Return the answer to a command line of curl, as far as the page writes such lines."""
    words = shlex.split(line)
    assert words[:2] == ["curl", "-s"]
    path, headers, body = words[2].removeprefix("$NEWS"), {}, None
    for option, value in zip(words[3::2], words[4::2], strict=True):
        if option == "-H":
            name, _, text = value.partition(": ")
            headers[name] = text.replace("$TOKEN", TOKEN)
        else:
            assert option == "-d"
            body = value.encode()
    return served.ask(path, body, headers=headers)


def assert_holds(shown: object, answer: object) -> None:
    """Fail unless all that is shown is in the answer."""
    if isinstance(shown, dict):
        assert isinstance(answer, dict)
        for name, value in shown.items():
            assert_holds(value, answer[name])
    elif isinstance(shown, list):
        assert isinstance(answer, list)
        assert len(shown) == len(answer)
        for one, other in zip(shown, answer, strict=True):
            assert_holds(one, other)
    else:
        assert shown == answer


@pytest.mark.parametrize(("line", "shown"), EXAMPLES, ids=[line[:60] for line, _ in EXAMPLES])
def test_an_example_of_the_page_is_answered_as_it_says(news, line, shown):
    assert_holds(json.loads(shown), curl(line, news).json())


def test_the_page_has_an_example_of_each_kind():
    assert len(EXAMPLES) == 9


def test_the_page_names_the_paths_that_the_document_describes(news):
    described = set(news.ask("/openapi.json").json()["paths"])
    table = {row[0].strip("`") for row in cells("api.md", first="path")}
    feeds = {path for path in described if path.startswith("/feeds/")}
    assert table == described - feeds - {"/v1/check", "/v1/feedback"}
    assert all(f"`{path}`" in PAGE or path.endswith(".json") for path in feeds)
