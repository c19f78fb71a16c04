"""The description of the API, and a fuzzer that holds the server to it."""

from pathlib import Path

import pytest

from server.api_fuzzer import fuzz
from server.served import Served


def test_the_document_names_every_path_of_the_api(served: Served) -> None:
    document = served.ask("/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    assert set(document["paths"]) == {
        "/v1/stories",
        "/v1/stories/{story}",
        "/v1/items",
        "/v1/items/{source}/{id}",
        "/v1/search",
        "/v1/sources",
        "/v1/sources/{name}",
        "/v1/copies",
        "/v1/volumes",
        "/v1/stats",
        "/v1/events",
        "/v1/check",
        "/v1/feedback",
        "/feeds/originals.atom",
        "/feeds/originals.json",
        "/feeds/story/{story}.atom",
        "/feeds/story/{story}.json",
        "/feeds/watch/{name}.atom",
        "/feeds/watch/{name}.json",
        "/feeds/digest.atom",
        "/feeds/digest.json",
    }
    assert set(document["paths"]["/v1/items"]) == {"get", "post"}
    assert document["paths"]["/v1/items"]["post"]["security"] == [{"token": []}]


@pytest.mark.usefixtures("process")
def test_a_fuzzer_finds_no_answer_that_the_document_does_not_allow(
    keeping: Served, tmp_path: Path
) -> None:
    done = fuzz(
        keeping.address,
        tmp_path,
        "--max-examples=6",
        "--phases=fuzzing",
        "--generation-deterministic",
    )
    assert done.returncode == 0, done.stdout[-4_000:]
