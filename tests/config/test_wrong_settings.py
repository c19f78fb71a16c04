import inspect
from dataclasses import replace
from pathlib import Path

import pytest

from newsdedup.adapters.redis.calls import Calls
from newsdedup.config import Settings, read_settings, settings_by_key
from newsdedup.config.reading import _REDIS_ATTEMPTS, read_secret
from newsdedup.ports.errors import SettingsInvalid

DURATION = settings_by_key()["run.idle_flush"].kind.expected
SPAN = settings_by_key()["rule.window"].kind.expected


def toml(folder: Path, text: str) -> Path:
    path = folder / "newsdedup.toml"
    path.write_text(text, encoding="utf-8")
    return path


def problems(
    flags: dict[str, object] | None = None,
    environ: dict[str, str] | None = None,
    file: Path | None = None,
) -> list[str]:
    with pytest.raises(SettingsInvalid) as refused:
        read_settings(flags or {}, environ or {}, file)
    return [line.strip() for line in str(refused.value).splitlines()[1:]]


def test_all_that_is_wrong_is_listed_at_once_with_key_value_origin_and_what_is_expected(
    tmp_path: Path,
) -> None:
    file = toml(tmp_path, "wndow = 3\n[run]\nbatch = 0\n[rule]\nsimilr = 3\n[limit]\ndepth = 3\n")
    environ = {"NEWSDEDUP_RUN__IDLE_FLUSH": "200", "NEWSDEDUP_RUL__TERMS": "12", "HOME": "/"}
    assert problems({"rule.window": "72", "rule.windw": "1h"}, environ, file) == [
        f"wndow ({file}): no such setting; did you mean rule.window?",
        f"run.batch = 0 ({file}): expected a whole number from 1 to 1000000",
        f"rule.similr ({file}): no such setting; did you mean rule.similar?",
        f"limit.depth ({file}): no such setting; did you mean limits.depth?",
        "NEWSDEDUP_RUL__TERMS (environment): no such setting; did you mean NEWSDEDUP_RULE__TERMS?",
        f"run.idle_flush = '200' (environment NEWSDEDUP_RUN__IDLE_FLUSH): expected {DURATION}",
        f"rule.window = '72' (flag --window): expected {SPAN}",
        "rule.windw (flag): no such setting; did you mean rule.window?",
    ]


def test_a_wrong_value_is_named_even_where_a_flag_overrides_it(tmp_path: Path) -> None:
    file = toml(tmp_path, "[rule]\nwindow = 3\n")
    assert [line[:15] for line in problems({"rule.window": "24h"}, {}, file)] == ["rule.window = 3"]


@pytest.mark.parametrize("key", settings_by_key())
def test_a_setting_with_one_character_missing_names_that_setting(key: str) -> None:
    section, name = key.split(".")
    meant = settings_by_key()[key].variable
    # Without its last character "zones" is another setting, whose kind refuses a list of pairs.
    positions = (0, 2) if key == "sources.zones" else (0, 2, -1)
    typos = {name[:position] + name[position:][1:] for position in positions}
    variables = sorted(f"NEWSDEDUP_{section}__{typo}".upper() for typo in typos)
    assert problems({}, dict.fromkeys(variables, "1")) == [
        f"{variable} (environment): no such setting; did you mean {meant}?"
        for variable in variables
    ]


def test_a_name_like_no_setting_is_refused_with_where_all_are_listed() -> None:
    (said,) = problems({}, {"NEWSDEDUP_ЖЖЖ": "1"})
    assert said == "NEWSDEDUP_ЖЖЖ (environment): no such setting; `newsdedup config show` lists all"


def test_a_long_value_or_name_is_cut(tmp_path: Path) -> None:
    file = toml(tmp_path, f'[rule]\nwindow = "{"7" * 100_000}"\n{"x" * 100_000} = 1\n')
    assert all(len(line) < 300 + len(str(file)) for line in problems({}, {}, file))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"rule.similar": "7"},
            "rule.similar = 7 (flag rule.similar) and rule.duplicate = 6 (default)",
        ),
        ({"rule.terms": "5"}, "rule.duplicate = 6 (default) and rule.terms = 5 (flag rule.terms)"),
    ],
)
def test_values_that_contradict_each_other_are_refused(
    values: dict[str, object], said: str
) -> None:
    low, high = (part.split(" ")[0] for part in said.split(" and "))
    assert problems(values) == [f"{said}: expected {low} <= {high}"]


def test_values_that_must_not_fall_may_be_equal() -> None:
    read = read_settings({"rule.similar": "6", "rule.duplicate": "6", "rule.terms": "6"}, {}, None)
    assert read.settings.rule.similar == read.settings.rule.terms == 6


def test_a_worker_reads_another_topic_than_it_writes() -> None:
    (said,) = problems({"kafka.output": "news.raw"})
    topics = "kafka.input = news.raw (default) and kafka.output = news.raw (flag kafka.output)"
    assert said == f"{topics}: expected two topics"
    assert len(problems({"kafka.input": "one", "kafka.output": "one", "kafka.dead": "one"})) == 3


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"redis.timeout": "50s"}, "6 times redis.timeout and 10s < worker.stall"),
        ({"worker.stall": "40s"}, "6 times redis.timeout and 10s < worker.stall"),
        ({"worker.linger": "5m"}, "worker.linger < worker.stall"),
    ],
)
def test_a_worker_that_may_wait_longer_than_it_may_hang_is_refused(
    values: dict[str, object], expected: str
) -> None:
    (said,) = problems(values)
    assert " and worker.stall = " in said
    assert f"expected {expected}: a worker that only waits" in said
    read_settings({"redis.timeout": "48s", "worker.linger": "4m"}, {}, None)


def test_a_call_of_redis_is_tried_as_often_as_the_settings_are_checked_for() -> None:
    attempts = inspect.signature(Calls).parameters["attempts"].default
    assert attempts == _REDIS_ATTEMPTS


def test_a_bad_value_is_no_contradiction_too() -> None:
    assert len(problems({"rule.duplicate": "x", "rule.similar": "9"})) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[rule\n", "is not TOML: Expected ']' at the end of a table declaration"),
        ("[rule] # окно".encode("cp1251"), "is not UTF-8: byte 9 is wrong"),
        (b"a = " + b"[" * 100_000, "is not TOML"),
    ],
)
def test_a_settings_file_that_cannot_be_understood_is_named(
    content: bytes, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "newsdedup.toml"
    file.write_bytes(content)
    (line,) = problems({}, {}, file)
    assert line.startswith(f"settings file {file}: {said}")


def test_a_settings_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "no.toml"
    assert problems({}, {}, missing) == [
        f"settings file {missing}: cannot be read: No such file or directory"
    ]
    assert problems({}, {}, tmp_path) == [
        f"settings file {tmp_path}: cannot be read: Is a directory"
    ]


def test_a_section_must_be_a_table_and_a_setting_must_not(tmp_path: Path) -> None:
    file = toml(tmp_path, "rule = 3\n[run.batch]\nx = 1\n")
    assert problems({}, {}, file) == [
        f"rule ({file}): expected a table: [rule]",
        f"run.batch = {{'x': 1}} ({file}): expected a whole number from 1 to 1000000",
    ]


def test_a_secret_is_never_shown() -> None:
    secret = replace(settings_by_key()["run.state"], secret=True)
    settings = read_settings({"run.state": "s3cret"}, {}, None).settings
    assert secret.shown(settings) == "********"
    assert secret.shown(Settings()) == ""
    assert "s3cret" not in str(problems({"kafka.password": "s3cret\0"}))


def test_a_secret_is_its_value_or_the_first_line_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("word\nremark\n", encoding="utf-8")
    assert read_secret("redis.password", "word", "") == "word"
    assert read_secret("redis.password", "", str(tmp_path / "secret")) == "word"
    assert read_secret("redis.password", "", "") == ""


def test_a_secret_given_twice_or_in_a_file_that_is_missing_names_its_setting(
    tmp_path: Path,
) -> None:
    file = str(tmp_path / "secret")
    with pytest.raises(SettingsInvalid, match=r"redis\.password_file .*secret: cannot be read"):
        read_secret("redis.password", "", file)
    (tmp_path / "secret").write_bytes(b"\xff\n")
    with pytest.raises(SettingsInvalid, match=r"redis\.password_file .*secret: cannot be read"):
        read_secret("redis.password", "", file)
    with pytest.raises(SettingsInvalid, match=r"redis\.password and redis\.password_file: only"):
        read_secret("redis.password", "word", file)


def test_a_byte_order_mark_before_a_secret_is_no_part_of_it(tmp_path):
    (tmp_path / "secret").write_text("word\r\n", "utf-8-sig")
    assert read_secret("redis.password", "", str(tmp_path / "secret")) == "word"


@pytest.mark.parametrize("content", ["", "\n", " \nword\n"])
def test_a_file_that_is_named_for_a_secret_and_has_none_is_refused(tmp_path, content):
    (tmp_path / "secret").write_text(content)
    with pytest.raises(SettingsInvalid, match=r"server\.token_file .*its first line is empty"):
        read_secret("server.token", "", str(tmp_path / "secret"))
