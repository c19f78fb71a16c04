"""A model of one's own decides, and is distinguished from every other."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cli.small_stream import REPORTS, state_of, written
from newsdedup import ItemKey
from newsdedup.adapters.sqlite.state import StateReader
from newsdedup.adapters.words.package_data import shipped_model
from newsdedup.bootstrap.rules import decode_rule, encode_rule, make_rule
from newsdedup.bootstrap.runs import RunPaths, open_run
from newsdedup.config import Settings, build_settings
from newsdedup.config.settings import RULE_NAMES
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.matching.verify.model import Model, render_model
from newsdedup.ports.errors import SettingsInvalid, StateUnusable

SHIPPED = shipped_model()
STRICT = replace(SHIPPED, version="1", threshold=0.9)
STERN = replace(STRICT, bias=STRICT.bias - 1)
NAMED = "verified-3/1-"


def by(path: Path, model: Model) -> Settings:
    """Return settings that name a file of this model."""
    path.write_text(render_model(model), "utf-8")
    return build_settings({"rule.model": str(path)})


def test_the_rule_weighs_by_the_model_that_is_named(tmp_path):
    rule = make_rule(by(tmp_path / "own.json", STRICT))
    assert isinstance(rule, VerifiedRule)
    assert replace(rule.model, version="1") == STRICT
    assert rule.threshold == STRICT.threshold
    assert make_rule(Settings()).version != rule.version


def test_two_models_of_one_name_are_two_versions(tmp_path):
    one, other, again = (
        make_rule(by(tmp_path / f"{name}.json", model)).version
        for name, model in (("a", STRICT), ("b", STERN), ("c", STRICT))
    )
    assert one == again != other
    for version in (one, other):
        hashed, threshold = version.removeprefix(NAMED).split("/")
        assert int(hashed, 16) >= 0
        assert (len(hashed), threshold) == (6, "0.9")


def test_the_shipped_model_keeps_its_version_wherever_it_is_read_from(tmp_path):
    own = make_rule(by(tmp_path / "copy.json", SHIPPED)).version
    assert own == make_rule(Settings()).version
    assert own == f"verified-3/{SHIPPED.version}/{SHIPPED.threshold:g}"


def test_no_other_rule_asks_for_the_model():
    for name in set(RULE_NAMES) - {"verified"}:
        make_rule(build_settings({"rule.name": name, "rule.model": "nowhere.json"}))


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"\xff",
        b"[]",
        b"{}",
        render_model(SHIPPED).replace('"bias"', '"base"').encode(),
        render_model(replace(SHIPPED, bias=1.5)).replace("1.5", "NaN").encode(),
        render_model(replace(SHIPPED, bias=1.5)).replace("1.5", "1" + "0" * 400).encode(),
        render_model(replace(SHIPPED, threshold=0.123)).replace("0.123", "7").encode(),
        b"[" * 100_000,
    ],
    ids=["missing", "empty", "bytes", "list", "object", "bias", "NaN", "huge", "threshold", "deep"],
)
def test_what_is_no_model_is_a_wrong_setting(content: bytes | None, tmp_path):
    path = tmp_path / "own.json"
    if content is not None:
        path.write_bytes(content)
    why = "cannot be read: No such file" if content is None else "not a model: "
    said = rf"rule\.model = .*own\.json: {why}"
    with pytest.raises(SettingsInvalid, match=said):
        make_rule(build_settings({"rule.model": str(path)}))


def test_a_state_tells_its_model_when_the_file_is_gone(tmp_path):
    settings = by(tmp_path / "own.json", STRICT)
    judging = make_rule(settings)
    rule = encode_rule(settings, judging)
    Path(settings.rule.model).unlink()
    found = decode_rule(rule)
    assert isinstance(found, VerifiedRule)
    assert found.version == judging.version
    assert replace(found.model, version="1") == STRICT
    assert "own.json" not in rule


def test_a_state_from_before_there_were_own_models_was_judged_by_the_shipped_one():
    rule = json.loads(encode_rule(Settings(), make_rule(Settings())))
    del rule["rule.model"]
    assert decode_rule(json.dumps(rule)).version == make_rule(Settings()).version


@pytest.mark.parametrize("model", ["{}", 5, "gone.json"])
def test_a_state_whose_model_is_unknown_here_says_so(model: object):
    rule = json.loads(encode_rule(Settings(), make_rule(Settings())))
    with pytest.raises(StateUnusable, match="rule unknown here"):
        decode_rule(json.dumps({**rule, "rule.model": model}))


def test_a_state_of_one_model_is_refused_by_another(tmp_path):
    state = state_of(tmp_path, REPORTS[:3])
    paths = RunPaths(
        to=str(tmp_path / "events.jsonl"), state=state, dead=tmp_path / "events.jsonl.dlq"
    )
    with pytest.raises(StateUnusable, match="made with other settings") as refused:
        open_run(by(tmp_path / "own.json", STRICT), paths)
    assert NAMED in str(refused.value)


def test_a_run_judges_by_the_model_that_is_named(tmp_path):
    # Of this model nothing is alike, but for copies on their face.
    blind = replace(SHIPPED, bias=-30.0, weights=(0.0,) * len(SHIPPED.weights), habit=0.0)
    settings = by(tmp_path / "own.json", blind)
    state = tmp_path / "events.jsonl.state"
    paths = RunPaths(to=str(tmp_path / "events.jsonl"), state=state, dead=tmp_path / "dead")
    job = open_run(settings, paths)
    try:
        list(job.over([str(written(tmp_path / "items.jsonl", REPORTS))]))
    finally:
        job.close()
    retold = ItemKey("retold.example", "r3")
    for path, verdict in ((state, "original"), (state_of(_folder(tmp_path)), "duplicate")):
        with StateReader(path) as reader:
            [record] = [one for one in reader.records() if one.key == retold]
        assert record.verdict == verdict


def _folder(alongside: Path) -> Path:
    made = alongside / "shipped"
    made.mkdir()
    return made
