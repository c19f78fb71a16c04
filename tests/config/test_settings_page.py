from pathlib import Path

import pytest

from newsdedup.bootstrap.rules import make_rule
from newsdedup.config import build_settings, read_settings, settings_by_key
from newsdedup.config.settings import RULE_NAMES
from newsdedup.ports.errors import SettingsInvalid

PAGE = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("key", "value", "counts_for"),
    [
        ("rule.duplicate", 8, "terms"),
        ("rule.similar", 5, "terms"),
        ("rule.prefer", 77, "verified"),
    ],
)
def test_a_threshold_names_the_only_rule_it_counts_for(
    key: str, value: int, counts_for: str
) -> None:
    def version(name: str, **given: object) -> str:
        return make_rule(build_settings({"rule.name": name, **given})).version

    changed = [name for name in RULE_NAMES if version(name) != version(name, **{key: value})]
    assert changed == [counts_for]
    assert f"only for rule `{counts_for}`" in settings_by_key()[key].about


def test_the_errors_on_the_page_are_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("newsdedup.toml").write_text("[rule]\nwindow = 72\nsimilar = 7\n", "utf-8")
    with pytest.raises(SettingsInvalid) as refused:
        read_settings({}, {"NEWSDEDUP_RULE__DUPLICAT": "7"}, Path("newsdedup.toml"))
    assert f"```\nnewsdedup: {refused.value}\n```" in PAGE
